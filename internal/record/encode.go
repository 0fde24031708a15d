package record

import (
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string: quotes, backslashes and control characters escaped, nothing else;
// invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	start := 0
	for start < len(s) && plain[s[start]] {
		start++
	}
	dst = append(dst, '"')
	if start == len(s) {
		return append(append(dst, s...), '"')
	}
	return appendRest(dst, s, start)
}

// plain tells the bytes that stand for themselves in a string: ASCII without control characters, quote and backslash.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// appendRest appends s, whose first plain bytes need no escape, and the closing quote.
func appendRest(dst []byte, s string, i int) []byte {
	start := 0
	for i < len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			dst = append(append(dst, s[start:i]...), "\uFFFD"...)
		} else {
			dst = appendEscape(append(dst, s[start:i]...), c)
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// appendEscape appends the escape of one ASCII character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
}

// AppendStrings appends list as a JSON array of strings.
func AppendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// AppendInt appends n in decimal.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) []byte { return strconv.AppendBool(dst, b) }

// AppendKey appends a member name and its colon, after a comma unless the object that dst ends in is still empty.
func AppendKey(dst []byte, name string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendString(dst, name), ':')
}
