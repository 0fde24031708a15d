package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vbauerster/mpb/v8"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// list is the names in a folder.
func list(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestTable(t *testing.T) {
	tab := &table{columns: []column{{"name", false}, {"n", true}, {"last", false}}}
	tab.add("ü", "1000", "")
	tab.add("longer", "2", "x")
	want := "> name       n  last\n> ü       1000\n> longer     2  x\n"
	var got strings.Builder
	if err := tab.print(&got, "> "); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("table (-want +got):\n%s", d)
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		want string
		in   int64
	}{
		{"0 bytes", 0},
		{"1 byte", 1},
		{"1023 bytes", 1023},
		{"1.0 KiB", 1024},
		{"1.5 MiB", 3 << 19},
		{"8.0 EiB", 1<<63 - 1},
	}
	for _, tt := range tests {
		if got := size(tt.in); got != tt.want {
			t.Errorf("size(%d) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// sample is a conversion with everything that the text can show.
func sample() *conversion {
	r := record.Report{
		Streams: 2, Records: 30, Items: 20, Gaps: 1, UnidentifiedSources: 2,
		Losses: map[string]int64{"time-zone": 2, "model-rendering": 3},
	}
	r.Findings.Add(record.Finding{
		Rule: "schema", Severity: record.ErrorSeverity, Stream: "openhands-b", Line: 7, Record: "e\x1b7",
		Pointer: "/role", Message: "got \"bot\", want user or assistant",
	})
	for i := range 12 {
		r.Findings.Add(record.Finding{
			Rule: "call-open", Severity: record.NoticeSeverity, Stream: "openhands-a", Line: i + 1,
			Record: fmt.Sprintf("e%d", i), Message: "call without a result",
		})
	}
	return &conversion{
		flags: &convertFlags{out: "out/b", output: newOutput("text", "json")},
		result: &converter.Result{
			Report: r, Streams: 2, RootSHA256: "abc",
			Sources: []converter.SourceResult{
				{ID: "s1", Path: "a", Agent: "org.example", Format: "f", Layout: "sdk", Stream: "openhands-a", SessionID: "a", Items: 10, Records: 14, Notices: 12, Files: 11, Bytes: 2000, Losses: 2},
				{ID: "s2", Path: "b", Agent: "org.example", Format: "f", Layout: "flat", Stream: "openhands-b", SessionID: "b", Items: 10, Records: 16, Gaps: 1, Errors: 1, Files: 10, Bytes: 3000, Losses: 3},
				{Path: "c\n", Agent: "org.example", Format: "f", Layout: "sdk", Files: 1, Bytes: 10, Err: errors.New("session id: got \"..\", want a name")},
			},
			Unidentified: []bundle.Unidentified{
				{Path: "notes.txt", Reason: "no-entry-matches", Files: 1, Bytes: 5},
				{Path: "old", Reason: "unqualified-format", Files: 3, Bytes: 5000},
			},
		},
		fails: failOn{errors: true},
	}
}

func TestConversionText(t *testing.T) {
	want := `stream       items  records  gaps  notices  losses  errors
failed: c\n      0        0     0        0       0       0
openhands-b     10       16     1        0       3       1
openhands-a     10       14     0       12       2       0
total 3         20       30     1       12       5       1
sources that gave no stream:
  c\n: session id: got "..", want a name
  error schema (1)
    openhands-b:7 e\u001b7 /role: got "bot", want user or assistant
notices: call-open 12
losses: model-rendering 3, time-zone 2
unidentified sources:
  no-entry-matches (1 file)
    notes.txt: 1 file, 5 bytes
  unqualified-format (3 files)
    old: 3 files, 4.9 KiB
wrote out/b: 2 streams, root sha256 abc
failed: 1 source without a stream, error
`
	var got strings.Builder
	if err := (&env{stdout: &got}).printConversion(sample()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

func TestConversionQuiet(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := (&env{stdout: &stdout, stderr: &stderr, quiet: true}).printConversion(sample()); err != nil {
		t.Fatal(err)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout %q, want nothing", &stdout)
	}
	if want := "sources that gave no stream"; !strings.Contains(stderr.String(), want) {
		t.Errorf("stderr %q, want %q", &stderr, want)
	}
}

func TestConversionRows(t *testing.T) {
	c := sample()
	for i := range 30 {
		c.result.Sources = append(c.result.Sources, converter.SourceResult{Stream: fmt.Sprintf("openhands-%02d", i)})
	}
	c.result.Sources[len(c.result.Sources)-1].Gaps = 1
	for _, tt := range []struct {
		want    int
		more    bool
		verbose bool
	}{{20, true, false}, {33, false, true}} {
		var got strings.Builder
		e := &env{stdout: &got, verbose: tt.verbose}
		e.conversionText(&got, c)
		lines := strings.Split(got.String(), "\n")
		rows := 0
		for lines[rows+1][:5] != "total" {
			rows++
		}
		if rows != tt.want || strings.Contains(got.String(), "13 more sources, listed with -v") != tt.more {
			t.Errorf("verbose %v: %d rows, want %d:\n%s", tt.verbose, rows, tt.want, &got)
		}
		if !strings.HasPrefix(lines[3], "openhands-29") {
			t.Errorf("third row is %q, want the source with a gap", lines[3])
		}
	}
}

func TestConversionJSON(t *testing.T) {
	c := sample()
	c.flags.output.word = "json"
	c.checked = &c.result.Report
	var out strings.Builder
	if err := (&env{stdout: &out}).printConversion(c); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	report, _ := got["report"].(map[string]any)
	check, _ := got["check"].(map[string]any)
	if report["items"] != 20.0 || check["errors"] != 1.0 {
		t.Errorf("report %v and check %v, want 20 items and 1 error", report, check)
	}
	delete(got, "report")
	delete(got, "check")
	want := map[string]any{
		"bundle": "out/b", "rootSha256": "abc", "failed": true,
		"sources": []any{
			map[string]any{"id": "s1", "path": "a", "agent": "org.example", "format": "f", "layout": "sdk", "stream": "openhands-a", "sessionId": "a", "files": 11.0, "bytes": 2000.0, "items": 10.0, "records": 14.0, "gaps": 0.0, "errors": 0.0, "notices": 12.0, "losses": 2.0},
			map[string]any{"id": "s2", "path": "b", "agent": "org.example", "format": "f", "layout": "flat", "stream": "openhands-b", "sessionId": "b", "files": 10.0, "bytes": 3000.0, "items": 10.0, "records": 16.0, "gaps": 1.0, "errors": 1.0, "notices": 0.0, "losses": 3.0},
			map[string]any{"path": "c\n", "agent": "org.example", "format": "f", "layout": "sdk", "files": 1.0, "bytes": 10.0, "items": 0.0, "records": 0.0, "gaps": 0.0, "errors": 0.0, "notices": 0.0, "losses": 0.0, "error": "session id: got \"..\", want a name"},
		},
		"unidentified": []any{
			map[string]any{"path": "notes.txt", "reason": "no-entry-matches", "files": 1.0, "bytes": 5.0},
			map[string]any{"path": "old", "reason": "unqualified-format", "files": 3.0, "bytes": 5000.0},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("JSON (-want +got):\n%s", d)
	}
}

func TestDryRun(t *testing.T) {
	c := sample()
	c.flags.dryRun = true
	want := `source   agent        format  layout  files  bytes
c\n      org.example  f       sdk         1     10
b        org.example  f       flat       10   3000
a        org.example  f       sdk        11   2000
total 3                                  22   5010
sources that gave no stream:
  c\n: session id: got "..", want a name
unidentified sources:
  no-entry-matches (1 file)
    notes.txt: 1 file, 5 bytes
  unqualified-format (3 files)
    old: 3 files, 4.9 KiB
nothing was written
`
	var got strings.Builder
	if err := (&env{stdout: &got}).printConversion(c); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

func TestConversionFailed(t *testing.T) {
	clean := func() *conversion {
		return &conversion{flags: &convertFlags{}, result: &converter.Result{}, fails: failOn{errors: true}}
	}
	broken := record.Report{Gaps: 1}
	broken.Findings.Add(record.Finding{Rule: "schema", Severity: record.ErrorSeverity})
	tests := []struct {
		want   bool
		name   string
		change func(*conversion)
	}{
		{false, "clean", func(*conversion) {}},
		{true, "errors", func(c *conversion) { c.result.Report = broken }},
		{true, "errors of the check", func(c *conversion) { c.checked = &broken }},
		{true, "a source without a stream", func(c *conversion) {
			c.result.Sources = []converter.SourceResult{{Err: errors.New("x")}}
		}},
		{false, "a gap", func(c *conversion) { c.result.Report.Gaps = 1 }},
		{false, "none", func(c *conversion) { c.result.Report, c.fails = broken, failOn{} }},
	}
	for _, tt := range tests {
		c := clean()
		tt.change(c)
		if got := c.failed(); got != tt.want {
			t.Errorf("%s: failed is %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	r := sample().result.Report
	ok := record.Report{Streams: 1}
	done := []verdict{{"a\t", &r, []string{"error"}}, {"b", &ok, nil}}
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
	if err := (&env{stdout: &got}).printVerdicts(&validateFlags{output: newOutput("text")}, done, true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("text (-want +got):\n%s", d)
	}
}

func TestVerdictsJSON(t *testing.T) {
	one, two := record.Report{Streams: 1}, record.Report{Streams: 2}
	done := []verdict{{"a", &one, nil}, {"b", &two, nil}}
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
		if err := (&env{stdout: &got}).printVerdicts(f, tt.done, tt.several); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, got.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.format, d)
		}
	}
}

func TestPaint(t *testing.T) {
	tests := []struct {
		want string
		env  env
		no   string
	}{
		{"\x1b[31mx\x1b[0m", env{terminal: true}, ""},
		{"x", env{terminal: true, noColor: true}, ""},
		{"x", env{terminal: true}, "1"},
		{"x", env{}, ""},
	}
	for _, tt := range tests {
		t.Setenv("NO_COLOR", tt.no)
		if got := tt.env.paint().bad("x"); got != tt.want {
			t.Errorf("terminal %v, --no-color %v, NO_COLOR %q: %q, want %q", tt.env.terminal, tt.env.noColor, tt.no, got, tt.want)
		}
	}
}

func TestProgress(t *testing.T) {
	for _, e := range []env{{talks: false}, {talks: true, quiet: true}} {
		if p := e.newProgress("convert", "item"); p != nil {
			t.Errorf("terminal %v, quiet %v: got a bar, want none", e.talks, e.quiet)
		}
	}
	var none *progress
	none.stop()
	if none.records() != nil {
		t.Error("got a counter without a bar, want none")
	}
	p := startProgress(io.Discard, "convert", "item", mpb.WithAutoRefresh())
	p.converted(converter.Progress{Sources: 2, SourcesDone: 2, Items: 1, Bytes: 2048})
	if want, got := " 1 item, 2.0 KiB", p.text(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	p.records()(6)
	if want, got := int64(7), p.items.Load(); got != want {
		t.Errorf("items %d, want %d", got, want)
	}
	stopped := make(chan struct{})
	go func() { p.stop(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("stop does not return")
	}
}
