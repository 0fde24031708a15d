package spelling

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"slices"
)

// MinValue is the length, in bytes, below which a Set does not take a value.
const MinValue = 4

// Set is values that are looked for, in all their spellings. The zero value is empty and ready.
type Set struct {
	values []string
	known  map[string]int
	filter [1 << 11]uint64 // which hashes of four bytes begin a needle
	starts map[uint32][]needle
}

// needle is a value, or what stands for it in base64 whatever stands beside it.
type needle struct {
	text  string
	value int
	word  bool // no letter, digit, dash or underscore beside it
}

// Span is a place where a value is spelled.
type Span struct {
	Start, End int
	Value      int // index of the value
}

// Add adds a value once and returns its index; -1 when it is too short.
func (s *Set) Add(value string) int { return s.add(value, false) }

// AddWord is Add for a value that counts only where it is a word of its own, and not in base64.
func (s *Set) AddWord(value string) int { return s.add(value, true) }

func (s *Set) add(value string, word bool) int {
	if len(value) < MinValue {
		return -1
	}
	if i, ok := s.known[value]; ok {
		return i
	}
	if s.known == nil {
		s.known, s.starts = map[string]int{}, map[uint32][]needle{}
	}
	i := len(s.values)
	s.known[value] = i
	s.values = append(s.values, value)
	s.needle(needle{value, i, word})
	if !word {
		for _, code := range codes(value) {
			s.needle(needle{code, i, false})
		}
	}
	return i
}

// Has says whether a value is in the set.
func (s *Set) Has(value string) bool { _, ok := s.known[value]; return ok }

// Len is the number of values.
func (s *Set) Len() int { return len(s.values) }

// Value is the value of an index.
func (s *Set) Value(i int) string { return s.values[i] }

func (s *Set) needle(n needle) {
	k := start([]byte(n.text[:4]))
	h := hashOf(k)
	s.filter[h>>6] |= 1 << (h & 63)
	list := append(s.starts[k], n)
	// the longest first: of two that begin in one place the longer one counts
	slices.SortStableFunc(list, func(a, b needle) int { return cmp.Compare(len(b.text), len(a.text)) })
	s.starts[k] = list
}

func hashOf(k uint32) uint32 { return k * 0x9E3779B1 >> 15 }

// codes are the base64 spellings of a value without the ends, which depend on what stands beside it.
func codes(value string) []string {
	var list []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			padded := string(make([]byte, before)) + value
			code := enc.EncodeToString([]byte(padded))
			code = code[(before*8+5)/6 : len(padded)*8/6]
			if len(code) >= MinValue && !slices.Contains(list, code) {
				list = append(list, code)
			}
		}
	}
	return list
}

// Spans finds the values in raw bytes, in every spelling. The spans are in order; none overlaps another.
func (s *Set) Spans(raw []byte) []Span {
	if len(s.values) == 0 {
		return nil
	}
	var found []Span
	Layers(raw, func(l *Layer) { found = s.search(found, l) })
	return Merge(found)
}

func (s *Set) search(found []Span, l *Layer) []Span {
	text := l.Text
	for i := 0; i+4 <= len(text); i++ {
		k := start(text[i:])
		h := hashOf(k)
		if s.filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, n := range s.starts[k] {
			end := i + len(n.text)
			if len(text) >= end && string(text[i:end]) == n.text && (!n.word || alone(text, i, end)) {
				from, to := l.Span(i, end)
				found = append(found, Span{from, to, n.value})
				break
			}
		}
	}
	return found
}

// Tail is where a text that was cut off begins to spell a value: the first place from which all of it is the beginning of
// one; -1 when it does not.
func (s *Set) Tail(text string) (at, value int) {
	for i := 0; i+MinValue <= len(text); i++ {
		for _, n := range s.starts[start([]byte(text[i:i+MinValue]))] {
			if len(n.text) >= len(text)-i && n.text[:len(text)-i] == text[i:] {
				return i, n.value
			}
		}
	}
	return -1, -1
}

// alone says whether nothing of a word stands beside a span.
func alone(text []byte, from, end int) bool {
	return (from == 0 || !ofWord(text[from-1])) && (end == len(text) || !ofWord(text[end]))
}

func ofWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Merge sorts spans and joins those that overlap; the value of the longest one stands for all of them.
func Merge(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Value, b.Value))
	})
	out, longest := spans[:0], 0
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			last := &out[n-1]
			last.End = max(last.End, s.End)
			if size := s.End - s.Start; size > longest {
				longest, last.Value = size, s.Value
			}
			continue
		}
		out, longest = append(out, s), s.End-s.Start
	}
	return out
}

// Contains says whether raw bytes hold any of the values in any spelling.
func (s *Set) Contains(raw []byte) bool { return len(s.Spans(raw)) > 0 }

// Replace gives text with what put says instead of each value, whatever way it is spelled there.
func (s *Set) Replace(text string, put func(value int) string) string {
	spans := s.Spans([]byte(text))
	if len(spans) == 0 {
		return text
	}
	var b bytes.Buffer
	pos := 0
	for _, sp := range spans {
		b.WriteString(text[pos:sp.Start])
		b.WriteString(put(sp.Value))
		pos = sp.End
	}
	b.WriteString(text[pos:])
	return b.String()
}
