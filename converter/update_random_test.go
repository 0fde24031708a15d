package converter_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
)

// TestUpdateRandomEdits edits folders at random, interrupts updates at random, spoils what these and the bundle before
// have left at random, and wants every update to give the bundle of a full run.
func TestUpdateRandomEdits(t *testing.T) {
	resumed := 0
	for seed := uint64(1); seed <= 4 || (resumed < 50 && seed <= 20); seed++ { // what is left hangs on the moment, too
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			e := newEditor(t, seed)
			for range 12 {
				e.edits()
				switch e.random.IntN(6) {
				case 0, 1:
					e.must(os.RemoveAll(e.out))
				case 2:
					e.must(os.RemoveAll(e.out + ".state"))
				}
				if e.random.IntN(3) > 0 {
					for range 1 + e.random.IntN(2) {
						e.interrupt()
					}
					if e.random.IntN(2) == 0 {
						e.spoilLeft()
					}
					if e.random.IntN(2) == 0 {
						e.edits()
					}
				}
				if e.random.IntN(4) == 0 {
					e.spoilBundle()
				}
				resumed += e.run().Resumed
				if left := e.left(); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
				if t.Failed() {
					t.Fatalf("after %s", strings.Join(e.done, ", "))
				}
			}
		})
	}
	t.Logf("%d streams were taken over from interrupted runs", resumed)
	if resumed < 50 {
		t.Errorf("%d streams were taken over from interrupted runs, want more for this to tell anything", resumed)
	}
}

// editor is an updater whose source is edited at random.
type editor struct {
	*updater
	random *rand.Rand
	step   int
	done   []string
}

func newEditor(t *testing.T, seed uint64) *editor {
	t.Helper()
	e := &editor{updater: newUpdater(t, "../fixtures/openhands/basic/native"), random: rand.New(rand.NewPCG(seed, 5))}
	cases, err := os.ReadDir("../fixtures/openhands")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if e.random.IntN(3) > 0 {
			e.must(os.CopyFS(filepath.Join(e.src, c.Name()), os.DirFS(filepath.Join("../fixtures/openhands", c.Name(), "native"))))
		}
	}
	e.age()
	if seed%2 == 0 {
		e.o.Compress = bundle.Zstd
	}
	e.o.Checksum = seed%4 == 3
	e.o.Jobs = int(1 + seed%3)
	return e
}

func (e *editor) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// note ends an edit of a file: it gets a time of its own, so old that it is trusted.
func (e *editor) note(what, path string, at *time.Time) {
	e.step++
	e.done = append(e.done, what+" "+strings.TrimPrefix(path, e.src+"/"))
	when := time.Now().Add(-2 * time.Hour).Truncate(time.Hour).Add(time.Duration(e.step) * time.Second)
	if at != nil {
		when = *at
	}
	if _, err := os.Lstat(path); err == nil {
		os.Chtimes(path, when, when) //nolint:errcheck // a link may lead nowhere
	}
}

// all lists the files or the folders of the source.
func (e *editor) all(folders bool) []string {
	var list []string
	e.must(filepath.WalkDir(e.src, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() == folders && p != e.src {
			list = append(list, p)
		}
		return err
	}))
	return list
}

// conversation is the folder of one at random.
func (e *editor) conversation() string {
	folders := e.all(true)
	folders = slices.DeleteFunc(folders, func(p string) bool { return filepath.Base(p) == "events" || filepath.Base(p) == "observations" })
	return folders[e.random.IntN(len(folders))]
}

func (e *editor) edits() {
	for range 1 + e.random.IntN(4) {
		if e.random.IntN(3) == 0 {
			e.editFolder()
		} else {
			e.editFile()
		}
	}
}

func (e *editor) editFile() {
	files := e.all(false)
	path := files[e.random.IntN(len(files))]
	info, err := os.Stat(path)
	if err != nil {
		return // a link that leads nowhere
	}
	raw, err := os.ReadFile(path)
	e.must(err)
	at := info.ModTime()
	write := func(what string, raw []byte, at *time.Time) {
		e.must(os.WriteFile(path, raw, 0o644))
		e.note(what, path, at)
	}
	replace := func(what string, raw []byte) { // the same size and time, another inode
		e.must(os.WriteFile(path+".new", raw, 0o644))
		e.must(os.Rename(path+".new", path))
		e.note(what, path, &at)
	}
	flipped := slices.Clone(raw)
	if len(raw) > 0 {
		flipped[e.random.IntN(len(raw))] ^= byte(1 + e.random.IntN(255))
	}
	switch e.random.IntN(13) {
	case 0:
		write("append to", append(raw, ' '), nil)
	case 1:
		write("truncate", raw[:e.random.IntN(len(raw)+1)], nil)
	case 2:
		write("truncate with its time", raw[:e.random.IntN(len(raw)+1)], &at)
	case 3:
		write("flip a byte of", flipped, nil)
	case 4:
		e.note("touch", path, nil)
	case 5:
		replace("replace by itself", raw)
	case 6:
		replace("replace with size and time", flipped)
	case 7, 8:
		e.must(os.Remove(path))
		e.note("remove", path, nil)
	case 9:
		to := filepath.Join(filepath.Dir(path), fmt.Sprintf("event-%05d-%08x.json", e.random.IntN(40), e.random.Uint32()))
		e.must(os.Rename(path, to))
		e.note("rename to an event", to, &at)
	case 10:
		path = filepath.Join(filepath.Dir(path), []string{"notes.txt", "event-odd", ".lock", "terminal_output_1.txt"}[e.random.IntN(4)])
		write("grow", make([]byte, e.random.IntN(5000)), nil)
	case 11:
		if e.o.Checksum {
			write("flip a byte in place with its time", flipped, &at)
		}
	case 12:
		link := filepath.Join(filepath.Dir(path), fmt.Sprintf("event-%05d-%08x.json", e.random.IntN(40), e.random.Uint32()))
		e.must(os.Symlink(filepath.Base(path), link))
		e.note("link to", path, &at)
	}
}

