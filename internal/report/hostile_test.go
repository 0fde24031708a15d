package report

import (
	"errors"

	"github.com/session-trace/ctx/internal/record"
)

// hostileRules is a catalogue of which two rules have findings.
func hostileRules() []Rule {
	return []Rule{
		{ID: "call-open", Title: "a call has no result", Doc: "It may be <b>open</b>.", Notice: true},
		{ID: "quiet", Title: "nothing is found", Doc: "Never."},
		{ID: "schema", Title: "a document: follows, its | schema", Doc: "Each `one` of _them_.", Remedy: "Mend it."},
	}
}

// hostileResults hold everything that a reader of a report could take for something else.
func hostileResults() []Result {
	counts := &record.Report{Streams: 1, Records: 4, Items: 3, Gaps: 2}
	errors1 := record.Finding{
		Rule: "schema", Severity: record.ErrorSeverity, Stream: "s", Line: 7, Record: "e|1`]]>", Pointer: "/a\nb",
		Message: "got \"]]></failure><x>\", \x1b[31m\u202e %0A ::error::x ##[add-mask]x `|` @user #1 [a](http://e) \ufffe 😀",
	}
	errors2 := record.Finding{Rule: "schema", Severity: record.ErrorSeverity, Stream: "s", Line: 9, Record: "``", Message: "b", Count: 3}
	notice := record.Finding{Rule: "call-open", Severity: record.NoticeSeverity, Stream: "s", Line: 8, Record: "e2", Message: "<script>"}
	for _, f := range []record.Finding{errors1, errors2, notice, notice} {
		counts.Findings.Add(f)
	}
	at := func(f record.Finding, line, column, end int) Found {
		p := Place{File: "out/a,b:c\r\n%/streams/s.jsonl", Region: Region{Line: line, Column: column, EndLine: line, EndColumn: end}}
		return Found{f, p}
	}
	return []Result{
		{
			Name: "out/`a`|<b>::", Counts: counts, Fails: []string{"error", "gap"}, Accepted: 5,
			Groups: []Group{
				{Rule: "call-open", Severity: record.NoticeSeverity, Total: 2, Found: []Found{at(notice, 8, 1, 30)}},
				{Rule: "schema", Severity: record.ErrorSeverity, Total: 4, Fails: true, Found: []Found{at(errors1, 7, 12, 15), at(errors2, 9, 0, 0)}},
			},
			Tests: []Test{{Name: "gap", Message: "2 gaps", Failed: true}, {Name: "loss"}},
		},
		{Name: "gone", Err: errors.New("\"gone\": ]]> no such\x00 file ##[x] ::error::y")},
	}
}
