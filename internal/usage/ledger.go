package usage

import (
	"crypto/sha256"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// bucket is one account of a ledger.
type bucket struct {
	name     string
	stated   bool             // it states counters that it accumulated
	totals   [counters]int64  // they, -1 one that it does not state
	totalOdd bool             // some of them is no natural number
	cost     *decimal         // that it accumulated, nil when it states none, or zero: some versions report less than zero
	costOdd  bool             // it states one that is no number, or one that no double holds
	costs    []costRow        // what the cost came from
	sums     [counters]uint64 // of its reports
	sumsOdd  bool
	reports  int64 // rows that are no placeholders
}

// row is one report of usage.
type row struct {
	id     string // of its response, "" none
	model  string // "" none
	counts counts
	sum    digest
	bucket int32 // -1: a record tells it, without a ledger
	zero   bool  // a placeholder: no report
}

// digest tells equal rows: of their bytes without the white space between tokens.
type digest [16]byte

func digestOf(d *jsonscan.Doc, n int) digest {
	part, err := jsonscan.Scan(d.Value(n), nil, jsonscan.Options{NonFinite: true})
	raw := d.Value(n)
	if err == nil && d.Has(jsonscan.LineBreak) || err == nil && jsonscan.CompactSize(part) != len(raw) {
		raw = jsonscan.Compact(nil, part)
	}
	sum := sha256.Sum256(raw)
	return digest(sum[:16])
}

// costRow is one cost that a bucket adds up.
type costRow struct {
	sum    digest
	amount decimal
	timed  bool // it says when, so that equal rows are one cost
}

// ledger reads the buckets of a state, at a node of a document.
func (r *reader) ledger(d *jsonscan.Doc, at int) {
	u := &r.entry.Usage
	if !u.Stated {
		return
	}
	r.session.apart = u.Unless != nil && u.Unless.Holds(d, at, entry.SessionFacts{})
	for i := range u.Ledgers {
		u.Ledgers[i].Each(d, at, func(n int) bool {
			r.bucket(d, n)
			return true
		})
		if len(r.session.buckets) > 0 {
			return
		}
	}
}

// bucket reads one account.
func (r *reader) bucket(d *jsonscan.Doc, n int) {
	if d.Kind(n) != jsonscan.Object || d.Nodes[n].KeyStart == 0 {
		return
	}
	u, s := &r.entry.Usage, &r.session
	name, _ := jsonscan.AppendUnescape(nil, d.Name(n))
	b := bucket{name: string(name)}
	for at := range d.Children(u.Rows.One(d, n)) {
		if d.Kind(at) == jsonscan.Object {
			s.rows = append(s.rows, r.row(d, at, &b))
		}
	}
	if u.HasCosts {
		for at := range d.Children(u.Costs.One(d, n)) {
			b.addCost(u, d, at)
		}
	}
	if u.HasTotals {
		b.readTotals(u, d, n)
	}
	s.buckets = append(s.buckets, b)
}

func (r *reader) row(d *jsonscan.Doc, at int, b *bucket) row {
	u := &r.entry.Usage
	w := row{
		id: d.Text(u.RowJoin.One(d, at)), model: d.Text(u.RowModel.One(d, at)),
		sum: digestOf(d, at), bucket: int32(len(r.session.buckets)),
	}
	for i := range u.Fields {
		w.counts.add(u.Fields[i].Member, d, u.Fields[i].Path.One(d, at))
	}
	w.zero = w.counts.zero() && w.counts.bad == 0
	if !w.zero {
		b.report(&w.counts)
	}
	return w
}

// report adds one report to the sums.
func (b *bucket) report(c *counts) {
	b.reports++
	b.sumsOdd = b.sumsOdd || c.bad > 0
	for i, n := range c.n {
		if b.sums[i] += uint64(n); b.sums[i] > 1<<62 {
			b.sumsOdd = true // far beyond what a bucket can state
		}
	}
}

func (b *bucket) addCost(u *entry.Usage, d *jsonscan.Doc, at int) {
	n := u.CostAmount.One(d, at)
	if d.Kind(at) != jsonscan.Object || d.Kind(n) != jsonscan.Number {
		b.costs = append(b.costs, costRow{})
		return
	}
	c := costRow{sum: digestOf(d, at), timed: d.Kind(u.CostSeconds.One(d, at)) == jsonscan.Number}
	var ok bool
	if c.amount, ok = parseDecimal(d.Value(n)); !ok {
		c.timed = false
	}
	b.costs = append(b.costs, c)
}

func (b *bucket) readTotals(u *entry.Usage, d *jsonscan.Doc, n int) {
	if t := u.TotalUsage.One(d, n); d.Kind(t) == jsonscan.Object {
		b.stated = true
		b.totals = [counters]int64{-1, -1, -1, -1, -1}
		for i := range u.Fields {
			b.readTotal(u.Fields[i].Member, d, u.Fields[i].Path.One(d, t))
		}
	}
	c := u.TotalCost.One(d, n)
	if c < 0 || d.Kind(c) == jsonscan.Null {
		return
	}
	var amount decimal
	ok := d.Kind(c) == jsonscan.Number
	if ok {
		amount, ok = parseDecimal(d.Value(c))
	}
	switch {
	case !ok:
		b.costOdd = true
	case !amount.zero():
		b.cost = &amount
	}
}

func (b *bucket) readTotal(member string, d *jsonscan.Doc, n int) {
	if n < 0 || d.Kind(n) == jsonscan.Null {
		return
	}
	var c counts
	c.add(member, d, n)
	b.totalOdd = b.totalOdd || c.bad > 0
	for i, name := range Members() {
		if name == member {
			b.totals[i] = c.n[i]
		}
	}
}

// residue says whether what the bucket accumulated is known to differ from what its reports sum to.
func (b *bucket) residue() bool {
	if !b.stated || b.reports == 0 {
		return false
	}
	if b.totalOdd || b.sumsOdd {
		return b.sumsOdd && !b.totalOdd // counters left out are in the one and not in the other
	}
	for i, n := range b.totals {
		if n >= 0 && uint64(n) != b.sums[i] {
			return true
		}
	}
	return false
}

// accumulated are the counters of a bucket that has no reports, false when it accumulated none above zero.
func (b *bucket) accumulated() (counts, bool) {
	var c counts
	if !b.stated || b.reports > 0 {
		return c, false
	}
	for i, n := range b.totals {
		c.n[i] = max(n, 0)
	}
	return c, !c.zero()
}

// statedRow is what an inference record says about its own usage.
type statedRow struct {
	row
	bucketName string
}

// statedIn notes the usage that an inference record states, with the bucket that its row came from.
func (r *reader) statedIn(d *jsonscan.Doc, id string) {
	usage := d.Find(0, "usage")
	if usage < 0 {
		return
	}
	w := statedRow{row: row{id: id, model: d.Text(d.Find(0, "requestedModel")), bucket: -1}}
	for _, member := range Members() {
		w.counts.add(member, d, d.Find(usage, member))
	}
	if u := &r.entry.Usage; u.Destination != "" {
		metrics := d.Find(d.Find(0, "_meta"), r.entry.Destination(u.Destination))
		w.bucketName = d.Text(d.Find(metrics, "bucket"))
	}
	r.stated = append(r.stated, w)
}

// fromRecords adds what inference records state about responses that the ledger does not report: it may be left out.
func (r *reader) fromRecords() {
	s := &r.session
	reported := make(map[string]bool, len(s.rows))
	for i := range s.rows {
		if !s.rows[i].zero {
			reported[s.rows[i].id] = true
		}
	}
	at := map[string]int32{}
	for i := range s.buckets {
		at[s.buckets[i].name] = int32(i)
	}
	for _, w := range r.stated {
		if reported[w.id] || w.counts.zero() {
			continue
		}
		if n, known := at[w.bucketName]; known {
			w.row.bucket = n
		} else if w.bucketName != "" {
			w.row.bucket = int32(len(s.buckets))
			at[w.bucketName] = w.row.bucket
			s.buckets = append(s.buckets, bucket{name: w.bucketName})
		}
		if w.row.bucket >= 0 {
			s.buckets[w.row.bucket].report(&w.counts)
		}
		s.rows = append(s.rows, w.row)
	}
}
