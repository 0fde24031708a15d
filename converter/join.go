package converter

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// join gives every response the one row that names it. Rows that differ for one id join nothing, nor does an id that
// stands twice in one bucket.
func (s *session) join() {
	l := &s.ledger
	order := make([]int32, 0, len(l.rows))
	for i := range l.rows {
		if r := &l.rows[i]; r.id != 0 && !r.zero && !r.mute {
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
