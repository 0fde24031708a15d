package converter

import (
	"context"
	"fmt"
	"hash/maphash"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
)

func (r *run) newSession(src *source) *session {
	e := src.match.Entry
	s := &session{
		run: r, src: src, entry: e, mapper: r.registry.Mapper(e), cutter: &redactor{secrets: &e.Secrets, ids: idPaths(e)},
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
		ID: fmt.Sprintf("s%d", i+1), Path: s.src.path, Row: s.src.row, Rows: s.src.rows, Agent: s.entry.Name,
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
	if s.adopted == nil {
		s.findings.Merge(&s.checked.Findings)
		s.found = s.findings
	}
	if err == nil {
		if err := r.note(s); err != nil {
			cancel(err)
		}
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
			err = fmt.Errorf("%s: internal fault (%T), please report it", s.src.label(), v)
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
	s.files, s.check, s.mapper, s.cutter, s.kinds, s.metaKeys = claim{}, nil, nil, nil, nil, nil
	s.pieces, s.frames, s.around, s.file, s.folder = formats.Pieces{}, nil, nil, nil, nil
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
