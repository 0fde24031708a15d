package bundle

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "bundle"), WriterOptions{})
	for name, content := range map[string]string{
		"file":                  "",
		"folder/x":              "",
		"foreign/manifest.json": `{"format":"other"}`,
		"torn/manifest.json":    `{"format":"ctx-bundle"`,
		"faulty/manifest.json":  `{"format":"ctx-bundle"}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("bundle", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "empty"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path        string
		want, force error
	}{
		{"new", nil, nil},
		{"bundle", ErrExists, nil},
		{"faulty", ErrExists, nil},
		{"torn", ErrExists, ErrNotBundle},
		{"foreign", ErrExists, ErrNotBundle},
		{"folder", ErrExists, ErrNotBundle},
		{"empty", ErrExists, ErrNotBundle},
		{"file", ErrExists, ErrNotBundle},
		{"link", ErrExists, ErrNotBundle},
		{"missing/new", fs.ErrNotExist, fs.ErrNotExist},
	} {
		before := snapshot(t, dir)
		for force, want := range map[bool]error{false: tt.want, true: tt.force} {
			w, err := Create(filepath.Join(dir, tt.path), WriterOptions{Force: force})
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("%s, force %t: want %v, got %v", tt.path, force, want, err)
			}
			if err == nil {
				if err := w.Abort(); err != nil {
					t.Error(err)
				}
			}
		}
		if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
			t.Errorf("%s: changed on disk", tt.path)
		}
	}
}

func TestForceReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	write(t, path, WriterOptions{})
	w := create(t, path, WriterOptions{Force: true})
	addStream(t, w, "b-2", []string{"{}"})
	if err := w.Commit(manifest("b-2"), nil); err != nil {
		t.Fatal(err)
	}
	want := []string{"manifest.json", "report.json", "streams/b-2.jsonl"}
	got, err := open(t, path).Files()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(names) != 1 {
		t.Errorf("want the bundle alone, got %v, %v", names, err)
	}
}

func TestStreamRefuses(t *testing.T) {
	w := create(t, filepath.Join(t.TempDir(), "out"), WriterOptions{})
	s, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"", "{}\n", "\n", "{\n}"} {
		if err := s.Write([]byte(line)); err == nil {
			t.Errorf("%q was written", line)
		}
	}
	if err := s.Name("x"); err == nil {
		t.Error("an open stream was named")
	}
	if _, err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Write([]byte("{}")); err == nil {
		t.Error("a closed stream was written to")
	}
	for _, id := range []string{"", ".", "..", ".tmp-1", "../x", "a/b", "a\\b", "ä", "a b", strings.Repeat("n", 201)} {
		if err := s.Name(id); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%q: want ErrUnsafe, got %v", id, err)
		}
	}
	if err := s.Name("Ab-1"); err != nil {
		t.Fatal(err)
	}
	second, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
	if err := second.Name("aB-1"); !errors.Is(err, ErrExists) {
		t.Errorf("want ErrExists, got %v", err)
	}
}

func TestCommitRefuses(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(w *Writer, m *Manifest)
	}{
		{"open stream", func(w *Writer, m *Manifest) { w.Stream() }},
		{"stream not listed", func(w *Writer, m *Manifest) { m.Streams = nil }},
		{"stream not written", func(w *Writer, m *Manifest) { m.Streams[0].ID = "other" }},
		{"stream twice", func(w *Writer, m *Manifest) { m.Streams = append(m.Streams, m.Streams[0]) }},
		{"no selection", func(w *Writer, m *Manifest) { m.Selection = nil }},
		{"meta is no object", func(w *Writer, m *Manifest) { m.Meta = []byte("[]") }},
		{"selection over lines", func(w *Writer, m *Manifest) { m.Selection = []byte("{\n}") }},
		{"manifest cannot be written", func(w *Writer, m *Manifest) { os.Mkdir(filepath.Join(w.temp, "manifest.json"), 0o755) }},
		{"blob cannot be written", func(w *Writer, m *Manifest) {
			os.RemoveAll(filepath.Join(w.temp, "blobs"))
			w.Blob([]byte("x"), "a/b")
			os.Mkdir(filepath.Join(w.temp, "blobs"), 0o755)
		}},
		{"target is no bundle by now", func(w *Writer, m *Manifest) { os.Remove(filepath.Join(w.path, "manifest.json")) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out")
			write(t, path, WriterOptions{})
			w := create(t, path, WriterOptions{Force: true})
			addStream(t, w, "b-2", []string{"{}"})
			m := manifest("b-2")
			tt.do(w, m)
			before := snapshot(t, path)
			if err := w.Commit(m, nil); err == nil {
				t.Fatal("want an error")
			}
			if d := cmp.Diff(before, snapshot(t, path)); d != "" {
				t.Error("the old bundle changed")
			}
			if err := w.Abort(); err != nil {
				t.Error(err)
			}
			if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 1 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

func TestCommitDoesNotReplaceWhatAppeared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	w := create(t, path, WriterOptions{})
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(manifest(), nil); !errors.Is(err, ErrExists) {
		t.Errorf("want ErrExists, got %v", err)
	}
	if err := place(w.temp, path); !errors.Is(err, ErrExists) {
		t.Errorf("place: want ErrExists, got %v", err)
	}
}
