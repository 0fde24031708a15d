package main

import (
	"maps"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// Truth is what a corpus holds, written down while it is generated and never read back from it.
type Truth struct {
	Set           string
	Seed          uint64
	Conversations int64
	Events        int64
	Files         int64            // event files and states
	Bytes         int64            // of those files
	StateBytes    int64            // of the states alone
	UsageRows     int64            // ledger rows, each with a response of its own
	Kinds         map[string]int64 // events by kind
	Types         map[string]int64 // records by type that the events and states mean
	Losses        map[string]int64 // losses that the events imply
	Sources       string           // hex SHA-256 over "<folder> <source hash>\n", sorted
}

func newTruth() *Truth {
	return &Truth{Kinds: map[string]int64{}, Types: map[string]int64{}, Losses: map[string]int64{}}
}

// Records is the number of records of all types.
func (t *Truth) Records() int64 {
	var n int64
	for _, c := range t.Types {
		n += c
	}
	return n
}

func (t *Truth) add(o *Truth) {
	t.Conversations += o.Conversations
	t.Events += o.Events
	t.Files += o.Files
	t.Bytes += o.Bytes
	t.StateBytes += o.StateBytes
	t.UsageRows += o.UsageRows
	addCounts(t.Kinds, o.Kinds)
	addCounts(t.Types, o.Types)
	addCounts(t.Losses, o.Losses)
}

func addCounts(dst, src map[string]int64) {
	for k, n := range src {
		dst[k] += n
	}
}

// AppendJSON appends the truth as one JSON object.
func (t *Truth) AppendJSON(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"set":`...), t.Set)
	dst = record.AppendInt(record.AppendKey(dst, "seed"), int64(t.Seed))
	for _, m := range []struct {
		name  string
		count int64
	}{
		{"conversations", t.Conversations},
		{"events", t.Events},
		{"files", t.Files},
		{"bytes", t.Bytes},
		{"stateBytes", t.StateBytes},
		{"usageRows", t.UsageRows},
		{"records", t.Records()},
	} {
		dst = record.AppendInt(record.AppendKey(dst, m.name), m.count)
	}
	dst = appendCounts(record.AppendKey(dst, "kinds"), t.Kinds)
	dst = appendCounts(record.AppendKey(dst, "types"), t.Types)
	dst = appendCounts(record.AppendKey(dst, "losses"), t.Losses)
	return append(record.AppendString(record.AppendKey(dst, "sources"), t.Sources), '}')
}

func appendCounts(dst []byte, counts map[string]int64) []byte {
	dst = append(dst, '{')
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		dst = record.AppendInt(record.AppendKey(dst, k), counts[k])
	}
	return append(dst, '}')
}
