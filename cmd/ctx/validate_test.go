package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/record"
)

func TestVerdicts(t *testing.T) {
	r := sample().result.Report
	ok := record.Report{Streams: 1}
	done := []verdict{{path: "a\t", report: &r, why: []string{"error"}}, {path: "c", err: errInterrupted}, {path: "b", report: &ok}}
	want := `a\t: not valid, 1 error
  2 streams, 30 records, 20 items, 1 gap, 1 error, 12 notices, 2 unidentified sources
  losses: model-rendering 3, time-zone 2
  error schema (1)
    openhands-b:7 e\u001b7 /role: got "bot", want user or assistant
  notice call-open (12)
    openhands-a:1 e0: call without a result
    openhands-a:2 e1: call without a result
    openhands-a:3 e2: call without a result
    openhands-a:4 e3: call without a result
    openhands-a:5 e4: call without a result
    openhands-a:6 e5: call without a result
    openhands-a:7 e6: call without a result
    openhands-a:8 e7: call without a result
    openhands-a:9 e8: call without a result
    openhands-a:10 e9: call without a result
    and 2 more, listed with -v
  fails: error (--fail-on)

b: valid
  1 stream, 0 records, 0 items, 0 gaps, 0 errors, 0 notices, 0 unidentified sources
`
	var got strings.Builder
	if err := (&env{stdout: &got}).printVerdicts(&validateFlags{output: newOutput("text")}, &judge{}, done, true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

func TestVerdictsJSON(t *testing.T) {
	one, two := record.Report{Streams: 1}, record.Report{Streams: 2}
	done := []verdict{{path: "a", report: &one}, {path: "b", report: &two}}
	const counts = `"records":0,"errors":0,"notices":0,"gaps":0,"unidentifiedSources":0`
	const rest = counts + `,"items":0,"losses":{},"selection":{"policy":"all"},"findings":[]}`
	tests := []struct {
		want    string
		format  string
		done    []verdict
		several bool
	}{
		{`{"validator":"validator-v1.0.0","streams":1,` + rest + "\n", "json", done[:1], false},
		{`[{"bundle":"a","validator":"validator-v1.0.0","streams":1,` + rest + "]\n", "json", done[:1], true},
		{`[{"bundle":"a","validator":"validator-v1.0.0","streams":1,` + rest + ",\n" +
			`{"bundle":"b","validator":"validator-v1.0.0","streams":2,` + rest + "]\n", "json", done, true},
		{`{"streams":1,` + counts + "}\n", "evidence", done[:1], false},
		{"[]\n", "json", nil, true},
		{"", "json", nil, false},
	}
	for _, tt := range tests {
		var got strings.Builder
		f := &validateFlags{output: newOutput(tt.format)}
		if err := (&env{stdout: &got}).printVerdicts(f, &judge{}, tt.done, tt.several); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, got.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.format, d)
		}
	}
}
