// Package stage hands the validator's session stage to the converter, which does not know the validator.
package stage

import (
	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/validator"
)

type stage struct{ *validator.Session }

// New is a check of one stream, for Options.NewCheck.
func New() converter.Check { return stage{validator.NewSession()} }

// Close ends the stream and returns what a manifest says about it.
func (s stage) Close() converter.Checked {
	sum := s.Session.Close()
	losses := make(map[string]bundle.Loss, len(sum.Losses))
	for code, l := range sum.Losses {
		losses[code] = bundle.Loss(l)
	}
	return converter.Checked{Records: sum.Records, Items: sum.Items, Gaps: sum.Gaps, Types: sum.Types, Losses: losses, Findings: sum.Findings}
}
