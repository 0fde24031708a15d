package record

import (
	"maps"
	"slices"
)

// Validator is the name and version that reports state.
const Validator = "validator-v1.0.0"

// Report is the result of a validation and the export report of a conversion (section 11 of the format).
type Report struct {
	Bundle              string // written only when set
	Streams             int64
	Records             int64 // lines of all streams
	Gaps                int64
	UnidentifiedSources int64
	Items               int64 // native transcript items
	Losses              map[string]int64
	Selection           []byte // raw JSON, nil: {"policy":"all"}
	Findings            Findings
}

// Errors is the number of findings that break the format.
func (r *Report) Errors() int64 { return r.Findings.Total(ErrorSeverity) }

// Notices is the number of findings worth knowing.
func (r *Report) Notices() int64 { return r.Findings.Total(NoticeSeverity) }

// AppendReport appends the report as one JSON object in the fixed key order, without a newline.
func AppendReport(dst []byte, r *Report) []byte {
	dst = append(dst, '{')
	if r.Bundle != "" {
		dst = AppendString(AppendKey(dst, "bundle"), r.Bundle)
	}
	dst = AppendString(AppendKey(dst, "validator"), Validator)
	dst = appendCounts(dst, r)
	dst = AppendInt(AppendKey(dst, "items"), r.Items)
	dst = AppendLosses(AppendKey(dst, "losses"), r.Losses)
	dst = AppendKey(dst, "selection")
	if r.Selection == nil {
		dst = append(dst, `{"policy":"all"}`...)
	} else {
		dst = append(dst, r.Selection...)
	}
	dst = append(AppendKey(dst, "findings"), '[')
	for i, f := range r.Findings.Sorted() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFinding(dst, &f)
	}
	return append(dst, ']', '}')
}

// AppendEvidence appends the counts alone: the shape of a registry entry's evidence[].validation.
func AppendEvidence(dst []byte, r *Report) []byte {
	return append(appendCounts(append(dst, '{'), r), '}')
}

func appendCounts(dst []byte, r *Report) []byte {
	dst = AppendInt(AppendKey(dst, "streams"), r.Streams)
	dst = AppendInt(AppendKey(dst, "records"), r.Records)
	dst = AppendInt(AppendKey(dst, "errors"), r.Errors())
	dst = AppendInt(AppendKey(dst, "notices"), r.Notices())
	dst = AppendInt(AppendKey(dst, "gaps"), r.Gaps)
	return AppendInt(AppendKey(dst, "unidentifiedSources"), r.UnidentifiedSources)
}

// AppendLosses appends counts by code as an object, sorted by code.
func AppendLosses(dst []byte, losses map[string]int64) []byte {
	dst = append(dst, '{')
	for _, code := range slices.Sorted(maps.Keys(losses)) {
		dst = AppendInt(AppendKey(dst, code), losses[code])
	}
	return append(dst, '}')
}

func appendFinding(dst []byte, f *Finding) []byte {
	dst = AppendString(append(dst, `{"rule":`...), f.Rule)
	dst = AppendString(AppendKey(dst, "severity"), string(f.Severity))
	if f.Stream != "" {
		dst = AppendString(AppendKey(dst, "stream"), f.Stream)
	}
	if f.Line > 0 {
		dst = AppendInt(AppendKey(dst, "line"), int64(f.Line))
	}
	if f.Record != "" {
		dst = AppendString(AppendKey(dst, "record"), f.Record)
	}
	if f.Pointer != "" {
		dst = AppendString(AppendKey(dst, "pointer"), f.Pointer)
	}
	dst = AppendString(AppendKey(dst, "message"), f.Message)
	return append(AppendInt(AppendKey(dst, "count"), f.count()), '}')
}
