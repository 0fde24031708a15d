package restore

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// spellPath is a path as bundles spell it: in a name that is not UTF-8, foreign bytes and percent signs are encoded.
func spellPath(p string) string {
	if utf8.ValidString(p) {
		return p
	}
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = spellName(part)
	}
	return strings.Join(parts, "/")
}

func spellName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if (r == utf8.RuneError && n <= 1) || r == '%' {
			fmt.Fprintf(&b, "%%%02X", name[i])
			i++
			continue
		}
		b.WriteString(name[i : i+n])
		i += n
	}
	return b.String()
}
