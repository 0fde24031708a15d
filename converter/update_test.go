package converter_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/registry"
)

// updater converts one folder again and again, and holds each bundle against a full run's.
type updater struct {
	t        *testing.T
	reg      *registry.Registry
	src, out string
	o        converter.Options
}

func newUpdater(t *testing.T, native string) *updater {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	u := &updater{t: t, reg: reg, src: filepath.Join(dir, "in"), out: filepath.Join(dir, "out")}
	if err := os.CopyFS(u.src, os.DirFS(native)); err != nil {
		t.Fatal(err)
	}
	u.age()
	return u
}

// age makes every file old enough for its time to be trusted.
func (u *updater) age() {
	old := time.Now().Add(-time.Hour)
	for p := range readFiles(u.t, u.src) {
		if err := os.Chtimes(filepath.Join(u.src, p), old, old); err != nil {
			u.t.Fatal(err)
		}
	}
}

func (u *updater) run() *converter.Result {
	u.t.Helper()
	o := u.o
	o.Sources, o.Out, o.Registry, o.NewCheck, o.Update = []string{u.src}, u.out, u.reg, converter.NewStage, true
	got, err := converter.Convert(context.Background(), o)
	if err != nil {
		u.t.Fatal(err)
	}
	full := o
	full.Out, full.Update, full.Checksum = filepath.Join(u.t.TempDir(), "full"), false, false
	want, err := converter.Convert(context.Background(), full)
	if err != nil {
		u.t.Fatal(err)
	}
	if d := cmp.Diff(readFiles(u.t, full.Out), readFiles(u.t, u.out)); d != "" {
		u.t.Errorf("bundle of the update (-full run +update):\n%s", d)
	}
	if d := cmp.Diff(want.Sources, got.Sources, cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })); d != "" {
		u.t.Errorf("result of the update (-full run +update):\n%s", d)
	}
	return got
}

func (u *updater) write(name, text string) {
	u.t.Helper()
	path := filepath.Join(u.src, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		u.t.Fatal(err)
	}
}

func (u *updater) conversations() []string {
	u.t.Helper()
	list, err := filepath.Glob(filepath.Join(u.src, "*", "base_state.json"))
	if err != nil || len(list) < 3 {
		u.t.Fatalf("got %d conversations (%v), want at least 3", len(list), err)
	}
	for i := range list {
		list[i], _ = filepath.Rel(u.src, filepath.Dir(list[i]))
	}
	return list
}

// touch gives the files of one conversation another time.
func (u *updater) touch() {
	u.each(filepath.Join(u.src, u.conversations()[1], "events"), func(p string) {
		at := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(p, at, at); err != nil {
			u.t.Fatal(err)
		}
	})
}

