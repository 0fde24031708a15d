package converter

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// ledger is the usage that the snapshot reports, as places in it.
type ledger struct {
	buckets   []bucket
	rows      []ledgerRow
	latencies []latencyRow // sorted
	costTimes []int64      // microseconds since 1970
	leftOver  int64
}

// bucket is one account of the ledger.
type bucket struct {
	name        string
	total, cost *piece  // nil when it states none
	sums        []int64 // of the counters of its reports, by usage field
	totals      []int64 // its own counters, -1 one that it does not state
	odd         bool    // some counter is no natural number
	lost        bool    // a report joins no response
	reports     int     // rows that are no placeholders
}

// ledgerRow is one report of usage.
type ledgerRow struct {
	piece
	id     uint64 // hash of its response id, 0 none
	bucket int32
	zero   bool // all counters are zero: no report
	copy   bool // an equal row stands in an earlier bucket
	joined bool
}

// latencyRow is how long one response took.
type latencyRow struct {
	piece
	id     uint64
	bucket int32
}

// readLedger notes the rows of the snapshot's ledger.
func (s *session) readLedger(d *jsonscan.Doc) {
	u := &s.entry.Usage
	if !u.Stated {
		return
	}
	for i := range u.Ledgers {
		u.Ledgers[i].Each(d, 0, func(n int) bool {
			if d.Kind(n) == jsonscan.Object && d.Nodes[n].KeyStart != 0 {
				s.readBucket(d, n)
			}
			return true
		})
		if len(s.ledger.buckets) > 0 {
			break
		}
	}
	slices.SortStableFunc(s.ledger.latencies, func(a, b latencyRow) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.id, b.id))
	})
}

func (s *session) readBucket(d *jsonscan.Doc, n int) {
	u, l := &s.entry.Usage, &s.ledger
	name, _ := jsonscan.AppendUnescape(nil, d.Name(n))
	at := int32(len(l.buckets))
	l.buckets = append(l.buckets, bucket{name: string(name), sums: make([]int64, len(u.Fields)), totals: make([]int64, len(u.Fields))})
	b := &l.buckets[at]
	list := u.Rows.One(d, n)
	if count := d.Len(list); count > 0 {
		l.rows = slices.Grow(l.rows, count)
	}
	each(d, list, func(row int) {
		if d.Kind(row) == jsonscan.Object {
			s.readRow(d, row, at, b)
		}
	})
	if u.HasLatencies {
		list := u.Latencies.One(d, n)
		l.latencies = slices.Grow(l.latencies, max(d.Len(list), 0))
		each(d, list, func(row int) {
			if id := s.hash(textAt(d, u.LatencyJoin.One(d, row))); id != 0 {
				l.latencies = append(l.latencies, latencyRow{s.pieceOf(d, row), id, at})
			}
		})
	}
	if u.HasCosts {
		each(d, u.Costs.One(d, n), func(row int) {
			if c := u.CostSeconds.One(d, row); c >= 0 && d.Kind(c) == jsonscan.Number {
				if at, ok := epochMicros(d.Value(c)); ok {
					l.costTimes = append(l.costTimes, at)
				}
			}
		})
	}
	if u.HasTotals {
		s.readTotals(d, n, b)
	}
}

// readTotals notes where a bucket states its sums.
func (s *session) readTotals(d *jsonscan.Doc, n int, b *bucket) {
	u := &s.entry.Usage
	if t := u.TotalUsage.One(d, n); t >= 0 {
		p := s.pieceOf(d, t)
		b.total = &p
		for i := range u.Fields {
			b.totals[i] = -1
			if c := u.Fields[i].Path.One(d, t); c >= 0 && d.Kind(c) != jsonscan.Null {
				b.totals[i] = b.counter(d, c)
			}
		}
	}
	if c := u.TotalCost.One(d, n); c >= 0 {
		p := s.pieceOf(d, c)
		b.cost = &p
	}
}

// readRow notes one report.
func (s *session) readRow(d *jsonscan.Doc, n int, at int32, b *bucket) {
	u := &s.entry.Usage
	r := ledgerRow{piece: s.pieceOf(d, n), bucket: at, zero: true, id: s.hash(textAt(d, u.RowJoin.One(d, n)))}
	for i := range u.Fields {
		c := u.Fields[i].Path.One(d, n)
		if c < 0 || d.Kind(c) == jsonscan.Null {
			continue
		}
		v, ok := d.Int(c)
		if !ok || v != 0 {
			r.zero = false
		}
		b.sums[i] = b.sum(b.sums[i], b.counter(d, c))
	}
	if !r.zero {
		b.reports++
	}
	s.ledger.rows = append(s.ledger.rows, r)
}

