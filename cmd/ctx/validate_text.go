package main

import (
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/record"
	reports "github.com/session-trace/ctx/internal/report"
)

// foundText writes the findings by rule, errors first, and what the rules mean when that is asked for.
func (e *env) foundText(b *strings.Builder, f *validateFlags, groups []record.Group) {
	rules := map[string]reports.Rule{}
	if f.explain {
		for _, r := range reportRules() {
			rules[r.ID] = r
		}
	}
	for _, severity := range [...]record.Severity{record.ErrorSeverity, record.NoticeSeverity} {
		for i := range groups {
			if groups[i].Severity != severity {
				continue
			}
			e.groupText(b, &groups[i], f.most.places(e))
			if r, ok := rules[groups[i].Rule]; ok {
				explainText(b, &r)
				delete(rules, r.ID) // once is enough
			}
		}
	}
}

// groupText writes one rule and at most most of its findings; negative: all that are listed.
func (e *env) groupText(b *strings.Builder, g *record.Group, most int) {
	fmt.Fprintf(b, "  %s %s (%d)\n", g.Severity, visible(g.Rule), g.Total)
	left := g.Total
	for i := range g.List {
		if i == most {
			fmt.Fprintf(b, "    and %d more, listed with -v\n", left)
			return
		}
		left -= g.List[i].Count
		fmt.Fprintf(b, "    %s\n", placedLine(&g.List[i]))
	}
	if left > 0 {
		fmt.Fprintf(b, "    and %d more, listed with --max-findings 0\n", left)
	}
}

// placedLine is findingLine, with the document that a finding is about when it is about the bundle.
func placedLine(f *record.Finding) string {
	document := reports.Document(f)
	switch {
	case document == "":
		return findingLine(f)
	case f.Record == "" && f.Pointer == "":
		return document + ": " + findingLine(f)
	}
	return document + " " + findingLine(f)
}

// explainText says what a rule means.
func explainText(b *strings.Builder, r *reports.Rule) {
	for _, p := range [...]string{r.Title + ". " + r.Doc, r.Remedy} {
		for _, line := range wrapped(p, 100) {
			fmt.Fprintf(b, "      %s\n", line)
		}
	}
}

// wrapped is text cut at spaces into lines of at most width bytes, where words are not longer.
func wrapped(s string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= width {
			lines[n-1] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
