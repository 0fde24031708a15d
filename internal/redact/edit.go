package redact

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// merge sorts spans and joins those that overlap; the value of the longest one stands for all of them.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	out, longest := spans[:0], 0
	for _, s := range spans {
		if n := len(out); n > 0 && s.start < out[n-1].end {
			last := &out[n-1]
			last.end = max(last.end, s.end)
			last.rule = cmp.Or(last.rule, s.rule)
			if size := s.end - s.start; size > longest {
				longest, last.value = size, s.value
			}
			continue
		}
		out, longest = append(out, s), s.end-s.start
	}
	return out
}

// edit is bytes of a document that something else stands for.
type edit struct {
	start, end int
	put        []byte
	node       int // the string, or the member whose name it is in; -1: an edit of structure
}

// apply gives raw[from:to] with the edits in it, which are in order and do not overlap.
func apply(raw []byte, edits []edit, from, to int) []byte {
	out := make([]byte, 0, to-from+64)
	pos := from
	for _, e := range edits {
		if e.start < from || e.end > to {
			continue
		}
		out = append(out, raw[pos:e.start]...)
		out = append(out, e.put...)
		pos = e.end
	}
	return append(out, raw[pos:to]...)
}

// sorted puts edits in order; of those that overlap the outer one counts. What is only put in comes before what is replaced.
func sorted(edits []edit) []edit {
	added := func(e edit) int { return min(1, e.end-e.start) }
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(added(a), added(b)), cmp.Compare(b.end, a.end))
	})
	out, end := edits[:0], -1
	for _, e := range edits {
		if e.start >= end {
			out = append(out, e)
			end = e.end
		}
	}
	return out
}

// cutter gathers the edits of one document.
type cutter struct {
	plan  *plan
	doc   *jsonscan.Doc
	edits []edit
	count counts
}

// counts is how many places went, by the rule that found their value.
type counts map[string]int64

// known edits the text of one string or name that is an id or a link.
func (c *cutter) known(n int, key bool) {
	raw, from := c.text(n, key)
	c.put(n, from, c.plan.known(raw))
}

// free edits the text of one string or name.
func (c *cutter) free(n int, key bool) {
	raw, from := c.text(n, key)
	if !key && len(raw) <= maxID && c.plan.ids[c.doc.Text(n)] {
		c.known(n, false)
		return
	}
	found := c.plan.free(raw)
	if !key && len(c.plan.secrets) > 0 {
		// the name of a member may make its value a secret
		c.plan.detector.String(c.doc, n, func(pl *audit.Place) { found = c.plan.hit(found, &pl.Hit, from) })
		found = merge(found)
	}
	if len(found) > 0 && !key && isData(raw) {
		// what is left of the data would be another image, or none: all of it goes
		found = []span{{0, len(raw), c.doc.Text(n), found[0].rule}}
	}
	c.put(n, from, found)
}

// isData says whether the raw text of a string is a file in a URL.
func isData(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("data:")) && bytes.Contains(raw, []byte("base64,"))
}

// text is the raw text of a string or name, and where it begins.
func (c *cutter) text(n int, key bool) ([]byte, int) {
	if key {
		return c.doc.Name(n), int(c.doc.Nodes[n].KeyStart)
	}
	raw := c.doc.Value(n)
	return raw[1 : len(raw)-1], int(c.doc.Nodes[n].Start) + 1
}

func (c *cutter) put(n, from int, found []span) {
	for _, s := range found {
		c.edits = append(c.edits, edit{from + s.start, from + s.end, []byte(c.plan.tokens.of(s.value)), n})
		c.count[s.rule]++
	}
}

// tree edits all strings and names below a node; the node's own name stays.
func (c *cutter) tree(at int) {
	for n := at; n < int(c.doc.Nodes[at].Next); n++ {
		if n > at && c.doc.Nodes[n].KeyStart != 0 {
			c.free(n, true)
		}
		if c.doc.Kind(n) == jsonscan.String {
			c.free(n, false)
		}
	}
}

// ids edits all strings below a node, which are ids and links.
func (c *cutter) ids(at int) {
	for n := at; n < int(c.doc.Nodes[at].Next); n++ {
		if c.doc.Kind(n) == jsonscan.String {
			c.known(n, false)
		}
	}
}

// changed lists the nodes that edits touch below a node, relative to it, each once.
func (c *cutter) changed(at int) []int {
	var nodes []int
	for _, e := range c.edits {
		if e.node >= at && e.node < int(c.doc.Nodes[at].Next) {
			nodes = append(nodes, e.node-at)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}
