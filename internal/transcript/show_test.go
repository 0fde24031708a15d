package transcript

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/bundle"
)

// made is a bundle of one stream with these lines.
func made(t *testing.T, lines string) (*bundle.Bundle, bundle.StreamInfo) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "b")
	w, err := bundle.Create(path, bundle.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		if err := s.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Name("x-1"); err != nil {
		t.Fatal(err)
	}
	m := &bundle.Manifest{
		Converter: bundle.Converter{Name: "ctx", Version: "0"},
		Sources:   []bundle.SourceInfo{{ID: "s1", Agent: "x", Format: "f", Layout: "l", Path: "."}},
		Streams:   []bundle.StreamInfo{{ID: "x-1", SessionID: "1", Agent: "x", Source: "s1"}},
		Selection: []byte(`{"policy":"all"}`),
	}
	if err := w.Commit(m, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, b.Manifest().Streams[0]
}

const forked = `
{"type":"message","id":"m1","position":{"family":"transcript","ordinal":0},"role":"user","origin":"user","content":[{"type":"text","text":"one"}],"native":{"record":{}}}
{"type":"message","id":"m2","position":{"family":"transcript","ordinal":1},"parent":"m1","role":"assistant","origin":"agent","content":[{"type":"text","text":"two"}],"native":{"record":{}}}
{"type":"hook","id":"h1","position":{"family":"transcript","ordinal":2},"parent":"m2","event":"Stop","native":{"record":{}}}
{"type":"message","id":"m3","position":{"family":"transcript","ordinal":3},"parent":"m1","role":"assistant","origin":"agent","content":[{"type":"text","text":"three"}],"native":{"record":{}}}
{"type":"session_info","id":"state","position":{"family":"current-state"},"sessionId":"1","agent":"x","format":"f","phase":"snapshot"HEAD}
`

// called has a result before its call, two results for one call, a call and its result in one item, and an open call.
const called = `
{"type":"tool_result","id":"r0","position":{"family":"transcript","ordinal":0},"call":"c1","status":"error","content":[{"type":"text","text":"early"}],"rendering":"persisted","native":{"record":{}}}
{"type":"tool_call","id":"c1","position":{"family":"transcript","ordinal":1},"parent":"r0","callId":"k1","name":"first","native":{"record":{}}}
{"type":"tool_call","id":"c2","position":{"family":"transcript","ordinal":2},"parent":"c1","callId":"k2","name":"second","native":{"record":{}}}
{"type":"tool_result","id":"r1","position":{"family":"transcript","ordinal":3},"parent":"c2","call":"c1","status":"ok","content":[{"type":"text","text":"late"}],"rendering":"persisted","native":{"record":{}}}
{"type":"tool_call","id":"c3","position":{"family":"transcript","ordinal":4},"parent":"r1","callId":"k3","name":"third","native":{"record":{}}}
{"type":"tool_result","id":"c3#result","position":{"family":"transcript","ordinal":4},"call":"c3","status":"ok","content":[{"type":"text","text":"inside"}],"rendering":"persisted"}
`

func TestShow(t *testing.T) {
	head := strings.Replace(forked, "HEAD", `,"head":"m3"`, 1)
	tests := []struct {
		name, want, lines string
		o                 Options
	}{
		{"abandoned branches are marked, hooks on them too", `
#0  user  m1
    one

#1  assistant  m2  off the active branch
    two

#2  hook  h1  off the active branch
    Stop

#3  assistant  m3
    three
`, head, Options{}},
		{"or left out", `
#0  user  m1
    one

#3  assistant  m3
    three
`, head, Options{ActiveOnly: true}},
		{"the head is asked for when none is stated", `
#0  user  m1
    one

#1  assistant  m2
    two

#2  hook  h1
    Stop
`, strings.Replace(forked, "HEAD", "", 1), Options{ActiveOnly: true, Head: func() Head { return Head{Record: "m2", Known: true} }}},
		{"nothing is active", `
… 0`, strings.Replace(forked, "HEAD", "", 1), Options{ActiveOnly: true, Head: func() Head { return Head{Known: true} }}},
		{"first and last", `
#0  user  m1
    one

… 2 items

#3  assistant  m3
    three
`, head, Options{First: 1, Last: 1}},
		{"at a record", `
… 1 item

#1  assistant  m2  off the active branch
    two

… 2 items
`, head, Options{At: "m2", First: 1}},
		{"results under their calls", `
#1  assistant  c1
    → first
    ← error  r0
      early
    ← ok  r1
      late

#2  assistant  c2
    → second
    ← no result

#4  assistant  c3
    → third
    ← ok
      inside
`, called, Options{}},
		{"a result asked for shows its call", `
… 2 items

#4  assistant  c3
    → third
    ← ok
      inside
`, called, Options{At: "c3#result"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, s := made(t, tt.lines)
			var out bytes.Buffer
			if _, err := Show(&out, b, s, tt.o); err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(out.String(), "\n\n")
			if strings.HasPrefix(tt.want, "\n… 0") {
				if body != "" {
					t.Errorf("got %q, want no items", body)
				}
				return
			}
			if d := cmp.Diff(tt.want, "\n"+body); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestShowUnreadable(t *testing.T) {
	b, s := made(t, `{"type":"message","id":"m1","position":{"family":"transcript","ordinal":0},"role":"user","origin":"user","content":[]}
{"type":"mess
{"type":"nonsense","id":"n"}`)
	var out bytes.Buffer
	bad, err := Show(&out, b, s, Options{})
	if err != nil || bad != 2 {
		t.Fatalf("got %d lines, error %v, want 2 and none", bad, err)
	}
	for _, want := range []string{"#0  user  m1\n", "\nline 2 of the stream is no record\n", "\nline 3 of the stream is no record\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in:\n%s", want, out.String())
		}
	}
}

func TestShowAt(t *testing.T) {
	b, s := made(t, strings.Replace(forked, "HEAD", "", 1))
	for at, want := range map[string]*RecordError{
		"m":     {"m", []string{"m1", "m2", "m3"}},
		"other": {"other", nil},
		"h":     nil,
		"m1":    nil,
	} {
		var got *RecordError
		_, err := Show(&bytes.Buffer{}, b, s, Options{At: at})
		if !errors.As(err, &got) && err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("at %q (-want +got):\n%s", at, d)
		}
	}
}

// Parents in a circle, calls that answer each other and items that name themselves end all the same.
func TestShowCircles(t *testing.T) {
	b, s := made(t, `{"type":"message","id":"a","position":{"family":"transcript","ordinal":0},"parent":"b","role":"user","origin":"user","content":[],"native":{"record":{}}}
{"type":"message","id":"b","position":{"family":"transcript","ordinal":1},"parent":"a","role":"user","origin":"user","content":[],"native":{"record":{}}}
{"type":"tool_result","id":"c","position":{"family":"transcript","ordinal":2},"parent":"c","call":"d","status":"ok","rendering":"persisted","native":{"record":{}}}
{"type":"tool_result","id":"d","position":{"family":"transcript","ordinal":3},"parent":"z","call":"c","status":"ok","rendering":"persisted","native":{"record":{}}}`)
	var out bytes.Buffer
	if _, err := Show(&out, b, s, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"#0 ", "#1 ", "#2 ", "#3 "} {
		if !strings.Contains(out.String(), "\n"+want) {
			t.Errorf("want %q in:\n%s", want, out.String())
		}
	}
}

func TestSummarize(t *testing.T) {
	b, s := made(t, `{"type":"inference","id":"inference:1","position":{"family":"transcript","ordinal":0},"time":"2026-01-01T00:00:00","responseId":"1","usage":{"inputTokens":9007199254740991}}
{"type":"message","id":"m0","position":{"family":"transcript","ordinal":0},"role":"user","origin":"environment","content":[{"type":"text","text":"not this"}],"native":{"record":{}}}
{"type":"message","id":"m1","position":{"family":"transcript","ordinal":1},"parent":"m0","role":"user","origin":"agent","content":[{"type":"text","text":"nor this"}],"native":{"record":{}}}
{"type":"message","id":"m2","position":{"family":"transcript","ordinal":2},"parent":"m0","role":"user","origin":"user","content":[{"type":"text","text":" "},{"type":"text","text":"but\n this"}],"native":{"record":{}}}
{"type":"inference","id":"inference:2","position":{"family":"transcript","ordinal":3},"responseId":"2","usage":{"inputTokens":9007199254740991,"outputTokens":2}}
{"type":"compaction","id":"k","position":{"family":"transcript","ordinal":3},"parent":"m2","phase":"applied","native":{"record":{}}}
{"type":"message","id":"k-summary","position":{"family":"transcript","ordinal":3},"parent":"k","role":"user","origin":"summary","content":[]}
{"type":"usage_summary","id":"usage:a","position":{"family":"current-state"},"bucket":"a","cost":{"amount":0.1,"basis":"reported"},"childInclusion":"unknown"}
{"type":"usage_summary","id":"usage:b","position":{"family":"current-state"},"bucket":"b","cost":{"amount":2e-1,"basis":"reported"},"childInclusion":"unknown"}
{"type":"usage_summary","id":"usage:c","position":{"family":"current-state"},"bucket":"c","cost":{"amount":1e999999999,"basis":"reported"},"childInclusion":"unknown"}
{"type":"session_info","id":"state","position":{"family":"current-state"},"sessionId":"1","agent":"x","format":"f","phase":"snapshot","executionStatus":"idle","usageCoverage":{"responses":2,"withUsage":2,"leftOver":0,"complete":true}}`)
	got, err := Summarize(b, s)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"time": "2026-01-01T00:00:00", "first": "but this", "status": "idle", "in": "18014398509481982", "out": "2", "cost": "0.3",
	}
	have := map[string]string{
		"time": got.Time, "first": got.FirstMessage, "status": got.Status,
		"in": got.Tokens.Input.String(), "out": got.Tokens.Output.String(), "cost": Decimal(got.Cost),
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got.Tokens.CacheRead != nil || !got.Tokens.Complete || got.Responses != 2 || got.Branches != 2 || !got.BranchesExact || got.Records != 11 {
		t.Errorf("got %+v, want no cache reads, complete, 2 responses, 2 branches, 11 records", got)
	}
}
