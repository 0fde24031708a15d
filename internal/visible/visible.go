// Package visible writes out what in a text would steer a terminal or mislead a reader.
package visible

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text shows text that comes from data on one line, with everything that could steer a terminal or mislead a reader
// written out: control characters, direction marks, line separators and bytes that are no UTF-8.
func Text(s string) string { return show(s, "") }

// Lines is Text for our own messages of several lines: line ends and tabs stay.
func Lines(s string) string { return show(s, "\n\t") }

func show(s, keep string) string {
	if !strings.ContainsFunc(s, steers) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + hex(uint64(s[i]), 2))
		case steers(r) && !strings.ContainsRune(keep, r):
			b.WriteString(escaped(r))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// steers says whether a character does something other than show itself.
func steers(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

func escaped(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r > 0xffff {
		return `\U` + hex(uint64(r), 8)
	}
	return `\u` + hex(uint64(r), 4)
}

func hex(n uint64, digits int) string {
	s := strconv.FormatUint(n, 16)
	return strings.Repeat("0", max(0, digits-len(s))) + s
}

// JSON escapes such characters inside the strings of a JSON text, which leaves its value as it is. Line ends and
// tabs between tokens stay. Bytes that are no UTF-8 cannot stand in JSON and stay too.
func JSON(raw []byte) []byte {
	if !strings.ContainsFunc(string(raw), steersInJSON) {
		return raw
	}
	out := make([]byte, 0, len(raw)+64)
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		switch {
		case !steersInJSON(r):
			out = append(out, raw[i:i+n]...)
		case r > 0xffff:
			r -= 0x10000
			out = append(out, `\u`+hex(uint64(0xd800+r>>10), 4)+`\u`+hex(uint64(0xdc00+r&0x3ff), 4)...)
		default:
			out = append(out, `\u`+hex(uint64(r), 4)...)
		}
		i += n
	}
	return out
}

func steersInJSON(r rune) bool { return r > ' ' && steers(r) }
