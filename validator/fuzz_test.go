package validator

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/schemas"
)

// dice turns fuzzed bytes into choices.
type dice struct{ rest []byte }

func (d *dice) roll(n int) int {
	if len(d.rest) == 0 {
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return int(b) % n
}

func (d *dice) pick(list ...string) string { return list[d.roll(len(list))] }

func (d *dice) id() string {
	return d.pick("", "a", "b", "c", "a#x", "a-summary", "b-summary", "session", "state", "end", "inference:r", "gap:1-2", "gap:1:a", "a~1", "usage:u", "file:f")
}

func (d *dice) facts() record.Facts {
	f := record.Facts{
		Type: record.Type(d.roll(24)), ID: d.id(), Time: d.pick("", "2026-01-02T03:04:05", "x"), Parent: d.id(), Inference: d.id(),
		Position:     record.Position{Family: d.pick(record.Transcript, record.CurrentState, ""), Ordinal: int64(d.roll(6)) - 1, ID: d.pick("", "a", "b"), Through: int64(d.roll(5)) - 1},
		OutOfContext: d.roll(2) == 1, HasNative: d.roll(2) == 1, Phase: d.pick("", "head", "snapshot", "end"),
		Head: d.id(), Call: d.id(), Message: d.id(), Summary: d.id(), BoundaryAt: d.id(), HasOffset: d.roll(2) == 1,
		CompactionPhase: d.pick("", "applied", "requested"), Extent: d.pick("", "exact", "unknown"), Unknown: d.roll(3),
		Origin: d.pick("", "summary", "user"), GapReason: d.pick("", "missing", "empty"), Bucket: d.pick("", "u"), Path: d.pick("", "f"),
		ResponseID: d.pick("", "r"), HasUsage: d.roll(2) == 1, NotExecutable: d.roll(2) == 1,
	}
	for range d.roll(4) {
		f.Forgotten = append(f.Forgotten, d.id())
		f.Calls = append(f.Calls, d.id())
		f.Losses = append(f.Losses, d.pick("", "x", "lineage", "model-rendering", "a/b", "accounting-join"))
		f.Meta = append(f.Meta, d.pick("rs.ctx/uncommitted", "dev.agent/metrics"))
		f.Redacted = append(f.Redacted, record.Redaction{Kind: d.pick("secret", "masked")})
	}
	if d.roll(4) == 1 {
		f.Coverage = &record.Coverage{Responses: int64(d.roll(4)), WithUsage: int64(d.roll(4)), LeftOver: int64(d.roll(2)), Complete: d.roll(2) == 1}
	}
	return f
}

func FuzzSession(f *testing.F) {
	f.Add([]byte("a seed"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		d, s, n := &dice{data}, NewSession(), int64(0)
		for len(d.rest) > 0 {
			facts := d.facts()
			s.take(&facts, d.roll(5) > 0, nil)
			n++
		}
		sum := s.Close()
		if sum.Records != n {
			t.Errorf("got %d records, want %d", sum.Records, n)
		}
		known(t, &sum.Findings)
	})
}

func FuzzLine(f *testing.F) {
	for _, line := range sound().lines {
		f.Add([]byte(line))
	}
	set, err := schemas.Compile()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var b block
		b.raw, b.first = append(append([]byte{}, line...), '\n'), 1
		b.check(newLineCheck(set, &target{agent: "dev.agent"}, newBlobSet(nil)))
		for i, o := range b.outcomes {
			if o.readable && !json.Valid(line) && len(b.outcomes) == 1 {
				t.Errorf("line %d was read as %s, but is no JSON", i, o.facts.Type)
			}
			if o.sound {
				problems, err := set.Check("record/"+o.facts.Type.String(), line)
				if len(b.outcomes) == 1 && (err != nil || len(problems) > 0) {
					t.Errorf("line passed, but the schema says %v %v", problems, err)
				}
			}
		}
		for _, found := range b.findings.list {
			if found.Line < 1 || found.Rule == "" || found.Message == "" {
				t.Errorf("finding without place, rule or message: %s", fmt.Sprint(found))
			}
		}
	})
}
