//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A killed conversion leaves what stood there before, or the new bundle whole; the next one clears away what is left.
func TestKill(t *testing.T) {
	for _, c := range []struct {
		name   string
		flags  []string
		fresh  bool // nothing stands at the bundle's place
		beside []string
	}{
		{"no bundle before", nil, true, []string{"out"}},
		{"force", []string{"--force"}, false, []string{"out"}},
		{"update", []string{"--update"}, false, []string{"out", "out.state"}},
		{"update compressed", []string{"--update", "--compress", "zstd"}, false, []string{"out", "out.state"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, all := newPlace(t, 30, 100)
			k := &killer{t: t, place: p, flags: c.flags, random: rand.New(rand.NewPCG(7, uint64(len(c.name))))}
			began := time.Now()
			p.convert(t, c.flags...)
			k.whole = time.Since(began)
			old := sound(t, p.out)
			for round := 0; round < rounds || k.killed < k.runs/4 && round < 10*rounds; round++ {
				if c.fresh {
					must(t, os.RemoveAll(p.out))
					old = ""
				}
				must(t, all[round].append())
				k.round(old)
				k.place.convert(t, k.last()...)
				p.beside(t, c.beside...)
				fresh := sound(t, p.out)
				for _, seen := range k.seen {
					if seen != old && seen != fresh {
						t.Errorf("got root %q after a kill, want %q or %q", seen, old, fresh)
					}
				}
				old = fresh
			}
			t.Logf("a whole run takes %v; of %d runs %d were killed, %d ended before", k.whole, k.runs, k.killed, k.runs-k.killed)
			if k.killed < k.runs/4 {
				t.Errorf("%d of %d runs were killed, want more for this to tell anything", k.killed, k.runs)
			}
		})
	}
}

// killer kills conversions at many moments.
type killer struct {
	t      *testing.T
	place  place
	flags  []string
	random *rand.Rand
	whole  time.Duration // of a run that is let be

	runs, killed int
	seen         []string // root hashes of what stood there after each kill, "" for nothing
}

// round kills a few runs one after the other, at moments of each sort. With old nothing ("") a bundle that is there is
// taken away before the next.
func (k *killer) round(old string) {
	k.t.Helper()
	k.seen = nil
	before := number(k.place.out)
	for _, when := range []func(){
		func() { time.Sleep(time.Duration(k.random.Int64N(int64(k.whole) * 5 / 4))) },
		func() { k.spin(func() bool { return len(k.place.temporary()) > 0 }) },
		func() { k.spin(func() bool { return k.ready() }) },
		func() { time.Sleep(time.Duration(k.random.Int64N(int64(k.whole) * 5 / 4))) },
		func() { k.spin(func() bool { return number(k.place.out) != before }) },
		func() { k.spin(func() bool { return len(k.place.stateTemporary()) > 0 }) },
		func() { time.Sleep(time.Duration(k.random.Int64N(int64(k.whole) * 5 / 4))) },
	} {
		if old == "" {
			must(k.t, os.RemoveAll(k.place.out))
		}
		before = number(k.place.out)
		k.kill(when)
		k.look()
	}
}

// last are the flags of the run after the kills, which may find a bundle or not.
func (k *killer) last() []string {
	if len(k.flags) == 0 {
		return []string{"--force"}
	}
	return k.flags
}

func (k *killer) kill(when func()) {
	k.t.Helper()
	c := program(k.t, append([]string{"convert", k.place.src, "-o", k.place.out}, k.flags...)...)
	must(k.t, c.Start())
	when()
	c.Process.Kill() //nolint:errcheck // it may have ended
	k.runs++
	switch got := ends(k.t, c); got {
	case -1:
		k.killed++
	case exitDone:
	default:
		k.t.Fatalf("exit code %d, want 0 or a kill: %s", got, said(c))
	}
}

// look notes what stands there now, which must be nothing or a whole bundle.
func (k *killer) look() {
	k.t.Helper()
	root := ""
	if there(k.place.out) {
		root = sound(k.t, k.place.out)
	}
	k.seen = append(k.seen, root)
}

// ready says whether a bundle is whole but not in its place yet.
func (k *killer) ready() bool {
	return slices.ContainsFunc(k.place.temporary(), func(temp string) bool { return there(filepath.Join(temp, "manifest.json")) })
}

// spin waits for a moment, without rest since it is short, and for no longer than a run takes.
func (k *killer) spin(is func() bool) {
	for deadline := time.Now().Add(2 * k.whole); !is() && time.Now().Before(deadline); {
		time.Sleep(50 * time.Microsecond)
	}
}

