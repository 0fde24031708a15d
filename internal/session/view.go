package session

import (
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// Kind is how a view is made.
type Kind string

// The kinds of views.
const (
	Live    Kind = "live"    // compactions alone
	Rebuilt Kind = "rebuilt" // then the entry's rules of enforcement
)

// Basis is how sure a view is.
type Basis string

// The bases, from the surest on.
const (
	Exact   Basis = "exact"
	Deduced Basis = "deduced"
	Unknown Basis = "unknown"
)

// View is what the model would see at a point.
type View struct {
	At      Point
	Kind    Kind
	Basis   Basis
	Notes   []string // why the basis is not exact, and what else a reader should know; ids may stand in them
	Records []int    // in the order in which the model sees them
}

// doubt lowers the basis and says why.
func (v *View) doubt(to Basis, note string) {
	if to == Unknown || v.Basis == Exact {
		v.Basis = to
	}
	v.note(note)
}

func (v *View) note(text string) {
	if text != "" {
		v.Notes = append(v.Notes, text)
	}
}

// View works out what the model would see at a point: the chain from the root, with its compactions applied in order.
// It takes time in proportion to the chain.
func (s *Session) View(at Point, kind Kind) *View {
	v := &View{At: at, Kind: kind, Basis: Exact}
	for _, d := range at.doubts {
		v.doubt(d.basis, d.note)
	}
	v.note(at.note)
	branch, whole := s.chain(at.item)
	if !whole {
		v.doubt(Unknown, "the parent of "+s.itemName(branch[0])+" is not known, so what stood before it is left out")
	}
	if s.apart {
		v.doubt(Unknown, "the state says that another program drove the model, which sees more or less than the log")
	}
	s.doubtTree(v, branch)
	q := newSequence()
	for _, i := range branch {
		s.doubtItem(v, i)
		switch {
		case s.compacts[i] != nil:
			s.apply(v, q, i)
		case s.items[i].is(seen):
			q.push(element(i))
		}
	}
	list := q.all()
	if kind == Rebuilt {
		list = s.enforce(list, branch)
	}
	v.Records = s.flatten(list)
	return v
}

// doubtTree notes what an entry without a tree leaves open.
func (s *Session) doubtTree(v *View, branch []int32) {
	if s.entry.Tree.Stated || len(branch) == 0 {
		return
	}
	v.doubt(Deduced, "the entry states no tree, the records stand in the order of the log")
	last := s.items[branch[len(branch)-1]].primary
	for _, g := range s.gaps {
		if g < last {
			v.doubt(Unknown, "a gap stands before: "+s.id(g))
		}
	}
}

// doubtItem notes what of an item is not known.
func (s *Session) doubtItem(v *View, i int32) {
	t := &s.items[i]
	if !t.is(judged) {
		v.doubt(Unknown, "the native bytes of "+s.itemName(i)+" cannot be read")
	}
	if s.recs[t.primary].kind == record.Vendor {
		v.doubt(Unknown, "the model may have seen "+s.itemName(i)+", which has no standard meaning")
	}
}

// apply applies one compaction: it takes out what is forgotten, then puts the summary in.
func (s *Session) apply(v *View, q *sequence, i int32) {
	c := s.compacts[i]
	forgotten := c.forgotten
	if !c.exact {
		if e, ok := s.onlySummary(q, c); ok {
			forgotten = append(forgotten[:len(forgotten):len(forgotten)], e)
			v.doubt(Deduced, s.itemName(i)+" forgets an id that is nowhere in the log, taken for the only summary in the view, "+s.id(s.compacts[e.item()].summary))
		} else {
			v.doubt(Unknown, "what "+s.itemName(i)+" forgets is not known")
		}
	}
	q.remove(forgotten)
	if c.summary < 0 || c.offset < 0 {
		return
	}
	at := q.size
	if c.offset < int64(at) {
		at = int(c.offset)
	} else if k := s.entry.Context.Compaction; c.offset > int64(at) && (k == nil || !k.BeyondIsEnd) {
		v.doubt(Unknown, fmt.Sprintf("the summary of %s belongs behind %d items, got %d", s.itemName(i), c.offset, at))
	}
	q.insert(at, summaryOf(i))
}

// onlySummary is the one summary in the view, when the entry lets a compaction that forgets one unknown id mean it.
func (s *Session) onlySummary(q *sequence, c *compact) (element, bool) {
	k := s.entry.Context.Compaction
	if k == nil || !k.UnknownIsSummary || c.unknown != 1 {
		return 0, false
	}
	if _, borne := s.nativeIDs[c.only]; borne {
		return 0, false // of several items, not of none
	}
	if len(q.summaries) == 1 {
		for e := range q.summaries {
			return e, true
		}
	}
	return 0, false
}

// flatten lists the records of a view: of each item those that are in context, in the order of the stream.
func (s *Session) flatten(list []element) []int {
	records := make([]int, 0, len(list)+len(list)/2)
	for _, e := range list {
		t := &s.items[e.item()]
		if e.isSummary() {
			records = append(records, int(s.compacts[e.item()].summary))
			continue
		}
		for j := t.first; j < t.end; j++ {
			if s.recs[j].is(inContext) {
				records = append(records, int(j))
			}
		}
	}
	return records
}

// itemName is the id of an item's primary record, cut to 64 bytes.
func (s *Session) itemName(i int32) string { return clip(s.id(s.items[i].primary)) }

func clip(id string) string {
	if len(id) <= 64 {
		return id
	}
	return strings.ToValidUTF8(id[:64], "") + "…"
}
