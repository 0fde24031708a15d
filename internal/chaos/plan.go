package main

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"path"

	"github.com/session-trace/ctx/converter"
)

// plan is what one run does, told by its seed alone: the conversations that it begins with, how often they are spoiled,
// and how often again between updates.
type plan struct {
	seed    uint64
	start   tree
	from    []string // paths of the conversations in the corpus
	secrets *secretRun
	steps   int          // mutations before the first conversion
	rounds  []int        // mutations before each further one
	limits  bool         // small limits
	skip    map[int]bool // mutations that are left out
}

const streamOfPlan = 0 // of the generator; mutations have those from 1 on

func newPlan(seed uint64, bases []base) *plan {
	rnd := rand.New(rand.NewPCG(seed, streamOfPlan))
	p := &plan{seed: seed, start: tree{}, steps: 1 + rnd.IntN(8), limits: rnd.IntN(8) == 0, skip: map[int]bool{}}
	m := &mutator{Rand: rnd, tree: p.start, bases: bases}
	if rnd.IntN(5) == 0 {
		p.secrets, p.limits = &secretRun{}, false
	}
	for n := range 1 + rnd.IntN(3) {
		b := one(m, bases)
		if n > 0 && (p.secrets != nil || b.size > 300_000) {
			break
		}
		p.start.graft(path.Join(one(m, []string{".", ".", ".", "a", "a/b c"}), b.name), b.tree)
		p.from = append(p.from, b.path)
	}
	if p.secrets != nil {
		p.plantable(m)
	}
	for range rnd.IntN(3) {
		p.rounds = append(p.rounds, rnd.IntN(3))
	}
	return p
}

// plantable plants secrets where there is one conversation in the usual layout; of others they are no business.
func (p *plan) plantable(m *mutator) {
	dirs := map[string]bool{}
	for q := range p.start {
		if path.Base(q) == "base_state.json" {
			dirs[path.Dir(q)] = true
		}
		if isEvent(q) && path.Base(path.Dir(q)) == "events" {
			dirs[path.Dir(path.Dir(q))] = true
		} else if isEvent(q) {
			dirs["flat"] = true
		}
	}
	if len(dirs) != 1 || dirs["flat"] || dirs["."] {
		p.secrets = nil
		return
	}
	p.secrets.plant(m)
}

// all is the number of mutations.
func (p *plan) all() int {
	n := p.steps
	for _, r := range p.rounds {
		n += r
	}
	return n
}

// spoil does the mutations from one to another, and says what they did.
func (p *plan) spoil(t tree, bases []base, from, to int) []string {
	m := &mutator{tree: t, bases: bases, from: mutations()}
	for step := from; step < to; step++ {
		switch {
		case p.skip[step]:
		case p.secrets != nil:
			p.secrets.spoil(m, p.seed, step)
		default:
			m.spoil(p.seed, step)
		}
	}
	return m.said
}

// options are the converter's, but for its folders.
func (p *plan) options() converter.Options {
	if !p.limits {
		return converter.Options{}
	}
	rnd := rand.New(rand.NewPCG(p.seed, 1<<40))
	o := converter.Options{}
	switch rnd.IntN(4) {
	case 0:
		o.MaxItem = 1 + rnd.Int64N(8000)
	case 1:
		o.MaxItems = 1 + rnd.Int64N(20)
	case 2:
		o.MaxBytes = 1 + rnd.Int64N(50_000)
	case 3:
		o.MaxDepth = 2 + rnd.IntN(20)
	}
	return o
}

func (p *plan) String() string {
	return fmt.Sprintf("seed %d, of %q, %d mutations, %d of them between %d updates", p.seed, p.from, p.all(), p.all()-p.steps, len(p.rounds))
}

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }
