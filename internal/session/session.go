// Package session reads one stream of a bundle back: its records, its tree, its pairs, and what the model saw.
//
// Open reads the stream once and keeps a small row a record and an item: about 350 bytes an event, no content. Content
// is read again when it is asked for. What ids, parents, calls and compactions are is the registry entry's to say; it
// is judged on the native items that the bundle holds.
package session

import (
	"hash/maphash"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// None stands for a record or an item that there is none of.
const None = -1

// Options say how a session is read. The zero value is usable.
type Options struct {
	Entry *entry.Entry // stands in for the bundle's own; nil: the entry that the bundle holds
}

// Session is one stream, read back. Records are named by their index in the stream, from 0, items by their index among
// the native items of the transcript. A session belongs to one goroutine and needs its bundle open.
type Session struct {
	bundle *bundle.Bundle
	info   bundle.StreamInfo
	entry  *entry.Entry

	recs  []row
	items []item
	names []byte // the ids of all records, one after another
	seed  maphash.Seed
	byID  map[uint64]int32 // records by the hash of their id

	nativeIDs map[uint64]int32 // items by the hash of their native id, ambiguous for several
	compacts  map[int32]*compact
	gaps      []int32 // records
	head      Head
	apart     bool    // the state says that the items of the session are no responses to requests of its own
	branch    []int32 // items of the active branch, root first
	onBranch  []bool  // by item
	results   map[int32][]int32
	lines     lineReader
}

// Record is what one record states about itself and others, without its content.
type Record struct {
	Type      record.Type
	ID        string
	Ordinal   int64 // of its position, -1 none
	Bytes     int   // of its line, without the line feed
	Item      int   // the native item that it came from, None for records of the session itself
	Primary   bool  // it carries the item's native bytes
	InContext bool  // the model sees it, unless a compaction forgot it
	Parent    int   // record that its parent names, else None
	Inference int   // record of the model response that it came from, else None
	Call      int   // record of the call that it answers or is about, else None
}

// Info is the stream's line in the manifest.
func (s *Session) Info() bundle.StreamInfo { return s.info }

// Entry is the registry entry that the session is read by.
func (s *Session) Entry() *entry.Entry { return s.entry }

// Len is the number of records.
func (s *Session) Len() int { return len(s.recs) }

// Record tells of the record at an index below Len.
func (s *Session) Record(i int) Record {
	r := &s.recs[i]
	return Record{
		Type: r.kind, ID: s.id(int32(i)), Ordinal: r.ordinal, Bytes: int(r.size), Item: int(r.item),
		Primary: r.is(primary), InContext: r.is(inContext),
		Parent: int(r.parent), Inference: int(r.inference), Call: int(r.call),
	}
}

// Lookup is the index of the record of an id.
func (s *Session) Lookup(id string) (i int, ok bool) {
	n := s.lookup(id)
	return int(n), n >= 0
}

func (s *Session) lookup(id string) int32 {
	i, ok := s.byID[maphash.String(s.seed, id)]
	if !ok || s.id(i) != id {
		return None
	}
	return i
}

// id is the id of a record.
func (s *Session) id(i int32) string {
	r := &s.recs[i]
	return string(s.names[r.name : r.name+r.nameLen])
}

// Items is the number of native items of the transcript, those that could not be read included.
func (s *Session) Items() int { return len(s.items) }

// Span is the run of records of an item, first to end-1, and the primary one among them.
func (s *Session) Span(item int) (first, end, primary int) {
	it := &s.items[item]
	return int(it.first), int(it.end), int(it.primary)
}

// Gaps are the gap records, in order.
func (s *Session) Gaps() []int { return ints(s.gaps) }

// Branch lists the primary records of the active branch: every item from the root to the head, audit records included.
// The slice is the caller's.
func (s *Session) Branch() []int { return s.primaries(s.branch) }

// OnBranch says whether a record came from an item of the active branch. Records of the session itself, such as the
// state, are on every branch; so is an inference of which a member is.
func (s *Session) OnBranch(i int) bool {
	switch r := &s.recs[i]; {
	case r.item >= 0:
		return s.onBranch[r.item]
	case r.kind == record.Inference:
		return r.is(memberOnBranch)
	case r.kind == record.Gap:
		return false
	default:
		return true
	}
}

// Results are the records that answer a call, in order: tool results, empty for a call without any. The slice is the
// session's.
func (s *Session) Results(call int) []int32 { return s.results[int32(call)] }

func (s *Session) primaries(items []int32) []int {
	list := make([]int, len(items))
	for n, i := range items {
		list[n] = int(s.items[i].primary)
	}
	return list
}

func ints(list []int32) []int {
	out := make([]int, len(list))
	for n, i := range list {
		out[n] = int(i)
	}
	return out
}
