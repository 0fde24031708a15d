package converter

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

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

	stores sync.Pool // *store
	spare  sync.Once

	mu       sync.Mutex
	progress Progress
}

// Convert finds the sources below the input folders, converts each to one stream, and writes the bundle. The error is a
// *UsageError when nothing was done because of how it was asked for; sources that fail are told in the result.
func Convert(ctx context.Context, o Options) (*Result, error) {
	r := &run{o: o, registry: o.Registry}
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
	if o.Update {
		result, err := r.recallAll(ctx)
		if err != nil || result != nil {
			return result, err
		}
	}
	w, err := bundle.Create(o.Out, bundle.WriterOptions{Compress: o.Compress, Force: r.o.Force, Workers: r.jobs()})
	if err != nil {
		return nil, refusal(err, o.Out)
	}
	r.writer = w
	result, err := r.convert(ctx)
	if err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return result, nil
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

// recallAll reads what the run before has left; the result is its own when nothing changed since.
func (r *run) recallAll(ctx context.Context) (*Result, error) {
	var err error
	if r.memory, err = r.recall(); err != nil {
		return nil, err
	}
	r.o.Force = r.o.Force || bundle.IsBundle(r.o.Out)
	if r.memory == nil {
		return nil, nil
	}
	return r.idle(ctx)
}

func (r *run) jobs() int {
	if r.o.Jobs > 0 {
		return r.o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// refuse checks how the conversion was asked for, before anything is read.
func (r *run) refuse() error {
	for _, src := range r.o.Sources {
		if bundle.IsBundle(src) {
			return &UsageError{Message: fmt.Sprintf("%s: got a ctx bundle, want a folder that holds conversations", quote(src)), Hint: "ctx validate checks a bundle"}
		}
		if r.o.DryRun {
			continue
		}
		in, out := resolved(src), resolved(r.o.Out)
		if within(out, in) {
			return &UsageError{Message: fmt.Sprintf("got the output inside the input %s", quote(src)), Hint: "write the bundle to a folder outside of it"}
		}
		if within(in, out) {
			return &UsageError{Message: fmt.Sprintf("got the input %s inside the output", quote(src)), Hint: "write the bundle to a folder of its own"}
		}
	}
	for _, t := range []string{r.o.Since, r.o.Until} {
		if t == "" {
			continue
		}
		if _, _, ok := parseBound(t); !ok {
			return &UsageError{Message: fmt.Sprintf("got %s, want a date or a date and time (ISO 8601)", quote(t)), Hint: "such as 2026-11-30 or 2026-11-30T16:00:00"}
		}
	}
	return nil
}

// refusal turns the reasons why a bundle cannot begin into usage errors.
func refusal(err error, out string) error {
	switch {
	case errors.Is(err, bundle.ErrExists):
		return &UsageError{Message: fmt.Sprintf("%s exists already", quote(out)), Hint: "--force replaces a ctx bundle"}
	case errors.Is(err, bundle.ErrNotBundle):
		return &UsageError{Message: fmt.Sprintf("%s is no ctx bundle, not replaced", quote(out)), Hint: "choose another place"}
	default:
		return &UsageError{Message: err.Error(), Hint: "the output must lie in a folder that can be written"}
	}
}

// resolved is an absolute path with its links followed as far as it exists.
func resolved(p string) string {
	abs, err := filepath.Abs(p)
	if err != nil {
		return filepath.Clean(p)
	}
	rest := ""
	for dir := abs; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return abs
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// within says whether p is dir or lies below it.
func within(p, dir string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
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
		f.exclude = append(f.exclude, g)
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

func (r *run) newSession(src *source) *session {
	e := src.match.Entry
	s := &session{
		run: r, src: src, entry: e, mapper: r.registry.Mapper(e), cutter: redactor{secrets: &e.Secrets, ids: idPaths(e)},
		limit: r.o.MaxItem, seed: maphash.MakeSeed(), torn: none, headRow: none, loose: looseFiles{},
	}
	if s.limit <= 0 {
		s.limit = maxItem
	}
	if st, ok := r.stores.Get().(*store); ok {
		s.store = st
	} else {
		s.store = &store{}
	}
	return s
}

// manyItems is the number of items above which what a session holds of them outweighs what it allocates.
const manyItems = 20_000

// frugal lets the collector run more often for the rest of the process: the rows of a long session are many and live
// long, so waiting until the heap has doubled would only double the memory.
func (r *run) frugal() { r.spare.Do(func() { debug.SetGCPercent(25) }) }

// idPaths are the places where an item names itself or others.
func idPaths(e *entry.Entry) []entry.Path {
	paths := []entry.Path{e.Tree.Body, e.Tree.Parent, e.Groups.Key}
	for _, p := range e.Pairs {
		paths = append(paths, p.Key)
		for _, r := range p.Results {
			for _, by := range r.By {
				paths = append(paths, by.Path)
			}
		}
	}
	return slices.DeleteFunc(paths, func(p entry.Path) bool { return !p.Stated() })
}

// convert works the sources, jobs of them at once, and commits what came out in their order. Sources are numbered
// without holes, so those after one that gave no stream are worked once more, under their own numbers.
func (r *run) convert(ctx context.Context) (*Result, error) {
	if r.o.Since != "" || r.o.Until != "" {
		if err := r.within(ctx); err != nil {
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

// within keeps the sources that have an item within the bounds asked for.
func (r *run) within(ctx context.Context) error {
	sessions, err := r.work(ctx, 0, (*session).look)
	if err != nil {
		return err
	}
	var kept []*source
	for _, s := range sessions {
		if !errors.Is(s.result.Err, errSkipped) {
			kept = append(kept, s.src)
		}
	}
	r.finder.sources = kept
	return nil
}

// drop gives up what a session has written.
func (s *session) drop() {
	if s.out != nil {
		s.out.Abort() //nolint:errcheck // nothing of it is kept
		s.out = nil
	}
}

// work does one thing with every source from a number on. Only what stops the whole run is an error.
func (r *run) work(ctx context.Context, from int, do func(*session, context.Context) error) ([]*session, error) {
	sources := r.finder.sources[from:]
	r.progress.Sources, r.progress.SourcesDone = int64(len(r.finder.sources)), int64(from)
	sessions := make([]*session, len(sources))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(r.jobs(), max(len(sources), 1)) {
		workers.Go(func() {
			for i := range next {
				sessions[i] = r.one(ctx, from+i, do, cancel)
			}
		})
	}
feed:
	for i := range sources {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return sessions, nil
}

// one converts one source. A fault of the source is noted; a fault of the output ends the run.
func (r *run) one(ctx context.Context, i int, do func(*session, context.Context) error, cancel context.CancelCauseFunc) *session {
	s := r.newSession(r.finder.sources[i])
	s.result = SourceResult{
		ID: fmt.Sprintf("s%d", i+1), Path: s.src.path, Agent: s.entry.Name,
		Format: s.src.match.Format.ID, Layout: s.src.match.Layout.Name,
	}
	err := s.guarded(ctx, do)
	switch {
	case err == nil:
	case ctx.Err() != nil:
	case isOutput(err):
		cancel(err)
	default:
		s.result.Err = err
	}
	if err != nil {
		s.drop()
	}
	if !s.adopted {
		s.findings.Merge(&s.checked.Findings)
		s.found = s.findings
	}
	s.release()
	r.mu.Lock()
	r.progress.SourcesDone++
	r.mu.Unlock()
	r.advance(0, 0)
	return s
}

// guarded does one thing with a session, where a fault of our own ends the one source and not the run. The message has no content.
func (s *session) guarded(ctx context.Context, do func(*session, context.Context) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: internal fault (%T), please report it", s.src.path, v)
		}
	}()
	return do(s, ctx)
}

// release drops what only the conversion itself needed.
func (s *session) release() {
	s.store.reset()
	s.run.stores.Put(s.store)
	s.store, s.rows, s.ids, s.names, s.bodyIDs = nil, nil, nil, nil, nil
	s.snapshot, s.groups, s.byGroup, s.compacts, s.ledger = nil, nil, nil, nil, ledger{}
	s.files, s.check = claim{}, nil
}

// advance tells how far the run is.
func (r *run) advance(items, bytes int64) {
	if r.o.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Items += items
	r.progress.Bytes += bytes
	if items == 0 || r.progress.Items%256 == 0 {
		r.o.Progress(r.progress)
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
