package converter

import (
	"cmp"
	"math"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// ledger is the usage that the snapshot reports, as places in it.
type ledger struct {
	buckets   []bucket
	rows      []ledgerRow
	latencies []latencyRow // sorted
	costTimes []int64      // microseconds since 1970
	leftOver  int64
}

// ledgerRow is one report of usage.
type ledgerRow struct {
	piece
	id     uint64 // hash of its response id, 0 none
	bucket int32
	zero   bool // all counters are zero: no report
	mute   bool // no counter of it can be stated, nor the row itself: joins nothing
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
			if d.Kind(n) == jsonscan.Object && d.Nodes[n].KeyStart != 0 && !s.cutter.never(d, n) {
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
			if c := u.Fields[i].Path.One(d, t); !unstated(d, c) {
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
	stated := false
	for i := range u.Fields {
		c := u.Fields[i].Path.One(d, n)
		if unstated(d, c) {
			continue
		}
		v, ok := d.Int(c)
		if !ok || v != 0 {
			r.zero = false
		}
		stated = stated || ok && v > 0
		b.sums[i] = b.sum(b.sums[i], b.counter(d, c))
	}
	if !r.zero {
		b.reports++
	}
	if !r.zero && !stated && s.snapshot.odd {
		sc := scan(d.Value(n), nil)
		r.mute = sc.problem != "" || sc.contentReason() != ""
	}
	s.ledger.rows = append(s.ledger.rows, r)
}

// unstated says whether a counter is absent or null, as NaN and its like are.
func unstated(d *jsonscan.Doc, n int) bool {
	return n < 0 || d.Kind(n) == jsonscan.Null || d.Kind(n) == jsonscan.NonFinite
}

// counter is a counter's value; one that is no natural number makes the bucket's sums void.
func (b *bucket) counter(d *jsonscan.Doc, n int) int64 {
	if unstated(d, n) {
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
