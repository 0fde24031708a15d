// Package report prints what was found, for people and for the tools of CI.
//
// Every printer takes results as they are and writes out what in them would steer its reader: content never becomes markup,
// a command, or a path elsewhere. None looks at a clock, so the same results give the same bytes.
package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/visible"
)

// Rule is one rule of a catalogue: what a finding of it means.
type Rule struct {
	ID     string
	Title  string // one line
	Doc    string // what is checked and why, plain text, "" none
	Remedy string // what to do about a finding, plain text, "" not known
	Notice bool   // its findings are notices alone
}

// Result is what was found in one thing that was checked.
type Result struct {
	Name     string         // its path as given
	Err      error          // why it could not be read; the rest is empty then
	Counts   *record.Report // nil with Err
	Groups   []Group        // by rule and severity
	Tests    []Test         // what else was asked for
	Fails    []string       // why it fails, empty: it passes
	Accepted int64          // findings that a baseline accepts, in no group and no count
}

// Group is the findings of one rule and severity.
type Group struct {
	Rule     string
	Severity record.Severity
	Found    []Found
	Total    int64 // those that are not listed included
	Fails    bool  // they make the result fail
}

// Rest is the number of findings beyond the first n of the list.
func (g *Group) Rest(n int) int64 {
	rest := g.Total
	for i := range g.Found[:n] {
		rest -= max(g.Found[i].Count, 1)
	}
	return rest
}

// Found is one finding and where it can be seen.
type Found struct {
	record.Finding
	Place
}

// Test is a condition that is no rule, such as that there are no gaps.
type Test struct {
	Name, Message string // the message is for one that failed
	Failed        bool
}

// place is "file:line:column".
func (p *Place) place() string {
	s := visible.Text(p.File)
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			s += ":" + strconv.Itoa(p.Column)
		}
	}
	return s
}

// subject is the record and the pointer that a finding is about, "" for none. Data sets no bound to either.
func (f *Found) subject() string {
	return strings.TrimSpace(clipped(visible.Text(f.Record)) + " " + clipped(visible.Text(f.Pointer)))
}

// clipped is at most 256 bytes of a text.
func clipped(s string) string {
	const most = 256
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// message is what was found, with the number of times when it stands for several.
func (f *Found) message() string {
	if f.Count > 1 {
		return visible.Text(f.Message) + " (" + strconv.FormatInt(f.Count, 10) + " times)"
	}
	return visible.Text(f.Message)
}

// line is all of it on one line.
func (f *Found) line() string {
	if subject := f.subject(); subject != "" {
		return f.place() + " " + subject + ": " + f.message()
	}
	return f.place() + ": " + f.message()
}

// verdict is the result in a few words.
func (r *Result) verdict() string {
	if r.Err != nil {
		return "not checked"
	}
	words := "valid"
	switch n := r.Counts.Errors(); {
	case n > 0:
		words = "not valid, " + count(n, "error")
	case r.Accepted > 0:
		words = "no new error"
	}
	if n := r.Counts.Notices(); n > 0 {
		words += ", " + count(n, "notice")
	}
	if r.Accepted > 0 {
		words += ", " + count(r.Accepted, "finding") + " accepted by the baseline"
	}
	return words
}

// fails is why the result fails, as a clause; "" when it passes.
func (r *Result) fails() string {
	if len(r.Fails) == 0 {
		return ""
	}
	return "fails: " + visible.Text(strings.Join(r.Fails, ", ")) + " (--fail-on)"
}

// bySeverity yields the groups with errors, then those with notices.
func (r *Result) bySeverity(yield func(*Group) bool) {
	for _, s := range [...]record.Severity{record.ErrorSeverity, record.NoticeSeverity} {
		for i := range r.Groups {
			if r.Groups[i].Severity == s && !yield(&r.Groups[i]) {
				return
			}
		}
	}
}

// count is a number with its noun: "1 gap", "2 gaps".
func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}
