package main

import (
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
)

// failOn says what makes a command exit with 1. The zero value fails on nothing.
type failOn struct {
	errors, notices, gaps, unidentified, losses bool
	codes                                       []string // loss codes
	rules                                       []string
}

// parseFailOn reads the words of --fail-on; an empty list means "error".
func parseFailOn(values []string) (failOn, error) {
	var f failOn
	if len(values) == 0 {
		return failOn{errors: true}, nil
	}
	var words []string
	for _, v := range values {
		words = append(words, strings.Split(v, ",")...)
	}
	for _, w := range words {
		w = strings.TrimSpace(w)
		if w == "none" && len(words) > 1 {
			return f, &usageError{message: `--fail-on "none" stands alone`, hint: "leave the other words out, or none"}
		}
		if !f.add(w) {
			return f, unknownFailOn(w)
		}
	}
	return f, nil
}

// add takes one word, and says whether it is one.
func (f *failOn) add(word string) bool {
	code, isLoss := strings.CutPrefix(word, "loss:")
	switch {
	case word == "none":
	case word == "error":
		f.errors = true
	case word == "notice":
		f.errors, f.notices = true, true
	case word == "gap":
		f.gaps = true
	case word == "unidentified":
		f.unidentified = true
	case word == "loss":
		f.losses = true
	case isLoss && isLossCode(code):
		f.codes = append(f.codes, code)
	default:
		id, known := ruleID(word)
		if known {
			f.rules = append(f.rules, id)
		}
		return known
	}
	return true
}

// nothing says whether no finding at all makes the command fail.
func (f failOn) nothing() bool {
	return !f.errors && !f.gaps && !f.unidentified && !f.losses && len(f.codes)+len(f.rules) == 0
}

// ruleID is the id of the rule with that id or alias.
func ruleID(word string) (string, bool) {
	for _, r := range validator.Rules() {
		if word != "" && (word == r.ID || word == r.Alias) {
			return r.ID, true
		}
	}
	return "", false
}

// isLossCode accepts core codes and those of an agent, <agent>/<code>.
func isLossCode(code string) bool {
	agent, rest, vendor := strings.Cut(code, "/")
	return slices.Contains(record.CoreLosses(), code) || vendor && agent != "" && rest != ""
}

func ruleIDs() []string {
	rules := validator.Rules()
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return ids
}

func unknownFailOn(word string) error {
	return &usageError{
		message: "--fail-on does not know " + quote(word),
		hint: "want none, or any of error, notice (implies error), gap, unidentified, loss, loss:<code>, or a rule id\n" +
			"  loss codes: " + strings.Join(record.CoreLosses(), ", ") + ", or <agent>/<code>\n" +
			"  rule ids: " + strings.Join(ruleIDs(), ", "),
	}
}

// hits lists why a report fails, in a fixed order; empty: it does not.
func (f failOn) hits(r *record.Report) []string {
	var why []string
	add := func(hit bool, word string) {
		if hit {
			why = append(why, word)
		}
	}
	add(f.errors && r.Errors() > 0, "error")
	add(f.notices && r.Notices() > 0, "notice")
	add(f.gaps && r.Gaps > 0, "gap")
	add(f.unidentified && r.UnidentifiedSources > 0, "unidentified")
	add(f.losses && len(r.Losses) > 0, "loss")
	for _, code := range f.codes {
		add(r.Losses[code] > 0, "loss:"+code)
	}
	found := r.Findings.Rules()
	for _, id := range f.rules {
		add(found[id] > 0, id)
	}
	return why
}