func (e *editor) editFolder() {
	a, b := e.conversation(), e.conversation()
	name := fmt.Sprintf("%032x", e.random.Uint64()>>e.random.IntN(64))
	switch e.random.IntN(6) {
	case 0:
		if strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/") {
			return
		}
		e.must(os.Rename(a, a+".swap"))
		e.must(os.Rename(b, a))
		e.must(os.Rename(a+".swap", b))
		e.done = append(e.done, "swap "+a+" "+b)
	case 1:
		e.must(os.Rename(a, filepath.Join(e.src, name)))
		e.done = append(e.done, "rename "+a)
	case 2, 3:
		to := filepath.Join(e.src, name)
		if e.random.IntN(3) == 0 {
			to = filepath.Join(b, "subagents", name)
		}
		if e.copy(a, to) {
			e.done = append(e.done, "copy "+a)
		}
	case 4:
		if len(e.all(true)) > 30 {
			e.must(os.RemoveAll(a))
			e.done = append(e.done, "remove "+a)
		}
	case 5:
		inner := filepath.Join(a, []string{"observations", "events", "attic"}[e.random.IntN(3)], "inner")
		e.must(os.MkdirAll(inner, 0o755))
		e.must(os.WriteFile(filepath.Join(inner, "file"), make([]byte, e.random.IntN(5000)), 0o644))
		e.note("a file below", filepath.Join(inner, "file"), nil)
	}
}

// copy copies the plain files of a folder that is not too large.
func (e *editor) copy(from, to string) bool {
	if strings.HasPrefix(to, from) {
		return false
	}
	files := readFiles(e.t, from)
	if len(files) > 60 {
		return false
	}
	for p, text := range files {
		path := filepath.Join(to, p)
		e.must(os.MkdirAll(filepath.Dir(path), 0o755))
		e.must(os.WriteFile(path, []byte(text), 0o644))
		e.note("copied", path, nil)
	}
	return true
}

// interrupt begins an update and interrupts it.
func (e *editor) interrupt() {
	e.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o, share := e.o, e.random.Float64()*2
	o.Sources, o.Out, o.Registry, o.NewCheck, o.Update = []string{e.src}, e.out, e.reg, converter.NewStage, true
	passes, last := 0, int64(0)
	o.Progress = func(p converter.Progress) {
		if p.SourcesDone < last {
			passes++
		}
		last = p.SourcesDone
		if float64(int64(passes)*p.Sources+p.SourcesDone) >= share*float64(p.Sources) {
			cancel()
		}
	}
	_, err := converter.Convert(ctx, o)
	if err != nil && !errors.Is(err, context.Canceled) {
		e.t.Fatal(err)
	}
	kept, _ := errors.AsType[*converter.InterruptedError](err)
	if err != nil && (kept == nil) != (len(e.left()) == 0) {
		e.t.Fatalf("got %v, and %q", err, e.left())
	}
	e.done = append(e.done, fmt.Sprintf("interrupt (%v)", err))
}

// spoilLeft does to a file of what was left what a power failure, or anybody, may do.
func (e *editor) spoilLeft() {
	for _, folder := range e.left() {
		e.spoil(folder, 1+e.random.IntN(3))
	}
}

// spoilBundle changes files of the bundle before. Something is edited too: what did not change is not read.
func (e *editor) spoilBundle() {
	if _, err := os.Lstat(e.out); err != nil {
		return
	}
	path := filepath.Join(e.src, "notes.txt")
	e.must(os.WriteFile(path, make([]byte, 5000+e.step), 0o644))
	e.note("grow", path, nil)
	for _, folder := range []string{"streams", "blobs"} {
		e.spoil(filepath.Join(e.out, folder), 1+e.random.IntN(2))
	}
}

func (e *editor) spoil(folder string, times int) {
	for range times {
		files := readFiles(e.t, folder)
		if len(files) == 0 {
			return
		}
		var names []string
		for name := range files {
			names = append(names, name)
		}
		slices.Sort(names)
		name := names[e.random.IntN(len(names))]
		raw, path := []byte(files[name]), filepath.Join(folder, name)
		e.must(os.Remove(path)) // it may be a link to what another folder has
		e.done = append(e.done, "spoil "+path)
		switch e.random.IntN(5) {
		case 0:
			e.must(os.WriteFile(path, raw[:e.random.IntN(len(raw)+1)], 0o644))
		case 1:
			clear(raw[e.random.IntN(len(raw)+1):])
			e.must(os.WriteFile(path, raw, 0o644))
		case 2:
		case 3:
			e.must(os.WriteFile(path, append(raw, '\n'), 0o644))
		case 4:
			if len(raw) > 0 {
				raw[e.random.IntN(len(raw))] ^= 1
			}
			e.must(os.WriteFile(path, raw, 0o644))
		}
	}
}
