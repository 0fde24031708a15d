package converter

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// ledger is the usage that the snapshot reports.
type ledger struct {
	buckets   []bucket
	rows      []ledgerRow
	costTimes []int64 // microseconds since 1970
	leftOver  int64
}

// bucket is one account of the ledger.
type bucket struct {
	name string
	node int
	lost bool // a row of it joins no response
}

// ledgerRow is one report of usage.
type ledgerRow struct {
	bucket int
	node   int
	id     uint64 // hash of its response id, 0 none
	zero   bool   // all counters are zero: no report
	copy   bool   // an equal row stands in an earlier bucket
	joined bool
}

// readLedger reads the snapshot's ledger and joins its rows to responses.
func (s *session) readLedger() {
	u := &s.entry.Usage
	if !u.Stated || s.snapshot == nil {
		return
	}
	d := &s.snapshot.doc
	for i := range u.Ledgers {
		u.Ledgers[i].Each(d, 0, func(n int) bool {
			if d.Kind(n) == jsonscan.Object && d.Nodes[n].KeyStart != 0 {
				s.bucket(n)
			}
			return true
		})
		if len(s.ledger.buckets) > 0 {
			break
		}
	}
	s.copies()
	s.join()
	s.residues()
}

func (s *session) bucket(n int) {
	u, d, l := &s.entry.Usage, &s.snapshot.doc, &s.ledger
	name, _ := jsonscan.AppendUnescape(nil, d.Name(n))
	l.buckets = append(l.buckets, bucket{name: string(name), node: n})
	at := len(l.buckets) - 1
	each(d, u.Rows.One(d, n), func(row int) {
		if d.Kind(row) != jsonscan.Object {
			return
		}
		r := ledgerRow{bucket: at, node: row, zero: s.allZero(row)}
		r.id = s.hash(textAt(d, u.RowJoin.One(d, row)))
		l.rows = append(l.rows, r)
	})
	if u.HasCosts {
		each(d, u.Costs.One(d, n), func(row int) {
			if c := u.CostSeconds.One(d, row); c >= 0 && d.Kind(c) == jsonscan.Number {
				if at, ok := epochMicros(d.Value(c)); ok {
					l.costTimes = append(l.costTimes, at)
				}
			}
		})
	}
}

// each calls f for every element of an array.
func each(d *jsonscan.Doc, n int, f func(child int)) {
	if n < 0 || d.Kind(n) != jsonscan.Array {
		return
	}
	for c, end := n+1, int(d.Nodes[n].Next); c < end; c = int(d.Nodes[c].Next) {
		f(c)
	}
}

// allZero says whether a row reports nothing: every counter is zero or not there.
func (s *session) allZero(row int) bool {
	d := &s.snapshot.doc
	for i := range s.entry.Usage.Fields {
		n := s.entry.Usage.Fields[i].Path.One(d, row)
		if n < 0 || d.Kind(n) == jsonscan.Null {
			continue
		}
		if v, ok := d.Int(n); !ok || v != 0 {
			return false
		}
	}
	return true
}

// copies marks rows that repeat a row of an earlier bucket.
func (s *session) copies() {
	d, l := &s.snapshot.doc, &s.ledger
	first := map[uint64][]int{}
	repeats := make([]int64, len(l.buckets))
	for i := range l.rows {
		r := &l.rows[i]
		if r.id == 0 || r.zero {
			continue
		}
		for _, j := range first[r.id] {
			if l.rows[j].bucket != r.bucket && bytes.Equal(d.Value(l.rows[j].node), d.Value(r.node)) {
				r.copy = true
				break
			}
		}
		first[r.id] = append(first[r.id], i)
		if r.copy {
			repeats[r.bucket]++
		}
	}
	for i, n := range repeats {
		if n > 0 {
			s.findings.Add(record.Finding{
				Rule: record.UsageDuplicate, Severity: record.NoticeSeverity, Record: "usage:" + l.buckets[i].name, Count: n,
				Message: fmt.Sprintf("got %d rows that repeat rows of an earlier bucket, counted once", n),
			})
		}
	}
}

