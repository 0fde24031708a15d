package converter

import (
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// compact is one applied compaction: what it forgets, and where its summary stands.
type compact struct {
	forgotten []viewItem // in source order, each once
	unknown   []string   // ids that name nothing known
	listed    bool       // there is a list of what is forgotten
	hasText   bool       // there is a summary
	offset    int64      // -1: none
	exact     bool       // the extent
	after     string     // record that the summary stands behind
	atStart   bool
	boundary  bool
	sound     bool       // the view before it is exact
	view      []viewItem // after the compaction; kept while another one needs it
	needed    int        // by how many
}

// viewItem is one entry of a view: an item, or the summary of a compaction.
type viewItem struct {
	row     int32
	summary bool
}

// compactions works out the applied compactions, each after those above it.
func (s *session) compactions() {
	s.compacts = map[int32]*compact{}
	k := s.entry.Context.Compaction
	if k == nil {
		return
	}
	var rows []int32
	for i := range s.rows {
		if s.rows[i].is(compaction) {
			rows = append(rows, int32(i))
			s.compacts[int32(i)] = &compact{offset: -1}
		}
	}
	for _, i := range rows {
		s.readCompaction(i)
	}
	above := map[int32]int32{}
	for _, i := range rows {
		if up := s.compactionAbove(i); up >= 0 {
			above[i] = up
			s.compacts[up].needed++
		}
	}
	// a compaction lies below those above it in the walk of the tree
	slices.SortFunc(rows, func(a, b int32) int { return int(s.rows[a].enter) - int(s.rows[b].enter) })
	for _, i := range rows {
		up, ok := above[i]
		if !ok {
			up = none
		}
		s.place(i, up)
	}
}

// compactionAbove is the nearest compaction above an item's.
func (s *session) compactionAbove(i int32) int32 {
	for j := s.rows[i].parentRow; j >= 0; j = s.rows[j].parentRow {
		if s.rows[j].is(compaction) {
			return j
		}
	}
	return none
}

// readCompaction reads what an item forgets. The item is read again when it is not kept.
func (s *session) readCompaction(i int32) {
	c, k := s.compacts[i], s.entry.Context.Compaction
	sc, err := s.item(i)
	if err != nil || sc.problem != "" {
		return // emit meets the same fault and says so
	}
	d := &sc.doc
	c.exact = true
	if n := k.Summary.One(d, 0); n >= 0 && d.Kind(n) == jsonscan.String {
		c.hasText = true
	}
	if n := k.Offset.One(d, 0); n >= 0 {
		if v, ok := d.Int(n); ok && v >= 0 {
			c.offset = v
		}
	}
	seen, gone := map[uint64]bool{}, map[viewItem]bool{}
	list := k.Forgotten.One(d, 0)
	if list < 0 || d.Kind(list) != jsonscan.Array {
		return
	}
	c.listed = true
	for n, end := list+1, int(d.Nodes[list].Next); n < end; n = int(d.Nodes[n].Next) {
		if d.Kind(n) == jsonscan.String {
			s.forget(i, c, textAt(d, n), seen, gone)
		}
	}
}

// forget notes one forgotten id. An item may be named by two: that of its name and that of its body.
func (s *session) forget(i int32, c *compact, native []byte, seen map[uint64]bool, gone map[viewItem]bool) {
	hash := s.hash(native)
	if seen[hash] {
		return
	}
	seen[hash] = true
	j, found, several := s.find(hash)
	summary := false
	if !found && !several {
		j = s.summaryOf(string(native), i)
		found, summary = j >= 0, j >= 0
	}
	if v := (viewItem{j, summary}); found {
		if !gone[v] {
			c.forgotten = append(c.forgotten, v)
		}
		gone[v] = true
		return
	}
	if several {
		s.rows[i].flags |= lineage
	}
	c.unknown = append(c.unknown, string(native))
	c.exact = false
}

// summaryOf is the earlier compaction whose summary bears an id, by the source's own naming rule.
func (s *session) summaryOf(id string, before int32) int32 {
	k := s.entry.Context.Compaction
	n := len(k.SummaryIDBefore) + len(k.SummaryIDAfter)
	if len(id) <= n || id[:len(k.SummaryIDBefore)] != k.SummaryIDBefore || id[len(id)-len(k.SummaryIDAfter):] != k.SummaryIDAfter {
		return none
	}
	native := id[len(k.SummaryIDBefore) : len(id)-len(k.SummaryIDAfter)]
	j, found, _ := s.find(s.hashText(native))
	if !found || j >= before || s.compacts[j] == nil || !s.compacts[j].hasText {
		return none
	}
	return j
}

// place works out the view after a compaction, and where its summary stands in it.
func (s *session) place(i, up int32) {
	c := s.compacts[i]
	view, sound := s.viewBefore(i, up)
	c.sound = sound
	if up >= 0 {
		if s.compacts[up].needed--; s.compacts[up].needed == 0 {
			s.compacts[up].view = nil
		}
	}
	gone := make(map[viewItem]bool, len(c.forgotten))
	for _, v := range c.forgotten {
		gone[v] = true
	}
	view = slices.DeleteFunc(view, func(v viewItem) bool { return gone[v] })
	if c.hasText && c.offset >= 0 {
		at := int(min(c.offset, int64(len(view))))
		inside := c.offset <= int64(len(view)) || s.entry.Context.Compaction.BeyondIsEnd
		if c.boundary = sound && c.exact && inside; c.boundary {
			c.stand(s, view, at)
		}
		view = slices.Insert(view, at, viewItem{i, true})
	}
	if c.needed > 0 {
		c.view = view
	}
}

// stand says which record the summary stands behind.
func (c *compact) stand(s *session, view []viewItem, at int) {
	if at == 0 {
		c.atStart = true
		return
	}
	c.after = s.viewID(view[at-1])
}

// viewID is the id of the record of a view's entry.
func (s *session) viewID(v viewItem) string {
	if v.summary {
		return s.recordID(v.row) + "-summary"
	}
	return s.recordID(v.row)
}

// appendIDs appends record ids as a JSON array.
func (s *session) appendIDs(dst []byte, list []viewItem) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(dst, s.viewID(v))
	}
	return append(dst, ']')
}

