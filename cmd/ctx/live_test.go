//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/bundle"
)

// A conversation that is being written gives a consistent prefix: all that was there before the run, and no false gap.
func TestLive(t *testing.T) {
	for _, flags := range [][]string{{"--force"}, {"--update"}, {"--update", "--checksum"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			p, all := placeIn(t, t.TempDir(), 3, 200) // how folders are listed depends on the disk
			w := keepWriting(t, all)
			runs, notices := 0, map[string]int64{}
			for end := time.Now().Add(2500 * time.Millisecond); runs < 5 || time.Now().Before(end); runs++ {
				before := w.counts()
				p.convert(t, flags...)
				after := w.counts()
				sound(t, p.out)
				p.prefix(t, before, after)
				p.notices(t, notices)
			}
			w.end(t)
			p.convert(t, flags...)
			sound(t, p.out)
			p.prefix(t, w.counts(), w.counts())
			t.Logf("%d runs, %v events, notices %v", runs, w.counts(), notices)
		})
	}
}

// prefix wants each stream to hold all items from the first on, no less than before and no more than
// after, and the one then being written.
func (p place) prefix(t *testing.T, before, after map[string]int64) {
	t.Helper()
	streams := manifestOf(t, p.out).Streams
	if len(streams) != len(before) {
		t.Errorf("got %d streams, want %d", len(streams), len(before))
	}
	for _, s := range streams {
		if s.Gaps != 0 || s.Items < before[s.SessionID] || s.Items > after[s.SessionID]+1 {
			t.Errorf("%s: got %d items and %d gaps, want %d to %d and no gap", s.ID, s.Items, s.Gaps, before[s.SessionID], after[s.SessionID])
			t.Log(p.gaps(t, s))
		}
	}
}

// gaps are the records of a stream's gaps.
func (p place) gaps(t *testing.T, s bundle.StreamInfo) string {
	t.Helper()
	b, err := bundle.Open(p.out)
	must(t, err)
	defer b.Close()
	var found []byte
	must(t, b.Lines(s, 1<<20, func(_ int, line []byte, _ bool) error {
		if bytes.Contains(line, []byte(`"type":"gap"`)) {
			found = append(append(found, line...), '\n')
		}
		return nil
	}))
	return string(found)
}

// notices adds up the rules of the report's findings.
func (p place) notices(t *testing.T, sum map[string]int64) {
	t.Helper()
	b, err := bundle.Open(p.out)
	must(t, err)
	defer b.Close()
	raw, err := b.Report()
	must(t, err)
	for part := range strings.SplitSeq(string(raw), `"rule":"`) {
		if rule, _, ok := strings.Cut(part, `","severity`); ok {
			sum[rule]++
		}
	}
}

// writer appends to conversations, one event after the other.
type writer struct {
	stop atomic.Bool
	done sync.WaitGroup
	err  error

	mu    sync.Mutex
	count map[string]int64 // events that are wholly written, by session
}

func keepWriting(t *testing.T, all []*conversation) *writer {
	t.Helper()
	w := &writer{count: map[string]int64{}}
	for _, c := range all {
		w.count[c.id] = int64(c.count)
	}
	w.done.Go(func() {
		for i := 0; !w.stop.Load() && w.err == nil; i++ {
			w.err = w.append(all[i%len(all)])
			time.Sleep(200 * time.Microsecond)
		}
	})
	t.Cleanup(func() { w.end(t) })
	return w
}

// append writes one event. It counts as one that may be seen from the moment it begins.
func (w *writer) append(c *conversation) error {
	if err := c.append(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count[c.id] = int64(c.count)
	return nil
}

func (w *writer) counts() map[string]int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	counts := map[string]int64{}
	for id, n := range w.count {
		counts[id] = n
	}
	return counts
}

func (w *writer) end(t *testing.T) {
	t.Helper()
	w.stop.Store(true)
	w.done.Wait()
	must(t, w.err)
}

// Files and folders that vanish while they are read are findings, and the rest is converted.
func TestVanishing(t *testing.T) {
	p, all := newPlace(t, 20, 60)
	kept := all[len(all)-1]
	random := rand.New(rand.NewPCG(3, 5))
	for try := range 6 {
		for _, c := range all[:3] {
			must(t, os.MkdirAll(filepath.Join(c.dir, "events"), 0o755))
			for c.count < 60*(try+2) {
				must(t, c.append())
			}
		}
		c := program(t, "convert", p.src, "-o", p.out, "--force", "--fail-on", "error")
		must(t, c.Start())
		time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
		for _, c := range all[3*try%15 : 3*try%15+3] {
			events, err := filepath.Glob(filepath.Join(c.dir, "events", "event-*"))
			must(t, err)
			for _, i := range random.Perm(len(events))[:len(events)/2] {
				must(t, os.Remove(events[i]))
			}
			must(t, os.RemoveAll(filepath.Join(c.dir, "base_state.json")))
		}
		must(t, os.RemoveAll(all[18-try].dir))
		if got := ends(t, c); got != exitDone && got != exitFindings {
			t.Fatalf("exit code %d, want 0 or 1: %s", got, said(c))
		}
		sound(t, p.out)
		found := false
		for _, s := range manifestOf(t, p.out).Streams {
			found = found || s.SessionID == kept.id && s.Items == int64(kept.count) && s.Gaps == 0
		}
		if !found {
			t.Error("got no whole stream of a conversation that nobody touched")
		}
	}
}

