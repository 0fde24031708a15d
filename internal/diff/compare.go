package diff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/session-trace/ctx/internal/bundle"
)

// Compare says what differs between two bundles. A stream that cannot be read does not keep the others from being
// compared: the result is then without it, and the error names it. Without a result nothing was compared.
func Compare(ctx context.Context, a, b *bundle.Bundle, o Options) (*Result, error) {
	f, err := scanManifests(a, b, o.Max)
	if err != nil {
		return nil, err
	}
	f.all(o.Streams)
	r := &Result{Facts: f.list}
	if o.Streams == nil {
		r.reports(a, b, o.Max)
	}
	pairs := r.streams(f, a, b, o.Streams)
	done, failed := make([]*Stream, len(pairs)), make([]error, len(pairs))
	each(len(pairs), o.Jobs, func(k int) {
		if ctx.Err() != nil {
			return
		}
		done[k], failed[k] = pairs[k].compare(ctx, &o)
		if o.Progress != nil && done[k] != nil {
			o.Progress(done[k].RecordsB)
		}
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for k, s := range done {
		if failed[k] != nil {
			failed[k] = fmt.Errorf("stream %.64q of %w", pairs[k].sa.ID, failed[k])
			continue
		}
		r.take(s, f.stated(&pairs[k]))
	}
	slices.SortStableFunc(r.Streams, func(x, y Stream) int { return strings.Compare(x.ID, y.ID) })
	return r, errors.Join(failed...)
}

// take adds what was found about a stream that both bundles have.
func (r *Result) take(s *Stream, stated Places) {
	r.Compared++
	r.Records += s.RecordsB
	if s.Manifest = stated; !s.equal() {
		r.Streams = append(r.Streams, *s)
	}
}

// streams matches the streams of both bundles and notes those that only one of them has.
func (r *Result) streams(f *facts, a, b *bundle.Bundle, names []string) []pair {
	left, right := keep(&f.a, streamList(), names), keep(&f.b, streamList(), names)
	infosA, infosB := chosen(a, names), chosen(b, names)
	partner, rest := pairUp(ids(infosA), ids(infosB))
	var pairs []pair
	for k := range left {
		if j := partner[k]; j >= 0 {
			pairs = append(pairs, pair{a: a, b: b, sa: infosA[k], sb: infosB[j], stateA: left[k], stateB: right[j]})
			continue
		}
		r.Streams = append(r.Streams, Stream{ID: infosA[k].ID, Change: Removed, RecordsA: infosA[k].Records})
	}
	for _, j := range rest {
		r.Streams = append(r.Streams, Stream{ID: infosB[j].ID, Change: Added, RecordsB: infosB[j].Records})
	}
	return pairs
}

// chosen are the streams of a bundle that were asked for, in the order of the manifest.
func chosen(b *bundle.Bundle, names []string) []bundle.StreamInfo {
	all := b.Manifest().Streams
	if names == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(s bundle.StreamInfo) bool { return !slices.Contains(names, s.ID) })
}

func ids(list []bundle.StreamInfo) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].ID
	}
	return out
}

// each calls do for 0 to n-1, jobs of them at once.
func each(n, jobs int, do func(k int)) {
	var wait sync.WaitGroup
	room := make(chan struct{}, max(jobs, 1))
	for k := range n {
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			do(k)
		})
	}
	wait.Wait()
}
