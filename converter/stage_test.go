package converter

import (
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/validator"
)

// stage is the validator's session stage as a check of the converter.
type stage struct{ *validator.Session }

// NewStage makes a check for the tests of this folder.
func NewStage() Check { return stage{validator.NewSession()} }

func (s stage) Close() Checked {
	sum := s.Session.Close()
	losses := map[string]bundle.Loss{}
	for code, l := range sum.Losses {
		losses[code] = bundle.Loss(l)
	}
	return Checked{Records: sum.Records, Items: sum.Items, Gaps: sum.Gaps, Types: sum.Types, Losses: losses, Findings: sum.Findings}
}
