package validator

import (
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// nativeLinks compares ids and lists of a record with those of the native item on its line.
func (c *lineCheck) nativeLinks(r *reading, f *record.Facts, x *stated, found *lineFindings) {
	e := c.target.entry
	if e == nil || c.m.record < 0 || stageOf(f) != stageTranscript {
		return
	}
	switch f.Type {
	case record.ToolCall:
		c.callIDOf(r, e, f, found)
	case record.Compaction:
		if k := e.Context.Compaction; k != nil && f.CompactionPhase == "applied" && k.When.Holds(r.doc, c.m.record, entry.SessionFacts{}) {
			c.compactionOf(r, k, f, x, found)
		}
	}
}

func (c *lineCheck) callIDOf(r *reading, e *entry.Entry, f *record.Facts, found *lineFindings) {
	for i := range e.Pairs {
		p := &e.Pairs[i]
		if p.Calls == nil || !p.Calls.Holds(r.doc, c.m.record, entry.SessionFacts{}) {
			continue
		}
		if want := c.text(r, &p.Key); want != "" && f.CallID != want {
			found.fail(rulePair, "/callId", "got callId "+quote(f.CallID)+", expected "+quote(want)+" as in the native value")
		}
		return
	}
}

// statedByCompaction reads the ids that an item forgets.
func (c *lineCheck) statedByCompaction(r *reading, k *entry.Compaction, x *stated) {
	if k == nil || !k.When.Holds(r.doc, c.m.record, entry.SessionFacts{}) {
		return
	}
	for n := range r.doc.Children(k.Forgotten.One(r.doc, c.m.record)) {
		if r.doc.Kind(n) != jsonscan.String {
			continue
		}
		if id := r.str(n); k.SummaryIDBefore+k.SummaryIDAfter == "" || !strings.HasPrefix(id, k.SummaryIDBefore) || !strings.HasSuffix(id, k.SummaryIDAfter) {
			x.gone = append(x.gone, id)
		}
	}
}

// compactionOf compares what a compaction forgets, and its offset, with the native value. Two ids may name one item, so
// only the whole stream shows whether there are too few.
func (c *lineCheck) compactionOf(r *reading, k *entry.Compaction, f *record.Facts, x *stated, found *lineFindings) {
	d := r.doc
	ids := map[string]int{}
	for n := range d.Children(k.Forgotten.One(d, c.m.record)) {
		if d.Kind(n) == jsonscan.String {
			if _, again := ids[r.str(n)]; !again {
				ids[r.str(n)] = len(ids)
			}
		}
	}
	if got := len(f.Forgotten) + f.Unknown; got > len(ids) || got == 0 && len(ids) > 0 {
		x.offsetFault = true
		found.fail(ruleCompaction, "/forgotten", "got "+number(int64(got))+" forgotten ids, expected the "+number(int64(len(ids)))+" of the native value")
	}
	last := -1 // ids with a suffix against clashes are not in the list
	for _, id := range f.Forgotten {
		if len(f.Forgotten)+f.Unknown < len(ids) {
			break // some are two names of one item, which stands where the first of them does
		}
		if at, known := ids[id]; known && at < last {
			found.fail(ruleCompaction, "/forgotten", "got "+quote(id)+" after a later id of the native value, expected the order there")
			break
		} else if known {
			last = at
		}
	}
	n, ok := d.Int(k.Offset.One(d, c.m.record))
	stated, has := d.Int(d.Find(0, "offset"))
	if ok && n >= 0 && (!has || stated != n) || !ok && has {
		x.offsetFault = true
		found.fail(ruleCompaction, "/offset", "got another offset than the native value has, expected the same")
	}
	text := k.Summary.One(d, c.m.record)
	if has := d.Kind(text) == jsonscan.String; has != (f.Summary != "") && text >= 0 {
		found.fail(ruleCompaction, "/summary", "got "+present(f.Summary != "", "a summary")+" where the native value has "+present(has, "one"))
	}
}

// ledgerOf counts the buckets and rows of the ledger in a state.
func (c *lineCheck) ledgerOf(r *reading, u *entry.Usage, x *stated) {
	d := r.doc
	if !u.Stated || u.Unless != nil && u.Unless.Holds(d, c.m.record, entry.SessionFacts{}) {
		return
	}
	x.ledger = true
	seen := map[string]bool{}
	x.simple = true
	for i := range u.Ledgers {
		some := false
		u.Ledgers[i].Each(d, c.m.record, func(n int) bool {
			if d.Kind(n) != jsonscan.Object || d.Nodes[n].KeyStart == 0 {
				return true
			}
			some = true
			x.buckets = append(x.buckets, r.key(n))
			for row := range d.Children(u.Rows.One(d, n)) {
				if d.Kind(row) != jsonscan.Object || zeroRow(d, u, row) {
					continue
				}
				id := r.str(u.RowJoin.One(d, row))
				x.simple = x.simple && id != "" && !seen[id]
				seen[id] = true
				x.rows++
			}
			return true
		})
		if some {
			return
		}
	}
}

// zeroRow says whether all counters of a ledger row are zero: that is no report.
func zeroRow(d *jsonscan.Doc, u *entry.Usage, row int) bool {
	for i := range u.Fields {
		n := u.Fields[i].Path.One(d, row)
		if n < 0 || d.Kind(n) == jsonscan.Null {
			continue
		}
		if v, ok := d.Int(n); !ok || v != 0 {
			return false
		}
	}
	return true
}
