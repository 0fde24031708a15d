package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
)

// session is one run of the benchmark: a temporary folder and what is in it.
type session struct {
	o      *options
	folder string
	self   string // this program
	ctx    string // the program that is measured, "" when no variant needs it
	result *result
}

// measure runs all plans and removes what it made.
func measure(o *options) (*result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "ctx-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := &session{o: o, folder: folder, self: self, result: newResult(o)}
	for _, p := range plans(o) {
		p.only(setOf(o.only))
		if err := s.run(ctx, p); err != nil {
			return nil, fmt.Errorf("set %s: %w", p.set, err)
		}
	}
	if len(s.result.truths) == 0 {
		return nil, errors.New("the variants of -only make no ratio and no row: name both sides of one")
	}
	return s.result, nil
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// run measures one plan over a corpus of its own.
func (s *session) run(ctx context.Context, p plan) error {
	if len(p.ratios)+len(p.memory) == 0 {
		return nil
	}
	set, err := findSet(p.set)
	if err != nil {
		return err
	}
	folder := filepath.Join(s.folder, set.Name)
	defer os.RemoveAll(folder)
	fmt.Fprintf(s.o.log, "set %s: making %d conversations of %d events\n", set.Name, set.Conversations, set.Events)
	at, err := s.prepare(ctx, folder, set, needs(p.ratios, p.memory))
	if err != nil {
		return err
	}
	m, err := s.rounds(ctx, p, at)
	if err != nil {
		return err
	}
	s.result.add(p, at.truth, m)
	return nil
}

// prepare makes the corpus and, where variants need them, the program and a bundle.
func (s *session) prepare(ctx context.Context, folder string, set Set, names map[string]bool) (*place, error) {
	truth, err := Generate(filepath.Join(folder, "conversations"), set, s.o.seed)
	if err != nil {
		return nil, err
	}
	at := &place{
		self: s.self, source: filepath.Join(folder, "conversations"), out: filepath.Join(folder, "out"),
		jobs: runtime.GOMAXPROCS(0), truth: truth,
	}
	for name := range names {
		v, err := findVariant(name)
		if err != nil {
			return nil, err
		}
		if v.usesCtx {
			if err := s.build(ctx); err != nil {
				return nil, err
			}
		}
		at.ctx = s.ctx
		if v.usesMade && at.bundle == "" {
			if err := makeBundle(ctx, at, filepath.Join(folder, "bundle")); err != nil {
				return nil, err
			}
		}
	}
	return at, nil
}

// build makes the program that is measured, once.
func (s *session) build(ctx context.Context) error {
	if s.ctx != "" {
		return nil
	}
	path := filepath.Join(s.folder, "ctx.exe")
	out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "github.com/session-trace/ctx/cmd/ctx").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build of ctx: %w\n%s", err, out)
	}
	s.ctx = path
	return nil
}

// makeBundle converts the corpus once, for the variants that start from a bundle.
func makeBundle(ctx context.Context, at *place, path string) error {
	v, err := findVariant("convert")
	if err != nil {
		return err
	}
	if _, err := at.measure(ctx, v); err != nil {
		return err
	}
	at.bundle = path
	return os.Rename(at.out, path)
}

// measure starts a variant where no output is, and holds what it did against the truth.
func (p *place) measure(ctx context.Context, v variant) (usage, error) {
	if err := os.RemoveAll(p.out); err != nil {
		return usage{}, err
	}
	u, printed, err := start(ctx, p.self, filepath.Dir(p.out), v.command(p))
	if err != nil {
		return u, err
	}
	if err := v.check(p, printed); err != nil {
		return u, fmt.Errorf("%s did not do the work: %w", v.name, err)
	}
	if d, err := readDone(printed); err == nil && d.CPU > 0 {
		u.CPU = d.CPU
	}
	return u, nil
}

// shuffled is the order of the variants in one round.
func shuffled(names []string, seed uint64, round int) []string {
	order := append([]string{}, names...)
	rng := rand.New(rand.NewPCG(seed, uint64(round)))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}