// A signal ends a conversion with a message, and leaves nothing but what stood there before.
func TestInterrupt(t *testing.T) {
	p, all := newPlace(t, 30, 100)
	p.convert(t)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, flag := range []string{"--force", "--update"} {
			t.Run(sig.String()+" "+flag, func(t *testing.T) {
				must(t, all[0].append())
				c, got := interrupted(t, p, sig, flag, all[0])
				want := "ctx: interrupted; no bundle was written"
				kept := flag == "--update" && strings.HasPrefix(said(c), want+"; the next --update takes over ")
				if got != exitInterrupted || (said(c) != want+"\n" && !kept) {
					t.Errorf("exit code %d, %q, want %d, %q", got, said(c), exitInterrupted, want)
				}
				if kept != (len(p.temporary()) > 0) {
					t.Errorf("said %q, and %q is there", said(c), p.temporary())
				}
				must(t, removeAll(p.temporary()))
				sound(t, p.out)
				if got := p.items(all[0].id); got >= int64(all[0].count) {
					t.Errorf("got %d items, want the bundle before, with fewer", got)
				}
				p.beside(t, "out", "out.state")
			})
		}
	}
}

func removeAll(paths []string) error {
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// interrupted signals a conversion while it works; runs that were faster than the signal are done again.
func interrupted(t *testing.T, p place, sig syscall.Signal, flag string, c *conversation) (*exec.Cmd, int) {
	t.Helper()
	for range 20 {
		before := number(p.out)
		run := program(t, "convert", p.src, "-o", p.out, flag)
		must(t, run.Start())
		until(t, "the work to begin", func() bool { return len(p.temporary()) > 0 || number(p.out) != before })
		run.Process.Signal(sig) //nolint:errcheck // it may have ended
		if got := ends(t, run); got != exitDone {
			return run, got
		}
		must(t, c.append())
	}
	t.Fatal("every run ended before the signal")
	return nil, 0
}

// A full disk is named, and what stood there before stays.
func TestFullDisk(t *testing.T) {
	p, _ := newPlace(t, 10, 100)
	small := filepath.Join("..", "..", "fixtures", "openhands", "basic", "native")
	full := filepath.Join(p.dir, "disk")
	must(t, os.Mkdir(full, 0o755))
	if said, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "none", full).CombinedOutput(); err != nil {
		t.Skipf("no small disk to be had: %s", said)
	}
	t.Cleanup(func() { exec.Command("umount", full).Run() }) //nolint:errcheck // the folder then cannot be removed, which says so
	p.out = filepath.Join(full, "out")
	if got := code(t, program(t, "convert", small, "-o", p.out)); got != exitDone {
		t.Fatalf("exit code %d, want 0", got)
	}
	old := sound(t, p.out)
	for _, flags := range [][]string{{"--force"}, {"--update"}, {"--force", "--jobs", "1"}} {
		c := program(t, append([]string{"convert", p.src, "-o", p.out}, flags...)...)
		if got := code(t, c); got != exitNotDone || !strings.Contains(said(c), syscall.ENOSPC.Error()) || strings.Count(said(c), "\n") > 2 {
			t.Errorf("%v: exit code %d, %q, want %d and %q", flags, got, said(c), exitNotDone, syscall.ENOSPC)
		}
		if root := sound(t, p.out); root != old {
			t.Errorf("%v: got root %s, want the bundle before, %s", flags, root, old)
		}
		if left := list(t, full); len(left) != 1 {
			t.Errorf("%v: got %q, want the bundle alone", flags, left)
		}
	}
}

// A limit on the size of files is a full disk for whoever has no other.
func TestFileSizeLimit(t *testing.T) {
	p, _ := newPlace(t, 10, 100)
	fixture := filepath.Join("..", "..", "fixtures", "openhands", "basic", "native")
	if got := code(t, program(t, "convert", fixture, "-o", p.out)); got != exitDone {
		t.Fatalf("exit code %d, want 0", got)
	}
	old := sound(t, p.out)
	for _, flag := range []string{"--force", "--update"} {
		c := limited(t, 16, "convert", p.src, "-o", p.out, flag)
		if got := code(t, c); got != exitNotDone || !strings.Contains(said(c), syscall.EFBIG.Error()) {
			t.Errorf("%s: exit code %d, %q, want %d and %q", flag, got, said(c), exitNotDone, syscall.EFBIG)
		}
		if root := sound(t, p.out); root != old {
			t.Errorf("%s: got root %s, want the bundle before, %s", flag, root, old)
		}
		p.beside(t, "out")
	}
}

// limited makes a process of ctx that can write no file of more than so many blocks of 512 bytes.
func limited(t *testing.T, blocks int, args ...string) *exec.Cmd {
	t.Helper()
	c := program(t, args...)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to set a limit with")
	}
	c.Args = append([]string{shell, "-c", fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, blocks), c.Path}, args...)
	c.Path = shell
	return c
}
