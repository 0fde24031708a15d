package converter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
)

// interrupted begins an update, interrupts it after so many sources, and returns how many it says it keeps and where.
func (u *updater) interrupted(after int64) (kept int, folder string) {
	u.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := u.o
	o.Sources, o.Out, o.Registry, o.NewCheck, o.Update, o.Jobs = []string{u.src}, u.out, u.reg, converter.NewStage, true, 1
	o.Progress = func(p converter.Progress) {
		if p.SourcesDone >= after {
			cancel()
		}
	}
	_, err := converter.Convert(ctx, o)
	e, ok := errors.AsType[*converter.InterruptedError](err)
	left := u.left()
	if !ok || !errors.Is(err, context.Canceled) || len(left) == 0 {
		u.t.Fatalf("got %v and %q, want an interruption that keeps something", err, left)
	}
	return e.Kept, left[len(left)-1]
}

// left are the names of temporary folders and files.
func (u *updater) left() []string {
	u.t.Helper()
	list, err := filepath.Glob(filepath.Join(filepath.Dir(u.out), ".*"))
	if err != nil {
		u.t.Fatal(err)
	}
	return list
}

// replace puts another file in a file's place, so that links to the old one keep it.
func (u *updater) replace(path string, do func(raw []byte) []byte) {
	u.t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		u.t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(path, do(raw), 0o644); err != nil {
		u.t.Fatal(err)
	}
}

func flip(raw []byte) []byte {
	raw[len(raw)/2] ^= 1
	return raw
}

// each does something with every file of a folder.
func (u *updater) each(folder string, do func(path string)) {
	u.t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(list) == 0 {
		u.t.Fatalf("%s: got %d files (%v), want some", folder, len(list), err)
	}
	for _, p := range list {
		do(p)
	}
}

