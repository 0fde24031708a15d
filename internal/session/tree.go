package session

// ambiguous stands in the id table for ids that several items bear.
const ambiguous int32 = -3

// nameItems finds the item of every native id. Ids in bodies resolve only what no name bears.
func (s *Session) nameItems() {
	s.nativeIDs = make(map[uint64]int32, len(s.items))
	for i := range s.items {
		t := &s.items[i]
		if !t.is(readable) || t.id == 0 {
			continue
		}
		if _, taken := s.nativeIDs[t.id]; taken {
			s.nativeIDs[t.id] = ambiguous
			continue
		}
		s.nativeIDs[t.id] = int32(i)
	}
	byBody := map[uint64]bool{}
	for i := range s.items {
		t := &s.items[i]
		if t.body == 0 || t.body == t.id {
			continue
		}
		switch _, taken := s.nativeIDs[t.body]; {
		case !taken:
			s.nativeIDs[t.body], byBody[t.body] = int32(i), true
		case byBody[t.body]:
			s.nativeIDs[t.body] = ambiguous
		}
	}
}

// parents works out the effective parent of every item. Without a rule for parents the log is one line.
func (s *Session) parents() {
	before, run := none, int32(0) // first items of the ordinal before, and of the current one
	for i := range s.items {
		if s.items[i].ordinal != s.items[run].ordinal {
			before, run = run, int32(i)
		}
		if s.items[i].is(readable) {
			s.items[i].up = s.parentOf(int32(i), before, run)
		}
	}
	s.breakCycles()
}

func (s *Session) parentOf(i, before, run int32) int32 {
	t, tree := &s.items[i], &s.entry.Tree
	switch {
	case !t.is(judged):
		return s.statedByRecord(i)
	case t.is(rootMark):
		return none
	case t.is(explicit):
		if up, ok := s.nativeIDs[t.up64]; ok && up >= 0 {
			return up
		}
		return broken
	case !tree.Stated:
		return s.lastBefore(i)
	case !tree.MissingPrevious || t.ordinal == 0:
		return none
	default:
		return s.previous(before, run)
	}
}

// statedByRecord is the parent that the record of an item names, for an item whose own bytes cannot be read.
func (s *Session) statedByRecord(i int32) int32 {
	if p := s.recs[s.items[i].primary].parent; p >= 0 && s.recs[p].item >= 0 {
		return s.recs[p].item
	}
	return broken
}

// previous is the item at the ordinal before that of the item run, when there is exactly one, which is before, and it is
// readable. A gap is never bridged.
func (s *Session) previous(before, run int32) int32 {
	if before < 0 || before+1 != run || s.items[before].ordinal != s.items[run].ordinal-1 || !s.items[before].is(readable) {
		return broken
	}
	return before
}

// lastBefore is the readable item before an item, none for the first.
func (s *Session) lastBefore(i int32) int32 {
	for j := i - 1; j >= 0; j-- {
		if s.items[j].is(readable) {
			return j
		}
	}
	return none
}

// breakCycles leaves out the parents of all items on a cycle.
func (s *Session) breakCycles() {
	const (
		fresh = iota
		active
		done
	)
	mark := make([]uint8, len(s.items))
	var path []int32
	for start := range s.items {
		path = path[:0]
		i := int32(start)
		for i >= 0 && mark[i] == fresh {
			mark[i] = active
			path = append(path, i)
			i = s.items[i].up
		}
		if i >= 0 && mark[i] == active {
			for n := len(path) - 1; ; n-- {
				s.items[path[n]].up = broken
				if path[n] == i {
					break
				}
			}
		}
		for _, p := range path {
			mark[p] = done
		}
	}
}

// chain lists the items from the root to an item, which is the last; whole says whether every link resolves.
func (s *Session) chain(i int32) (items []int32, whole bool) {
	n := 0
	for j := i; j >= 0; j = s.items[j].up {
		n++
	}
	items = make([]int32, n)
	whole = true
	for j := i; j >= 0; j = s.items[j].up {
		n--
		items[n] = j
		whole = s.items[j].up != broken
	}
	return items, whole
}

// Chain lists the primary records from the root to the item of a record, which is the last, audit records included.
// whole says whether every link on the way resolves. The slice is the caller's.
func (s *Session) Chain(i int) (records []int, whole bool) {
	item := s.recs[i].item
	if item < 0 || !s.items[item].is(readable) {
		return nil, false
	}
	items, whole := s.chain(item)
	return s.primaries(items), whole
}

// ParentItem is the item that an item hangs below, None for a root; known is false when its parent does not resolve.
func (s *Session) ParentItem(item int) (parent int, known bool) {
	up := s.items[item].up
	return int(max(up, none)), up != broken
}

// Children lists for every item the items below it, in order, and the roots: those without a parent or with one that
// does not resolve. It is worked out at each call; the slices are the caller's.
func (s *Session) Children() (children [][]int32, roots []int32) {
	children = make([][]int32, len(s.items))
	for i := range s.items {
		switch up := s.items[i].up; {
		case !s.items[i].is(readable):
		case up < 0:
			roots = append(roots, int32(i))
		default:
			children[up] = append(children[up], int32(i))
		}
	}
	return children, roots
}

// Tips lists the primary records of the items at which branches end: the model saw them, or they are compactions, and
// nothing of either kind lies below them.
func (s *Session) Tips() []int {
	inner := make([]bool, len(s.items))
	for i := range s.items {
		if !s.anchors(int32(i)) {
			continue
		}
		for up := s.items[i].up; up >= 0 && !inner[up]; up = s.items[up].up {
			inner[up] = true
		}
	}
	var tips []int
	for i := range s.items {
		if !inner[i] && s.anchors(int32(i)) {
			tips = append(tips, int(s.items[i].primary))
		}
	}
	return tips
}

// anchors says whether an item is in context or an applied compaction.
func (s *Session) anchors(i int32) bool { return s.items[i].flags&(seen|compaction) != 0 }
