package validator

import "github.com/session-trace/ctx/internal/record"

// ledgerState is what the last session_info and its native state say about the ledger.
type ledgerState struct {
	known, simple bool
	rows          int64
	buckets       []string
	coverage      *record.Coverage
	at            place
}

// keepLedger remembers the ledger until the whole tail was seen.
func (d *deep) keepLedger(f *record.Facts, x *stated, at place) {
	if !x.ledger {
		return
	}
	d.state = ledgerState{known: true, simple: x.simple, rows: x.rows, coverage: f.Coverage, at: place{at.line, clone(at.id)}}
	for _, name := range x.buckets {
		d.state.buckets = append(d.state.buckets, clone(name))
	}
}

// ledger compares the tail of the stream with the ledger of the native state.
func (d *deep) ledger(s *Session) {
	x, at := &d.state, d.state.at
	if !x.known {
		return
	}
	if d.bare.line > 0 {
		s.fail(ruleUsageRow, d.bare, "got usage without its native row in _meta, expected it")
	}
	have := map[uint64]bool{}
	for _, name := range x.buckets {
		have[s.hashed(name)] = true
		if !d.buckets[s.hashed(name)] {
			s.fail(ruleUsageRow, at, "got no usage_summary of bucket "+quote(name)+", which the native ledger has")
		}
	}
	if len(d.buckets) > len(have) {
		s.fail(ruleUsageRow, at, "got "+number(int64(len(d.buckets)))+" usage_summary records, expected one for each of the "+number(int64(len(have)))+" buckets of the native ledger")
	}
	c := x.coverage
	switch {
	case c == nil && x.rows > 0:
		s.fail(ruleCoverage, at, "got no usageCoverage beside a ledger of "+number(x.rows)+" rows, expected one")
	case c != nil && x.simple && c.WithUsage+c.LeftOver != x.rows:
		s.fail(ruleCoverage, at, "got "+number(c.WithUsage)+" rows joined and "+number(c.LeftOver)+" left over, expected "+number(x.rows)+" together, those of the native ledger")
	}
}
