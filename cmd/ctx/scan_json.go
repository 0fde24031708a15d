package main

import (
	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/record"
)

// appendScans appends one object, or an array of them when several things were asked for.
func appendScans(dst []byte, done []scanned, several bool) []byte {
	if !several && len(done) == 0 {
		return dst
	}
	if several {
		dst = append(dst, '[')
	}
	for i := range done {
		if i > 0 {
			dst = append(dst, ',', '\n')
		}
		dst = appendScan(dst, &done[i])
	}
	if several {
		dst = append(dst, ']')
	}
	return append(dst, '\n')
}

func appendScan(dst []byte, s *scanned) []byte {
	kind := "folder"
	if s.bundle {
		kind = "bundle"
	}
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "path"), s.path)
	dst = record.AppendString(record.AppendKey(dst, "kind"), kind)
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"files", s.Files},
		{"streams", s.Streams},
		{"records", s.Records},
		{"bytes", s.Bytes},
		{"findings", s.Total()},
		{"values", int64(s.Values)},
		{"masked", s.Masked},
	} {
		dst = record.AppendInt(record.AppendKey(dst, n.name), n.value)
	}
	dst = record.AppendLosses(record.AppendKey(dst, "rules"), s.Counts)
	dst = append(record.AppendKey(dst, "places"), '[')
	first := true
	for i := range s.Findings {
		if s.Findings[i].Masked {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendPlace(dst, &s.Findings[i])
	}
	dst = append(record.AppendKey(append(dst, ']'), "skipped"), '[')
	for i, f := range s.Skipped {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "path"), f.Path)
		dst = append(record.AppendString(record.AppendKey(dst, "reason"), f.Reason), '}')
	}
	return append(dst, ']', '}')
}

func appendPlace(dst []byte, f *audit.Finding) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "rule"), f.Rule)
	for _, t := range [][2]string{{"stream", f.Stream}, {"file", f.File}, {"record", f.Record}} {
		if t[1] != "" {
			dst = record.AppendString(record.AppendKey(dst, t[0]), t[1])
		}
	}
	if f.Line > 0 {
		dst = record.AppendInt(record.AppendKey(dst, "line"), int64(f.Line))
	}
	if f.JSON {
		dst = record.AppendString(record.AppendKey(dst, "pointer"), f.Pointer)
	}
	if f.Key {
		dst = record.AppendBool(record.AppendKey(dst, "inName"), true)
	}
	dst = record.AppendInt(record.AppendKey(dst, "offset"), f.Offset)
	dst = record.AppendInt(record.AppendKey(dst, "length"), int64(f.Length))
	return append(record.AppendInt(record.AppendKey(dst, "value"), int64(f.Value)), '}')
}
