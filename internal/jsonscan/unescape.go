package jsonscan

import (
	"bytes"
	"cmp"
	"unicode/utf8"
)

// escapeAt decodes the escape at pos of raw and returns its length, 0 when it is none.
// A lone surrogate is returned as such.
func escapeAt(raw []byte, pos int) (r rune, n int) {
	switch c := at(raw, pos+1); c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	length, held := scanUnicode(raw, pos)
	if held&textSyntax != 0 {
		return 0, 0
	}
	r, _ = hex4(raw, pos+2)
	if length == 12 {
		low, _ := hex4(raw, pos+8)
		r = (r-surrogateMin)<<10 + (low - surrogateLow) + 0x10000
	}
	return r, length
}

func isSurrogate(r rune) bool { return r >= surrogateMin && r <= surrogateMax }

// AppendUnescape appends the text that the raw bytes between two quotes stand for, and reports
// whether a lone surrogate became U+FFFD. What is no escape is copied as it stands.
func AppendUnescape(dst, raw []byte) (out []byte, lone bool) {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...), lone
		}
		dst = append(dst, raw[:i]...)
		r, n := escapeAt(raw, i)
		switch {
		case n == 0:
			n = 1
			dst = append(dst, '\\')
		case isSurrogate(r):
			lone = true
			fallthrough
		default:
			dst = utf8.AppendRune(dst, r)
		}
		raw = raw[i+n:]
	}
}

// AppendClean appends a raw string spelling, with or without its quotes, where only the escapes of
// lone surrogates are replaced by U+FFFD in UTF-8, and reports whether there were any.
func AppendClean(dst, raw []byte) (out []byte, changed bool) {
	start := 0
	for pos := 0; ; {
		i := bytes.IndexByte(raw[pos:], '\\')
		if i < 0 {
			return append(dst, raw[start:]...), changed
		}
		pos += i
		r, n := escapeAt(raw, pos)
		if n > 0 && isSurrogate(r) {
			changed = true
			dst = utf8.AppendRune(append(dst, raw[start:pos]...), utf8.RuneError)
			start = pos + n
		}
		pos += max(n, 1)
	}
}

// nextUnit decodes the first character of a raw name that is not empty, a lone surrogate as such.
func nextUnit(raw []byte) (r rune, rest []byte) {
	if raw[0] == '\\' {
		if r, n := escapeAt(raw, 0); n > 0 {
			return r, raw[n:]
		}
	}
	r, n := utf8.DecodeRune(raw)
	return r, raw[n:]
}

// appendUnits appends the text of a raw name in UTF-8 that lets lone surrogates differ.
func appendUnits(dst, raw []byte) []byte {
	for len(raw) > 0 {
		var r rune
		if r, raw = nextUnit(raw); isSurrogate(r) {
			dst = append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			continue
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// compareText orders raw names by their unescaped text, lone surrogates by their code.
func compareText(a, b []byte) int {
	if bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return bytes.Compare(a, b)
	}
	for len(a) > 0 && len(b) > 0 {
		var x, y rune
		x, a = nextUnit(a)
		y, b = nextUnit(b)
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// equalText reports whether a raw name or text stands for text, lone surrogates for U+FFFD.
func equalText(raw []byte, text string) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return string(raw) == text
		}
		if len(text) < i || string(raw[:i]) != text[:i] {
			return false
		}
		var buf [utf8.UTFMax]byte
		r, n := escapeAt(raw, i)
		unit := utf8.AppendRune(buf[:0], r)
		if n == 0 {
			n, unit = 1, append(buf[:0], '\\')
		}
		text = text[i:]
		if len(text) < len(unit) || text[:len(unit)] != string(unit) {
			return false
		}
		raw, text = raw[i+n:], text[len(unit):]
	}
}
