package validator

import "github.com/session-trace/ctx/internal/record"

// usageCount is what a stream says about its ledger.
type usageCount struct {
	inferences int64
	joined     int64   // with usage
	maybe      int64   // without counters, but with ledger rows of their own and no loss
	bare       []place // without usage, rows and loss, while the ledger is not known yet
	bareMore   int64
	lossy      int64 // inferences that declare accounting-join
	buckets    int64
	unsure     bool // a usage summary breaks its schema
	leftOver   bool // a usage summary declares accounting-join
}

// maxBare bounds the inferences that are remembered until the ledger is known.
const maxBare = 100

// checkUsage judges where usage stands and counts what the last session_info must agree with.
func (s *Session) checkUsage(f *record.Facts, at place) {
	u := &s.usage
	lost := lossesOf(f)&lossAccounting != 0
	switch {
	case f.Type == record.Inference:
		u.inferences++
		switch {
		case f.HasUsage:
			u.joined++
		case lost:
			u.lossy++
		case hasMetrics(f):
			u.maybe++
		case len(u.bare) < maxBare:
			u.bare = append(u.bare, place{at.line, clone(at.id)})
		default:
			u.bareMore++
		}
	case f.Type == record.UsageSummary:
		if stageOf(f) == stageUsage {
			u.buckets++
		}
		u.leftOver, u.unsure = u.leftOver || lost, u.unsure || s.unsound[at.line]
	case f.HasUsage:
		s.fail(ruleUsagePlace, at, "got usage on a "+f.Type.String()+", expected it on an inference or a usage_summary")
	}
}

// checkCoverage compares usageCoverage with the stream, and asks for the losses that a ledger implies.
func (s *Session) checkCoverage(f *record.Facts, at place) {
	u, c := &s.usage, f.Coverage
	if c == nil {
		if u.inferences > 0 && !s.blind {
			s.fail(ruleCoverage, at, "got no usageCoverage beside "+number(u.inferences)+" inferences, expected one")
		}
		return
	}
	if s.blind {
		return
	}
	if c.Responses != u.inferences {
		s.fail(ruleCoverage, at, "got responses "+number(c.Responses)+", expected "+number(u.inferences)+", the inferences of the stream")
	}
	if c.WithUsage < u.joined || c.WithUsage > u.joined+u.maybe {
		s.fail(ruleCoverage, at, "got withUsage "+number(c.WithUsage)+", expected "+number(u.joined)+", the inferences with a joined row")
	}
	if want := c.Responses == c.WithUsage && c.WithUsage > 0; c.Complete != want {
		s.fail(ruleCoverage, at, "got complete that differs from responses = withUsage > 0")
	}
	s.checkLedger(c, at)
}

func (s *Session) checkLedger(c *record.Coverage, at place) {
	u := &s.usage
	if c.LeftOver > 0 && !u.leftOver && !u.unsure {
		s.fail(ruleLossUndeclared, at, "got no loss accounting-join on any usage_summary, expected it: "+number(c.LeftOver)+" ledger rows are left over")
	}
	if c.LeftOver == 0 && u.leftOver {
		s.fail(ruleLossUnfounded, at, "got loss accounting-join on a usage_summary, expected none: no ledger row is left over")
	}
	if u.lossy > 0 && u.buckets == 0 {
		s.fail(ruleLossUnfounded, at, "got loss accounting-join on an inference, expected none: the session has no ledger")
	}
	if c.WithUsage == 0 && c.LeftOver == 0 {
		return
	}
	for _, bare := range u.bare {
		s.undeclared(lossAccounting, bare)
	}
	if u.bareMore > 0 {
		s.sum.Findings.Add(record.Finding{
			Rule: ruleLossUndeclared, Severity: record.ErrorSeverity, Count: u.bareMore,
			Message: "got no loss accounting-join on further inferences without usage",
		})
	}
}
