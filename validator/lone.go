package validator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/schemas"
)

// maxHead is how far into a stream that stands alone its first record is looked for.
const maxHead = 1 << 20

// ValidateStream checks the lines of one stream that stands alone, under the name given. Nothing is known of its manifest
// and blobs, so links to them are not judged. What a manifest would say of the stream is taken from its first record, and
// Options.EntryOf is asked for the entry of the agent that this record names.
func ValidateStream(ctx context.Context, r io.Reader, name string, o Options) (*record.Report, error) {
	set, err := schemas.Compile()
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	start := &bytes.Buffer{}
	t := loneTarget(firstLine(io.TeeReader(r, start)), name, o)
	v := &validation{ctx: ctx, o: o, set: set, report: newReport(o), progress: o.counter()}
	res := v.read(io.MultiReader(start, r), t, nil)
	if res.err != nil {
		return nil, fmt.Errorf("%s: %w", name, res.err)
	}
	if res.cut == cutBytes {
		res.sum.Findings.Add(record.Finding{
			Rule: ruleJSON, Severity: record.ErrorSeverity, Line: int(res.sum.Records) + 1,
			Message: "got bytes that cannot be decompressed, and read no further",
		})
	}
	v.report.Streams = 1
	v.merge(name, &res)
	return v.report, nil
}

// firstLine reads up to the first line feed; nil when that is too far. A fault of the reader shows again where all is read.
func firstLine(r io.Reader) []byte {
	var line []byte
	for len(line) < maxHead {
		step := make([]byte, 4<<10)
		n, err := r.Read(step)
		line = append(line, step[:n]...)
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			return line[:end]
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return line
			}
			return nil
		}
	}
	return nil
}

// loneTarget is what the records of a stream must agree with when only its first record says so.
func loneTarget(line []byte, name string, o Options) *target {
	t := &target{stream: name, from: "on the first record", unplaced: true}
	doc, err := jsonscan.Scan(line, nil, jsonscan.Options{})
	if err != nil || doc.Text(doc.Find(0, "type")) != record.SessionInfo.String() {
		return t
	}
	member := func(name string) string { return doc.Text(doc.Find(0, name)) }
	t.sessionID, t.agent, t.format, t.source = member("sessionId"), member("agent"), member("format"), member("source")
	if o.EntryOf == nil || t.agent == "" {
		return t
	}
	if a := readAgent(o.EntryOf(t.agent)); a != nil && a.name == t.agent {
		t.keys, t.entry, t.retained, t.plan = a.keys, a.entry, a.retained, a.plan
	}
	return t
}
