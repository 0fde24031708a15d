package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/record"
)

func findings(list ...record.Finding) *record.Findings {
	var fs record.Findings
	fs.Keep(-1)
	for _, f := range list {
		f.Message = "x"
		fs.Add(f)
	}
	return &fs
}

func finding(rule, stream, id, pointer string, line int, count int64) record.Finding {
	return record.Finding{Rule: rule, Severity: record.ErrorSeverity, Stream: stream, Record: id, Pointer: pointer, Line: line, Count: count}
}

func TestAppend(t *testing.T) {
	var b Baseline
	if left := b.Add(findings(
		finding("schema", "s", "e\"\n1", "/role", 3, 0), finding("schema", "s", "e\"\n1", "/role", 9, 0),
		finding("manifest", "", "", "/rootSha256", 0, 0), finding("json", "s", "", "", 1, 4),
	)); left != 0 {
		t.Errorf("%d left, want 0", left)
	}
	want := `{"format":"ctx-baseline","version":1,"findings":[
{"rule":"json","severity":"error","stream":"s","count":4},
{"rule":"manifest","severity":"error","pointer":"/rootSha256","count":1},
{"rule":"schema","severity":"error","stream":"s","record":"e\"\n1","pointer":"/role","count":2}
]}
`
	raw := b.Append(nil)
	if d := cmp.Diff(want, string(raw)); d != "" {
		t.Errorf("baseline (-want +got):\n%s", d)
	}
	again, err := Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(again.Append(nil))); d != "" {
		t.Errorf("read and written again (-want +got):\n%s", d)
	}
	if d := cmp.Diff("{\"format\":\"ctx-baseline\",\"version\":1,\"findings\":[\n]}\n", string((&Baseline{}).Append(nil))); d != "" {
		t.Errorf("empty (-want +got):\n%s", d)
	}
}

// What Add cannot take in is told.
func TestAddBeyondTheList(t *testing.T) {
	fs := findings()
	fs.Keep(2)
	for range 5 {
		fs.Add(finding("a", "s", "", "", 1, 0))
	}
	var b Baseline
	if got := b.Add(fs); got != 3 {
		t.Errorf("%d left, want 3", got)
	}
}

func TestAccept(t *testing.T) {
	const known = `{"format":"ctx-baseline","version":1,"findings":[
		{"rule":"a","severity":"error","stream":"s","record":"e1","pointer":"/x","count":2},
		{"rule":"a","severity":"error","stream":"s","record":"e1","pointer":"/x","count":1},
		{"rule":"b","severity":"error","count":2}]}`
	tests := []struct {
		accepted int64
		left     int64
		stale    []string // rules
		name     string
		found    []record.Finding
	}{
		{0, 0, []string{"a", "b"}, "nothing", nil},
		{3, 0, []string{"b"}, "three, wherever they stand", []record.Finding{finding("a", "s", "e1", "/x", 1, 0), finding("a", "s", "e1", "/x", 70, 0), finding("a", "s", "e1", "/x", 7, 0)}},
		{3, 1, []string{"b"}, "a fourth", []record.Finding{finding("a", "s", "e1", "/x", 1, 0), finding("a", "s", "e1", "/x", 1, 3)}},
		{0, 1, []string{"a", "b"}, "another stream", []record.Finding{finding("a", "t", "e1", "/x", 1, 0)}},
		{0, 1, []string{"a", "b"}, "another record", []record.Finding{finding("a", "s", "e2", "/x", 1, 0)}},
		{0, 1, []string{"a", "b"}, "another pointer", []record.Finding{finding("a", "s", "e1", "/y", 1, 0)}},
		{0, 1, []string{"a", "b"}, "another rule", []record.Finding{finding("c", "s", "e1", "/x", 1, 0)}},
		{1, 0, []string{"a"}, "of the bundle", []record.Finding{finding("b", "", "", "", 0, 0)}},
		{0, 1, []string{"a", "b"}, "a notice", []record.Finding{{Rule: "b", Severity: record.NoticeSeverity}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Read([]byte(known))
			if err != nil {
				t.Fatal(err)
			}
			fs := findings(tt.found...)
			if got := b.Accept(fs); got != tt.accepted {
				t.Errorf("accepted %d, want %d", got, tt.accepted)
			}
			if got := fs.Total(record.ErrorSeverity) + fs.Total(record.NoticeSeverity); got != tt.left {
				t.Errorf("left %d, want %d", got, tt.left)
			}
			var stale []string
			for _, e := range b.Stale() {
				stale = append(stale, e.Rule)
			}
			if d := cmp.Diff(tt.stale, stale); d != "" {
				t.Errorf("stale (-want +got):\n%s", d)
			}
		})
	}
}

// An entry counts over all bundles of a run.
func TestAcceptOverBundles(t *testing.T) {
	var b Baseline
	b.Add(findings(finding("a", "s", "", "", 1, 2)))
	for i, want := range []int64{1, 1, 0} {
		if got := b.Accept(findings(finding("a", "s", "", "", 1, 0))); got != want {
			t.Errorf("bundle %d: accepted %d, want %d", i, got, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	tests := []struct{ want, in string }{
		{"byte 0: no JSON value", ""},
		{"byte 1: invalid JSON", "{"},
		{`the file: got array, want object`, "[]"},
		{`"/format": got a member twice`, `{"format":"ctx-baseline","format":"ctx-baseline","version":1,"findings":[]}`},
		{`"/version": got 2, want 1`, `{"format":"ctx-baseline","version":2,"findings":[]}`},
		{`"/format": got "ctx-bundle", want "ctx-baseline"`, `{"format":"ctx-bundle","version":1,"findings":[]}`},
		{`"/findings/0/line": got member "line"`, `{"format":"ctx-baseline","version":1,"findings":[{"rule":"a","severity":"error","line":1,"count":1}]}`},
		{"nested too deeply", strings.Repeat("[", 1000)},
	}
	for _, tt := range tests {
		_, err := Read([]byte(tt.in))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s: got %v, want %q", tt.in, err, tt.want)
		}
	}
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "baseline.json")
	var one, two Baseline
	one.Add(findings(finding("a", "s", "", "", 1, 0)))
	two.Add(findings(finding("b", "s", "", "", 1, 0)))
	link := filepath.Join(folder, "link.json")
	if err := os.Symlink("baseline.json", link); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		b    *Baseline
		path string
	}{{&one, path}, {&two, link}} {
		if err := step.b.Write(step.path); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(step.b.Append(nil)), string(got)); d != "" {
			t.Errorf("file (-want +got):\n%s", d)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("%d names in the folder, want the file and the link (%v)", len(entries), err)
	}
	other := filepath.Join(folder, "other.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{other, folder, filepath.Join(folder, "no", "b.json")} {
		if err := one.Write(path); err == nil {
			t.Errorf("%s: written, want an error", path)
		}
	}
	if got, err := os.ReadFile(other); err != nil || string(got) != "mine" {
		t.Errorf("another file: got %q (%v), want it as it was", got, err)
	}
}
