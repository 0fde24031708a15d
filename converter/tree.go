package converter

import (
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// parents works out the effective parent of every item.
func (s *session) parents() {
	if !s.entry.Tree.Stated {
		return
	}
	for i := range s.rows {
		if s.rows[i].is(readable) {
			s.rows[i].up = s.parentOf(int32(i))
		}
	}
	s.breakCycles()
	for i := range s.rows {
		if s.rows[i].up == broken {
			s.rows[i].flags |= lineage
		}
	}
}

func (s *session) parentOf(i int32) int32 {
	r := &s.rows[i]
	switch {
	case r.is(rootMark):
		return none
	case r.is(explicit):
		return s.statedParent(i)
	case !s.entry.Tree.MissingPrevious || r.ordinal == 0:
		return none
	default:
		return s.previous(i)
	}
}

func (s *session) statedParent(i int32) int32 {
	r := &s.rows[i]
	up, found, several := s.find(s.keys[r.item].parent)
	switch {
	case found:
		return up
	case !several && !s.gapIDs[s.keys[r.item].parent]:
		s.notice(record.ParentMissing, s.recordID(i), "", "got a parent that is not in the log")
	}
	return broken
}

// previous is the item at the ordinal before, when there is exactly one and it is readable. A gap is never bridged.
func (s *session) previous(i int32) int32 {
	ordinal := s.rows[i].ordinal
	j := i - 1
	for j >= 0 && s.rows[j].ordinal == ordinal {
		j--
	}
	if j < 0 || s.rows[j].ordinal != ordinal-1 || s.rows[j].is(twinOrdinal) || !s.rows[j].is(readable) {
		return broken
	}
	return j
}

// breakCycles leaves out the parents of all items on a cycle.
func (s *session) breakCycles() {
	const (
		fresh = iota
		active
		done
	)
	state := make([]uint8, len(s.rows))
	var path []int32
	for start := range s.rows {
		path = path[:0]
		i := int32(start)
		for i >= 0 && state[i] == fresh {
			state[i] = active
			path = append(path, i)
			i = s.rows[i].up
		}
		if i >= 0 && state[i] == active {
			s.onCycle(path[slices.Index(path, i):])
		}
		for _, p := range path {
			state[p] = done
		}
	}
}

func (s *session) onCycle(members []int32) {
	for _, m := range members {
		s.rows[m].up = broken
		s.rows[m].flags |= onCycle
		s.notice(record.ParentCycle, s.recordID(m), "", fmt.Sprintf("got parents that lead back to the item, over %d items", len(members)))
	}
}

// anchors says whether records can hang below the item: it is in context or applies a compaction.
func (r *row) anchors() bool { return r.flags&(inContext|compaction) != 0 }

// walkTree finds for every item the nearest ancestor that anchors, passing through all others, and the item's place in
// a walk of the tree, by which one sees whether another item is its ancestor.
func (s *session) walkTree() {
	done := make([]bool, len(s.rows))
	var path []int32
	for start := range s.rows {
		path = path[:0]
		i := int32(start)
		for !done[i] {
			path = append(path, i)
			up := s.rows[i].up
			if up < 0 || s.rows[up].anchors() {
				break
			}
			i = up
		}
		found := s.rows[i].parentRow
		if !done[i] {
			found = s.rows[i].up
		}
		for _, p := range path {
			s.rows[p].parentRow = found
			done[p] = true
		}
	}
	for i := range s.rows {
		if s.rows[i].parentRow == broken {
			s.rows[i].flags |= lineage
		}
	}
	s.number()
}

// number walks the tree and gives every item the moments of entering and leaving it.
func (s *session) number() {
	first := make([]int32, len(s.rows)+1) // children of a row; the last place holds the roots
	next := make([]int32, len(s.rows))
	for i := range first {
		first[i] = none
	}
	for i := int32(len(s.rows)) - 1; i >= 0; i-- {
		up := s.rows[i].up
		if up < 0 {
			up = int32(len(s.rows))
		}
		next[i], first[up] = first[up], i
	}
	moment := int32(0)
	var stack []int32
	for root := first[len(s.rows)]; root >= 0; root = next[root] {
		stack = append(stack[:0], root)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			moment++
			if s.rows[i].enter == 0 {
				s.rows[i].enter = moment
			}
			if c := first[i]; c >= 0 {
				first[i] = next[c]
				stack = append(stack, c)
				continue
			}
			s.rows[i].leave = moment
			stack = stack[:len(stack)-1]
		}
	}
}

// above says whether item a is item b or an ancestor of it.
func (s *session) above(a, b int32) bool {
	return s.rows[a].enter <= s.rows[b].enter && s.rows[b].leave <= s.rows[a].leave
}
