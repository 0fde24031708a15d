package session

import (
	"hash/maphash"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// element is one entry of a view: an item, or the summary of a compaction item as its complement.
type element int32

func summaryOf(item int32) element { return element(^item) }

func (e element) item() int32 {
	if e < 0 {
		return int32(^e)
	}
	return int32(e)
}

func (e element) isSummary() bool { return e < 0 }

// compact is one applied compaction.
type compact struct {
	targets   []uint64 // hashes of the record ids that it forgets, until they are resolved
	forgotten []element
	unknown   int    // ids that name nothing known
	only      uint64 // native hash of the last of them
	exact     bool   // its extent
	summaryID string // record id of its summary, "" none
	summary   int32  // that record
	offset    int64  // -1 none
}

// compaction reads an applied compaction from its record.
func (r *reading) compaction(i int32) {
	d, s := &r.doc, r.s
	if !d.Equal(d.Find(0, "phase"), "applied") {
		return
	}
	s.items[i].flags |= compaction
	c := &compact{offset: -1, summary: none, exact: d.Equal(d.Find(0, "extent"), "exact")}
	s.compacts[i] = c
	c.summaryID = string(textAt(d, d.Find(0, "summary")))
	if v, ok := d.Int(d.Find(0, "offset")); ok && v >= 0 {
		c.offset = v
	}
	r.each("forgotten", func(id []byte) { c.targets = append(c.targets, maphash.Bytes(s.seed, id)) })
	r.each("forgottenUnknown", func(id []byte) { c.unknown, c.only = c.unknown+1, s.hash(id) })
}

// each goes through the strings of an array member of the record.
func (r *reading) each(member string, yield func(text []byte)) {
	d := &r.doc
	n := d.Find(0, member)
	if n < 0 || d.Kind(n) != jsonscan.Array {
		return
	}
	for c := range d.Children(n) {
		if text := textAt(d, c); text != nil {
			yield(text)
		}
	}
}

// resolveCompactions finds what compactions forget.
func (s *Session) resolveCompactions() {
	for _, c := range s.compacts {
		for _, t := range c.targets {
			i, ok := s.byID[t]
			switch {
			case !ok || s.recs[i].item < 0:
				c.exact = false
			case s.recs[i].is(summaryText):
				c.forgotten = append(c.forgotten, summaryOf(s.recs[i].item))
			default:
				c.forgotten = append(c.forgotten, element(s.recs[i].item))
			}
		}
		c.targets = nil
	}
}
