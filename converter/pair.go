package converter

import (
	"cmp"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// calls are the calls of one pair key, in order.
type calls struct {
	all     []int32
	waiting []int32 // those before the current item without an answer
	passed  int     // how many of all stand before the current item
}

type pairKey struct {
	pair int8
	key  uint64
}

// pair finds the call of every result: by the links that the entry lists, in order.
func (s *session) pair() {
	byKey := s.callsByKey()
	for i := range s.rows {
		r := &s.rows[i]
		if r.pair < 0 {
			continue
		}
		if r.is(call) && !r.is(later) && s.keys[r.item].key != 0 {
			c := byKey[pairKey{r.pair, s.keys[r.item].key}]
			if !r.is(answered) { // by a result that stands before it
				c.waiting = append(c.waiting, int32(i))
			}
			c.passed++
		}
		if r.is(result) {
			s.answer(int32(i), byKey)
		}
	}
}

// callsByKey finds the calls of every pair key. All lists stand in two arrays.
func (s *session) callsByKey() map[pairKey]*calls {
	var order []int32
	for i := range s.rows {
		if r := &s.rows[i]; r.is(call) && !r.is(later) && s.keys[r.item].key != 0 {
			order = append(order, int32(i))
		}
	}
	keyOf := func(i int32) pairKey { return pairKey{s.rows[i].pair, s.keys[s.rows[i].item].key} }
	slices.SortFunc(order, func(a, b int32) int {
		x, y := keyOf(a), keyOf(b)
		return cmp.Or(cmp.Compare(x.pair, y.pair), cmp.Compare(x.key, y.key), cmp.Compare(a, b))
	})
	waiting := make([]int32, len(order))
	byKey := make(map[pairKey]*calls, len(order))
	lists := make([]calls, 0, len(order))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && keyOf(order[end]) == keyOf(order[start]) {
			end++
		}
		lists = append(lists, calls{all: order[start:end:end], waiting: waiting[start:start:end]})
		byKey[keyOf(order[start])] = &lists[len(lists)-1]
		start = end
	}
	return byKey
}

// answer pairs one result.
func (s *session) answer(i int32, byKey map[pairKey]*calls) {
	r := &s.rows[i]
	c := byKey[pairKey{r.pair, s.keys[r.item].key}]
	for _, by := range s.entry.Pairs[r.pair].Results[r.rule].By {
		found := none
		if by.ByID {
			j, ok, several := s.find(s.keys[r.item].link)
			if several {
				r.flags |= lineage
				return
			}
			if ok && s.rows[j].is(call) && s.rows[j].pair == r.pair {
				found = j
				s.conflict(i, j, c)
			}
		} else {
			found = s.nearest(i, c)
		}
		if found >= 0 {
			r.call = found
			s.rows[found].flags |= answered
			byKey[pairKey{r.pair, s.keys[s.rows[found].item].key}].settle(found) // its own key, which the result may not have
			if i != found && !s.above(found, i) {
				s.offBranch(i, found)
			}
			return
		}
	}
}

// offBranch notes a result on another branch than its call. Where the way up is broken, the branch is unknown.
func (s *session) offBranch(i, call int32) {
	for _, j := range [...]int32{i, call} {
		if s.chainBroken(j) {
			return
		}
	}
	if call < i {
		s.notice(record.ResultOffBranch, s.recordID(i), "", "got a result on another branch than its call")
	}
}

// chainBroken says whether some parent above the item does not resolve.
func (s *session) chainBroken(i int32) bool {
	for n := 0; i >= 0 && n <= len(s.rows); n++ {
		if s.rows[i].up == broken {
			return true
		}
		i = s.rows[i].up
	}
	return false
}

// settle takes a call that has an answer off the waiting ones.
func (c *calls) settle(call int32) {
	if c == nil {
		return
	}
	for n := len(c.waiting) - 1; n >= 0; n-- {
		if c.waiting[n] == call {
			c.waiting = append(c.waiting[:n], c.waiting[n+1:]...)
			return
		}
	}
}

// conflict notes that the key of a result names another call than its id does.
func (s *session) conflict(i, byID int32, c *calls) {
	if c == nil || s.keys[s.rows[byID].item].key == s.keys[s.rows[i].item].key {
		return
	}
	if other := s.nearest(i, c); other >= 0 && other != byID {
		s.notice(record.LinkConflict, s.recordID(i), "", "got links to two different calls, the first one counts")
	}
}

// nearest is the call that a result names by its key alone: the nearest one before it on its branch that has no answer,
// else the nearest one with an answer, else one on another branch, else one that comes later.
func (s *session) nearest(i int32, c *calls) int32 {
	if c == nil {
		return none
	}
	if j := s.lastAbove(c.waiting, i); j >= 0 {
		return j
	}
	if j := s.lastAbove(c.all[:c.passed], i); j >= 0 {
		return j
	}
	switch {
	case len(c.waiting) > 0:
		return c.waiting[len(c.waiting)-1]
	case c.passed > 0:
		return c.all[c.passed-1]
	default:
		return c.all[0]
	}
}

// lastAbove is the last of the calls that the item hangs below.
func (s *session) lastAbove(list []int32, i int32) int32 {
	for n := len(list) - 1; n >= 0; n-- {
		if s.above(list[n], i) {
			return list[n]
		}
	}
	return none
}
