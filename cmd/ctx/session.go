package main

import (
	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
)

// sessionCheck lets the converter run the validator's session stage on the lines it builds, without knowing the validator.
type sessionCheck struct{ stage *validator.Session }

func newSessionCheck() converter.Check { return sessionCheck{validator.NewSession()} }

// Record sees one line's facts, in order.
func (c sessionCheck) Record(f *record.Facts) { c.stage.Record(f) }

// Close ends the stream and returns what a manifest says about it.
func (c sessionCheck) Close() converter.Checked {
	sum := c.stage.Close()
	losses := make(map[string]bundle.Loss, len(sum.Losses))
	for code, l := range sum.Losses {
		losses[code] = bundle.Loss{Count: l.Count, First: l.First}
	}
	return converter.Checked{
		Records: sum.Records, Items: sum.Items, Gaps: sum.Gaps,
		Types: sum.Types, Losses: losses, Findings: sum.Findings,
	}
}