// join gives every response the one row that names it. Rows that differ for one id join nothing, nor does an id that
// stands twice in one bucket.
func (s *session) join() {
	l := &s.ledger
	u := &s.entry.Usage
	apart := u.Unless != nil && u.Unless.Holds(&s.snapshot.doc, 0, entry.SessionFacts{})
	byID := map[uint64][]int{}
	for i := range l.rows {
		if r := &l.rows[i]; r.id != 0 && !r.zero {
			byID[r.id] = append(byID[r.id], i)
		}
	}
	for i := range l.rows {
		r := &l.rows[i]
		if r.zero || r.copy {
			continue
		}
		g, known := s.byGroup[r.id]
		if known && !apart && !s.groups[g].repeated && r.id != 0 && l.single(byID[r.id]) {
			r.joined = true
			s.groups[g].row = int32(i)
			continue
		}
		l.leftOver++
		l.buckets[r.bucket].lost = true
	}
}

// single says whether the rows of one id are one report: the first and copies of it, no two in one bucket.
func (l *ledger) single(rows []int) bool {
	for n, i := range rows {
		if n > 0 && !l.rows[i].copy {
			return false
		}
		for _, j := range rows[:n] {
			if l.rows[j].bucket == l.rows[i].bucket {
				return false
			}
		}
	}
	return true
}

// usage is the counters of a ledger row or a total, as raw JSON; nil when there is none above zero. Counters that are
// no safe natural numbers are left out with a notice.
func (s *session) usage(n int, recordID string) []byte {
	d := &s.snapshot.doc
	out := append(make([]byte, 0, 160), '{')
	for i := range s.entry.Usage.Fields {
		f := &s.entry.Usage.Fields[i]
		c := f.Path.One(d, n)
		if c < 0 || d.Kind(c) == jsonscan.Null {
			continue
		}
		v, ok := d.Int(c)
		switch {
		case !ok || v < 0:
			s.notice(record.UsageInvalid, recordID, d.Pointer(c), "got a counter that is no natural number up to 2^53-1, left out")
		case v > 0:
			out = append(record.AppendKey(out, f.Member), d.Value(c)...)
		}
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, '}')
}

// fillInference fills the record of a response from its ledger row.
func (s *session) fillInference(g *group, r *record.Record) {
	if g.row < 0 {
		if len(s.ledger.rows) > 0 {
			r.Lose(record.LossAccountingJoin)
		}
		return
	}
	u, d := &s.entry.Usage, &s.snapshot.doc
	row := &s.ledger.rows[g.row]
	if v := u.RowModel.One(d, row.node); v >= 0 && d.Kind(v) == jsonscan.String && len(d.Value(v)) > 2 {
		r.Set("requestedModel", s.cleanText(d, v))
	}
	if v := s.usage(row.node, r.ID); v != nil {
		r.Set("usage", v)
	}
	latencies := s.latencies(row)
	if len(latencies) == 1 {
		if v := u.LatencySeconds.One(d, latencies[0]); v >= 0 && d.Kind(v) == jsonscan.Number && s.safe(d, v, r.ID) {
			r.Set("latencySeconds", d.Value(v))
		}
	}
	s.metrics(row, latencies, r)
}

// cleanText is a string of a document as a normalized member carries it.
func (s *session) cleanText(d *jsonscan.Doc, n int) []byte {
	out, _ := jsonscan.AppendClean(nil, d.Value(n))
	return out
}

// safe says whether a number may stand in a record; one that may not is noticed.
func (s *session) safe(d *jsonscan.Doc, n int, recordID string) bool {
	if jsonscan.SafeNumber(d.Value(n)) {
		return true
	}
	s.notice(record.UnsafeNumber, recordID, d.Pointer(n), "got a number that a double cannot hold, left out of the record")
	return false
}

// latencies are the latency rows of a ledger row's bucket with its id.
func (s *session) latencies(row *ledgerRow) []int {
	u, d := &s.entry.Usage, &s.snapshot.doc
	if !u.HasLatencies {
		return nil
	}
	if s.latencyOf == nil {
		s.latencyOf = map[latencyKey][]int{}
		for b := range s.ledger.buckets {
			each(d, u.Latencies.One(d, s.ledger.buckets[b].node), func(n int) {
				if id := s.hash(textAt(d, u.LatencyJoin.One(d, n))); id != 0 {
					k := latencyKey{b, id}
					s.latencyOf[k] = append(s.latencyOf[k], n)
				}
			})
		}
	}
	return s.latencyOf[latencyKey{row.bucket, row.id}]
}

