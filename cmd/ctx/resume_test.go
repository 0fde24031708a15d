//go:build unix

package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An update that was interrupted or killed, at whatever moment, is gone on with, and the bundle is that of a full run.
func TestResumeAfterKill(t *testing.T) {
	if scripts() != nil {
		t.Skip("with the race detector a run takes too long to be killed at every moment; the others hold the same code")
	}
	for _, compress := range []string{"none", "zstd"} {
		t.Run(compress, func(t *testing.T) {
			p, all := newPlace(t, 30, 60)
			random := rand.New(rand.NewPCG(11, uint64(len(compress))))
			p.aged(t)
			flags := []string{"--update", "--compress", compress}
			began := time.Now()
			p.convert(t, flags...)
			whole := time.Since(began)
			killed, resumed := 0, 0
			round := 0
			for ; round < 3*rounds || (killed == 0 || resumed == 0) && round < 20*rounds; round++ {
				if round%2 == 0 {
					must(t, errors.Join(os.RemoveAll(p.out), os.RemoveAll(p.out+".state")))
				}
				for range 1 + random.IntN(2) {
					must(t, all[random.IntN(len(all))].append())
					killed += p.killed(t, random, whole, flags)
				}
				if random.IntN(2) == 0 {
					must(t, all[random.IntN(len(all))].append())
				}
				c := program(t, append([]string{"convert", p.src, "-o", p.out}, flags...)...)
				if got := code(t, c); got != exitDone {
					t.Fatalf("exit code %d, want 0: %s", got, said(c))
				}
				if strings.Contains(c.Stdout.(interface{ String() string }).String(), "taken over from an interrupted run: ") {
					resumed++
				}
				p.beside(t, "out", "out.state")
				sound(t, p.out)
				full := place{p.dir, p.src, filepath.Join(t.TempDir(), "full")}
				full.convert(t, "--compress", compress)
				if d := cmp.Diff(contents(t, full.out), contents(t, p.out)); d != "" {
					t.Fatalf("round %d (-full run +update):\n%s", round, d)
				}
			}
			t.Logf("%d runs were killed or interrupted, %d of %d rounds took something over", killed, resumed, round)
			if killed == 0 || resumed == 0 {
				t.Errorf("%d runs were killed or interrupted, %d rounds took something over, want more for this to tell anything", killed, resumed)
			}
		})
	}
}

// aged gives all files of the source a time that is trusted.
func (p place) aged(t *testing.T) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	must(t, filepath.WalkDir(p.src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
}

// killed begins a run and ends it at a random moment after it has begun to write; 0 when the run was faster.
func (p place) killed(t *testing.T, random *rand.Rand, whole time.Duration, flags []string) int {
	t.Helper()
	before := number(p.out)
	c := program(t, append([]string{"convert", p.src, "-o", p.out}, flags...)...)
	must(t, c.Start())
	for end := time.Now().Add(2 * whole); len(p.temporary()) == 0 && number(p.out) == before && time.Now().Before(end); {
		time.Sleep(100 * time.Microsecond)
	}
	time.Sleep(time.Duration(random.Int64N(int64(whole) / 2)))
	c.Process.Signal([]os.Signal{syscall.SIGKILL, syscall.SIGINT}[random.IntN(2)]) //nolint:errcheck // it may have ended
	switch got := ends(t, c); got {
	case -1, exitInterrupted:
		return 1
	case exitDone:
		return 0
	default:
		t.Fatalf("exit code %d: %s", got, said(c))
		return 0
	}
}

// contents are the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(raw)
		return err
	}))
	return files
}

// A look that fails is told once and does not end the watch; what is gone from the source goes from the bundle; and
// with nothing changed nothing is written.
func TestWatchGoesOn(t *testing.T) {
	p, all := newPlace(t, 3, 5)
	p.aged(t)
	c := program(t, "convert", p.src, "-o", p.out, "--watch", "--interval", "100ms", "-q")
	stderr := &lockedBuffer{}
	c.Stderr = stderr
	must(t, c.Start())
	t.Cleanup(func() { c.Process.Kill() }) //nolint:errcheck // it may have ended
	until(t, "the first bundle", func() bool { return there(p.out + ".state") })
	bundle, state := number(p.out), number(p.out+".state")
	time.Sleep(500 * time.Millisecond)
	if number(p.out) != bundle || number(p.out+".state") != state {
		t.Error("got something written although nothing changed")
	}
	must(t, os.Rename(p.src, p.src+".gone"))
	until(t, "the fault to be told", func() bool { return strings.Contains(stderr.String(), p.src) })
	time.Sleep(500 * time.Millisecond)
	if told := stderr.String(); strings.Count(told, "ctx: ") != 1 {
		t.Errorf("told %q, want one fault once", told)
	}
	must(t, os.RemoveAll(filepath.Join(p.src+".gone", all[0].id)))
	must(t, os.Rename(p.src+".gone", p.src))
	until(t, "the conversation to go", func() bool { return p.items(all[0].id) < 0 && there(p.out) })
	if p.items(all[1].id) != int64(all[1].count) {
		t.Error("got another conversation changed")
	}
	must(t, c.Process.Signal(syscall.SIGINT))
	if got := ends(t, c); got != exitInterrupted || !strings.Contains(stderr.String(), "ctx: interrupted") {
		t.Errorf("exit code %d, %q, want %d, interrupted", got, stderr, exitInterrupted)
	}
	sound(t, p.out)
}
