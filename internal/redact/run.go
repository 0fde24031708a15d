package redact

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Options says what goes and how.
type Options struct {
	Rules    []string           // names of rules; none: secrets
	Key      []byte             // makes the tokens reproducible; nil: a random key that is kept nowhere
	Compress bundle.Compression // of the new bundle
	Force    bool               // replace a bundle that stands there
	Jobs     int                // streams at once; 0: GOMAXPROCS
	Progress func(records int64)
}

// Result says what was done.
type Result struct {
	From, RootSHA256 string // of the bundle before and after
	Streams, Records int64
	Changed          int64            // records that differ
	Places           map[string]int64 // what went, by the rule that found the value, there or elsewhere
	Values           int              // distinct values that are looked for everywhere
	Rules            []string         // names of the rules
}

// maxLine bounds a line of a stream, in bytes.
const maxLine = 256 << 20

// Bundle writes b again at path without what the rules find. An *UnknownRuleError: a rule is not known.
func Bundle(ctx context.Context, b *bundle.Bundle, path string, d *audit.Detector, o Options) (*Result, error) {
	c, err := choose(o.Rules, d)
	if err != nil {
		return nil, err
	}
	r := &run{
		ctx: ctx, from: b, o: o,
		plan: &plan{chosen: c, detector: d, patterns: newPatterns(), tokens: newTokens(o.Key), found: map[string]string{}, ids: map[string]bool{}},
	}
	if err := r.gather(); err != nil {
		return nil, err
	}
	w, err := bundle.Create(path, bundle.WriterOptions{Compress: o.Compress, Force: o.Force, Workers: o.Jobs})
	if err != nil {
		return nil, err
	}
	res, err := r.write(w)
	if err != nil {
		w.Abort() //nolint:errcheck // the first failure is the one to tell
		return nil, err
	}
	res.Rules = c.list(d)
	return res, nil
}

// run is one bundle being written again.
type run struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call of Bundle
	from  *bundle.Bundle
	o     Options
	plan  *plan
	blobs *blobs
	parts []*lines
}

// gather learns the values that go wherever they stand.
func (r *run) gather() error {
	m := r.from.Manifest()
	for i := range m.Streams {
		var nodes []jsonscan.Node
		err := r.from.Lines(m.Streams[i], maxLine, func(n int, line []byte, _ bool) error {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			d, err := jsonscan.Scan(line, nodes, jsonscan.Options{})
			if err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			nodes = d.Nodes
			r.plan.learn(&d)
			r.plan.learnIDs(&d)
			return nil
		})
		if err != nil {
			return fmt.Errorf("stream %q: %w", m.Streams[i].ID, err)
		}
	}
	for i := range m.Blobs {
		if r.isEntry(m.Blobs[i].SHA256) {
			continue
		}
		raw, err := r.from.Blob(m.Blobs[i].SHA256)
		if err != nil {
			return err
		}
		r.learn(raw)
	}
	report, err := r.from.Report()
	if err != nil {
		return err
	}
	r.learn(report)
	r.learn(r.from.RawManifest())
	return r.ctx.Err()
}

func (r *run) learn(raw []byte) {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		r.plan.learnText(raw)
		return
	}
	r.plan.learn(&d)
}

// isEntry says whether a blob is a registry entry, which is none of the source's data.
func (r *run) isEntry(sha string) bool {
	for _, e := range r.from.Manifest().Registry {
		if e.SHA256 == sha {
			return true
		}
	}
	return false
}

// write writes the new bundle.
func (r *run) write(w *bundle.Writer) (*Result, error) {
	m := *r.from.Manifest()
	r.blobs = &blobs{from: r.from, plan: r.plan, media: map[string]string{}, done: map[string]*oneBlob{}}
	for i := range m.Blobs {
		r.blobs.media[m.Blobs[i].SHA256] = m.Blobs[i].MediaType
	}
	res := &Result{From: m.RootSHA256, Streams: int64(len(m.Streams)), Places: map[string]int64{}}
	if err := r.streams(w, res); err != nil {
		return nil, err
	}
	for _, e := range m.Registry {
		raw, err := r.from.Blob(e.SHA256)
		if err != nil {
			return nil, err
		}
		if _, err := w.Blob(raw, mediaJSON); err != nil {
			return nil, err
		}
	}
	report, err := r.documents(w, &m)
	if err != nil {
		return nil, err
	}
	res.Values = r.plan.values.Len() + r.plan.words.Len()
	if err := w.Commit(&m, report); err != nil {
		return nil, err
	}
	res.RootSHA256 = m.RootSHA256
	return res, nil
}

// streams writes the streams, several at once, and names them in order.
func (r *run) streams(w *bundle.Writer, res *Result) error {
	list := r.from.Manifest().Streams
	jobs := r.o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	r.parts = make([]*lines, len(list))
	faults, changed := make([]error, len(list)), make([]int64, len(list))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(jobs, len(list)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				if faults[i] = r.ctx.Err(); faults[i] == nil {
					changed[i], faults[i] = r.stream(w, i)
				}
			}
		})
	}
	wg.Wait()
	for i, err := range faults {
		if err != nil {
			return fmt.Errorf("stream %q: %w", list[i].ID, err)
		}
		if err := r.parts[i].out.Name(r.streamID(list[i].ID)); err != nil {
			return err
		}
		res.Records += list[i].Records
		res.Changed += changed[i]
		for rule, n := range r.parts[i].count {
			res.Places[rule] += n
		}
	}
	return nil
}

// stream writes the lines of one stream.
func (r *run) stream(w *bundle.Writer, i int) (changed int64, err error) {
	out, err := w.Stream()
	if err != nil {
		return 0, err
	}
	l := &lines{plan: r.plan, blobs: r.blobs, out: out, count: counts{}, losses: map[string]bundle.Loss{}, images: images{}}
	r.parts[i] = l
	if err := l.images.gather(r, &r.from.Manifest().Streams[i]); err != nil {
		out.Abort()
		return 0, err
	}
	err = r.from.Lines(r.from.Manifest().Streams[i], maxLine, func(n int, line []byte, _ bool) error {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		next, err := l.rewrite(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if string(next) != string(line) {
			changed++
		}
		if r.o.Progress != nil {
			r.o.Progress(1)
		}
		return out.Write(next)
	})
	if err == nil {
		_, err = out.Close()
	}
	if err != nil {
		out.Abort()
	}
	return changed, err
}

// appendDerived says what a bundle was made from; before is what the manifest said about that until now, nil nothing.
func (r *run) appendDerived(dst, before []byte) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "rootSha256"), r.from.Manifest().RootSHA256)
	dst = record.AppendString(record.AppendKey(dst, "by"), "redact")
	dst = record.AppendStrings(record.AppendKey(dst, "rules"), r.plan.list(r.plan.detector))
	if before != nil {
		dst = append(record.AppendKey(dst, record.Own+"derivedFrom"), before...)
	}
	return append(dst, '}')
}
