package converter

import (
	"github.com/session-trace/ctx/internal/record"
)

// group is one model response: the items that bear its id.
type group struct {
	first, last int32 // rows
	repeated    bool  // the id is not one response
	row         int32 // index of the ledger row that it joins, -1 none
}

// namedCall is a response that names a call id among its own.
type namedCall struct {
	response string // its id
	item     int32
	several  bool // more than one item names the call
}

// nameCall notes that an item of a response names a call.
func (s *session) nameCall(call uint64, item int32, response string) {
	if s.callOf == nil {
		s.callOf = map[uint64]namedCall{}
	}
	have, ok := s.callOf[call]
	s.callOf[call] = namedCall{response, item, ok && (have.several || have.item != item)}
}

// group joins the items of one response id. An id whose items are separated by another turn is not one response.
func (s *session) group() {
	s.byGroup = map[uint64]int32{}
	if s.ungrouped() {
		return
	}
	lastSeparator, lastMember := none, none
	for i := range s.rows {
		r := &s.rows[i]
		if r.is(separator) {
			lastSeparator = int32(i)
		}
		if s.keys[r.item].group == 0 {
			continue
		}
		g, known := s.byGroup[s.keys[r.item].group]
		switch {
		case !known:
			g = int32(len(s.groups))
			s.byGroup[s.keys[r.item].group] = g
			s.groups = append(s.groups, group{first: int32(i), row: none})
		case lastSeparator > s.groups[g].last || s.keys[s.rows[lastMember].item].group != s.keys[r.item].group:
			s.groups[g].repeated = true
		}
		s.groups[g].last = int32(i)
		lastMember = int32(i)
	}
	s.joinCalls()
	s.members()
}

// ungrouped says whether the session's response ids are no responses.
func (s *session) ungrouped() bool {
	return !s.entry.Groups.Stated || (s.snapshot != nil && s.snapshot.actor)
}

// joinCalls lets items without a response id join the response that names their call.
func (s *session) joinCalls() {
	if len(s.callOf) == 0 {
		return
	}
	s.joined = map[int32]string{}
	for i := range s.rows {
		r := &s.rows[i]
		if s.keys[r.item].group != 0 || !r.is(call) || s.keys[r.item].key == 0 {
			continue
		}
		if named, ok := s.callOf[s.keys[r.item].key]; ok && !named.several {
			s.keys[r.item].group = s.hash([]byte(named.response))
			s.joined[int32(i)] = named.response
			if g := &s.groups[s.byGroup[s.keys[r.item].group]]; int32(i) < g.first {
				g.first = int32(i)
			}
		}
	}
}

// members tells the rows of their responses.
func (s *session) members() {
	for i := range s.groups {
		if g := &s.groups[i]; g.repeated {
			s.notice(record.ResponseIDRepeated, s.recordID(g.first), "", "got one response id for items of several turns, none of them is grouped")
		}
	}
	for i := range s.rows {
		r := &s.rows[i]
		if s.keys[r.item].group == 0 {
			continue
		}
		g := s.byGroup[s.keys[r.item].group]
		if s.groups[g].repeated {
			continue
		}
		r.response = g
		if s.groups[g].first == int32(i) {
			r.flags |= firstMember
		}
	}
}