// viewBefore is the view of the chain above a compaction, in a slice of its own; sound says whether it is exact.
func (s *session) viewBefore(i, up int32) (view []viewItem, sound bool) {
	sound = !s.rows[i].is(lineage)
	var rest []viewItem
	j := i
	for {
		// every item between two records of the chain counts: a link of it may not resolve
		for k := s.rows[j].up; k >= 0 && k != s.rows[j].parentRow; k = s.rows[k].up {
			sound = sound && !s.rows[k].is(lineage)
		}
		if s.rows[j].parentRow == broken {
			sound = false
		}
		if j = s.rows[j].parentRow; j < 0 || j == up {
			break
		}
		sound = sound && !s.rows[j].is(lineage)
		if s.rows[j].is(inContext) {
			rest = append(rest, viewItem{row: j})
		}
	}
	if up >= 0 {
		view = slices.Clone(s.compacts[up].view)
		sound = sound && s.compacts[up].exact && s.compacts[up].sound
	}
	slices.Reverse(rest)
	return append(view, rest...), sound
}

// fillCompaction fills the records of an applied compaction: the compaction itself, and its summary.
func (s *session) fillCompaction(i int32, sc *scanned, r *record.Record) (summary record.Record, has bool) {
	c, k := s.compacts[i], s.entry.Context.Compaction
	if c == nil {
		return summary, false
	}
	if c.listed {
		r.Set("forgotten", s.appendIDs(nil, c.forgotten))
	}
	if len(c.unknown) > 0 {
		r.Set("forgottenUnknown", record.AppendStrings(nil, c.unknown))
	}
	r.Set("extent", []byte(`"unknown"`))
	if c.exact {
		r.Set("extent", []byte(`"exact"`))
	}
	if c.offset < 0 {
		r.Set("offset", nil)
	}
	if !c.exact || (c.hasText && c.offset >= 0 && !c.boundary) {
		r.Lose(record.LossContextBoundary)
	}
	if !c.hasText {
		return summary, false
	}
	summary = record.Record{Type: record.Message, ID: r.ID + "-summary", OutOfContext: c.offset < 0}
	r.Set("summary", record.AppendString(nil, summary.ID))
	switch {
	case !c.boundary:
	case c.atStart:
		r.Set("boundary", []byte(`{"atStart":true}`))
	default:
		r.Set("boundary", append(record.AppendString([]byte(`{"after":`), c.after), '}'))
	}
	summary.Set("role", []byte(`"user"`))
	summary.Set("origin", []byte(`"summary"`))
	raw := sc.doc.Value(k.Summary.One(&sc.doc, 0))
	text, changed := jsonscan.AppendClean(nil, raw)
	if changed {
		s.notice(record.TextSurrogate, summary.ID, "", "got half a surrogate pair, written as U+FFFD in the record")
	}
	content := append([]byte(`[{"type":"text","text":`), text...)
	summary.Set("content", append(content, '}', ']'))
	return summary, true
}
