package validator

import (
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// maxSteps bounds the work on the views of one stream, so that no bundle makes it long.
const maxSteps = 1 << 26

// deepCompaction is one applied compaction as its record states it.
type deepCompaction struct {
	row       int32
	id        string
	parent    uint64   // hash of the record id
	forgotten []uint64 // hashes of record ids
	listed    int      // ids that it forgets, the unknown ones too
	gone      []uint64 // hashes of native ids that it forgets, but for those that may name a summary
	offset    int64    // -1 none
	summary   uint64
	exact     bool
	short     bool // it lacks forgotten ids
	lost      bool // it declares the loss context-boundary
	boundary  uint64
	atStart   bool

	view  []int32 // after it: rows of primary records and summaries
	sound bool    // the view is exact
	done  bool
}

func (c *deepCompaction) place() place { return place{int(c.row) + 1, c.id} }

func (d *deep) compaction(s *Session, f *record.Facts, x *stated, index int32) {
	if f.CompactionPhase != "applied" || x.offsetFault {
		return
	}
	c := &deepCompaction{
		row: index, id: clone(f.ID), parent: s.hashed(f.Parent), offset: x.offset, summary: s.hashed(f.Summary), exact: f.Extent == extentExact || mistaken(f), lost: lossesOf(f)&lossBoundary != 0,
		boundary: s.hashed(f.BoundaryAt), atStart: f.AtStart,
		listed: len(f.Forgotten) + f.Unknown,
	}
	for _, id := range x.gone {
		c.gone = append(c.gone, s.hashed(id))
	}
	for _, id := range f.Forgotten {
		c.forgotten = append(c.forgotten, s.hashed(id))
	}
	d.pendingView = c
}

func (d *deep) closeCompaction(s *Session) {
	if p := s.item.primary; p >= 0 {
		d.pendingView.row = s.item.members[p].index
	}
	d.compactions = append(d.compactions, *d.pendingView)
	d.pendingView = nil
}

// closeForgotten asks for an id of each item that a native value forgets, and for each id that names none.
func (d *deep) closeForgotten(s *Session, ids map[uint64]int32) {
	for i := range d.compactions {
		c := &d.compactions[i]
		items, unknown := map[int32]bool{}, map[uint64]bool{}
		for _, id := range c.gone {
			if item := d.find(ids, id); item >= 0 {
				items[item] = true
			} else if !d.blobs { // a value that was not read may bear the id
				unknown[id] = true
			}
		}
		if want := len(items) + len(unknown); c.listed < want {
			c.short = true
			s.fail(ruleCompaction, c.place(), "got "+number(int64(c.listed))+" forgotten ids, expected at least the "+number(int64(want))+" that the native value names")
		}
	}
}

// closeViews works out the view of each compaction and holds its boundary against it.
func (d *deep) closeViews(s *Session) {
	if len(d.compactions) == 0 {
		return
	}
	v := &views{d: d, s: s, byRow: map[int32]int{}, left: maxSteps, rowOf: map[uint64]int32{}}
	for i := range d.items {
		v.rowOf[s.rows.at(d.items[i].row).hash|1<<63] = d.items[i].row
	}
	for i := range d.compactions {
		c := &d.compactions[i]
		v.byRow[c.row] = i
		if c.summary != 0 {
			v.rowOf[c.summary] = summaryRow(c.row)
		}
	}
	for i := range d.compactions {
		if c := &d.compactions[i]; v.work(i) {
			v.judge(c)
		}
	}
}

// summaryRow stands for the summary of the compaction of a row in views: summaries are negative.
func summaryRow(row int32) int32 { return -2 - row }

// views is the work on the views of one stream.
type views struct {
	d     *deep
	s     *Session
	byRow map[int32]int // index of the compaction by row
	rowOf map[uint64]int32
	left  int // steps that may still be made
}

// work fills the view of a compaction, those above it first; false when that takes too long or there is a circle.
func (v *views) work(i int) bool {
	var todo []int
	for at := i; at >= 0 && !v.d.compactions[at].done; at = v.compactionAbove(at) {
		if v.left--; v.left < 0 || len(todo) > len(v.d.compactions) {
			return false
		}
		todo = append(todo, at)
	}
	for _, at := range slices.Backward(todo) {
		if !v.fill(&v.d.compactions[at]) {
			return false
		}
	}
	return true
}

// compactionAbove is the nearest compaction on the chain above one, -1 none.
func (v *views) compactionAbove(i int) int {
	for row := v.parentOf(v.d.compactions[i].row); row >= 0; row = v.parentOf(row) {
		if v.left--; v.left < 0 {
			return -1
		}
		if at, ok := v.byRow[row]; ok {
			return at
		}
	}
	return -1
}

func (v *views) parentOf(row int32) int32 { return v.s.rows.at(row).parent }

// fill works out the view after a compaction.
func (v *views) fill(c *deepCompaction) bool {
	c.done, c.sound = true, c.exact
	chain, up, ok := v.chain(c)
	if !ok {
		return false
	}
	if up >= 0 {
		above := &v.d.compactions[up]
		c.view, c.sound = slices.Clone(above.view), c.sound && above.sound
	}
	if v.left -= len(c.view) + len(chain); v.left < 0 {
		return false
	}
	c.view = append(c.view, chain...)
	gone := make(map[int32]bool, len(c.forgotten))
	for _, id := range c.forgotten {
		if row, known := v.rowOf[id]; known {
			gone[row] = true
		}
	}
	c.view = slices.DeleteFunc(c.view, func(row int32) bool { return gone[row] })
	if c.summary != 0 && c.offset >= 0 {
		at := int(min(c.offset, int64(len(c.view))))
		c.judged(v, at)
		c.view = slices.Insert(c.view, at, summaryRow(c.row))
	}
	return true
}

// chain is the items in context between a compaction and the one above it, in order, and that one.
func (v *views) chain(c *deepCompaction) (rows []int32, up int, ok bool) {
	up = -1
	c.sound = c.sound && !v.lost(c.row)
	for row := v.parentOf(c.row); row >= 0; row = v.parentOf(row) {
		if v.left--; v.left < 0 {
			return nil, up, false
		}
		if at, is := v.byRow[row]; is {
			up = at
			break
		}
		c.sound = c.sound && !v.lost(row)
		if v.s.rows.at(row).marks&markInContext != 0 {
			rows = append(rows, row)
		}
	}
	slices.Reverse(rows)
	return rows, up, true
}

// lost says whether the item of a primary record has lost its lineage.
func (v *views) lost(row int32) bool {
	i, ok := v.d.byRow[row]
	return ok && v.d.items[i].lineage
}

// judged holds the boundary against the place of the summary in the view after forgetting.
func (c *deepCompaction) judged(v *views, at int) {
	place := c.place()
	beyond := c.offset > int64(len(c.view))
	has := c.boundary != 0 || c.atStart
	switch {
	case c.short:
	case beyond && (v.d.entry == nil || v.d.entry.Context.Compaction == nil):
	case has && !c.sound:
		v.s.fail(ruleView, place, "got a boundary in a view that is not exact, expected none and the loss context-boundary")
	case has && beyond && !v.d.entry.Context.Compaction.BeyondIsEnd:
		v.s.fail(ruleView, place, "got a boundary for an offset beyond the view, expected none")
	case has && (at == 0) != c.atStart:
		v.s.fail(ruleView, place, "got boundary that is not where offset "+number(c.offset)+" lies in the view of "+number(int64(len(c.view))))
	case has && at > 0 && v.elsewhere(c, c.view[at-1]):
		v.s.fail(ruleView, place, "got boundary after another record than offset "+number(c.offset)+" names in the view")
	}
}

// elsewhere says whether an id names another entry of a view than row; one that names nothing is judged elsewhere.
func (v *views) elsewhere(c *deepCompaction, row int32) bool {
	if c.boundary == c.summary {
		return false
	}
	at, known := v.rowOf[c.boundary]
	return known && at != row && at != c.row
}

// judge asks for the boundary of a view that is exact.
func (v *views) judge(c *deepCompaction) {
	if c.short || !c.lost || c.summary == 0 || c.offset < 0 || c.boundary != 0 || c.atStart || !c.sound || v.anyLost() {
		return
	}
	if k := v.d.entry; c.offset > int64(len(c.view)) && (k == nil || k.Context.Compaction == nil || !k.Context.Compaction.BeyondIsEnd) {
		return
	}
	v.s.fail(ruleView, c.place(), "got no boundary beside an offset in a view that is exact, expected one")
}

// anyLost says whether the lineage of some item is lost: an item outside the context may then lie on the chain.
func (v *views) anyLost() bool {
	return slices.ContainsFunc(v.d.items, func(it deepItem) bool { return it.lineage })
}
