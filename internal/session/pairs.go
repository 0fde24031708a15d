package session

import "github.com/session-trace/ctx/internal/record"

// Pair is a call with the records that answer it, in order.
type Pair struct {
	Call    int
	Results []int32 // empty for a call without any
}

// pair notes the results of every call.
func (s *Session) pair() {
	for i := range s.recs {
		if r := &s.recs[i]; r.kind == record.ToolResult && r.call >= 0 {
			s.results[r.call] = append(s.results[r.call], int32(i))
		}
	}
}

// Pairs lists all calls with their results, in order. The slices of results are the session's.
func (s *Session) Pairs() []Pair {
	var list []Pair
	for i := range s.recs {
		if s.recs[i].kind == record.ToolCall {
			list = append(list, Pair{i, s.results[int32(i)]})
		}
	}
	return list
}

// OpenCalls lists the primary records of the calls on the active branch that still want an answer, in order: no later
// result on the branch names them, by id where it names one, else by key. Calls that could not run want none.
func (s *Session) OpenCalls() []int {
	answered, keys := map[int32]bool{}, map[pairKey]bool{}
	var waiting []int32
	for n := len(s.branch) - 1; n >= 0; n-- {
		i := s.branch[n]
		t := &s.items[i]
		if t.flags&(call|open) == call|open && !answered[i] && !keys[pairKey{t.pair, t.key}] && !t.is(result) {
			waiting = append(waiting, i)
		}
		switch {
		case !t.is(result):
		case t.is(linkFirst):
			if to, ok := s.nativeIDs[t.link]; ok && to >= 0 {
				answered[to] = true
			}
		case t.is(keyed):
			keys[pairKey{t.pair, t.key}] = true
		}
	}
	list := s.primaries(waiting)
	for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
		list[a], list[b] = list[b], list[a]
	}
	return list
}

type pairKey struct {
	pair int8
	key  uint64
}
