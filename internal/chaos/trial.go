package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
	"github.com/session-trace/ctx/internal/stage"
	"github.com/session-trace/ctx/registry"
)

// trial does one plan and holds all laws.
type trial struct {
	*plan
	laws.Faults
	reg   *registry.Registry
	bases []base
	dir   string // scratch, empty
	in    string // the folder that is converted
	tree  tree   // what it holds
	said  []string
	born  time.Time
}

// run does a plan in an empty scratch folder and returns what did not hold. A panic is a fault like others.
func (t *trial) run(ctx context.Context) (faults laws.Faults) {
	defer func() {
		if v := recover(); v != nil {
			t.Add("panic", "%v\n%s", v, debug.Stack())
		}
		faults = t.Faults
	}()
	t.in, t.born = filepath.Join(t.dir, "in"), time.Now().Add(-time.Hour)
	t.tree = tree{}
	for p, n := range t.start {
		t.tree[p] = n
	}
	t.said = t.spoil(t.tree, t.bases, 0, t.steps)
	if err := os.MkdirAll(t.in, 0o755); err != nil {
		t.Add("harness", "%v", err)
	}
	t.put(tree{}, t.born)
	t.first(ctx)
	t.updates(ctx)
	return t.Faults
}

// put writes the tree, where was is there now.
func (t *trial) put(was tree, at time.Time) {
	if err := t.tree.write(t.in, was, at); err != nil {
		t.Add("harness", "%v", err)
	}
}

// convert converts the folder into a new bundle of that name, or keeps it current.
func (t *trial) convert(ctx context.Context, name string, change func(*converter.Options)) (string, *converter.Result) {
	o := t.options()
	o.Sources, o.Out, o.Registry, o.NewCheck = []string{t.in}, filepath.Join(t.dir, name), t.reg, stage.New
	change(&o)
	result, err := converter.Convert(ctx, o)
	if err != nil {
		t.Add("convert", "%s: %v", name, err)
		return o.Out, nil
	}
	for _, s := range result.Sources {
		if s.Err != nil && !strings.Contains(s.Err.Error(), "session id") {
			t.Add("source", "%s: %s: %v", name, s.Path, s.Err)
		}
	}
	return o.Out, result
}

// first converts the folder in several ways, and holds the laws of a bundle.
func (t *trial) first(ctx context.Context) {
	plain, result := t.convert(ctx, "plain", func(o *converter.Options) { o.Jobs = 1 })
	several, also := t.convert(ctx, "several", func(o *converter.Options) { o.Jobs = 4 })
	packed, packedToo := t.convert(ctx, "packed", func(o *converter.Options) { o.Jobs, o.Compress = 3, bundle.Zstd })
	if result == nil || also == nil || packedToo == nil {
		return
	}
	b, err := bundle.Open(plain)
	if err != nil {
		t.Add("open", "%v", err)
		return
	}
	defer b.Close() //nolint:errcheck // read only
	t.Faults = append(t.Faults, laws.Whole(t.in, b)...)
	_, faults := laws.Sound(ctx, b)
	t.Faults = append(t.Faults, faults...)
	t.Faults = append(t.Faults, laws.SameBytes("jobs", plain, several)...)
	t.Faults = append(t.Faults, laws.Restored(ctx, t.in, filepath.Join(t.dir, "restored"), b)...)
	if t.secrets != nil {
		t.Faults = append(t.Faults, laws.Free(plain, t.secrets.tokens)...)
	}
	t.packed(ctx, b, packed)
}

// packed holds the laws of a compressed bundle against the plain one.
func (t *trial) packed(ctx context.Context, plain *bundle.Bundle, packed string) {
	b, err := bundle.Open(packed)
	if err != nil {
		t.Add("open", "%v", err)
		return
	}
	defer b.Close() //nolint:errcheck // read only
	t.Faults = append(t.Faults, laws.Packed(plain, b)...)
	_, faults := laws.Sound(ctx, b)
	t.Faults = append(t.Faults, faults...)
}

// updates keeps a bundle current while the folder is spoiled further; each must be that of a full run.
func (t *trial) updates(ctx context.Context) {
	if len(t.rounds) == 0 {
		return
	}
	current, _ := t.convert(ctx, "current", func(o *converter.Options) { o.Update = true })
	t.Faults = append(t.Faults, laws.SameBytes("update", filepath.Join(t.dir, "plain"), current)...)
	step := t.steps
	for round, n := range t.rounds {
		was := tree{}
		for p, one := range t.tree {
			was[p] = one
		}
		t.said = append(t.said, t.spoil(t.tree, t.bases, step, step+n)...)
		step += n
		t.put(was, t.when(round))
		t.update(ctx, round, current)
	}
}

// when is the time of the files that are written in a round: old enough to be trusted, now, or that of all others.
func (t *trial) when(round int) time.Time {
	switch (t.seed + uint64(round)) % 4 {
	case 0:
		return time.Time{}
	case 1:
		return t.born
	}
	return t.born.Add(time.Duration(round+1) * time.Minute)
}

func (t *trial) update(ctx context.Context, round int, current string) {
	_, got := t.convert(ctx, "current", func(o *converter.Options) { o.Update, o.Checksum = true, t.when(round).Equal(t.born) })
	full, want := t.convert(ctx, fmt.Sprintf("full-%d", round), func(*converter.Options) {})
	if got == nil || want == nil {
		return
	}
	t.Faults = append(t.Faults, laws.SameBytes("update", full, current)...)
	if a, b := fmt.Sprintf("%+v", want.Sources), fmt.Sprintf("%+v", got.Sources); a != b {
		t.Add("update", "result of the update: %s", laws.Difference(a, b))
	}
	if a, b := fmt.Sprintf("%+v", want.Unidentified), fmt.Sprintf("%+v", got.Unidentified); a != b {
		t.Add("update", "files of no source: %s", laws.Difference(a, b))
	}
	if t.secrets != nil {
		t.Faults = append(t.Faults, laws.Free(current, t.secrets.tokens)...)
	}
}
