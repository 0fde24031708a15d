package session

import (
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// Head is where a session stands.
type Head struct {
	Record int    // primary record of the current leaf, None when there is none
	Stated bool   // the source states it, be it a leaf or that there is none
	Doubt  string // why it may be another, "" no doubt
	Note   string // what else a reader should know, "" nothing
	item   int32
}

// Head is the current leaf: as the source states it, else by the entry's rule.
func (s *Session) Head() Head { return s.head }

// session reads what a session_info says of the head. The last one counts.
func (r *reading) session(f *fields) {
	d := &r.doc
	if d.Equal(d.Find(0, "phase"), "head") {
		return
	}
	st := state{
		head:       string(textAt(d, d.Find(0, "head"))),
		headNative: string(textAt(d, d.Find(0, "headNativeId"))),
		snapshot:   d.Equal(d.Find(0, "phase"), "snapshot"),
	}
	r.state = st
	if st.snapshot {
		r.judgeState(f)
	}
}

// judgeState holds what the entry asks of the state against the one that was kept, in _meta or in a blob.
func (r *reading) judgeState(f *fields) {
	e := r.s.entry
	n := native{&r.doc, r.doc.Find(f.meta, e.Destination(e.Snapshot.Destination))}
	if n.at < 0 {
		var ok bool
		if n, ok = r.native(f); !ok || n.d.Kind(n.at) != jsonscan.Object {
			return
		}
	}
	r.state.empty = e.Tree.HeadNone != nil && n.holds(e.Tree.HeadNone)
	r.s.apart = e.Groups.Unless != nil && n.holds(e.Groups.Unless)
}

func (s *Session) findHead(st *state) {
	s.head = Head{Record: None, item: none}
	if i := s.lookup(st.head); st.head != "" && i >= 0 && s.recs[i].item >= 0 && s.items[s.recs[i].item].is(readable) {
		s.head.Stated = true
		s.setHead(s.recs[i].item)
		s.lag()
		return
	}
	if st.head == "" && st.headNative == "" && st.empty {
		s.head.Stated = true
		return
	}
	last := s.lastItem()
	s.setHead(last)
	switch {
	case st.head != "" || st.headNative != "":
		s.head.Doubt = fmt.Sprintf("the head that the source states, %.64q, is not in the log", st.head+st.headNative)
	case len(s.gaps) > 0 && (last < 0 || s.gaps[len(s.gaps)-1] > s.items[last].primary):
		s.head.Doubt = "a gap stands behind the last item that could be the head: " + s.id(s.gaps[len(s.gaps)-1])
	case !st.snapshot && s.forks():
		s.head.Doubt = "no state says which branch is the active one"
	}
}

func (s *Session) setHead(i int32) {
	s.head.item = i
	if i >= 0 {
		s.head.Record = int(s.items[i].primary)
	}
}

// lastItem is the last item of the log that may be the head without a statement.
func (s *Session) lastItem() int32 {
	for i := int32(len(s.items)) - 1; i >= 0; i-- {
		if s.items[i].flags&(readable|neverHead) == readable {
			return i
		}
	}
	return none
}

// forks says whether some item that the model saw is not on the way to the head.
func (s *Session) forks() bool {
	on := make([]bool, len(s.items))
	items, _ := s.chain(s.head.item)
	for _, i := range items {
		on[i] = true
	}
	for i := range s.items {
		if s.anchors(int32(i)) && !on[i] {
			return true
		}
	}
	return false
}

// lag notes that the log goes on below a stated head.
func (s *Session) lag() {
	last := s.lastItem()
	if last == s.head.item {
		return
	}
	for i := last; i >= 0; i = s.items[i].up {
		if i == s.head.item {
			s.head.Note = "the log goes on below the stated head, to " + s.id(s.items[last].primary)
			return
		}
	}
}

// oneLine is the whole log when no item and no state says anything of a tree: then nothing is off the branch, not even
// what is never a head. It is nil for any other log, and for one that does not hang together.
func (s *Session) oneLine() []int32 {
	if s.head.Stated || len(s.items) == 0 {
		return nil
	}
	for i := range s.items {
		if s.items[i].flags&(explicit|rootMark) != 0 {
			return nil
		}
	}
	line, _ := s.chain(int32(len(s.items)) - 1)
	if len(s.branch) > 0 && !slices.Contains(line, s.head.item) {
		return nil
	}
	return line
}

// markBranch notes the items of the active branch, and the responses that they came from.
func (s *Session) markBranch() {
	s.onBranch = make([]bool, len(s.items))
	s.branch, _ = s.chain(s.head.item)
	if whole := s.oneLine(); len(whole) > len(s.branch) {
		s.branch = whole
	}
	for _, i := range s.branch {
		s.onBranch[i] = true
		for j := s.items[i].first; j < s.items[i].end; j++ {
			if in := s.recs[j].inference; in >= 0 {
				s.recs[in].flags |= memberOnBranch
			}
		}
	}
}
