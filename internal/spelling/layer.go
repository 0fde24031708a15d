package spelling

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Bounds of what is taken off: JSON within strings is rarely three deep, and percent signs are rarely doubled.
const (
	maxEscapes  = 8
	maxPercents = 2
)

// Layer is a text with the places of its bytes in the bytes that it was decoded from.
type Layer struct {
	Text []byte  // borrowed: valid until yield returns
	at   []int32 // place of each byte and of the end; nil: the text is the bytes themselves
}

// Span gives the place of Text[start:end] in the bytes that the layer was decoded from.
func (l *Layer) Span(start, end int) (from, to int) {
	if l.at == nil {
		return start, end
	}
	return int(l.at[start]), int(l.at[end])
}

// Layers yields raw as it stands, then without one layer of JSON escapes more each time, and each of them without its
// percent encoding where it has any. Bytes beyond 2 GiB are not looked at.
func Layers(raw []byte, yield func(*Layer)) {
	if len(raw) > 1<<31-2 {
		raw = raw[:1<<31-2]
	}
	l := Layer{Text: raw}
	for range maxEscapes {
		yield(&l)
		percents(l, yield)
		if bytes.IndexByte(l.Text, '\\') < 0 {
			return
		}
		next := l.decode('\\', escape)
		if len(next.Text) == len(l.Text) {
			return
		}
		l = next
	}
}

// Unescaped is raw without one layer of JSON escapes. Of more than 2 GiB it is the beginning.
func Unescaped(raw []byte) Layer {
	l := Layer{Text: raw[:min(len(raw), 1<<31-2)]}
	if bytes.IndexByte(l.Text, '\\') < 0 {
		return l
	}
	return l.decode('\\', escape)
}

func percents(l Layer, yield func(*Layer)) {
	for range maxPercents {
		if bytes.IndexByte(l.Text, '%') < 0 {
			return
		}
		next := l.decode('%', percent)
		if len(next.Text) == len(l.Text) {
			return
		}
		l = next
		yield(&l)
	}
}

// decode replaces what begins with a mark: one gives the bytes that stand at the beginning of raw instead, and how many of
// raw they replace; 0: none.
func (l *Layer) decode(mark byte, one func(raw []byte) (put [utf8.UTFMax]byte, n, size int)) Layer {
	next := Layer{Text: make([]byte, 0, len(l.Text)), at: make([]int32, 0, len(l.Text)+1)}
	for i := 0; i < len(l.Text); {
		run := bytes.IndexByte(l.Text[i:], mark)
		if run < 0 {
			run = len(l.Text) - i
		}
		next.Text = append(next.Text, l.Text[i:i+run]...)
		next.at = l.appendPlaces(next.at, i, i+run)
		if i += run; i == len(l.Text) {
			break
		}
		put, n, size := one(l.Text[i:])
		if size == 0 {
			put[0], n, size = l.Text[i], 1, 1
		}
		next.Text = append(next.Text, put[:n]...)
		for range n {
			next.at = l.appendPlaces(next.at, i, i+1)
		}
		i += size
	}
	next.at = l.appendPlaces(next.at, len(l.Text), len(l.Text)+1)
	return next
}

// appendPlaces appends the places of the bytes from start to end; the byte after the last one has a place too.
func (l *Layer) appendPlaces(dst []int32, start, end int) []int32 {
	if l.at != nil {
		return append(dst, l.at[start:end]...)
	}
	for i := start; i < end; i++ {
		dst = append(dst, int32(i))
	}
	return dst
}

// escape reads one JSON escape. Half of a surrogate pair becomes U+FFFD.
func escape(raw []byte) (put [utf8.UTFMax]byte, n, size int) {
	if len(raw) < 2 {
		return put, 0, 0
	}
	if i := bytes.IndexByte([]byte(`"\/bfnrt`), raw[1]); i >= 0 {
		put[0] = "\"\\/\b\f\n\r\t"[i]
		return put, 1, 2
	}
	r, ok := unit(raw)
	if !ok {
		return put, 0, 0
	}
	size = 6
	if r >= 0xD800 && r < 0xDC00 {
		if low, ok := unit(raw[6:]); ok && low >= 0xDC00 && low < 0xE000 {
			r, size = (r-0xD800)<<10+(low-0xDC00)+0x10000, 12
		}
	}
	return put, utf8.EncodeRune(put[:], r), size
}

// unit reads \uXXXX.
func unit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range raw[2:6] {
		v := hexValue(c)
		if v < 0 {
			return 0, false
		}
		r = r<<4 | rune(v)
	}
	return r, true
}

// percent reads one percent-encoded byte.
func percent(raw []byte) (put [utf8.UTFMax]byte, n, size int) {
	if len(raw) < 3 {
		return put, 0, 0
	}
	high, low := hexValue(raw[1]), hexValue(raw[2])
	if high < 0 || low < 0 {
		return put, 0, 0
	}
	put[0] = byte(high<<4 | low)
	return put, 1, 3
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	default:
		return -1
	}
}

// start is the first four bytes of raw as one number.
func start(raw []byte) uint32 { return binary.LittleEndian.Uint32(raw) }
