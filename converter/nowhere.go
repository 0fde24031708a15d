package converter

import (
	"bytes"
	"errors"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// nowhere finds the members that are retained nowhere, wherever they stand in a document.
func (r *redactor) nowhere(cuts []cut, d *jsonscan.Doc) []cut {
	escaped := d.Has(jsonscan.EscapedKey)
	for n := range d.Nodes {
		node := &d.Nodes[n]
		if node.KeyStart == 0 || (!escaped && !r.hasLength(int(node.KeyEnd-node.KeyStart))) {
			continue
		}
		if !r.never(d, n) {
			continue
		}
		if c, ok := r.member(d, n); ok {
			cuts = append(cuts, c)
		}
	}
	return cuts
}

// never says whether a member is one that is retained nowhere: nothing is read out of it either.
func (r *redactor) never(d *jsonscan.Doc, n int) bool {
	return slices.ContainsFunc(r.secrets.Always, func(a string) bool { return named(d, n, a) })
}

// hasLength says whether the name of a member that is retained nowhere has that length: most names do not, and every
// name of every item is asked.
func (r *redactor) hasLength(n int) bool {
	for _, a := range r.secrets.Always {
		if len(a) == n {
			return true
		}
	}
	return false
}

// mayName says whether bytes hold the name of a member that is retained nowhere, spelled without escapes.
func (r *redactor) mayName(raw []byte) bool {
	return slices.ContainsFunc(r.secrets.Always, func(a string) bool { return bytes.Contains(raw, []byte(a)) })
}

// nowhereInJSON are the cuts of a JSON document that is no object; nil when it has no such member, or is no JSON.
func (r *redactor) nowhereInJSON(raw []byte) []cut {
	if !r.mayName(raw) && !bytes.Contains(raw, []byte(`\u`)) {
		return nil
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		return nil
	}
	cuts := r.nowhere(nil, &d)
	if cuts == nil {
		return nil
	}
	return located(r.occurrences(cuts, &d, nil), &d)
}

// nowhereInText finds what looks like such a member in bytes that are no JSON, a torn document for one: from its name to
// the end of its value, or of the bytes where the value has none.
func (r *redactor) nowhereInText(raw []byte) [][2]int {
	var spans [][2]int
	for _, name := range r.secrets.Always {
		quoted := []byte(`"` + name + `"`)
		for from := 0; ; {
			n := bytes.Index(raw[from:], quoted)
			if n < 0 {
				break
			}
			start := from + n
			from = start + len(quoted)
			if colon := skipSpace(raw, from); colon < len(raw) && raw[colon] == ':' {
				from = valueEnd(raw, colon+1)
				spans = append(spans, [2]int{start, from})
			}
		}
	}
	return merged(spans)
}

// valueEnd is where the JSON value that begins at a place ends; the end of the bytes when it does not.
func valueEnd(raw []byte, at int) int {
	_, err := jsonscan.Scan(raw[at:], nil, jsonscan.Options{NonFinite: true, NoTape: true})
	var e *jsonscan.Error
	if errors.As(err, &e) && e.Reason == jsonscan.Trailing {
		return at + e.Offset
	}
	return len(raw)
}
