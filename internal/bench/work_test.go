package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWorkersReadEveryFile(t *testing.T) {
	g := generateTiny(t, 1)
	for name, f := range map[string]func(string, string, int) (done, error){
		"copy": copyFiles, "convert naively": convertNaively, "scan": scanDocuments, "scan json": scanDocumentsJSON,
	} {
		for _, jobs := range []int{1, 3} {
			d, err := f(g.root, filepath.Join(t.TempDir(), "out"), jobs)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := checkFiles(&place{truth: g.truth}, []byte(d.String())); err != nil {
				t.Errorf("%s with %d jobs: %v", name, jobs, err)
			}
		}
	}
}

func TestWorkersNoticeBadDocuments(t *testing.T) {
	root := t.TempDir()
	c := filepath.Join(root, "c", "events")
	if err := os.MkdirAll(c, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"events/event-00000-a.json": `{"a":`, "base_state.json": `{}`} {
		if err := os.WriteFile(filepath.Join(root, "c", filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, f := range map[string]func(string, string, int) (done, error){"scan": scanDocuments, "scan json": scanDocumentsJSON} {
		if d, err := f(root, "", 1); err != nil || d.Rejected != scanPasses || d.Items != 2 {
			t.Errorf("%s: got %+v, %v, want 2 items and 1 of them rejected in each pass", name, d, err)
		}
	}
	if _, err := convertNaively(root, filepath.Join(t.TempDir(), "out"), 1); err == nil {
		t.Error("convert naively: got no error for a torn document")
	}
}

// TestCopyKeepsOrder compares the copy of each conversation with its files in order, over chunk borders.
func TestCopyKeepsOrder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "conversations")
	var want []string
	for i, events := range []int{8, 600} {
		var lines strings.Builder
		made := generateOne(root, 9, i, events)
		if made.err != nil {
			t.Fatal(made.err)
		}
		names, _ := filepath.Glob(filepath.Join(root, made.folder, "events", "event-*.json"))
		for _, name := range append(names, filepath.Join(root, made.folder, "base_state.json")) {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines.Write(append(raw, '\n'))
		}
		want = append(want, made.folder, lines.String())
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := copyFiles(root, out, 3); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(want); i += 2 {
		got, err := os.ReadFile(filepath.Join(out, want[i]+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want[i+1] {
			t.Errorf("copy of %s: got %d bytes that differ from the %d of its files in order", want[i], len(got), len(want[i+1]))
		}
	}
}

func TestCopyFails(t *testing.T) {
	root := t.TempDir()
	if _, err := copyFiles(filepath.Join(root, "none"), filepath.Join(root, "out"), 1); err == nil {
		t.Error("got no error for a source that is not there")
	}
	if err := os.MkdirAll(filepath.Join(root, "in", "c", "events"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := copyFiles(filepath.Join(root, "in"), filepath.Join(root, "out"), 2); err == nil {
		t.Error("got no error for a conversation without a state")
	}
}

func TestValidateNaively(t *testing.T) {
	bundle := t.TempDir()
	if err := os.Mkdir(filepath.Join(bundle, "streams"), 0o755); err != nil {
		t.Fatal(err)
	}
	const good = `{"type":"lifecycle","id":"a","position":{"family":"transcript","ordinal":0,"id":"a"},"native":{"record":{}},"event":"paused"}`
	lines := strings.Join([]string{
		good,
		strings.Replace(good, `"paused"`, `"asleep"`, 1), // not in the schema
		strings.Replace(good, `"lifecycle"`, `"life"`, 1),
		good[1:],
		good,
	}, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(bundle, "streams", "s.jsonl"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	want := done{Items: 5, Bytes: int64(len(lines)), Rejected: 3}
	if got, err := validateNaively(bundle, "", 2); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestDoneReadsBack(t *testing.T) {
	want := done{Items: 1, Bytes: 2, Rejected: 3, CPU: 4}
	if got, err := readDone([]byte(want.String())); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := readDone([]byte("{}")); err == nil {
		t.Error("got no error for other output")
	}
}
