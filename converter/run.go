package converter

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// run is one conversion.
type run struct {
	o        Options
	registry *registry.Registry
	finder   *finder
	roots    []root
	writer   *bundle.Writer
	memory   *memory // nil without a run before

	left     []*bundle.Left           // of interrupted runs
	finished map[string][]*remembered // by them, by path
	looked   map[*source]*looked      // what the sources looked like, as far as they were looked at
	noted    map[string]bool          // paths of sources whose streams stand in the journal
	spoiled  atomic.Bool              // the bundle before is not what it was

	stores sync.Pool // *store
	spare  sync.Once

	mu       sync.Mutex
	progress Progress
}

// Convert finds the sources below the input folders, converts each to one stream, and writes the bundle. The error is a
// *UsageError when nothing was done because of how it was asked for; sources that fail are told in the result.
func Convert(ctx context.Context, o Options) (*Result, error) {
	r := &run{o: o, registry: o.Registry, finished: map[string][]*remembered{}, looked: map[*source]*looked{}, noted: map[string]bool{}}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	var err error
	if r.roots, err = openRoots(o.Sources); err != nil {
		return nil, err
	}
	defer closeRoots(r.roots)
	defer r.forget()
	if err := r.find(ctx); err != nil {
		return nil, err
	}
	if err := r.choose(); err != nil {
		return nil, err
	}
	if o.DryRun {
		return r.dry(ctx)
	}
	if !o.Update {
		return r.build(ctx)
	}
	result, err := r.update(ctx)
	if err = r.settle(ctx, err); err != nil {
		return nil, err
	}
	return result, nil
}

// build writes the bundle.
func (r *run) build(ctx context.Context) (*Result, error) {
	w, err := bundle.Create(r.o.Out, bundle.WriterOptions{Compress: r.o.Compress, Force: r.o.Force, Workers: r.jobs(), Left: r.left})
	if err != nil {
		return nil, refusal(err, r.o.Out)
	}
	r.writer = w
	if r.o.Update {
		if err := w.Note(appendHeading(nil, r.fingerprint(), "")); err != nil {
			return nil, errors.Join(err, w.Abort())
		}
	}
	result, err := r.convert(ctx)
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil && len(r.noted) > 0:
		w.Leave()
		return nil, err
	default:
		return nil, errors.Join(err, w.Abort())
	}
}

// depth is the deepest nesting that is read as JSON.
func (r *run) depth() int {
	if r.o.MaxDepth > 0 {
		return min(r.o.MaxDepth, maxDepth)
	}
	return maxDepth
}

// forget closes what the run before has left.
func (r *run) forget() {
	if r.memory != nil {
		r.memory.bundle.Close() //nolint:errcheck // nothing was written
	}
}

// update builds on what earlier runs have made; nothing is written when nothing changed.
func (r *run) update(ctx context.Context) (*Result, error) {
	if err := r.claim(); err != nil {
		return nil, err
	}
	if err := bundle.Mend(statePath(r.o.Out)); err != nil {
		return nil, refusal(err, r.o.Out)
	}
	var err error
	if r.memory, err = r.recall(); err != nil {
		return nil, err
	}
	r.o.Force = r.o.Force || bundle.IsBundle(r.o.Out)
	if r.memory != nil {
		if result, err := r.idle(ctx); err != nil || result != nil {
			return result, err
		}
	}
	return r.build(ctx)
}

func (r *run) jobs() int {
	if r.o.Jobs > 0 {
		return r.o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// find walks the input folders.
func (r *run) find(ctx context.Context) error {
	f := &finder{registry: r.registry, loose: looseFiles{}}
	r.finder = f
	if r.o.Agent != "" {
		e, err := r.registry.Entry(r.o.Agent)
		if err != nil {
			return &UsageError{Message: err.Error(), Hint: "ctx registry list shows the entries"}
		}
		f.agent = e
	}
	for _, text := range r.o.Exclude {
		g, err := entry.ParseGlob(text)
		if err != nil {
			return &UsageError{Message: fmt.Sprintf("--exclude %s: %s", quote(text), err), Hint: "such as '**/tmp' or 'old-*'"}
		}
		f.exclude = append(f.exclude, exclusion{text: text, glob: g})
	}
	for _, e := range r.registry.Entries() {
		for i := range e.Formats {
			for _, g := range e.Formats[i].Never {
				if g.Anywhere() {
					f.never = append(f.never, g)
				}
			}
		}
	}
	for i := range r.roots {
		if err := f.walk(ctx, &r.roots[i], ".", nil, 0); err != nil {
			return err
		}
	}
	slices.SortStableFunc(f.sources, func(a, b *source) int { return strings.Compare(a.path, b.path) })
	return nil
}

// convert works the sources, jobs of them at once, and commits what came out in their order. Sources are numbered
// without holes, so those after one that gave no stream are worked once more, under their own numbers.
func (r *run) convert(ctx context.Context) (*Result, error) {
	if r.o.Since != "" || r.o.Until != "" {
		if err := r.bounded(ctx); err != nil {
			return nil, err
		}
	}
	var done, failed []*session
	for {
		sessions, err := r.work(ctx, len(done), (*session).convert)
		if err != nil {
			return nil, err
		}
		bad := slices.IndexFunc(sessions, func(s *session) bool { return s.result.Err != nil })
		if bad < 0 {
			return r.commit(append(done, sessions...), failed)
		}
		done = append(done, sessions[:bad]...)
		failed = append(failed, sessions[bad])
		for _, s := range sessions[bad+1:] {
			s.drop()
		}
		at := len(done)
		r.finder.sources = slices.Delete(slices.Clone(r.finder.sources), at, at+1)
	}
}

// dry finds out what would be converted.
func (r *run) dry(ctx context.Context) (*Result, error) {
	sessions, err := r.work(ctx, 0, (*session).look)
	if err != nil {
		return nil, err
	}
	return r.summary(sessions, nil), nil
}

// selection is how sessions were chosen, as the manifest and the report state it; nil for all of them.
func (r *run) selection() []byte {
	o := &r.o
	if len(o.Sessions) == 0 && o.Since == "" && o.Until == "" && len(o.Exclude) == 0 {
		return nil
	}
	out := []byte(`{"policy":"subset"`)
	var words []string
	if len(o.Sessions) > 0 {
		out = record.AppendStrings(record.AppendKey(out, "sessions"), o.Sessions)
		words = append(words, fmt.Sprintf("%d named sessions", len(o.Sessions)))
	}
	if o.Since != "" {
		out = record.AppendString(record.AppendKey(out, "since"), o.Since)
		words = append(words, "sessions with an item at or after "+o.Since)
	}
	if o.Until != "" {
		out = record.AppendString(record.AppendKey(out, "until"), o.Until)
		words = append(words, "sessions with an item at or before "+o.Until)
	}
	if len(o.Exclude) > 0 {
		out = record.AppendStrings(record.AppendKey(out, "exclude"), o.Exclude)
		words = append(words, "without the paths excluded")
	}
	return append(record.AppendString(record.AppendKey(out, "text"), strings.Join(words, ", ")), '}')
}