func TestUpdate(t *testing.T) {
	sample := "../fixtures/openhands/sample/native"
	for _, c := range []struct {
		name string
		want bool // unchanged
		do   func(u *updater)
	}{
		{"nothing", true, func(*updater) {}},
		{"a file rewritten", false, func(u *updater) {
			name := filepath.Join(u.conversations()[1], "base_state.json")
			raw, _ := os.ReadFile(filepath.Join(u.src, name))
			u.write(name, string(raw)+" ")
		}},
		{"an event appended", false, func(u *updater) {
			u.write(filepath.Join(u.conversations()[0], "events", "event-00900-0a0a0a0a.json"), `{"id":"0a0a0a0a","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		}},
		{"an event removed", false, func(u *updater) {
			events, _ := filepath.Glob(filepath.Join(u.src, u.conversations()[0], "events", "event-00003-*"))
			if err := os.Remove(events[0]); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"a conversation before all others", false, func(u *updater) {
			u.write("00000000000000000000000000000000/events/event-00000-0b0b0b0b.json", `{"id":"0b0b0b0b","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		}},
		{"a conversation removed", false, func(u *updater) {
			if err := os.RemoveAll(filepath.Join(u.src, u.conversations()[0])); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"a foreign file", false, func(u *updater) { u.write("notes.txt", "foreign") }},
		{"a session id that names nothing", false, func(u *updater) {
			u.write(filepath.Join(u.conversations()[1], "base_state.json"), `{"id":"a/b","agent":{}}`)
		}},
		{"a file in a folder below the events", false, func(u *updater) {
			u.write(filepath.Join(u.conversations()[0], "events", "more", "notes.txt"), "foreign")
		}},
		{"a child without its parent", false, func(u *updater) {
			at := filepath.Join(u.src, u.conversations()[0])
			if err := os.CopyFS(filepath.Join(u.src, "p", "subagents", "c"), os.DirFS(at)); err != nil {
				u.t.Fatal(err)
			}
			u.write("p/base_state.json", `{"id":"p","agent":{}}`)
			u.age()
			u.run()
			if err := os.Remove(filepath.Join(u.src, "p", "base_state.json")); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"the state file removed", false, func(u *updater) {
			if err := os.Remove(u.out + ".state"); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"the state file spoiled", false, func(u *updater) {
			if err := os.WriteFile(u.out+".state", []byte("{}\nnot json"), 0o644); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"other options", false, func(u *updater) { u.o.Compress = bundle.Zstd }},
		{"a stream of the old bundle spoiled", false, func(u *updater) {
			streams, _ := filepath.Glob(filepath.Join(u.out, "streams", "*"))
			for _, name := range streams {
				raw, _ := os.ReadFile(name)
				raw[len(raw)/2] ^= 1
				if err := os.WriteFile(name, raw, 0o644); err != nil {
					u.t.Fatal(err)
				}
			}
			u.write("notes.txt", "foreign")
		}},
		{"streams of the old bundle spoiled and a conversation before all others", false, func(u *updater) {
			u.each(filepath.Join(u.out, "streams"), func(p string) { u.replace(p, flip) })
			u.write("00000000000000000000000000000000/events/event-00000-0b0b0b0b.json", `{"id":"0b0b0b0b","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		}},
		{"blobs of the old bundle spoiled", false, func(u *updater) {
			u.each(filepath.Join(u.out, "blobs"), func(p string) { u.replace(p, flip) })
			u.write("notes.txt", "foreign")
		}},
		{"a source touched", true, func(u *updater) { u.touch() }},
		{"a source touched, its stream spoiled", false, func(u *updater) {
			u.touch()
			u.each(filepath.Join(u.out, "streams"), func(p string) { u.replace(p, flip) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := newUpdater(t, sample)
			u.run()
			c.do(u)
			if got := u.run().Unchanged; got != c.want {
				t.Errorf("got unchanged %v, want %v", got, c.want)
			}
			u.age()
			u.run()
		})
	}
}

// TestUpdateSeesContent rewrites a file in place with its old size and time: only reading it tells.
func TestUpdateSeesContent(t *testing.T) {
	u := newUpdater(t, "../fixtures/openhands/sample/native")
	u.run()
	events, _ := filepath.Glob(filepath.Join(u.src, u.conversations()[0], "events", "event-00001-*"))
	info, err := os.Stat(events[0])
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(events[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(events[0], raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(events[0], info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	u.o.Checksum = true
	if u.run().Unchanged {
		t.Error("got unchanged, want the file to be read again")
	}
}

// TestUpdateDistrustsFreshFiles holds that a file written within two seconds of the look at it is worked again: a second
// write may have left it its size and time.
func TestUpdateDistrustsFreshFiles(t *testing.T) {
	u := newUpdater(t, "../fixtures/openhands/basic/native")
	fresh := time.Now().Add(time.Second)
	for p := range readFiles(t, u.src) {
		if err := os.Chtimes(filepath.Join(u.src, p), fresh, fresh); err != nil {
			t.Fatal(err)
		}
	}
	u.run()
	root := u.run().RootSHA256
	events, _ := filepath.Glob(filepath.Join(u.src, "*", "events", "event-00001-*"))
	raw, err := os.ReadFile(events[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(events[0], raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(events[0], fresh, fresh); err != nil {
		t.Fatal(err)
	}
	if u.run().RootSHA256 == root {
		t.Error("got the bundle before, want files as young as the look at them to be read again")
	}
}

// An update of files that hold many items is a full run's bundle, and works again only what changed.
func TestUpdateOneFile(t *testing.T) {
	for _, c := range []struct {
		name, fixture, file string
		want                bool // unchanged
		change              func(string) string
	}{
		{"nothing", "event-lines", "424b1fee9709431585d95954058b4714/events.jsonl", true, nil},
		{"a line more", "event-lines", "424b1fee9709431585d95954058b4714/events.jsonl", false, func(s string) string { return s + "{}\n" }},
		{"a file of printed events more", "cli-json-output", "logs/more.log", false, func(string) string {
			return "--JSON Event--\n{\"id\":\"z\",\"kind\":\"PauseEvent\",\"source\":\"user\",\"timestamp\":\"2026-03-02T09:15:10\"}\n"
		}},
		{"printed events no more", "cli-json-output", "logs/run-7.log", false, func(string) string { return "text\n" }},
		{"no row", "evaluation-output", "run-a/output.jsonl", true, nil},
		{"a row more", "evaluation-output", "run-a/output.jsonl", false, func(s string) string { return s + s[:strings.Index(s, "\n")+1] }},
		{"a row less", "evaluation-output", "run-a/output.jsonl", false, func(s string) string { return s[strings.Index(s, "\n")+1:] }},
		{"rows no more", "evaluation-output", "run-a/output.jsonl", false, func(string) string { return "text\n" }},
		{"a last row that goes on", "evaluation-output-damaged", "output.jsonl", false, func(s string) string { return s + "\"}]}}]}\n" }},
		{"what is no source", "cli-json-output", "logs/about.txt", false, func(s string) string { return s + s }},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newUpdater(t, "../fixtures/openhands/"+c.fixture+"/native")
			u.run()
			if c.change != nil {
				raw, _ := os.ReadFile(filepath.Join(u.src, c.file)) // none: a file more
				u.write(c.file, c.change(string(raw)))
			}
			if got := u.run(); got.Unchanged != c.want {
				t.Errorf("got unchanged %v, want %v", got.Unchanged, c.want)
			}
			u.o.Checksum = true
			u.age()
			u.run()
			if got := u.run(); !got.Unchanged {
				t.Error("got a bundle written anew with --checksum, want nothing done")
			}
		})
	}
}
