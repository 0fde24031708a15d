package converter

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/spelling"
)

// minLearnt is the length, in characters, below which a value is too common to be told from other text.
const minLearnt = 4

// learnt are the values that redacted members of a snapshot held in clear. They are cut out of all else.
type learnt struct{ set spelling.Set }

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
	return short
}

func (l *learnt) add(value string) { l.set.Add(value) }

func (l *learnt) none() bool { return l.set.Len() == 0 }

// spans finds the learnt values in raw bytes, in every spelling. The spans are places in raw, in order, none inside another.
func (l *learnt) spans(raw []byte) [][2]int {
	found := l.set.Spans(raw)
	spans := make([][2]int, len(found))
	for i, f := range found {
		spans[i] = [2]int{f.Start, f.End}
	}
	return spans
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
	return r.redactSpans(raw, nil)
}

// redactSpans is redactText with more places that go.
func (r *redactor) redactSpans(raw []byte, spans [][2]int) ([]byte, []record.Redaction) {
	if cuts := r.nowhereInJSON(raw); cuts != nil {
		return apply(raw, cuts)
	}
	spans = append(spans, r.nowhereInText(raw)...)
	if !r.learnt.none() {
		spans = append(spans, r.learnt.spans(raw)...)
	}
	spans = merged(spans)
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

// cleanSet is clean for an array of different strings, which cuts may have made equal.
func (r *redactor) cleanSet(raw []byte) []byte {
	clean := r.clean(raw)
	if bytes.Equal(clean, raw) {
		return raw
	}
	d, err := jsonscan.Scan(clean, nil, jsonscan.Options{})
	if err != nil {
		return nil
	}
	var texts []string
	each(&d, 0, func(n int) {
		if text := d.Text(n); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	})
	return record.AppendStrings(nil, texts)
}

// cleanFact gives a JSON object that repeats a piece of the snapshot without the learnt values and the members that are
// retained nowhere. The snapshot itself says what was cut out of it.
func (r *redactor) cleanFact(raw []byte) []byte {
	if r.learnt.none() && !r.mayName(raw) && !bytes.Contains(raw, []byte(`\u`)) {
		return raw
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		return raw
	}
	cuts := r.occurrences(r.nowhere(nil, &d), &d, nil)
	if len(cuts) == 0 {
		return raw
	}
	clean, _ := apply(raw, located(cuts, &d))
	return clean
}
