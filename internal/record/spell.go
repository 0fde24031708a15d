package record

import (
	"strings"
	"unicode/utf8"
)

const upperHex = "0123456789ABCDEF"

// SpellPath is a path as bundles spell it: names that are not UTF-8 stand percent-encoded.
func SpellPath(p string) string {
	if utf8.ValidString(p) {
		return p
	}
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = SpellName(part)
	}
	return strings.Join(parts, "/")
}

// SpellName is a name as bundles spell it; one that is not UTF-8 has its foreign bytes and its percent signs encoded.
func SpellName(name string) string {
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
