package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"github.com/session-trace/ctx/internal/baseline"
	"github.com/session-trace/ctx/internal/record"
	reports "github.com/session-trace/ctx/internal/report"
)

// judge turns what was found into verdicts: what is accepted, and what makes a bundle fail.
type judge struct {
	fails failOn
	known *baseline.Baseline // accepted, nil none
	found *baseline.Baseline // to be written, nil: nothing is
	left  int64              // findings that found cannot hold
}

// newJudge reads what the flags name, before any bundle is.
func newJudge(f *validateFlags) (*judge, error) {
	fails, err := parseFailOn(f.failOn)
	if err != nil {
		return nil, err
	}
	j := &judge{fails: fails}
	switch {
	case f.output.word == "evidence" && (f.baseline != "" || f.writeBaseline != ""):
		return nil, &usageError{
			message: "--output evidence counts every finding, whatever a baseline accepts",
			hint:    "leave the baseline out, or give --baseline \"\" for none",
		}
	case f.writeBaseline == standard:
		return nil, &usageError{message: "--write-baseline writes a file, got -", hint: "for a file of that name write ./-"}
	case f.writeBaseline != "":
		j.found = &baseline.Baseline{}
		if err := baseline.Check(f.writeBaseline); err != nil {
			return nil, &usageError{message: "--write-baseline: " + err.Error(), hint: "only a baseline is ever replaced"}
		}
	case f.baseline != "":
		j.known, err = baseline.Load(f.baseline)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &usageError{message: "--baseline: " + err.Error(), hint: "--write-baseline " + f.baseline + " makes it"}
		}
		if err != nil {
			return nil, fmt.Errorf("--baseline: %w", err)
		}
	}
	return j, nil
}

// spoils refuses a baseline that would be written into one of the bundles.
func (f *validateFlags) spoils(inputs []input) error {
	for _, in := range inputs {
		if f.writeBaseline != "" && inside(f.writeBaseline, in.path) {
			return &usageError{message: "--write-baseline: " + quote(f.writeBaseline) + " lies in the bundle", hint: "write it elsewhere"}
		}
	}
	return nil
}

// verdict judges what was found in one bundle and, given its files, looks up where.
func (j *judge) verdict(f *validateFlags, path string, r *record.Report, files *reports.Files) verdict {
	v := verdict{path: path, report: r, accepted: j.accept(&r.Findings)}
	r.Findings.Keep(f.most.listed())
	v.why = j.fails.hits(r)
	if f.located() && files != nil {
		files.Name = reportName(path)
		v.groups = reports.Locate(files, r.Findings.Groups())
		for i := range v.groups {
			v.groups[i].Fails = j.fails.selects(v.groups[i].Rule, v.groups[i].Severity)
		}
	}
	return v
}

// accept takes out what is accepted: what the baseline holds, or all that is written to one.
func (j *judge) accept(found *record.Findings) int64 {
	switch {
	case j.found != nil:
		var own baseline.Baseline
		own.Add(found)
		j.left += j.found.Add(found)
		return own.Accept(found)
	case j.known != nil:
		return j.known.Accept(found)
	}
	return 0
}

// selects says whether the findings of a rule are failures in a report: errors always, notices when --fail-on names them.
func (f *failOn) selects(rule string, s record.Severity) bool {
	return s == record.ErrorSeverity || f.notices || slices.Contains(f.rules, rule)
}

// tests are the words of --fail-on that are no rules, and whether they hit.
func (f *failOn) tests(r *record.Report) []reports.Test {
	var list []reports.Test
	add := func(asked bool, name string, n int64, noun string) {
		if asked {
			list = append(list, reports.Test{Name: name, Failed: n > 0, Message: count(n, noun)})
		}
	}
	add(f.gaps, "gap", r.Gaps, "gap")
	add(f.unidentified, "unidentified", r.UnidentifiedSources, "unidentified source")
	var losses int64
	for _, n := range r.Losses {
		losses += n
	}
	add(f.losses, "loss", losses, "record with a loss")
	for _, code := range f.codes {
		add(true, "loss:"+code, r.Losses[code], "record with the loss "+code)
	}
	return list
}

// results are the verdicts as reports show them.
func (j *judge) results(all []verdict) []reports.Result {
	out := make([]reports.Result, len(all))
	for i, v := range all {
		out[i] = reports.Result{Name: v.path, Err: v.err, Counts: v.report, Groups: v.groups, Fails: v.why, Accepted: v.accepted}
		if v.err == nil {
			out[i].Tests = j.fails.tests(v.report)
		}
	}
	return out
}

// baselineDone writes the baseline that was asked for, or says which entries of the one given match nothing any more.
// Neither can be done when some bundle could not be checked.
func (e *env) baselineDone(f *validateFlags, j *judge, broken bool) error {
	to := e.stderr
	if f.output.word == "text" {
		to = e.stdout
	}
	if e.quiet {
		to = io.Discard
	}
	switch {
	case j.found != nil && broken:
		return errors.New("--write-baseline: nothing was written, since not every bundle could be checked")
	case j.found != nil:
		if err := j.found.Write(f.writeBaseline); err != nil {
			return fmt.Errorf("--write-baseline: %w", err)
		}
		fmt.Fprintf(to, "wrote baseline %s\n", visible(f.writeBaseline))
		if j.left > 0 {
			fmt.Fprintf(e.stderr, "validate: the baseline cannot hold all: %s are left out\n", count(j.left, "finding"))
		}
	case j.known != nil && !broken:
		e.staleText(to, f.baseline, j.known.Stale())
	}
	return nil
}

// staleText says how many entries of a baseline match nothing; with -v, which.
func (e *env) staleText(to io.Writer, path string, stale []baseline.Entry) {
	if len(stale) == 0 {
		return
	}
	matches := " entries match"
	if len(stale) == 1 {
		matches = " entry matches"
	}
	fmt.Fprintf(to, "baseline %s: %d%s nothing any more\n", visible(path), len(stale), matches)
	if !e.verbose {
		return
	}
	for _, s := range stale {
		f := record.Finding{Stream: s.Stream, Record: s.Record, Pointer: s.Pointer, Message: visible(s.Rule)}
		fmt.Fprintf(to, "  %s %s\n", s.Severity, findingLine(&f))
	}
}

// mostFindings is the value of --max-findings; the zero value was not given.
type mostFindings struct {
	n     int
	given bool
}

func (m *mostFindings) String() string {
	if !m.given {
		return ""
	}
	return strconv.Itoa(m.n)
}

func (m *mostFindings) Type() string { return "number of findings" }

func (m *mostFindings) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("want 0 or more")
	}
	m.n, m.given = n, true
	return nil
}

// listed is the number as record.Findings takes it.
func (m *mostFindings) listed() int {
	if m.given && m.n == 0 {
		return -1
	}
	return m.n
}

// places is how many findings of a rule a person is shown, negative: all that are listed.
func (m *mostFindings) places(e *env) int {
	if m.given {
		return -1
	}
	return e.places()
}
