package main

import (
	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
)

// stage runs the validator's session stage on the lines of a conversion, as the command does.
type stage struct{ *validator.Session }

func newStage() converter.Check { return stage{validator.NewSession()} }

func (s stage) Record(f *record.Facts) { s.Session.Record(f) }

func (s stage) Close() converter.Checked {
	sum := s.Session.Close()
	losses := make(map[string]bundle.Loss, len(sum.Losses))
	for code, l := range sum.Losses {
		losses[code] = bundle.Loss{Count: l.Count, First: l.First}
	}
	return converter.Checked{
		Records: sum.Records, Items: sum.Items, Gaps: sum.Gaps, Types: sum.Types, Losses: losses, Findings: sum.Findings,
	}
}