// TestResume holds that an update takes over what an interrupted one has finished, and nothing that is not what it was.
func TestResume(t *testing.T) {
	all := func(kept int) int { return kept }
	none := func(int) int { return 0 }
	for _, c := range []struct {
		name string
		want func(kept int) int // taken over
		do   func(u *updater, folder string)
	}{
		{"nothing", all, func(*updater, string) {}},
		{"a source edited", func(kept int) int { return kept - 1 }, func(u *updater, _ string) {
			u.write(filepath.Join(u.conversations()[0], "events", "event-00900-0a0a0a0a.json"), `{"id":"0a0a0a0a","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		}},
		{"a source before all others", all, func(u *updater, _ string) {
			u.write("00000000000000000000000000000000/events/event-00000-0b0b0b0b.json", `{"id":"0b0b0b0b","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		}},
		{"other options", none, func(u *updater, _ string) { u.o.MaxItems = 1000 }},
		{"streams flipped", none, func(u *updater, folder string) {
			u.each(filepath.Join(folder, "streams"), func(p string) { u.replace(p, flip) })
		}},
		{"streams flipped, under other numbers", none, func(u *updater, folder string) {
			u.each(filepath.Join(folder, "streams"), func(p string) { u.replace(p, flip) })
			u.write("00000000000000000000000000000000/events/event-00000-0b0b0b0b.json", `{"id":"0b0b0b0b","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		}},
		{"streams longer", none, func(u *updater, folder string) {
			u.each(filepath.Join(folder, "streams"), func(p string) { u.replace(p, func(raw []byte) []byte { return append(raw, '\n') }) })
		}},
		{"streams that are links", none, func(u *updater, folder string) {
			u.each(filepath.Join(folder, "streams"), func(p string) {
				to := filepath.Join(u.t.TempDir(), "stream")
				if err := errors.Join(os.Rename(p, to), os.Symlink(to, p)); err != nil {
					u.t.Fatal(err)
				}
			})
		}},
		{"a folder of streams that is a link", none, func(u *updater, folder string) {
			to := filepath.Join(u.t.TempDir(), "streams")
			if err := errors.Join(os.Rename(filepath.Join(folder, "streams"), to), os.Symlink(to, filepath.Join(folder, "streams"))); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"no streams", none, func(u *updater, folder string) {
			if err := os.RemoveAll(filepath.Join(folder, "streams")); err != nil {
				u.t.Fatal(err)
			}
		}},
		{"a journal cut short", func(kept int) int { return kept - 1 }, func(u *updater, folder string) {
			u.replace(filepath.Join(folder, "journal"), func(raw []byte) []byte { return raw[:len(raw)-20] })
		}},
		{"a journal that ends in zeros", func(kept int) int { return kept - 1 }, func(u *updater, folder string) {
			u.replace(filepath.Join(folder, "journal"), func(raw []byte) []byte {
				clear(raw[len(raw)-30:])
				return raw
			})
		}},
		{"an empty journal", none, func(u *updater, folder string) {
			u.replace(filepath.Join(folder, "journal"), func([]byte) []byte { return nil })
		}},
		{"a folder that others may write in", none, func(u *updater, folder string) {
			if err := os.Chmod(folder, 0o777); err != nil {
				u.t.Fatal(err)
			}
		}},
	} {
		for _, compress := range []bundle.Compression{bundle.None, bundle.Zstd} {
			t.Run(c.name+" "+compress.String(), func(t *testing.T) {
				t.Parallel()
				u := newUpdater(t, "../fixtures/openhands/sample/native")
				u.o.Compress = compress
				kept, folder := u.interrupted(3)
				if kept < 3 {
					t.Fatalf("got %d kept, want 3", kept)
				}
				c.do(u, folder)
				if got := u.run().Resumed; got != c.want(kept) {
					t.Errorf("got %d of %d streams taken over, want %d", got, kept, c.want(kept))
				}
				if left := u.left(); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	}
}

// TestResumeBlobs takes over streams with blobs, and none whose blob is not what it was.
func TestResumeBlobs(t *testing.T) {
	for _, compress := range []bundle.Compression{bundle.None, bundle.Zstd} {
		for _, spoiled := range []bool{false, true} {
			u := newUpdater(t, "../fixtures/openhands/duplicate-key/native")
			u.o.Compress = compress
			kept, folder := u.interrupted(1)
			blobs := 0
			u.each(filepath.Join(folder, "blobs"), func(p string) {
				blobs++
				if spoiled {
					u.replace(p, flip)
				}
			})
			if want := map[bool]int{false: kept}[spoiled]; blobs == 0 || u.run().Resumed != want {
				t.Errorf("%s, spoiled %v: got other than %d of %d streams taken over", compress, spoiled, want, kept)
			}
		}
	}
}

// TestResumeDistrustsTheJournal changes single bytes of the journal.
func TestResumeDistrustsTheJournal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	u := newUpdater(t, "../fixtures/openhands/sample/native")
	for range 20 {
		kept, folder := u.interrupted(2)
		at := 0
		u.replace(filepath.Join(folder, "journal"), func(raw []byte) []byte {
			at = random.IntN(len(raw))
			raw[at] ^= 1 << random.IntN(4)
			return raw
		})
		if got := u.run().Resumed; got >= kept {
			t.Errorf("byte %d: got %d of %d streams taken over, want less", at, got, kept)
		}
		for _, path := range []string{u.out, u.out + ".state"} {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestResumeTwice interrupts what goes on after an interruption: nothing that was finished is lost.
func TestResumeTwice(t *testing.T) {
	u := newUpdater(t, "../fixtures/openhands/sample/native")
	first, _ := u.interrupted(1)
	second, _ := u.interrupted(3)
	if second <= first {
		t.Errorf("got %d kept and then %d, want more", first, second)
	}
	if got := u.run().Resumed; got != second {
		t.Errorf("got %d streams taken over, want %d", got, second)
	}
}

// TestResumeIsForUpdates holds that a run which builds on nothing removes what was left.
func TestResumeIsForUpdates(t *testing.T) {
	u := newUpdater(t, "../fixtures/openhands/sample/native")
	u.interrupted(2)
	o := u.o
	o.Sources, o.Out, o.Registry, o.NewCheck = []string{u.src}, u.out, u.reg, converter.NewStage
	got, err := converter.Convert(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if left := u.left(); got.Resumed > 0 || len(left) > 0 {
		t.Errorf("got %d streams taken over, and %q left", got.Resumed, left)
	}
}

// TestUpdateSpoiltLines spoils the streams of the bundle so that a line of them is empty, and takes the first source away:
// the streams of the others would be copied line by line under other numbers.
func TestUpdateSpoiltLines(t *testing.T) {
	u := newUpdater(t, "../fixtures/openhands/sample/native")
	u.run()
	u.each(filepath.Join(u.out, "streams"), func(p string) {
		u.replace(p, func(raw []byte) []byte {
			raw[bytes.IndexByte(raw, '\n')+1] = '\n'
			return raw
		})
	})
	if err := os.RemoveAll(filepath.Join(u.src, u.conversations()[0])); err != nil {
		t.Fatal(err)
	}
	u.run()
}

// TestUpdateLinks holds that streams which did not change are the same files in both bundles, and that a file which its
// owner may not write is copied.
func TestUpdateLinks(t *testing.T) {
	for _, compress := range []bundle.Compression{bundle.None, bundle.Zstd} {
		u := newUpdater(t, "../fixtures/openhands/sample/native")
		u.o.Compress = compress
		u.run()
		before := u.streams()
		shut := ""
		for name := range before {
			if !strings.Contains(name, u.conversations()[1]) {
				shut = max(shut, name)
			}
		}
		if err := os.Chmod(filepath.Join(u.out, "streams", shut), 0o444); err != nil {
			t.Fatal(err)
		}
		u.write(filepath.Join(u.conversations()[1], "events", "event-00900-0a0a0a0a.json"), `{"id":"0a0a0a0a","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}`)
		u.run()
		after, linked := u.streams(), 0
		for name, info := range after {
			same := os.SameFile(info, before[name])
			if want := !strings.Contains(name, u.conversations()[1]) && name != shut; same != want {
				t.Errorf("%s, %s: got the same file %v, want %v", compress, name, same, want)
			}
			if same {
				linked++
			}
		}
		if linked == 0 || after[shut].Mode().Perm() == 0o444 {
			t.Errorf("%s: got %d linked, and mode %v of a copy", compress, linked, after[shut].Mode())
		}
	}
}

func (u *updater) streams() map[string]os.FileInfo {
	u.t.Helper()
	infos := map[string]os.FileInfo{}
	u.each(filepath.Join(u.out, "streams"), func(p string) {
		info, err := os.Lstat(p)
		if err != nil {
			u.t.Fatal(err)
		}
		infos[filepath.Base(p)] = info
	})
	return infos
}

// TestUpdateSeesWhatBelongsToNobody changes what a source's folder holds besides its own files: the names stay.
func TestUpdateSeesWhatBelongsToNobody(t *testing.T) {
	u := newUpdater(t, "../fixtures/openhands/sample/native")
	one := u.conversations()[0]
	paths := []string{filepath.Join(one, "notes.txt"), filepath.Join(one, "observations", "attic", "notes.txt"), filepath.Join(one, "events", "notes.txt")}
	for size := range 3 {
		for _, p := range paths {
			u.write(p, strings.Repeat("x", size))
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(filepath.Join(u.src, p), old, old); err != nil {
				t.Fatal(err)
			}
			u.run()
		}
	}
	link := filepath.Join(u.src, one, "link")
	for n := range 3 {
		os.Remove(link) //nolint:errcheck // it may not be there
		if err := os.Symlink(fmt.Sprintf("nowhere-%d", n), link); err != nil {
			t.Fatal(err)
		}
		u.run()
	}
}
