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

// printFindings prints the findings of one severity by rule, each with at most most places.
func printFindings(w io.Writer, list []record.Finding, severity record.Severity, most int) error {
	for start := 0; start < len(list); {
		end := start
		var total int64
		for end < len(list) && list[end].Rule == list[start].Rule && list[end].Severity == list[start].Severity {
			total += max(list[end].Count, 1)
			end++
		}
		if list[start].Severity == severity {
			if err := printRule(w, list[start:end], total, most); err != nil {
				return err
			}
		}
		start = end
	}
	return nil
}

// printRule prints one rule and its places.
func printRule(w io.Writer, list []record.Finding, total int64, most int) error {
	if _, err := fmt.Fprintf(w, "  %s %s (%d)\n", list[0].Severity, visible(list[0].Rule), total); err != nil {
		return err
	}
	for i, f := range list {
		if i == most && total > 0 {
			_, err := fmt.Fprintf(w, "    and %d more, listed with -v\n", total)
			return err
		}
		total -= max(f.Count, 1)
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
