package laws

import (
	"bytes"
	"context"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
)

// Sound holds that the validator finds no error in a bundle, and that its report is the one written with it.
func Sound(ctx context.Context, b *bundle.Bundle) (*record.Report, Faults) {
	var f Faults
	report, err := validator.Validate(ctx, b, validator.Options{})
	if err != nil {
		f.Add("sound", "%v", err)
		return nil, f
	}
	for _, found := range report.Findings.Sorted() {
		if found.Severity == record.ErrorSeverity {
			f.Add("sound", "%s %s line %d record %s pointer %s: %s", found.Rule, found.Stream, found.Line, found.Record, found.Pointer, found.Message)
		}
	}
	written, err := b.Report()
	if err != nil {
		f.Add("sound", "%v", err)
	} else if got := record.AppendReport(nil, report); !bytes.Equal(bytes.TrimSpace(written), got) {
		f.Add("report", "the validator's report is not the one written: %s", Difference(string(bytes.TrimSpace(written)), string(got)))
	}
	return report, f
}
