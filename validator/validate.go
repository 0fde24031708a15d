package validator

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/schemas"
)

// Validate checks a bundle against the whole catalogue. What is wrong with it stands in the report; an error means that
// the bundle could not be read. The report does not depend on the number of jobs.
func Validate(ctx context.Context, b *bundle.Bundle, o Options) (*record.Report, error) {
	set, err := schemas.Compile()
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	v := &validation{ctx: ctx, b: b, m: b.Manifest(), o: o, set: set, report: newReport(o), progress: o.counter()}
	v.blobs = newBlobSet(v.m.Blobs)
	for _, step := range []func() error{v.manifest, v.entries, v.streamEntries, v.streams, v.blobFiles, v.files, v.exportReport} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return v.report, nil
}

func newReport(o Options) *record.Report {
	r := &record.Report{Losses: map[string]int64{}}
	r.Findings.Keep(o.Findings)
	return r
}

// validation is one bundle being checked.
type validation struct {
	ctx      context.Context
	b        *bundle.Bundle
	m        *bundle.Manifest
	o        Options
	set      *schemas.Set
	blobs    *blobSet
	agents   map[string]*agent             // by name
	source   map[string]*bundle.SourceInfo // by id
	doubtful map[string]bool               // streams whose entry in the manifest is at fault in itself
	report   *record.Report
	partial  bool // some stream could not be read to its end: what it held is not missed anywhere else
	progress func(int64)
}

func (v *validation) fail(rule, pointer, message string) {
	v.report.Findings.Add(record.Finding{Rule: rule, Severity: record.ErrorSeverity, Pointer: pointer, Message: message})
}

func (v *validation) failStream(stream, rule, message string) {
	v.report.Findings.Add(record.Finding{Rule: rule, Severity: record.ErrorSeverity, Stream: stream, Message: message})
}

// merge adds what a stream gave to the report.
func (v *validation) merge(stream string, res *streamResult) {
	v.report.Records += res.sum.Records
	v.report.Items += res.sum.Items
	v.report.Gaps += res.sum.Gaps
	for _, code := range slices.Sorted(maps.Keys(res.sum.Losses)) {
		v.report.Losses[code] += res.sum.Losses[code].Count
	}
	res.sum.Findings.InStream(stream)
	v.report.Findings.Merge(&res.sum.Findings)
}
