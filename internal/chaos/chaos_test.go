package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// testWorker does runs over the fixtures and prints into out.
func testWorker(t *testing.T, out *bytes.Buffer, seed, runs uint64) *worker {
	t.Helper()
	w, err := newWorker(&options{
		runs: runs, seed: seed, corpus: "../../fixtures", keep: filepath.Join(t.TempDir(), "kept"), deadline: 2 * time.Minute,
	}, out, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestLawsHold does a few runs, always the same. Thousands of others are for make chaos.
func TestLawsHold(t *testing.T) {
	const each = 10
	for part := range uint64(8) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := testWorker(t, &out, 1+part*each, each).work(t.Context(), 0, 1); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if strings.HasPrefix(line, wordFault) {
					t.Error(strings.ReplaceAll(line, "\x00", "\n"))
				}
			}
			if got := strings.Count(out.String(), wordSound+" "); got != each && !t.Failed() {
				t.Errorf("got %d sound runs, want %d", got, each)
			}
		})
	}
}

// TestSameSeed holds that a seed alone says what a run does.
func TestSameSeed(t *testing.T) {
	w := testWorker(t, nil, 0, 0)
	spoiled := func(seed uint64) (tree, []string) {
		p := newPlan(seed, w.bases)
		said := p.spoil(p.start, w.bases, 0, p.all())
		return p.start, said
	}
	kinds := map[string]bool{}
	for seed := range uint64(300) {
		one, said := spoiled(seed)
		again, also := spoiled(seed)
		if d := cmp.Diff(one, again, cmp.AllowUnexported(node{})); d != "" {
			t.Fatalf("seed %d (-once +again):\n%s", seed, d)
		}
		if !slices.Equal(said, also) {
			t.Fatalf("seed %d: got %q, want %q", seed, also, said)
		}
		for _, s := range said {
			_, rest, _ := strings.Cut(s, " ")
			name, _, _ := strings.Cut(rest, ":")
			kinds[name] = true
		}
	}
	for _, m := range mutations() {
		if !kinds[m.name] {
			t.Errorf("mutation %q did nothing in 300 runs", m.name)
		}
	}
}

// TestFaultIsFound breaks what was converted behind the harness's back: the run is reported, made small, and kept.
func TestFaultIsFound(t *testing.T) {
	var out bytes.Buffer
	w := testWorker(t, &out, 0, 0)
	p := newPlan(5, w.bases)
	tr, faults, err := w.one(t.Context(), p)
	if err != nil || len(faults) > 0 {
		t.Fatalf("got %v, %v, want a sound run", faults, err)
	}
	tr.Add("made up", "for the test")
	said, err := w.keepFaulty(t.Context(), tr, tr.Faults)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := readTree(filepath.Join(w.keep, "5", "in"))
	if err != nil || len(kept) == 0 {
		t.Errorf("got %d files kept, %v, want the folder that was converted", len(kept), err)
	}
	for _, want := range []string{"seed 5, of ", "! made up: for the test", "kept in "} {
		if !strings.Contains(said, want) {
			t.Errorf("got %q, want %q in it", said, want)
		}
	}
}

// TestShrink leaves out what a fault does not need.
func TestShrink(t *testing.T) {
	w := testWorker(t, nil, 0, 0)
	w.corpus = t.TempDir()
	for seed := uint64(1); ; seed++ {
		p := newPlan(seed, w.bases)
		if p.secrets != nil || p.limits || p.all() < 4 {
			continue
		}
		tr, _, err := w.one(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		tr.reg = nil
		tr.Add("panic", "made up")
		w.reg = nil // now every run panics, whatever is left out
		less, faults := w.shrink(t.Context(), tr, tr.Faults)
		if len(less.skip) != p.all() || len(less.said) != 0 || !slices.Contains(faults.Laws(), "panic") {
			t.Errorf("got %d of %d mutations left out, %q, %v", len(less.skip), p.all(), less.said, faults.Laws())
		}
		return
	}
}

func TestOptions(t *testing.T) {
	var said bytes.Buffer
	if got := run([]string{"-runs", "x"}, &said, &said); got != 2 {
		t.Errorf("a number that is none: got %d, want 2", got)
	}
	if got := run([]string{"more"}, &said, &said); got != 2 || !strings.Contains(said.String(), `got argument "more"`) {
		t.Errorf("an argument: got %d, %q, want 2", got, said.String())
	}
	o, err := parseOptions([]string{"-runs", "3", "-seed", "9", "-corpus", "c", "-keep", "k", "-deadline", "5s"}, &said)
	if err != nil {
		t.Fatal(err)
	}
	again, err := parseOptions(o.flags(), &said)
	if err != nil || again.runs != 3 || again.seed != 9 || again.corpus != "c" || again.keep != "k" || again.deadline != 5*time.Second {
		t.Errorf("got %+v, %v, want the same options again", again, err)
	}
}
