package jsonscan

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

const (
	fewNames  = 24  // members that are compared pairwise
	roomNames = 256 // members for whom a table on the stack does
	maxProbes = 64  // collisions that a table takes
)

// checkNames notes a name that the object i, whose members end the tape, holds twice.
func (s *scanner) checkNames(i int) {
	again := s.repeated(i + 1)
	if again < 0 {
		return
	}
	if s.flags&DuplicateKey == 0 || again < s.firstDuplicate {
		s.firstDuplicate = again
	}
	s.flags |= DuplicateKey
}

// repeated returns the first of the siblings from first to the end of the tape whose name stood before, or -1.
func (s *scanner) repeated(first int) int {
	var seen uint64 // a set of name marks, to be sure of most names at once
	count := 0
	for c := first; c < len(s.nodes); c = int(s.nodes[c].Next) {
		count++
		if count > fewNames || s.flags&EscapedKey != 0 && bytes.IndexByte(s.rawName(c), '\\') >= 0 {
			return s.repeatedOfMany(first, maphash.Bytes)
		}
		mark := s.mark(c)
		if seen&mark != 0 && s.among(first, c) {
			return c
		}
		seen |= mark
	}
	return -1
}

func (s *scanner) rawName(i int) []byte { return s.raw[s.nodes[i].KeyStart:s.nodes[i].KeyEnd] }

// mark returns one of 64 bits for the name of node i, from its first and last eight bytes.
func (s *scanner) mark(i int) uint64 {
	start, n := int(s.nodes[i].KeyStart), int(s.nodes[i].KeyEnd-s.nodes[i].KeyStart)
	x := uint64(n)
	switch {
	case n >= 8:
		x += binary.LittleEndian.Uint64(s.raw[start:]) + 31*binary.LittleEndian.Uint64(s.raw[start+n-8:])
	case len(s.raw)-start >= 8:
		x += binary.LittleEndian.Uint64(s.raw[start:]) & (1<<(8*n) - 1)
	default:
		for i, c := range s.raw[start : start+n] {
			x += uint64(c) << (8 * i)
		}
	}
	return 1 << (x * 0x9E3779B97F4A7C15 >> 58)
}

// among reports whether the name of node c stands before it, all names unescaped.
func (s *scanner) among(first, c int) bool {
	name := s.rawName(c)
	for b := first; b < c; b = int(s.nodes[b].Next) {
		if bytes.Equal(s.rawName(b), name) {
			return true
		}
	}
	return false
}

// nameTable is what the objects of one Scan share that have many members.
type nameTable struct {
	slots   []nameSlot
	seed    maphash.Seed
	scratch []byte
}

type nameSlot struct {
	tag  uint32 // the upper half of the hash
	node uint32 // 0 for an empty slot: no member is the root
}

type nameHash func(maphash.Seed, []byte) uint64

// repeatedOfMany is repeated for many members or escaped names. Names that are made to collide end in sorting.
//
//go:noinline
func (s *scanner) repeatedOfMany(first int, hash nameHash) int {
	count := 0
	for c := first; c < len(s.nodes); c = int(s.nodes[c].Next) {
		count++
	}
	var room [2 * roomNames]nameSlot
	slots := s.slots(room[:], count)
	for c := first; c < len(s.nodes); c = int(s.nodes[c].Next) {
		h := hash(s.names.seed, s.plainName(c))
		switch again, full := s.insert(slots, h, c); {
		case again:
			return c
		case full:
			return s.repeatedBySorting(first, count)
		}
	}
	return -1
}

// slots returns an empty table at most half full, from room where that is enough.
func (s *scanner) slots(room []nameSlot, count int) []nameSlot {
	if s.names.seed == (maphash.Seed{}) {
		s.names.seed = maphash.MakeSeed()
	}
	size := 8
	for size < 2*count {
		size *= 2
	}
	if size <= len(room) {
		return room[:size]
	}
	if size > len(s.names.slots) {
		s.names.slots = make([]nameSlot, size)
	}
	slots := s.names.slots[:size]
	clear(slots)
	return slots
}

// insert adds the name of node c and reports whether it was there, or whether there were too many collisions.
func (s *scanner) insert(slots []nameSlot, h uint64, c int) (again, full bool) {
	mask, tag := uint64(len(slots)-1), uint32(h>>32)
	for p := range uint64(maxProbes) {
		slot := &slots[(h+p)&mask]
		if slot.node == 0 {
			*slot = nameSlot{tag, uint32(c)}
			return false, false
		}
		if slot.tag == tag && compareText(s.rawName(int(slot.node)), s.rawName(c)) == 0 {
			return true, false
		}
	}
	return false, true
}

// plainName returns the unescaped name of node c, valid until the next call.
func (s *scanner) plainName(c int) []byte {
	name := s.rawName(c)
	if s.flags&EscapedKey == 0 || bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	s.names.scratch = appendUnits(s.names.scratch[:0], name)
	return s.names.scratch
}

func (s *scanner) repeatedBySorting(first, count int) int {
	sorted := make([]int, 0, count)
	for c := first; c < len(s.nodes); c = int(s.nodes[c].Next) {
		sorted = append(sorted, c)
	}
	slices.SortFunc(sorted, func(a, b int) int {
		return cmp.Or(compareText(s.rawName(a), s.rawName(b)), cmp.Compare(a, b))
	})
	again := -1
	for i, c := range sorted[1:] {
		if (again < 0 || c < again) && compareText(s.rawName(sorted[i]), s.rawName(c)) == 0 {
			again = c
		}
	}
	return again
}
