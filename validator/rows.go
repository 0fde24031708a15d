package validator

import (
	"hash/maphash"

	"github.com/session-trace/ctx/internal/record"
)

// marks are what a session remembers of a record beside its type.
type marks uint16

const (
	markPrimary   marks = 1 << iota // carries the native bytes of an item
	markInContext                   // primary of an item of which the model sees at least one record
	markApplied                     // an applied compaction
	markSummary                     // a message of origin summary
	markAnswered                    // a tool_call that a result named
	markRunnable                    // a tool_call that is not executable:false
	markForward                     // its parent stands after it
	markWalked                      // its parents were followed to the end
)

// row is what a session keeps of one record; its index is the record's line number less one.
type row struct {
	hash   uint64 // of the id
	parent int32  // index of the parent's row, -1 none
	open   int32  // slot of an open call's id, -1 none
	kind   record.Type
	marks  marks
}

// chunk is the number of rows allotted at a time, so that growing copies nothing. The first is small: most sessions are.
const (
	chunk      = 1 << 12
	firstChunk = 1 << 8
)

// rows is all records of a stream so far, found by the hash of their id.
type rows struct {
	chunks [][]row
	n      int32
	slots  []int32 // open addressing; index of a row plus one
	used   int
}

func (r *rows) at(i int32) *row { return &r.chunks[i/chunk][i%chunk] }

// add appends a row and returns its index and whether an earlier one has the same hash, which keeps the place.
func (r *rows) add(w row) (index int32, duplicate bool) {
	r.room()
	last := len(r.chunks) - 1
	r.chunks[last] = append(r.chunks[last], w)
	index = r.n
	r.n++
	if 4*(r.used+1) > 3*len(r.slots) {
		r.grow()
	}
	return index, !r.place(w.hash, index)
}

// skip adds a row that no id finds.
func (r *rows) skip() {
	r.room()
	last := len(r.chunks) - 1
	r.chunks[last] = append(r.chunks[last], row{parent: -1, open: -1})
	r.n++
}

func (r *rows) room() {
	if int(r.n)%chunk == 0 {
		size := chunk
		if r.n == 0 {
			size = firstChunk
		}
		r.chunks = append(r.chunks, make([]row, 0, size))
	}
}

func (r *rows) place(hash uint64, index int32) bool {
	mask := uint64(len(r.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch have := r.slots[i]; {
		case have == 0:
			r.slots[i] = index + 1
			r.used++
			return true
		case r.at(have-1).hash == hash:
			return false
		}
	}
}

func (r *rows) grow() {
	old := r.slots
	r.slots, r.used = make([]int32, max(64, 2*len(old))), 0
	for _, have := range old {
		if have != 0 {
			r.place(r.at(have-1).hash, have-1)
		}
	}
}

// find returns the index of the row whose id has the hash, or -1.
func (r *rows) find(hash uint64) int32 {
	if len(r.slots) == 0 {
		return -1
	}
	mask := uint64(len(r.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch have := r.slots[i]; {
		case have == 0:
			return -1
		case r.at(have-1).hash == hash:
			return have - 1
		}
	}
}

// ids hashes record ids with a seed of its own, so that no source can choose ids that collide.
type ids struct{ seed maphash.Seed }

func (h ids) of(id string) uint64 { return maphash.String(h.seed, id) }
