package validator

import (
	"strconv"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/record"
)

// maxQuote bounds what a message quotes of a bundle.
const maxQuote = 64

// quote shows an id, name, code or kind in a message: at most 64 bytes, control characters visible.
func quote(s string) string {
	if len(s) <= maxQuote {
		return strconv.Quote(s)
	}
	end := maxQuote
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strconv.Quote(s[:end]) + "…"
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// place is where a finding of the session stage lies.
type place struct {
	line int
	id   string
}

// fail reports an error. What follows from a record that breaks its schema is no further fault of its line.
func (s *Session) fail(rule string, at place, message string) {
	if s.unsound[at.line] {
		return
	}
	s.sum.Findings.Add(record.Finding{
		Rule: rule, Severity: record.ErrorSeverity, Line: at.line, Record: clone(at.id), Message: message,
	})
}

func (s *Session) note(rule string, at place, message string) {
	s.sum.Findings.Add(record.Finding{
		Rule: rule, Severity: record.NoticeSeverity, Line: at.line, Record: clone(at.id), Message: message,
	})
}