// counter is a counter's value; one that is no natural number makes the bucket's sums void.
func (b *bucket) counter(d *jsonscan.Doc, n int) int64 {
	if n < 0 || d.Kind(n) == jsonscan.Null {
		return 0
	}
	v, ok := d.Int(n)
	if !ok || v < 0 {
		b.odd = true
		return 0
	}
	return v
}

// sum is a + b; one beyond what an integer holds makes the bucket's sums void.
func (b *bucket) sum(a, v int64) int64 {
	if a > math.MaxInt64-v {
		b.odd = true
		return a
	}
	return a + v
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

// join gives every response the one row that names it. Rows that differ for one id join nothing, nor does an id that
// stands twice in one bucket.
func (s *session) join() {
	l := &s.ledger
	order := make([]int32, 0, len(l.rows))
	for i := range l.rows {
		if r := &l.rows[i]; r.id != 0 && !r.zero {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(l.rows[a].id, l.rows[b].id), cmp.Compare(a, b))
	})
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && l.rows[order[end]].id == l.rows[order[start]].id {
			end++
		}
		s.joinID(order[start:end])
		start = end
	}
	for i := range l.rows {
		if r := &l.rows[i]; !r.zero && !r.copy && !r.joined {
			l.leftOver++
			l.buckets[r.bucket].lost = true
		}
	}
	s.copyNotices()
}

// joinID joins the rows of one id: the first, when all others are copies of it in later buckets.
func (s *session) joinID(rows []int32) {
	l := &s.ledger
	single := true
	var seen repeats
	for n, i := range rows {
		r := &l.rows[i]
		again := seen.bucket(r.bucket)
		r.copy = seen.row(r.sum, r.bucket)
		single = single && !again && (n == 0 || r.copy)
	}
	first := &l.rows[rows[0]]
	g, known := s.byGroup[first.id]
	if single && known && !s.groups[g].repeated && !s.snapshot.apart {
		first.joined = true
		s.groups[g].row = rows[0]
	}
}

// repeats tells what was seen before among the rows of one id: nearly always one, at worst all of a long session.
type repeats struct {
	buckets map[int32]bool
	rows    map[uint64]int32 // bucket of equal rows, several: -1
	one     ledgerRow        // the first, while it is alone
	some    bool
}

// bucket says whether a row of the bucket was seen.
func (p *repeats) bucket(b int32) bool {
	if !p.some {
		return false
	}
	if p.buckets == nil {
		p.buckets = map[int32]bool{p.one.bucket: true}
		p.rows = map[uint64]int32{p.one.sum: p.one.bucket}
	}
	seen := p.buckets[b]
	p.buckets[b] = true
	return seen
}

// row says whether an equal row of another bucket was seen.
func (p *repeats) row(sum uint64, b int32) bool {
	if !p.some {
		p.some, p.one.sum, p.one.bucket = true, sum, b
		return false
	}
	have, seen := p.rows[sum]
	switch {
	case !seen:
		p.rows[sum] = b
	case have != b:
		p.rows[sum] = -1
	}
	return seen && have != b
}

// copyNotices notes buckets that repeat rows of others.
func (s *session) copyNotices() {
	l := &s.ledger
	repeats := make([]int64, len(l.buckets))
	for i := range l.rows {
		if l.rows[i].copy {
			repeats[l.rows[i].bucket]++
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

// residues notes buckets whose reports all joined and do not sum to what the bucket says it accumulated.
func (s *session) residues() {
	u, l := &s.entry.Usage, &s.ledger
	for i := range l.buckets {
		b := &l.buckets[i]
		if b.lost || b.odd || b.total == nil || b.reports == 0 {
			continue
		}
		for j := range u.Fields {
			if b.totals[j] >= 0 && b.sums[j] != b.totals[j] {
				s.notice(record.UsageResidue, "usage:"+b.name, "",
					fmt.Sprintf("got reports that sum to %d %s where the bucket accumulated %d", b.sums[j], u.Fields[j].Member, b.totals[j]))
			}
		}
	}
}

// sortedBuckets are the buckets by name.
func (l *ledger) sortedBuckets() []bucket {
	list := slices.Clone(l.buckets)
	slices.SortStableFunc(list, func(a, b bucket) int { return cmp.Compare(a.name, b.name) })
	return list
}

// of are the latency rows of a bucket with an id, in source order.
func (l *ledger) of(bucket int32, id uint64) []latencyRow {
	at, _ := slices.BinarySearchFunc(l.latencies, latencyRow{id: id, bucket: bucket}, func(a, b latencyRow) int {
		return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(a.id, b.id))
	})
	end := at
	for end < len(l.latencies) && l.latencies[end].bucket == bucket && l.latencies[end].id == id {
		end++
	}
	return l.latencies[at:end]
}
