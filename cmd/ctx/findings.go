package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// mostPlaces bounds the places printed for one rule without -v.
const mostPlaces = 10

// count is a number with its noun: "1 gap", "2 gaps".
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}

// byRule cuts sorted findings into runs of one rule and severity.
func byRule(list []record.Finding) [][]record.Finding {
	var runs [][]record.Finding
	for start := 0; start < len(list); {
		end := start
		for end < len(list) && list[end].Rule == list[start].Rule && list[end].Severity == list[start].Severity {
			end++
		}
		runs = append(runs, list[start:end])
		start = end
	}
	return runs
}

// total is the number of findings that a list stands for.
func total(list []record.Finding) int64 {
	var n int64
	for _, f := range list {
		n += max(f.Count, 1)
	}
	return n
}

// printFindings prints the findings of one severity by rule, each with at most most places; negative: all.
func printFindings(w io.Writer, list []record.Finding, severity record.Severity, most int) error {
	for _, run := range byRule(list) {
		if run[0].Severity != severity {
			continue
		}
		if err := printRule(w, run, most); err != nil {
			return err
		}
	}
	return nil
}

// printRule prints one rule and its places.
func printRule(w io.Writer, list []record.Finding, most int) error {
	left := total(list)
	if _, err := fmt.Fprintf(w, "  %s %s (%d)\n", list[0].Severity, visible(list[0].Rule), left); err != nil {
		return err
	}
	for i, f := range list {
		if i == most {
			_, err := fmt.Fprintf(w, "    and %d more, listed with -v\n", left)
			return err
		}
		left -= max(f.Count, 1)
		if _, err := fmt.Fprintf(w, "    %s\n", findingLine(&f)); err != nil {
			return err
		}
	}
	return nil
}

// findingLine is where and what: "stream:line record pointer: message".
func findingLine(f *record.Finding) string {
	place := visible(f.Stream)
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	parts := make([]string, 0, 3)
	for _, p := range []string{place, visible(f.Record), visible(f.Pointer)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	line := visible(f.Message)
	if len(parts) > 0 {
		line = strings.Join(parts, " ") + ": " + line
	}
	if f.Count > 1 && !strings.HasPrefix(f.Message, "and ") {
		line += fmt.Sprintf(" (%d times)", f.Count)
	}
	return line
}

// countsLine sums a report up in one line.
func countsLine(r *record.Report) string {
	return strings.Join([]string{
		count(r.Streams, "stream"), count(r.Records, "record"), count(r.Items, "item"), count(r.Gaps, "gap"),
		count(r.Errors(), "error"), count(r.Notices(), "notice"), count(r.UnidentifiedSources, "unidentified source"),
	}, ", ")
}
