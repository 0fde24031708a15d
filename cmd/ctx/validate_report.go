package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	reports "github.com/session-trace/ctx/internal/report"
	"github.com/session-trace/ctx/validator"
)

// reportTool is the name under which reports of validations go.
const reportTool = "ctx validate"

// maxSummary bounds what is added to the summary of a step, in bytes; GitHub drops one of more than 1 MiB.
const maxSummary = 900 << 10

// minSummary is the least room that is worth a report.
const minSummary = 16 << 10

// reportWords are the formats of ctx validate.
func reportWords() []string {
	return []string{"text", "json", "evidence", "junit", "sarif", "github", "markdown"}
}

// reportFlags are the flags of ctx validate about what is reported, and how much of it.
type reportFlags struct {
	baseline, writeBaseline string
	most                    mostFindings
	explain                 bool
}

func (f *reportFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.baseline, "baseline", "", "accept the findings that stand in `FILE`, as often as it counts them")
	flags.StringVar(&f.writeBaseline, "write-baseline", "", "write all findings to `FILE` and accept them")
	flags.Var(&f.most, "max-findings", "list at most `N` findings of a rule, 0 for all; counts are always complete (default 100)")
	flags.BoolVar(&f.explain, "explain", false, "say what each rule means that has findings (text, markdown)")
}

// gathered is how many findings of a rule the validator keeps. A baseline is matched one by one, and report.json is held
// against as many as it lists; fewer are left out when they are printed.
func (f *validateFlags) gathered() int {
	if f.baseline != "" || f.writeBaseline != "" {
		return -1
	}
	if n := f.most.listed(); n < 0 || n > record.Listing(0) {
		return n
	}
	return 0
}

// located says whether the output is one that shows places in files.
func (f *validateFlags) located() bool {
	return slices.Contains([]string{"junit", "sarif", "github", "markdown"}, f.output.word)
}

// files is what the places of findings are looked up in, nil when the output shows none.
func (f *validateFlags) files(b *bundle.Bundle) *reports.Files {
	if !f.located() {
		return nil
	}
	m := b.Manifest()
	files := &reports.Files{Manifest: b.RawManifest(), Streams: make([]reports.Stream, len(m.Streams))}
	if raw, err := b.Report(); err == nil {
		files.Report = raw
	}
	for i, s := range m.Streams {
		files.Streams[i] = reports.Stream{ID: s.ID, File: s.File, Lines: func(yield func(int, []byte) error) error {
			return b.Lines(s, maxLine, func(n int, line []byte, _ bool) error { return yield(n, line) })
		}}
	}
	return files
}

// maxLine is the longest line that the validator looks at, in bytes.
const maxLine = 128 << 20

// reportName is a path as reports name it: below the checkout where a CI names one, else below the working folder, and as
// it was given when it lies elsewhere.
func reportName(path string) string {
	base := os.Getenv("GITHUB_WORKSPACE")
	if !filepath.IsAbs(base) {
		base, _ = os.Getwd()
	}
	if abs, err := filepath.Abs(path); err == nil {
		if rel, err := filepath.Rel(base, abs); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// printReport prints the result in one of the formats of CI.
func (e *env) printReport(f *validateFlags, j *judge, all []verdict) error {
	rules, results := reportRules(), j.results(all)
	var out []byte
	switch f.output.word {
	case "junit":
		out = reports.JUnit(nil, reportTool, rules, results)
	case "sarif":
		out = visibleJSON(reports.Sarif(nil, reportTool, converter.Version, rules, results))
	case "github":
		out = reports.GitHub(nil, reportTool, rules, results)
		if err := e.stepSummary(f, rules, results); err != nil {
			return err
		}
	default:
		out = reports.Markdown(nil, reportTool, rules, results, e.markdown(f))
	}
	_, err := e.stdout.Write(out)
	return err
}

func (e *env) markdown(f *validateFlags) reports.MarkdownOptions {
	return reports.MarkdownOptions{Places: max(f.most.places(e), 0), Explain: f.explain}
}

// stepSummary adds the report to the summary of the step, when it runs in one, as far as there is room.
func (e *env) stepSummary(f *validateFlags, rules []reports.Rule, results []reports.Result) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return &usageError{message: "GITHUB_STEP_SUMMARY: " + err.Error(), hint: "unset the variable where there is no summary of a step"}
	}
	var used int64
	if info, err := file.Stat(); err == nil {
		used = info.Size()
	}
	if used > maxSummary-minSummary {
		fmt.Fprintln(e.stderr, "validate: the summary of the step is full; nothing was added to it")
		return file.Close()
	}
	o := e.markdown(f)
	o.Bytes = maxSummary - int(used)
	_, err = file.Write(reports.Markdown(nil, reportTool, rules, results, o))
	return errors.Join(err, file.Close())
}

// reportRules is the catalogue as reports show it.
func reportRules() []reports.Rule {
	rules := validator.Rules()
	out := make([]reports.Rule, len(rules))
	for i, r := range rules {
		out[i] = reports.Rule{ID: r.ID, Title: r.Title, Doc: r.Doc, Remedy: r.Remedy, Notice: !slices.Contains(r.Severities, record.ErrorSeverity)}
	}
	return out
}
