package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