type latencyKey struct {
	bucket int
	id     uint64
}

// metrics keeps the native rows of a response.
func (s *session) metrics(row *ledgerRow, latencies []int, r *record.Record) {
	u, d := &s.entry.Usage, &s.snapshot.doc
	if u.Destination == "" {
		return
	}
	out := make([]byte, 0, 512)
	out = record.AppendString(append(out, `{"bucket":`...), s.ledger.buckets[row.bucket].name)
	out = append(record.AppendKey(out, singular(u.RowsName)), d.Value(row.node)...)
	if u.HasLatencies {
		out = append(record.AppendKey(out, u.LatenciesName), '[')
		for i, n := range latencies {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, d.Value(n)...)
		}
		out = append(out, ']')
	}
	s.meta(r, u.Destination, append(out, '}'))
}

// singular is the name of one row of a list named in the plural.
func singular(name string) string {
	if n := len(name); n > 1 && name[n-1] == 's' {
		return name[:n-1]
	}
	return name
}

// meta adds a native fact to a record, on one line. Facts with numbers that a double cannot hold, or that cannot stand
// in a line for another reason, stay where the native bytes are.
func (s *session) meta(r *record.Record, destination string, raw []byte) {
	if s.snapshot.doc.Flags&^jsonscan.EscapedKey != 0 { // some part of the snapshot cannot stand in a line, perhaps not this one
		sc := scan(raw, nil)
		if sc.problem != "" || sc.contentReason() != "" {
			s.notice(record.UnsafeNumber, r.ID, "", fmt.Sprintf("got %s that cannot stand in a record, kept in the native bytes alone", destination))
			return
		}
		if sc.doc.Has(jsonscan.LineBreak) {
			raw = jsonscan.Compact(nil, sc.doc)
		}
	}
	r.Meta = append(r.Meta, record.Meta{Key: s.entry.Destination(destination), Raw: raw})
}

// residues notes buckets whose rows all joined and do not sum to what the bucket says it accumulated.
func (s *session) residues() {
	u, d, l := &s.entry.Usage, &s.snapshot.doc, &s.ledger
	if !u.HasTotals {
		return
	}
	for b := range l.buckets {
		rows, whole := l.rowsOf(b)
		total := u.TotalUsage.One(d, l.buckets[b].node)
		if !whole || len(rows) == 0 || total < 0 {
			continue
		}
		for i := range u.Fields {
			if residue := s.residue(&u.Fields[i], rows, total); residue != "" {
				s.notice(record.UsageResidue, "usage:"+l.buckets[b].name, "",
					fmt.Sprintf("got rows that sum to %s more %s than the bucket accumulated", residue, u.Fields[i].Member))
			}
		}
	}
}

// rowsOf lists the rows of a bucket; whole says whether each is joined or a copy.
func (l *ledger) rowsOf(b int) (nodes []int, whole bool) {
	for i := range l.rows {
		r := &l.rows[i]
		if r.bucket != b || r.zero {
			continue
		}
		if !r.joined && !r.copy {
			return nil, false
		}
		nodes = append(nodes, r.node)
	}
	return nodes, true
}

// residue is the sum of a counter over rows less the total, "" when it is zero or a counter is no natural number.
func (s *session) residue(f *entry.UsageField, rows []int, total int) string {
	d := &s.snapshot.doc
	sum := new(big.Int)
	for _, n := range rows {
		v, ok := d.Int(f.Path.One(d, n))
		if !ok {
			if f.Path.One(d, n) >= 0 {
				return ""
			}
			continue
		}
		sum.Add(sum, big.NewInt(v))
	}
	at := f.Path.One(d, total)
	v, ok := d.Int(at)
	if !ok && at >= 0 {
		return ""
	}
	if sum.Sub(sum, big.NewInt(v)).Sign() == 0 {
		return ""
	}
	return sum.String()
}

// sortedBuckets are the buckets by name.
func (l *ledger) sortedBuckets() []bucket {
	list := slices.Clone(l.buckets)
	slices.SortStableFunc(list, func(a, b bucket) int { return cmp.Compare(a.name, b.name) })
	return list
}
