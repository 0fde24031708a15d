package validator

import (
	"cmp"
	"maps"
	"slices"
)

// Where a way up ends that leads to no item.
const (
	upNone    int32 = -1 // at a root
	upBroken  int32 = -2 // at a link that does not resolve
	upUnknown int32 = -3 // at a native value that was not read
	several   int32 = -2 // of an id: more than one item bears it
)

// sortedPlaces is the keys of a map by where they were met.
func sortedPlaces(m map[uint64]place) []uint64 {
	return slices.SortedFunc(maps.Keys(m), func(a, b uint64) int { return cmp.Compare(m[a].line, m[b].line) })
}

// names finds the items by native id: that of the name, and that of the body where no name bears it.
func (d *deep) names() map[uint64]int32 {
	ids := make(map[uint64]int32, len(d.items))
	for i := range d.items {
		if id := d.items[i].name; id != 0 {
			if _, taken := ids[id]; taken {
				ids[id] = several
			} else {
				ids[id] = int32(i)
			}
		}
	}
	byBody := map[uint64]bool{}
	for i := range d.items {
		id := d.items[i].body
		if id == 0 || id == d.items[i].name {
			continue
		}
		switch _, taken := ids[id]; {
		case !taken:
			ids[id], byBody[id] = int32(i), true
		case byBody[id]:
			ids[id] = several
		}
	}
	return ids
}

// find is the item of a native id, upBroken for none or several, upUnknown where a blob may hold it.
func (d *deep) find(ids map[uint64]int32, id uint64) int32 {
	i, ok := ids[id]
	switch {
	case ok && i >= 0:
		return i
	case !ok && d.blobs:
		return upUnknown
	default:
		return upBroken
	}
}

// closeTree works out the effective parents from the native items and compares them with those of the records.
func (d *deep) closeTree(s *Session, ids map[uint64]int32) {
	up := d.ups(ids)
	breakCycles(up)
	effective := d.effective(up)
	for i := range d.items {
		d.judgeParent(s, &d.items[i], effective[i])
	}
	d.judgeHead(s, ids)
}

func (d *deep) ups(ids map[uint64]int32) []int32 {
	at := map[int64]int32{} // the only item of an ordinal, else several
	for i := range d.items {
		if _, taken := at[d.items[i].ordinal]; taken {
			at[d.items[i].ordinal] = several
		} else {
			at[d.items[i].ordinal] = int32(i)
		}
	}
	up := make([]int32, len(d.items))
	for i := range d.items {
		it := &d.items[i]
		switch {
		case it.state == parentUnknown:
			up[i] = upUnknown
		case it.state == parentRoot, it.state == parentUnsaid && (!d.entry.Tree.MissingPrevious || it.ordinal == 0):
			up[i] = upNone
		case it.state == parentStated:
			up[i] = d.find(ids, it.parent)
		default:
			up[i] = d.before(at, it.ordinal)
		}
	}
	return up
}

// before is the one item of the ordinal before; an unreadable file beside it was met as a gap of that ordinal.
func (d *deep) before(at map[int64]int32, ordinal int64) int32 {
	if i, ok := at[ordinal-1]; ok && i >= 0 && !d.gaps[ordinal-1] {
		return i
	}
	return upBroken
}

// breakCycles breaks the links of all items on a circle.
func breakCycles(up []int32) {
	state := make([]uint8, len(up)) // 0 fresh, 1 on the way, 2 done
	var way []int32
	for start := range up {
		way = way[:0]
		i := int32(start)
		for i >= 0 && state[i] == 0 {
			state[i] = 1
			way = append(way, i)
			i = up[i]
		}
		if i >= 0 && state[i] == 1 {
			for _, w := range way[slices.Index(way, i):] {
				up[w] = upBroken
			}
		}
		for _, w := range way {
			state[w] = 2
		}
	}
}

// effective is the nearest ancestor of each item that is in context or applies a compaction, or why there is none.
func (d *deep) effective(up []int32) []int32 {
	out := make([]int32, len(up))
	done := make([]bool, len(up))
	var way []int32
	for start := range up {
		way = way[:0]
		i := int32(start)
		for !done[i] {
			way = append(way, i)
			if up[i] < 0 || d.items[up[i]].anchor {
				break
			}
			i = up[i]
		}
		found := out[i]
		if !done[i] {
			found = up[i]
		}
		for _, w := range way {
			out[w], done[w] = found, true
		}
	}
	return out
}

func (d *deep) judgeParent(s *Session, it *deepItem, want int32) {
	at, right := place{line: int(it.row) + 1}, false
	switch {
	case want == upUnknown, d.judged[it.row]:
		right = true
	case it.statedParent == 0 && it.lineage && d.blobs:
		right = true // the item may lie on a circle through a value that was not read
	case want == upBroken && it.statedParent != 0:
		s.fail(ruleTree, at, "got a parent, expected none: the native items lead to no parent that resolves")
	case want == upBroken && !it.lineage:
		s.fail(ruleLossUndeclared, at, "got no loss lineage, expected it: the parent of the native item does not resolve")
	case want == upNone && it.statedParent != 0:
		s.fail(ruleTree, at, "got a parent, expected none: the native items lead to a root")
	case want >= 0 && s.rows.at(d.items[want].row).hash|1<<63 != it.statedParent:
		s.fail(ruleTree, at, "got another parent than the native items lead to, expected the record on line "+number(int64(d.items[want].row)+1))
	case want != upBroken && it.lineage && !d.several && !d.blobs:
		s.fail(ruleLossUnfounded, at, "got loss lineage, expected none: the parent of the native item resolves, and no id is ambiguous")
	default:
		right = true
	}
	if !right {
		d.judged[it.row], d.astray = true, true
	}
}

// judgeHead compares the head with the one that the native state names.
func (d *deep) judgeHead(s *Session, ids map[uint64]int32) {
	if d.head == 0 || d.headRow < 0 {
		return
	}
	at, want := place{line: int(d.headRow) + 1}, d.find(ids, d.head)
	switch {
	case want >= 0 && s.headHash == 0:
		s.fail(ruleHeadLink, at, "got no head, expected the record on line "+number(int64(d.items[want].row)+1)+", which the native state names")
	case want >= 0 && s.headHash != s.rows.at(d.items[want].row).hash|1<<63:
		s.fail(ruleHeadLink, at, "got another head than the native state names, expected the record on line "+number(int64(d.items[want].row)+1))
	case want == upBroken && s.headHash != 0:
		s.fail(ruleHeadLink, at, "got a head, expected none: the native state names none of the log")
	case want == upBroken && !s.blind && s.headNative != d.head:
		s.fail(ruleHeadLink, at, "got another headNativeId than the native state names, expected the same")
	}
}
