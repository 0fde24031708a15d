package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/record"
)

func TestParseFailOn(t *testing.T) {
	tests := []struct {
		want failOn
		in   []string
	}{
		{failOn{errors: true}, nil},
		{failOn{}, []string{"none"}},
		{failOn{errors: true}, []string{"error"}},
		{failOn{errors: true, notices: true}, []string{"notice"}},
		{failOn{gaps: true, unidentified: true, losses: true}, []string{"gap,unidentified", "loss"}},
		{failOn{codes: []string{"time-zone", "org.example/x"}}, []string{"loss:time-zone, loss:org.example/x"}},
		{failOn{rules: []string{"call-open"}}, []string{"call-open"}},
		{failOn{rules: []string{"loss-undeclared"}}, []string{"ASR-157"}},
	}
	for _, tt := range tests {
		got, err := parseFailOn(tt.in)
		if err != nil {
			t.Errorf("parseFailOn(%q): %v", tt.in, err)
		}
		if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(failOn{})); d != "" {
			t.Errorf("parseFailOn(%q) (-want +got):\n%s", tt.in, d)
		}
	}
}

func TestParseFailOnRefuses(t *testing.T) {
	tests := []struct{ want, in string }{
		{`does not know "bogus"`, "bogus"},
		{`does not know ""`, ""},
		{`does not know "loss:"`, "loss:"},
		{`does not know "loss:bogus"`, "error,loss:bogus"},
		{`does not know "loss:/x"`, "loss:/x"},
		{"stands alone", "none,gap"},
	}
	for _, tt := range tests {
		_, err := parseFailOn([]string{tt.in})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("parseFailOn(%q) = %v, want an error with %q", tt.in, err, tt.want)
		}
	}
}

func TestFailOnHits(t *testing.T) {
	bad := &record.Report{Gaps: 1, UnidentifiedSources: 2, Losses: map[string]int64{"time-zone": 1}}
	bad.Findings.Add(record.Finding{Rule: "schema", Severity: record.ErrorSeverity})
	bad.Findings.Notice("call-open", "x", "", "a call without a result")
	clean := &record.Report{}
	tests := []struct {
		want   []string
		report *record.Report
		in     string
	}{
		{nil, bad, "none"},
		{[]string{"error"}, bad, "error"},
		{[]string{"error", "notice"}, bad, "notice"},
		{[]string{"gap", "unidentified", "loss"}, bad, "loss,unidentified,gap"},
		{[]string{"loss:time-zone"}, bad, "loss:time-zone,loss:lineage"},
		{[]string{"call-open"}, bad, "call-open,result-repeated"},
		{nil, clean, "notice,gap,unidentified,loss,loss:time-zone,call-open"},
	}
	for _, tt := range tests {
		f, err := parseFailOn([]string{tt.in})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, f.hits(tt.report)); d != "" {
			t.Errorf("--fail-on %s (-want +got):\n%s", tt.in, d)
		}
	}
}
