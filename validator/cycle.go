package validator

// closeCycles follows the parents of records whose parent stands after them; any circle has such a record.
func (s *Session) closeCycles() {
	if !s.forwards {
		return
	}
	for i := range s.rows.n {
		if s.rows.at(i).marks&markForward != 0 {
			s.walk(i)
		}
	}
}

// walk follows the parents from start and marks the way; a way that meets itself is a circle.
func (s *Session) walk(start int32) {
	steps := int64(0)
	for i := start; i >= 0; i = s.rows.at(i).parent {
		w := s.rows.at(i)
		if w.marks&markWalked != 0 {
			if s.onWay(start, i, steps) {
				s.circled(i)
				s.fail(ruleParent, place{line: int(i) + 1}, "got parents that form a circle through this line, expected a tree")
			}
			return
		}
		w.marks |= markWalked
		steps++
	}
}

// circled notes that the parents of a circle are at fault in themselves.
func (s *Session) circled(i int32) {
	for at := i; ; {
		s.parentFault(at)
		if at = s.rows.at(at).parent; at == i || at < 0 {
			return
		}
	}
}

// onWay says whether i was marked by the walk from start itself, within its first steps.
func (s *Session) onWay(start, i int32, steps int64) bool {
	for at := start; steps > 0; steps-- {
		if at == i {
			return true
		}
		at = s.rows.at(at).parent
	}
	return false
}
