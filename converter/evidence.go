package converter

import (
	"strconv"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// fillCounters notes an item that repeats the counters of a ledger which nothing else tells: there is no snapshot.
func (s *session) fillCounters(r *row, d *jsonscan.Doc) {
	u := &s.entry.Usage
	if s.snapshot == nil && u.HasTotals && u.EvidenceWhen != nil && u.EvidenceWhen.Holds(d, 0, entry.SessionFacts{}) {
		r.flags |= counters
	}
}

// lastCounters finds the last of these items. The earlier ones say less: such counters are cumulative.
func (s *session) lastCounters() {
	s.evident = none
	for i := len(s.rows) - 1; i >= 0; i-- {
		if s.rows[i].is(counters) {
			s.evident = int32(i)
			return
		}
	}
}

// counters writes what the item says about each bucket, as evidence and not as the ledger: nothing joins it.
func (e *emission) counters(base *record.Record) error {
	d, u := &e.sc.doc, &e.s.entry.Usage
	n := 0
	var failed error
	u.EvidenceAt.Each(d, 0, func(at int) bool {
		if d.Kind(at) != jsonscan.Object || d.Nodes[at].KeyStart == 0 {
			return true
		}
		n++
		failed = e.bucketCounters(base, at, n)
		return failed == nil
	})
	return failed
}

func (e *emission) bucketCounters(base *record.Record, at, n int) error {
	s, d, u := e.s, &e.sc.doc, &e.s.entry.Usage
	r := record.Record{
		Type: record.UsageSummary, ID: e.item.ID + "#usage-" + strconv.Itoa(n),
		Position: base.Position, Time: base.Time, Parent: base.Parent, Inference: base.Inference,
	}
	name, _ := jsonscan.AppendUnescape(nil, d.Name(at))
	bucket := record.AppendString(nil, string(name))
	r.Set("bucket", bucket)
	r.Set("childInclusion", []byte(`"unknown"`))
	out := append([]byte(`{"bucket":`), bucket...)
	if t := u.TotalUsage.One(d, at); t >= 0 {
		out = s.totalUsage(&r, out, d, t)
	}
	if c := u.TotalCost.One(d, at); c >= 0 {
		out = s.totalCost(&r, out, d, c)
	}
	s.meta(&r, u.TotalDestination, append(out, '}'))
	r.Meta = append(r.Meta, record.Meta{Key: record.Own + "derivedFrom", Raw: record.AppendString(nil, e.item.ID)})
	return s.put(&r)
}
