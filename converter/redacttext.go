package converter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// text finds values in JSON that stands inside a string; they are replaced in the spelling of the text around them.
func (r *redactor) text(cuts []cut, o *entry.Omission, d *jsonscan.Doc, at int) []cut {
	if d.Kind(at) != jsonscan.String {
		return cuts
	}
	inner, err := jsonscan.Scan([]byte(d.Text(at)), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		if r.mayHold(d.Text(at), o) { // what is a secret in it cannot be told
			cuts = append(cuts, cut{node: at, start: int(d.Nodes[at].Start) + 1, end: int(d.Nodes[at].End) - 1, put: omitted, kind: kindSecret})
		}
		return cuts
	}
	var nodes []int
	for i := range o.Paths {
		o.Paths[i].EachSpelled(&inner, 0, func(n int) bool {
			if r.kind(&inner, n) == kindSecret {
				nodes = append(nodes, n)
			}
			return true
		})
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	body := d.Value(at)
	offset := int(d.Nodes[at].Start) + 1
	places := spelledAt(body[1:len(body)-1], &inner, nodes)
	for i := range nodes {
		put := `\"` + omitted + `\"`
		cuts = append(cuts, cut{
			node: at, start: offset + places[i][0], end: offset + places[i][1], put: put, kind: kindSecret,
		})
	}
	return cuts
}

// mayHold says whether a text that is no JSON has one of the names that an omission ends in.
func (r *redactor) mayHold(text string, o *entry.Omission) bool {
	return slices.ContainsFunc(lastNames(o.Paths), func(name string) bool { return strings.Contains(text, name) })
}

// spelledAt gives the spans of nodes, in order, within the raw spelling of the text that they were scanned from.
func spelledAt(raw []byte, d *jsonscan.Doc, nodes []int) [][2]int {
	spans := make([][2]int, len(nodes))
	type mark struct{ text, index, side int }
	marks := make([]mark, 0, 2*len(nodes))
	for i, n := range nodes {
		marks = append(marks, mark{int(d.Nodes[n].Start), i, 0}, mark{int(d.Nodes[n].End), i, 1})
	}
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Compare(a.text, b.text) })
	var scratch []byte
	text, pos := 0, 0
	for _, m := range marks {
		for text < m.text && pos < len(raw) {
			n := escapeLen(raw[pos:])
			scratch, _ = jsonscan.AppendUnescape(scratch[:0], raw[pos:pos+n])
			text += len(scratch)
			pos += n
		}
		spans[m.index][m.side] = pos
	}
	return spans
}

// escapeLen is the length of the first character of a raw string: one byte, an escape, or a surrogate pair of escapes.
func escapeLen(raw []byte) int {
	if raw[0] != '\\' || len(raw) < 2 {
		return 1
	}
	if raw[1] != 'u' {
		return 2
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' && (raw[2]|0x20) == 'd' && (raw[8]|0x20) == 'd' {
		return 12
	}
	return min(6, len(raw))
}
