package main

import (
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/audit"
)

// scanText writes one block: the counts, then the places by rule.
func (e *env) scanText(b *strings.Builder, d *audit.Detector, s *scanned) {
	word := e.paint().good("no secret found")
	if n := s.Total(); n > 0 {
		word = e.paint().bad(count(n, "finding")) + ", " + count(int64(s.Values), "different value")
	}
	fmt.Fprintf(b, "%s: %s\n  %s\n", visible(s.path), word, scanCounts(s))
	for _, rule := range d.Rules() {
		e.scanRule(b, s, rule.ID, rule.Title, s.Counts[rule.ID])
	}
	if e.verbose {
		e.scanRule(b, s, audit.MaskedRule, "stands in for a secret", s.Masked)
		for _, f := range s.Skipped {
			fmt.Fprintf(b, "  not looked at: %s (%s)\n", visible(f.Path), visible(f.Reason))
		}
	}
}

func scanCounts(s *scanned) string {
	parts := []string{count(s.Files, "file")}
	if s.bundle {
		parts = append(parts, count(s.Records, "record"))
	}
	parts = append(parts, size(s.Bytes), count(s.Masked, "masked value"))
	if n := len(s.Skipped); n > 0 {
		parts = append(parts, count(int64(n), "file or folder")+" not looked at")
	}
	return strings.Join(parts, ", ")
}

// scanRule writes the places of one rule.
func (e *env) scanRule(b *strings.Builder, s *scanned, rule, title string, n int64) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "  %s: %s (%d)\n", rule, title, n)
	most := e.places()
	for i := range s.Findings {
		f := &s.Findings[i]
		if f.Rule != rule {
			continue
		}
		if most == 0 {
			break
		}
		most--
		n--
		fmt.Fprintf(b, "    %s\n", scanPlace(f))
	}
	switch {
	case n > 0 && e.verbose:
		fmt.Fprintf(b, "    and %d more\n", n)
	case n > 0:
		fmt.Fprintf(b, "    and %d more; -v lists them\n", n)
	}
}

// scanPlace is where a finding stands: "stream:line record pointer bytes a-b", and which value it is.
func scanPlace(f *audit.Finding) string {
	place := f.File
	if f.Stream != "" {
		place = f.Stream
	}
	place = visible(place)
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	if f.Record != "" {
		place += " " + visible(f.Record)
	}
	if f.Pointer != "" {
		place += " " + visible(f.Pointer)
	}
	if f.Key {
		place += " (in a name)"
	}
	place += fmt.Sprintf(" at byte %d, %s", f.Offset, count(int64(f.Length), "byte"))
	if f.Value > 0 {
		place += fmt.Sprintf(", value %d", f.Value)
	}
	return place
}
