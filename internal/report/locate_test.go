package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/record"
)

// madeFiles is a bundle of one stream.
func madeFiles(manifest, report, stream string) *Files {
	f := &Files{Name: "out", Manifest: []byte(manifest), Streams: []Stream{{ID: "s", File: "streams/s.jsonl"}}}
	if report != "" {
		f.Report = []byte(report)
	}
	f.Streams[0].Lines = func(yield func(int, []byte) error) error {
		for i, line := range strings.SplitAfter(stream, "\n") {
			if line == "" {
				break
			}
			if err := yield(i+1, []byte(strings.TrimSuffix(line, "\n"))); err != nil {
				return err
			}
		}
		return nil
	}
	return f
}

// shown is what a region shows of a text, cut as a viewer does that counts UTF-16 code units.
func shown(t *testing.T, text string, r Region) string {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	if r.Line < 1 || r.Line > len(lines) {
		t.Fatalf("line %d of %d", r.Line, len(lines))
	}
	units := utf16.Encode([]rune(lines[r.Line-1]))
	switch {
	case r.Column == 0:
		return "all"
	case r.EndColumn == 0:
		return "from " + string(utf16.Decode(units[r.Column-1:]))
	case r.EndLine != r.Line:
		return "to line " + string(rune('0'+r.EndLine)) + " " + string(utf16.Decode(units[r.Column-1:]))
	}
	return string(utf16.Decode(units[r.Column-1 : r.EndColumn-1]))
}

func TestLocate(t *testing.T) {
	const manifest = "{\n \"😀\": \"\\ud83d\",\n \"streams\": [{\"id\": \"s\"}], \"blobs\": [1,\n2]}"
	const report = `{"items":4,"selection":{"p":1},"findings":[{"rule":"a","message":"x"},{"rule":"odd-file","message":"😀"}]}`
	const stream = `{"id":"e1","text":"😀é","role":"bot","a":{"b/c":[1,{"~":"𝄞","z":7}]},"native":{"record":{"role":"raw","deep":{"n":9}}}}` + "\n" +
		`{"id":"e2","native":{"blob":{"sha256":"00"}}}` + "\n" +
		"{\"id\":\"😀\", nonsense}\n" +
		"\n" +
		`{"id":"e\u0035"}`
	one := strings.Split(stream, "\n")[0]
	finding := func(severity record.Severity, line int, id, pointer string) record.Finding {
		return record.Finding{Rule: "schema", Severity: severity, Stream: "s", Line: line, Record: id, Pointer: pointer}
	}
	fail := func(line int, pointer string) record.Finding { return finding(record.ErrorSeverity, line, "", pointer) }
	tests := []struct {
		file, want string
		line       int
		name       string
		f          record.Finding
	}{
		{"out/streams/s.jsonl", one, 1, "a record as a whole", fail(1, "")},
		{"out/streams/s.jsonl", `"bot"`, 1, "a value behind an emoji", fail(1, "/role")},
		{"out/streams/s.jsonl", `"😀é"`, 1, "a value with an emoji", fail(1, "/text")},
		{"out/streams/s.jsonl", `"𝄞"`, 1, "escaped names", fail(1, "/a/b~1c/1/~0")},
		{"out/streams/s.jsonl", `7`, 1, "behind them", fail(1, "/a/b~1c/1/z")},
		{"out/streams/s.jsonl", `{"n":9}`, 1, "a value that the native one alone has", fail(1, "/deep")},
		{"out/streams/s.jsonl", `{"~":"𝄞","z":7}`, 1, "a member that is not there", fail(1, "/a/b~1c/1/none/x")},
		{"out/streams/s.jsonl", one, 1, "no member of the record", fail(1, "/none")},
		{"out/streams/s.jsonl", one, 1, "no pointer", fail(1, "none")},
		{"out/streams/s.jsonl", `"raw"`, 1, "a notice means the native value", finding(record.NoticeSeverity, 1, "", "/role")},
		{"out/streams/s.jsonl", `7`, 1, "or the record", finding(record.NoticeSeverity, 1, "", "/a/b~1c/1/z")},
		{"out/streams/s.jsonl", `{"blob":{"sha256":"00"}}`, 2, "or its native value in a blob", finding(record.NoticeSeverity, 2, "", "/role")},
		{"out/streams/s.jsonl", `{"id":"e2","native":{"blob":{"sha256":"00"}}}`, 2, "a record whose line is not known", finding(record.ErrorSeverity, 0, "e2", "")},
		{"out/streams/s.jsonl", `{"id":"e\u0035"}`, 5, "an id spelled with an escape", finding(record.ErrorSeverity, 0, "e5", "")},
		{"out/streams/s.jsonl", "from nonsense}", 3, "no JSON", fail(3, "")},
		{"out/streams/s.jsonl", "from ", 4, "a blank line", fail(4, "")},
		{"out/streams/s.jsonl", "all", 1, "no such record", finding(record.ErrorSeverity, 0, "e9", "")},
		{"out/streams/s.jsonl", one, 1, "a stream as a whole", fail(0, "")},
		{"out/manifest.json", `{"id": "s"}`, 3, "its entry", record.Finding{Rule: "manifest", Severity: record.ErrorSeverity, Stream: "s"}},
		{"out/manifest.json", `"\ud83d"`, 2, "the manifest behind an emoji", record.Finding{Rule: "manifest", Severity: record.ErrorSeverity, Pointer: "/😀"}},
		{"out/manifest.json", "to line 4 [1,", 3, "over two lines", record.Finding{Rule: "manifest", Severity: record.ErrorSeverity, Pointer: "/blobs"}},
		{"out/manifest.json", "to line 4 {", 1, "the bundle", record.Finding{Rule: "stray-file", Severity: record.ErrorSeverity}},
		{"out/manifest.json", "to line 4 {", 1, "a stream that there is not", record.Finding{Rule: "a", Severity: record.NoticeSeverity, Stream: "t", Line: 3}},
		{"out/report.json", "4", 1, "the report", record.Finding{Rule: "report", Severity: record.ErrorSeverity, Pointer: "/items"}},
		{"out/report.json", `{"p":1}`, 1, "the selection", record.Finding{Rule: "selection", Severity: record.ErrorSeverity, Pointer: "/selection"}},
		{"out/report.json", `{"rule":"odd-file","message":"😀"}`, 1, "a notice of the report", record.Finding{Rule: "odd-file", Severity: record.NoticeSeverity, Message: "😀"}},
		{"out/report.json", report, 1, "a notice that it does not have", record.Finding{Rule: "odd-file", Severity: record.NoticeSeverity, Message: "x"}},
	}
	texts := map[string]string{"out/manifest.json": manifest, "out/report.json": report, "out/streams/s.jsonl": stream}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Locate(madeFiles(manifest, report, stream), []record.Group{{Rule: tt.f.Rule, Severity: tt.f.Severity, List: []record.Finding{tt.f}, Total: 1}})
			p := got[0].Found[0].Place
			if p.File != tt.file || p.Line != tt.line {
				t.Fatalf("got %s line %d, want %s line %d", p.File, p.Line, tt.file, tt.line)
			}
			if d := cmp.Diff(tt.want, shown(t, texts[p.File], p.Region)); d != "" {
				t.Errorf("%+v (-want +got):\n%s", p.Region, d)
			}
		})
	}
}

