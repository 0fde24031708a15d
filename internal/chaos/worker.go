package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/session-trace/ctx/internal/laws"
	"github.com/session-trace/ctx/registry"
)

// The words that a worker prints, each with a seed: a run begins, and ends sound or with faults.
const (
	wordBegin = "begin"
	wordSound = "sound"
	wordFault = "fault"
)

// exitHang is how a worker ends that was too slow.
const exitHang = 3

// worker does runs, one after the other.
type worker struct {
	*options
	reg    *registry.Registry
	bases  []base
	out    io.Writer // what becomes of each run
	scream io.Writer // stacks of a run that hangs
}

func newWorker(o *options, out, scream io.Writer) (*worker, error) {
	reg, err := registry.Load(nil)
	if err != nil {
		return nil, err
	}
	bases, err := readCorpus(o.corpus, reg)
	return &worker{options: o, reg: reg, bases: bases, out: out, scream: scream}, err
}

// work does every so many-th run of the options, beginning with one of them.
func (w *worker) work(ctx context.Context, from, every uint64) error {
	for n := from; n < w.runs && ctx.Err() == nil; n += every {
		seed := w.seed + n
		fmt.Fprintln(w.out, wordBegin, seed)
		t, faults, err := w.one(ctx, newPlan(seed, w.bases))
		if err != nil {
			return err
		}
		if len(faults) == 0 {
			fmt.Fprintln(w.out, wordSound, seed)
			continue
		}
		said, err := w.keepFaulty(ctx, t, faults)
		if err != nil {
			return err
		}
		fmt.Fprintln(w.out, wordFault, seed, strings.ReplaceAll(said, "\n", "\x00"))
	}
	return ctx.Err()
}

// one does a plan in a scratch folder of its own, under a deadline: a run that hangs ends the process with all stacks.
func (w *worker) one(ctx context.Context, p *plan) (*trial, laws.Faults, error) {
	dir, err := scratch()
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is temporary
	late := time.AfterFunc(w.deadline, func() {
		stacks := make([]byte, 1<<20)
		fmt.Fprintf(w.scream, "seed %d takes longer than %v\n%s\n", p.seed, w.deadline, stacks[:runtime.Stack(stacks, true)])
		os.RemoveAll(dir) //nolint:errcheck // it is temporary
		os.Exit(exitHang)
	})
	defer late.Stop()
	t := &trial{plan: p, reg: w.reg, bases: w.bases, dir: dir}
	return t, t.run(ctx), nil
}

// scratch is a folder for many small files: in memory where there is such a place.
func scratch() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "ctx-chaos-"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "ctx-chaos-")
}

// shrink leaves out every mutation without which a fault of the same laws remains.
func (w *worker) shrink(ctx context.Context, t *trial, faults laws.Faults) (*trial, laws.Faults) {
	for step := range t.all() {
		p := newPlan(t.seed, w.bases)
		p.skip = maps.Clone(t.skip)
		p.skip[step] = true
		less, found, err := w.one(ctx, p)
		if err == nil && slices.ContainsFunc(found.Laws(), func(law string) bool { return slices.Contains(faults.Laws(), law) }) {
			t, faults = less, found
		}
	}
	return t, faults
}

// keepFaulty makes a faulty run small and keeps its folder. It says what was done and what does not hold.
func (w *worker) keepFaulty(ctx context.Context, t *trial, faults laws.Faults) (string, error) {
	t, faults = w.shrink(ctx, t, faults)
	at := filepath.Join(w.keep, fmt.Sprint(t.seed))
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.plan)
	for _, said := range t.said {
		fmt.Fprintf(&b, "  %s\n", said)
	}
	for i, f := range faults {
		if i == 20 {
			fmt.Fprintf(&b, "  and %d more\n", len(faults)-i)
			break
		}
		fmt.Fprintf(&b, "  ! %s\n", f)
	}
	if err := os.RemoveAll(at); err != nil {
		return "", err
	}
	if err := t.tree.write(filepath.Join(at, "in"), tree{}, time.Time{}); err != nil {
		fmt.Fprintf(&b, "  the folder could not be kept: %v\n", err)
	}
	fmt.Fprintf(&b, "  kept in %s\n", at)
	return b.String(), os.WriteFile(filepath.Join(at, "faults.txt"), []byte(b.String()), 0o644)
}
