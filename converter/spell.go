package converter

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const upperHex = "0123456789ABCDEF"

// spellPath is a path as text: names that are not UTF-8 stand percent-encoded.
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

// spellName is a name as text; one that is not UTF-8 has its foreign bytes and its percent signs encoded.
func spellName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if (r == utf8.RuneError && n <= 1) || r == '%' {
			b.WriteByte('%')
			b.WriteByte(upperHex[name[i]>>4])
			b.WriteByte(upperHex[name[i]&15])
			i++
			continue
		}
		b.WriteString(name[i : i+n])
		i += n
	}
	return b.String()
}

// quote quotes a name for a message, cut to 64 bytes.
func quote(s string) string {
	if len(s) > 64 {
		s = s[:61] + "..."
	}
	return strconv.Quote(s)
}
