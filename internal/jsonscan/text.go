package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// textBits says what a string held.
type textBits uint8

const (
	textEscape textBits = 1 << iota // an escape
	textLone                        // a lone surrogate
	textSyntax                      // a fault, at the position returned
	textUTF8                        // a fault of the encoding, there
)

// simpleEscape marks the bytes that may follow a backslash, except u.
var simpleEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// text scans the string whose opening quote is at pos and notes what it held.
func (s *scanner) text(pos int, isName bool) int {
	end, b := scanText(s.raw, pos+1)
	if b == 0 {
		return end
	}
	return s.noteText(end, b, isName)
}

func (s *scanner) noteText(end int, b textBits, isName bool) int {
	switch {
	case b&textUTF8 != 0:
		return s.fail(end, UTF8)
	case b&textSyntax != 0:
		return s.fail(end, Syntax)
	}
	if b&textLone != 0 {
		if s.flags&LoneSurrogate == 0 {
			s.firstSurrogate = len(s.nodes) // the node about to be added, also for its name
		}
		s.flags |= LoneSurrogate
	}
	if isName && b&textEscape != 0 {
		s.flags |= EscapedKey
	}
	return end
}

// scanText scans a string from after its opening quote and returns the position after its closing one.
func scanText(raw []byte, pos int) (int, textBits) {
	var held textBits
	for {
		for ; len(raw)-pos >= 8; pos += 8 {
			if m := special(binary.LittleEndian.Uint64(raw[pos:])); m != 0 {
				pos += bits.TrailingZeros64(m) / 8
				break
			}
		}
		switch c := at(raw, pos); {
		case c == '"':
			return pos + 1, held
		case c == '\\':
			held |= textEscape
			if simpleEscape[at(raw, pos+1)] {
				pos += 2
				continue
			}
			n, b := scanUnicode(raw, pos)
			if held, pos = held|b, pos+n; b&textSyntax != 0 {
				return pos, held
			}
		case c < ' ':
			return pos, held | textSyntax
		case c < utf8.RuneSelf:
			pos++
		default:
			next := skipRunes(raw, pos)
			if next == pos {
				return pos, held | textUTF8
			}
			pos = next
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// special returns a word whose lowest set bit is in the first byte of x that is a quote, a backslash,
// a control character or not ASCII. Borrows reach only bytes after the first.
func special(x uint64) uint64 {
	return (((x ^ 2*ones) - 0x21*ones) | ((x ^ '\\'*ones) - ones) | x) & highs // x^2 puts the quote below 0x21 and the space above
}

// scanUnicode scans the escape at pos, which is none of the simple ones, and the second half of
// a surrogate pair. It returns their length or, with textSyntax, where the fault is from pos.
func scanUnicode(raw []byte, pos int) (int, textBits) {
	if at(raw, pos+1) != 'u' {
		return 1, textSyntax
	}
	u, n := hex4(raw, pos+2)
	switch {
	case n < 4:
		return 2 + n, textSyntax
	case u < surrogateMin || u > surrogateMax:
		return 6, 0
	case pairAt(raw, pos, u):
		return 12, 0
	}
	return 6, textLone
}

const (
	surrogateMin = 0xD800
	surrogateLow = 0xDC00
	surrogateMax = 0xDFFF
)

// pairAt reports whether the escape of the unit u at pos begins a surrogate pair.
func pairAt(raw []byte, pos int, u rune) bool {
	if u >= surrogateLow || at(raw, pos+6) != '\\' || at(raw, pos+7) != 'u' {
		return false
	}
	low, n := hex4(raw, pos+8)
	return n == 4 && low >= surrogateLow && low <= surrogateMax
}

// hex4 reads four hexadecimal digits at pos and returns how many there were.
func hex4(raw []byte, pos int) (u rune, n int) {
	for ; n < 4; n++ {
		c := at(raw, pos+n)
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return u, n
		}
		u = u<<4 | rune(c)
	}
	return u, n
}

// skipRunes returns the position after the characters beyond ASCII at pos. A word holds a whole
// character: its bits tell the length, then that it is neither overlong, nor a surrogate, nor beyond U+10FFFF.
func skipRunes(raw []byte, pos int) int {
	for len(raw)-pos >= 4 {
		switch x := binary.LittleEndian.Uint32(raw[pos:]); {
		case x&0xC0C0F0 == 0x8080E0 && x&0x200F != 0 && x&0x200F != 0x200D:
			pos += 3
		case x&0xC0E0 == 0x80C0 && x&0x1E != 0:
			pos += 2
		case x&0xC0C0C0F8 == 0x808080F0 && x&0x3007 != 0 && (x&4 == 0 || x&0x3003 == 0):
			pos += 4
		default:
			return pos
		}
	}
	return pos + runeLen(raw, pos)
}

// runeLen returns the length of the UTF-8 sequence of a character beyond ASCII at pos, 0 for anything else.
func runeLen(raw []byte, pos int) int {
	if _, n := utf8.DecodeRune(raw[pos:]); n > 1 {
		return n
	}
	return 0
}