// Without files that can be read there is a place all the same.
func TestLocateLittle(t *testing.T) {
	tests := []struct {
		want  Place
		files *Files
		f     record.Finding
	}{
		{Place{"out/manifest.json", Region{Line: 1}}, &Files{Name: "out"}, record.Finding{Rule: "report", Pointer: "/x"}},
		{Place{"out/manifest.json", Region{1, 1, 1, 3}}, &Files{Name: "out", Manifest: []byte("{}")}, record.Finding{Rule: "report"}},
		{Place{"out/manifest.json", Region{Line: 1, Column: 2}}, &Files{Name: "out", Manifest: []byte("{")}, record.Finding{Rule: "manifest", Pointer: "/x"}},
		{Place{"a.jsonl", Region{Line: 4}}, &Files{Name: "a.jsonl", Streams: []Stream{{ID: "s"}}}, record.Finding{Rule: "json", Stream: "s", Line: 4}},
		{Place{"a.jsonl", Region{Line: 1}}, &Files{Name: "a.jsonl", Streams: []Stream{{ID: "s"}}}, record.Finding{Rule: "manifest", Stream: "s"}},
		{Place{"a.jsonl", Region{Line: 1}}, &Files{Name: "a.jsonl", Streams: []Stream{{ID: "s"}}}, record.Finding{Rule: "report", Pointer: "/x"}},
	}
	for _, tt := range tests {
		tt.f.Severity = record.ErrorSeverity
		got := Locate(tt.files, []record.Group{{List: []record.Finding{tt.f}}})
		if d := cmp.Diff(tt.want, got[0].Found[0].Place); d != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.f, d)
		}
	}
}

func TestRuler(t *testing.T) {
	text := []byte("\xef\xbb\xbfa😀\xffé\r\nx\n")
	type at struct{ Line, Column int }
	r := newRuler(text, 1)
	for _, tt := range []struct {
		want at
		byte int
	}{
		{at{1, 1}, 0},
		{at{1, 1}, 3},
		{at{1, 2}, 4},
		{at{1, 4}, 8},
		{at{1, 5}, 9},
		{at{1, 6}, 11},
		{at{2, 1}, 13},
		{at{2, 2}, 14},
		{at{3, 1}, 15},
		{at{3, 1}, 99},
		{at{1, 4}, 8},
	} {
		line, column := r.measure(tt.byte)
		if d := cmp.Diff(tt.want, at{line, column}); d != "" {
			t.Errorf("byte %d (-want +got):\n%s", tt.byte, d)
		}
	}
	if line, column := newRuler([]byte("\xef\xbb\xbfa"), 2).measure(3); line != 2 || column != 2 {
		t.Errorf("line %d, column %d: a mark is none in the middle of a text", line, column)
	}
}

// A line that is too long to look into is a place all the same.
func TestLongLine(t *testing.T) {
	x := newText(append([]byte(`{"a":"`), bytes.Repeat([]byte("x"), maxSpans)...), 7, nil)
	if d := cmp.Diff(Region{Line: 7}, x.region(&record.Finding{Pointer: "/a"})); d != "" {
		t.Errorf("region (-want +got):\n%s", d)
	}
}
