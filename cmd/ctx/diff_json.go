package main

import (
	"github.com/session-trace/ctx/internal/diff"
	"github.com/session-trace/ctx/internal/record"
)

// appendDiff appends the result as one object; of each list it takes as many as most says.
func appendDiff(dst []byte, pathA, pathB string, r *diff.Result, most func(int) int) []byte {
	sum, streams := diffSums(r)
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "a"), pathA)
	dst = record.AppendString(record.AppendKey(dst, "b"), pathB)
	dst = append(record.AppendKey(dst, "streams"), '{')
	dst = record.AppendInt(record.AppendKey(dst, "compared"), r.Compared)
	dst = appendCount(dst, "added", streams[diff.Added])
	dst = appendCount(dst, "removed", streams[diff.Removed])
	dst = appendCount(dst, "changed", streams[diff.Changed])
	dst = append(record.AppendKey(append(dst, '}'), "records"), '{')
	dst = appendCount(dst, "compared", r.Records)
	dst = append(appendChanges(dst, &sum), '}')
	dst = appendCount(dst, "facts", int64(len(r.Facts)))
	dst = append(record.AppendKey(dst, "manifest"), '[')
	for i := range r.Facts[:most(len(r.Facts))] {
		dst = appendFact(comma(dst, i), &r.Facts[i])
	}
	dst = append(record.AppendKey(append(dst, ']'), "differences"), '[')
	for i := range r.Streams[:most(len(r.Streams))] {
		dst = appendStreamDiff(comma(dst, i), &r.Streams[i])
	}
	return append(record.AppendBool(record.AppendKey(append(dst, ']'), "failed"), r.Different()), '}')
}

// comma begins the element i of a list.
func comma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',', '\n')
	}
	return dst
}

func appendCount(dst []byte, name string, n int64) []byte {
	return record.AppendInt(record.AppendKey(dst, name), n)
}

func appendChanges(dst []byte, s *diff.Stream) []byte {
	dst = appendCount(dst, "added", s.Added)
	dst = appendCount(dst, "removed", s.Removed)
	dst = appendCount(dst, "changed", s.Changed)
	return appendCount(dst, "moved", s.Moved)
}

func appendFact(dst []byte, f *diff.Fact) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "kind"), f.Kind)
	if f.Name != "" {
		dst = record.AppendString(record.AppendKey(dst, "name"), f.Name)
	}
	dst = record.AppendString(record.AppendKey(dst, "change"), string(f.Change))
	dst = record.AppendBool(record.AppendKey(dst, "counts"), !f.Informs)
	return append(appendPlaces(dst, "values", &f.Places), '}')
}

func appendStreamDiff(dst []byte, s *diff.Stream) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "stream"), s.ID)
	dst = record.AppendString(record.AppendKey(dst, "change"), string(s.Change))
	if s.Change != diff.Added {
		dst = appendCount(dst, "recordsA", s.RecordsA)
	}
	if s.Change != diff.Removed {
		dst = appendCount(dst, "recordsB", s.RecordsB)
	}
	if s.Change != diff.Changed {
		return append(dst, '}')
	}
	dst = appendChanges(dst, s)
	dst = appendPlaces(dst, "manifest", &s.Manifest)
	dst = append(record.AppendKey(dst, "records"), '[')
	for i := range s.Records {
		dst = appendRecordDiff(comma(dst, i), &s.Records[i])
	}
	return append(dst, ']', '}')
}

func appendRecordDiff(dst []byte, r *diff.Record) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "change"), string(r.Change))
	for _, m := range [][2]string{{"id", r.ID}, {"type", r.Type}} {
		if m[1] != "" {
			dst = record.AppendString(record.AppendKey(dst, m[0]), m[1])
		}
	}
	if r.LineA > 0 {
		dst = appendCount(dst, "lineA", int64(r.LineA))
	}
	if r.LineB > 0 {
		dst = appendCount(dst, "lineB", int64(r.LineB))
	}
	if r.Moved {
		dst = record.AppendBool(record.AppendKey(dst, "moved"), true)
	}
	if r.Change == diff.Changed {
		dst = appendPlaces(dst, "values", &r.Places)
	}
	return append(dst, '}')
}

// appendPlaces appends how many values differ as `name`Total, and those that are listed.
func appendPlaces(dst []byte, name string, p *diff.Places) []byte {
	dst = appendCount(dst, name+"Total", p.Total)
	dst = append(record.AppendKey(dst, name), '[')
	for i, at := range p.List {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "pointer"), at.Pointer)
		dst = record.AppendString(record.AppendKey(dst, "change"), string(at.Change))
		if at.Change != diff.Added {
			dst = record.AppendString(record.AppendKey(dst, "old"), at.Old)
		}
		if at.Change != diff.Removed {
			dst = record.AppendString(record.AppendKey(dst, "new"), at.New)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