// Files that may not be read are gaps, and the rest is converted.
func TestUnreadable(t *testing.T) {
	p, all := newPlace(t, 3, 5)
	for _, shut := range []string{
		filepath.Join(all[0].dir, "events", fmt.Sprintf("event-00002-%08x-0000-4000-8000-%012x.json", 0, 2)),
		filepath.Join(all[1].dir, "base_state.json"),
		filepath.Join(all[2].dir, "events"),
	} {
		must(t, os.Chmod(shut, 0))
		t.Cleanup(func() { os.Chmod(shut, 0o755) }) //nolint:errcheck // only for the removal
	}
	c := program(t, "convert", p.src, "-o", p.out, "--fail-on", "gap")
	p.asNobody(t, c)
	if got := code(t, c); got != exitFindings {
		t.Fatalf("exit code %d, want %d for the gap: %s", got, exitFindings, said(c))
	}
	sound(t, p.out)
	want := map[string][2]int64{all[0].id: {4, 1}, all[1].id: {5, 0}, all[2].id: {0, 1}} // items, gaps
	got := map[string][2]int64{}
	for _, s := range manifestOf(t, p.out).Streams {
		got[s.SessionID] = [2]int64{s.Items, s.Gaps}
		if s.SessionID == all[0].id && !strings.Contains(p.gaps(t, s), `"reason":"unreadable"`) {
			t.Errorf("got %s, want a gap of an unreadable file", p.gaps(t, s))
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("items and gaps (-want +got):\n%s", d)
	}
}

// asNobody lets a process run as a user who is not root, where the test itself is.
func (p place) asNobody(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	must(t, os.Chmod(p.dir, 0o777))
	own := filepath.Join(p.dir, "ctx") // the one in use may lie where only root may look
	raw, err := os.ReadFile(c.Path)
	must(t, err)
	must(t, os.WriteFile(own, raw, 0o755))
	c.Path = own
	must(t, filepath.WalkDir(p.src, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	}))
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// ctx convert --watch keeps the bundle current, and whoever reads the old one keeps it.
func TestWatch(t *testing.T) {
	p, all := newPlace(t, 5, 20)
	c := program(t, "convert", p.src, "-o", p.out, "--watch", "--interval", "100ms")
	must(t, c.Start())
	ended := false
	t.Cleanup(func() {
		if !ended {
			c.Process.Kill() //nolint:errcheck // it may have ended
			ends(t, c)
		}
	})
	until(t, "the first bundle", func() bool { return there(p.out) })
	old, err := bundle.OpenHeld(p.out)
	must(t, err)
	defer old.Close()
	most := 0
	for i := range 8 {
		grown := all[i%len(all)]
		must(t, grown.append())
		until(t, "the bundle to have the event", func() bool {
			most = max(most, descriptors(c.Process.Pid))
			return p.items(grown.id) == int64(grown.count)
		})
		sound(t, p.out)
	}
	for _, s := range old.Manifest().Streams {
		if err := old.Lines(s, 1<<20, func(int, []byte, bool) error { return nil }); err != nil {
			t.Errorf("the bundle opened first was taken from its reader: %v", err)
		}
	}
	if most >= 64 {
		t.Errorf("got %d descriptors, want less than 64", most)
	}
	must(t, c.Process.Signal(syscall.SIGINT))
	got := ends(t, c)
	ended = true
	if got != exitInterrupted || !strings.HasPrefix(said(c), "ctx: interrupted") {
		t.Errorf("exit code %d, %q, want %d, interrupted", got, said(c), exitInterrupted)
	}
	sound(t, p.out)
	must(t, old.Close())
	p.convert(t, "--force")
	p.beside(t, "out", "out.state")
}

// items is the number of items that the bundle has of a session, -1 while there is none.
func (p place) items(session string) int64 {
	b, err := bundle.Open(p.out)
	if err != nil {
		return -1
	}
	defer b.Close()
	for _, s := range b.Manifest().Streams {
		if s.SessionID == session {
			return s.Items
		}
	}
	return -1
}

// descriptors is how many descriptors a process has, 0 where that is not to be seen.
func descriptors(pid int) int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return 0
	}
	return len(entries)
}

// Two conversions to one place: each succeeds or says why not, and what stands there is whole.
func TestTwoAtOnce(t *testing.T) {
	p, all := newPlace(t, 20, 60)
	for _, c := range []struct {
		flags []string
		force bool
	}{{nil, false}, {[]string{"--force"}, true}, {[]string{"--update"}, true}} {
		t.Run(strings.Join(c.flags, " "), func(t *testing.T) {
			for range 4 {
				if !c.force {
					must(t, os.RemoveAll(p.out))
				}
				must(t, all[0].append())
				var both [3]*exec.Cmd
				for i := range both {
					both[i] = program(t, append([]string{"convert", p.src, "-o", p.out}, c.flags...)...)
					must(t, both[i].Start())
				}
				done := 0
				for _, one := range both {
					switch got := ends(t, one); {
					case got == exitDone:
						done++
					case got != exitNotDone || !strings.Contains(said(one), "exists already"):
						t.Errorf("exit code %d, %q, want 0, or 2 and the reason", got, said(one))
					}
				}
				if done == 0 || (c.force && done != len(both)) {
					t.Errorf("%d of %d succeeded", done, len(both))
				}
				sound(t, p.out)
				p.beside(t, "out", "out.state")
				if got := p.items(all[0].id); got != int64(all[0].count) {
					t.Errorf("got %d items, want %d", got, all[0].count)
				}
			}
		})
	}
}
