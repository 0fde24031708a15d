package validator

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"syscall"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// sharedFrom is the size from which several goroutines check one stream, in bytes.
const sharedFrom = 8 << 20

// streamResult is what the check of one stream gave.
type streamResult struct {
	sum    Summary
	sha256 string
	bytes  int64
	bad    bool // some line is no record

	files                int64  // that its records came from, at least
	named                bool   // each item is a file
	transcript, snapshot bool   // what its records came from
	cut                  string // why the stream was not read to its end, "" it was
	err                  error  // it could not be read at all
}

// streams checks all streams: small ones side by side, large ones each with all goroutines. Results come in manifest order.
func (v *validation) streams() error {
	results := make([]streamResult, len(v.m.Streams))
	var small, large []int
	for i := range v.m.Streams {
		if v.m.Streams[i].Bytes < sharedFrom {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	v.sideBySide(small, results)
	for _, i := range large {
		results[i] = v.stream(&v.m.Streams[i], nil)
	}
	v.report.Streams = int64(len(v.m.Streams))
	for i := range results {
		if results[i].err != nil {
			return fmt.Errorf("stream %s: %w", v.m.Streams[i].ID, results[i].err)
		}
		v.compare(&v.m.Streams[i], &results[i])
		v.merge(v.m.Streams[i].ID, &results[i])
		results[i] = streamResult{}
	}
	return nil
}

func (v *validation) sideBySide(list []int, results []streamResult) {
	next := make(chan int)
	var group sync.WaitGroup
	for range min(v.o.jobs(), len(list)) {
		group.Go(func() {
			d := v.newDesk()
			for i := range next {
				results[i] = v.stream(&v.m.Streams[i], d)
			}
		})
	}
	for _, i := range list {
		next <- i
	}
	close(next)
	group.Wait()
}

func (v *validation) newDesk() *desk { return &desk{check: v.newCheck(nil)} }

// newCheck is the check of one goroutine, for lines that must agree with t.
func (v *validation) newCheck(t *target) *lineCheck {
	c := newLineCheck(v.set, t, v.blobs)
	c.most = v.o.Findings
	return c
}

// stream checks one stream, at a desk or, without one, with all goroutines.
func (v *validation) stream(s *bundle.StreamInfo, d *desk) streamResult {
	r, err := v.b.Stream(*s)
	if err != nil {
		return faultOf(err)
	}
	defer r.Close()
	return v.read(r, v.target(s), d)
}

// read checks the lines of a stream.
func (v *validation) read(r io.Reader, t *target, d *desk) streamResult {
	state := newStreamState(t, v.progress)
	state.session.sum.Findings.Keep(v.o.Findings)
	cutter := &cutter{r: r, limit: v.o.maxLine()}
	var err error
	if d == nil && v.o.jobs() == 1 {
		d = v.newDesk()
	}
	if d == nil {
		err = state.readShared(v.ctx, cutter, v.o.jobs(), func() *lineCheck { return v.newCheck(t) })
	} else {
		d.check.target = t
		err = state.readAlone(v.ctx, cutter, d)
	}
	res := streamResult{}
	switch {
	case errors.Is(err, errLong):
		state.session.sum.Findings.Add(record.Finding{
			Rule: ruleJSON, Severity: record.ErrorSeverity, Line: cutter.line + 1,
			Message: "got a line of more than " + number(v.o.maxLine()) + " bytes, and read no further",
		})
		res.cut = "a line is too long"
	case errors.Is(err, errLost):
		state.session.sum.Findings.Add(record.Finding{
			Rule: ruleTail, Severity: record.ErrorSeverity, Line: int(state.session.sum.Records), // those of the lines are too many to show this one
			Message: "got more than " + number(maxLost) + " lines that are no records, and read no further",
		})
		res.cut = "too many of its lines are no records"
	case !errors.Is(err, io.EOF):
		res = faultOf(err)
	}
	res.sum, res.bytes, res.bad = state.session.Close(), state.bytes, state.bad
	res.transcript, res.snapshot = state.session.transcript, state.session.snapshot
	res.files, res.named = state.session.files+res.sum.Items, t.named
	res.sha256 = hex.EncodeToString(state.sum.Sum(nil))
	return res
}

// cutBytes is why a stream of faulty compressed bytes was not read to its end.
const cutBytes = "its bytes cannot be decompressed"

// faultOf tells a faulty bundle from a machine that cannot read it.
func faultOf(err error) streamResult {
	var errno syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return streamResult{cut: "its file is missing"}
	case errors.Is(err, bundle.ErrUnsafe):
		return streamResult{cut: "its file has a name that no bundle has, or is no plain file"}
	case errors.As(err, &errno), isCancelled(err):
		return streamResult{err: err}
	default:
		return streamResult{cut: cutBytes}
	}
}

// compare holds what a stream gave against its entry in the manifest.
func (v *validation) compare(s *bundle.StreamInfo, res *streamResult) {
	v.partial = v.partial || res.cut != "" || res.bad
	if res.cut != "" {
		v.failStream(s.ID, ruleManifest, "got a stream that cannot be read to its end: "+res.cut)
		return
	}
	if res.bytes > s.Bytes { // it was read no further
		res.sum.Findings, v.partial = v.before(&res.sum.Findings, int(res.sum.Records)), true
	}
	if res.bytes != s.Bytes {
		longer := ""
		if res.bytes > s.Bytes {
			longer = "more than "
		}
		v.failStream(s.ID, ruleManifest, "got "+longer+number(min(res.bytes, s.Bytes+1))+" bytes, expected "+number(s.Bytes))
	} else if res.sha256 != s.SHA256 {
		v.failStream(s.ID, ruleManifest, "got sha256 "+res.sha256+", expected "+quote(s.SHA256))
	}
	v.compareCounts(s, res)
	if !res.bad {
		v.families(s, res)
		v.filesOf(s, res)
	}
}

// before keeps the findings of the lines before one, which was read in part alone. What the lines after it would have
// shown is not known.
func (v *validation) before(found *record.Findings, line int) record.Findings {
	var kept record.Findings
	kept.Keep(v.o.Findings)
	for _, f := range found.Sorted() {
		if f.Line > 0 && f.Line < line {
			kept.Add(f)
		}
	}
	return kept
}

func (v *validation) compareCounts(s *bundle.StreamInfo, res *streamResult) {
	if res.sum.Records != s.Records {
		v.failStream(s.ID, ruleManifest, "got "+number(res.sum.Records)+" records, expected "+number(s.Records))
	}
	if res.bad { // a line that is no record would be missed once more in each count
		return
	}
	if res.sum.Items != s.Items {
		v.failStream(s.ID, ruleManifest, "got "+number(res.sum.Items)+" items, expected "+number(s.Items))
	}
	if res.sum.Gaps != s.Gaps {
		v.failStream(s.ID, ruleManifest, "got "+number(res.sum.Gaps)+" gaps, expected "+number(s.Gaps))
	}
	for _, name := range sortedKeys(res.sum.Types, s.Types) {
		if got, want := res.sum.Types[name], s.Types[name]; got != want {
			v.failStream(s.ID, ruleManifest, "got "+number(got)+" records of type "+quote(name)+", expected "+number(want))
		}
	}
	for _, code := range sortedKeys(res.sum.Losses, s.Losses) {
		if lossBit(code) == 0 && !vendorCode(code) {
			continue
		}
		got, want := res.sum.Losses[code], s.Losses[code]
		if got.Count != want.Count {
			v.failStream(s.ID, ruleManifest, "got "+number(got.Count)+" losses "+quote(code)+", expected "+number(want.Count))
		} else if got.First != want.First {
			v.failStream(s.ID, ruleManifest, "got the first loss "+quote(code)+" on "+quote(got.First)+", expected "+quote(want.First))
		}
	}
}

// sortedKeys is the keys of two maps, each once.
func sortedKeys[A, B any](a map[string]A, b map[string]B) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}
