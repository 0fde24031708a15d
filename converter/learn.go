package converter

import (
	"bytes"
	"encoding/base64"
	"slices"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// minLearnt is the length, in characters, below which a value is too common to be told from other text.
const minLearnt = 4

// learnt are the values that redacted members of a snapshot held in clear. They are cut out of all else.
type learnt struct {
	values [][]byte
	codes  [][]byte // base64 spellings of the values, without the ends that depend on what stands beside
}

// learn takes the values that the entry names from a snapshot that is not yet redacted. short counts those that are
// too short to be looked for.
func (r *redactor) learn(d *jsonscan.Doc) (short int) {
	seen := map[string]bool{}
	for i := range r.secrets.Learn {
		r.secrets.Learn[i].EachSpelled(d, 0, func(n int) bool {
			if d.Kind(n) != jsonscan.String || named(d, n, "kind") || named(d, n, "description") {
				return true
			}
			text := d.Text(n)
			if text == "" || r.masked(text) || seen[text] {
				return true
			}
			seen[text] = true
			if utf8.RuneCountInString(text) < minLearnt {
				short++
				return true
			}
			r.learnt.add(text)
			return true
		})
	}
	// the longest first: of two that overlap the longer one is cut
	slices.SortStableFunc(r.learnt.values, func(a, b []byte) int { return len(b) - len(a) })
	return short
}

func (l *learnt) add(value string) {
	l.values = append(l.values, []byte(value))
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			padded := append(make([]byte, before), value...)
			code := []byte(enc.EncodeToString(padded))
			code = code[(before*8+5)/6 : len(padded)*8/6]
			if len(code) >= minLearnt && !slices.ContainsFunc(l.codes, func(c []byte) bool { return bytes.Equal(c, code) }) {
				l.codes = append(l.codes, code)
			}
		}
	}
}

func (l *learnt) none() bool { return len(l.values) == 0 }

// level is a text with the place in the original bytes of each of its bytes, and of its end.
type level struct {
	text []byte
	at   []int32
}

// spans finds the learnt values in raw bytes: as they stand, below any number of JSON escapes, percent-encoded, and in
// base64. The spans are places in raw, in order, none inside another.
func (l *learnt) spans(raw []byte) [][2]int {
	var found [][2]int
	lv := level{text: raw, at: make([]int32, len(raw)+1)}
	for i := range lv.at {
		lv.at[i] = int32(i)
	}
	for range 6 {
		found = l.search(found, &lv)
		percent := decodePercent(&lv)
		if len(percent.text) != len(lv.text) {
			found = l.search(found, &percent)
		}
		next := decodeEscapes(&lv)
		if len(next.text) == len(lv.text) {
			break
		}
		lv = next
	}
	return merged(found)
}

func (l *learnt) search(found [][2]int, lv *level) [][2]int {
	for _, list := range [][][]byte{l.values, l.codes} {
		for _, v := range list {
			for from := 0; ; {
				i := bytes.Index(lv.text[from:], v)
				if i < 0 {
					break
				}
				from += i
				found = append(found, [2]int{int(lv.at[from]), int(lv.at[from+len(v)])})
				from += len(v)
			}
		}
	}
	return found
}

// merged sorts spans and joins those that overlap.
func merged(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s[0] < out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

// decodeEscapes takes one layer of JSON escapes off.
func decodeEscapes(lv *level) level {
	next := level{text: make([]byte, 0, len(lv.text)), at: make([]int32, 0, len(lv.text)+1)}
	for i := 0; i < len(lv.text); {
		n := 1
		if lv.text[i] == '\\' {
			n = min(escapeLen(lv.text[i:]), len(lv.text)-i)
		}
		was := len(next.text)
		next.text, _ = jsonscan.AppendUnescape(next.text, lv.text[i:i+n])
		for range len(next.text) - was {
			next.at = append(next.at, lv.at[i])
		}
		i += n
	}
	next.at = append(next.at, lv.at[len(lv.text)])
	return next
}

// decodePercent takes percent encoding off.
func decodePercent(lv *level) level {
	next := level{text: make([]byte, 0, len(lv.text)), at: make([]int32, 0, len(lv.text)+1)}
	for i := 0; i < len(lv.text); {
		c, n := lv.text[i], 1
		if c == '%' && i+2 < len(lv.text) {
			if high, low := hexValue(lv.text[i+1]), hexValue(lv.text[i+2]); high >= 0 && low >= 0 {
				c, n = byte(high<<4|low), 3
			}
		}
		next.text = append(next.text, c)
		next.at = append(next.at, lv.at[i])
		i += n
	}
	next.at = append(next.at, lv.at[len(lv.text)])
	return next
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

// occurrences are the cuts of learnt values in the string values of a document, ids aside.
func (r *redactor) occurrences(cuts []cut, d *jsonscan.Doc, ids []entry.Path) []cut {
	if r.learnt.none() {
		return cuts
	}
	apart := map[int]bool{}
	for i := range ids {
		ids[i].EachSpelled(d, 0, func(n int) bool {
			apart[n] = true
			return true
		})
	}
	for n := range d.Nodes {
		if d.Kind(n) != jsonscan.String || apart[n] {
			continue
		}
		raw := d.Value(n)
		start := int(d.Nodes[n].Start) + 1
		for _, s := range r.learnt.spans(raw[1 : len(raw)-1]) {
			cuts = append(cuts, cut{
				node: n, start: start + s[0], end: start + s[1], put: omitted, kind: kindSecret,
			})
		}
	}
	return cuts
}

// redactText is redact for bytes that are no JSON object: learnt values go as text, and so do members that are retained
// nowhere.
func (r *redactor) redactText(raw []byte) ([]byte, []record.Redaction) {
	if cuts := r.nowhereInJSON(raw); cuts != nil {
		return apply(raw, cuts)
	}
	spans := r.nowhereInText(raw)
	if !r.learnt.none() {
		spans = merged(append(spans, r.learnt.spans(raw)...))
	}
	if len(spans) == 0 {
		return raw, nil
	}
	cuts := make([]cut, len(spans))
	for i, s := range spans {
		cuts[i] = cut{start: s[0], end: s[1], put: omitted, kind: kindSecret}
	}
	return apply(raw, cuts)
}

// clean gives raw JSON that states a member of the snapshot without the learnt values in it.
func (r *redactor) clean(raw []byte) []byte {
	if raw == nil || r.learnt.none() {
		return raw
	}
	spans := r.learnt.spans(raw)
	for i := len(spans) - 1; i >= 0; i-- {
		raw = slices.Concat(raw[:spans[i][0]], []byte(omitted), raw[spans[i][1]:])
	}
	return raw
}
