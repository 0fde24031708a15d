package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	reports "github.com/session-trace/ctx/internal/report"
	"github.com/session-trace/ctx/validator"
)

// manifestRule is the rule of the validator's catalogue about manifests.
const manifestRule = "manifest"

// validateFlags are the flags of ctx validate.
type validateFlags struct {
	fileFlags
	failOn []string
	inputFlags
	output *output
	reportFlags
}

func newValidate(e *env) *cobra.Command {
	f := &validateFlags{output: newOutput(reportWords()...), inputFlags: newInputFlags()}
	c := &cobra.Command{
		Use:   "validate BUNDLE…",
		Short: "Check bundles",
		Long: "validate reads each BUNDLE once and says whether it keeps the rules of the record format.\n" +
			"A BUNDLE is a folder; a tar of one (.tar, .tar.zst, .tar.gz, or - for standard input); or a stream alone (.jsonl,\n" +
			".jsonl.zst), of which less can be checked, as it then says.\n" +
			"It trusts nothing that the converter states. `ctx validate` exits with 1 when --fail-on says so.",
		Example: "  ctx validate bundle\n" +
			"  ctx validate bundle --output json --fail-on notice,gap\n" +
			"  ctx validate bundle --output sarif >validate.sarif\n" +
			"  ctx validate bundle --baseline known.json\n" +
			"  tar -c bundle | ctx validate -\n" +
			"  find . -name '*.jsonl' | ctx validate --from -",
		Args: f.arguments,
		RunE: func(c *cobra.Command, args []string) error { return e.validate(c.Context(), f, args) },
	}
	f.fileFlags.register(c.Flags())
	c.Flags().StringArrayVar(&f.failOn, "fail-on", nil, "exit with 1 on these `WORDS`: "+failOnHelp+" (default error)")
	f.inputFlags.register(c.Flags())
	c.Flags().Var(f.output, "output", "print the result in this format; evidence is the shape that a registry entry quotes")
	f.reportFlags.register(c.Flags())
	return c
}

// verdict is the result for one bundle.
type verdict struct {
	path     string
	err      error // why it could not be checked; the rest is empty then
	report   *record.Report
	why      []string        // what --fail-on found, empty: it passes
	accepted int64           // findings that the baseline accepts; they are not in the report
	groups   []reports.Group // the findings with their places, nil where the output shows none
}

// validate checks all bundles. One that cannot be read does not keep the others from being checked.
func (e *env) validate(ctx context.Context, f *validateFlags, args []string) error {
	j, err := newJudge(f)
	if err != nil {
		return err
	}
	if args, err = f.bundles(args); err != nil {
		return err
	}
	inputs, err := e.inputs(ctx, f, args)
	if err != nil {
		return err
	}
	if err := f.spoils(inputs); err != nil {
		return err
	}
	if f.byFile && len(inputs) == 0 && !e.quiet {
		fmt.Fprintln(e.stderr, "validate: no file belongs to a bundle; nothing was checked")
	}
	var all []verdict
	var broken []error
	for _, in := range inputs {
		v, err := e.validateInput(ctx, f, j, in.path)
		if err != nil {
			err = in.fault(err)
			broken = append(broken, err)
			v = verdict{path: in.path, err: err}
		}
		all = append(all, v)
		if err != nil && ctx.Err() != nil {
			break
		}
	}
	if err := e.printVerdicts(f, j, all, f.from != "" || f.byFile || len(inputs) > 1); err != nil {
		return err
	}
	if err := e.baselineDone(f, j, len(broken) > 0); err != nil {
		broken = append(broken, err)
	}
	if len(broken) > 0 {
		return errors.Join(broken...)
	}
	if slices.ContainsFunc(all, func(v verdict) bool { return len(v.why) > 0 }) {
		return errFindings
	}
	return nil
}

func (e *env) validateOne(ctx context.Context, f *validateFlags, j *judge, path string) (verdict, error) {
	b, err := bundle.OpenHeld(path)
	return e.validateOpened(ctx, f, j, path, b, err)
}

// validateOpened checks what was opened under a name, if it was.
func (e *env) validateOpened(ctx context.Context, f *validateFlags, j *judge, path string, b *bundle.Bundle, err error) (verdict, error) {
	if faulty, ok := errors.AsType[*bundle.ManifestError](err); ok {
		return j.verdict(f, path, manifestReport(faulty), &reports.Files{Manifest: faulty.Raw}), nil
	}
	if err != nil {
		return verdict{}, err
	}
	defer b.Close()
	others, err := e.entriesInstead("validate", b, path)
	if err != nil {
		return verdict{}, err
	}
	bar := e.newProgress("validate", "record")
	defer bar.stop()
	found, err := validator.Validate(ctx, b, validator.Options{Registry: others, Jobs: e.jobs, Findings: f.gathered(), Progress: bar.records()})
	if err != nil {
		return verdict{}, fmt.Errorf("%s: %w", path, err)
	}
	if f.output.word == "evidence" && found.Streams == 0 {
		return verdict{}, &usageError{message: path + " holds no streams: an empty bundle qualifies no format"}
	}
	return j.verdict(f, path, found, f.files(b)), nil
}

// manifestReport is the result for a bundle whose manifest breaks the format, so that nothing else of it can be read.
func manifestReport(e *bundle.ManifestError) *record.Report {
	r := &record.Report{}
	r.Findings.Add(record.Finding{
		Rule: manifestRule, Severity: record.ErrorSeverity, Pointer: e.Pointer,
		Message: e.Problem + "; nothing else was checked",
	})
	return r
}

func (e *env) printVerdicts(f *validateFlags, j *judge, all []verdict, several bool) error {
	if f.located() {
		return e.printReport(f, j, all)
	}
	done := slices.DeleteFunc(slices.Clone(all), func(v verdict) bool { return v.err != nil })
	if f.output.word == "text" {
		if e.quiet {
			return nil
		}
		var b strings.Builder
		for i := range done {
			if i > 0 {
				b.WriteByte('\n')
			}
			e.verdictText(&b, f, &done[i])
		}
		_, err := io.WriteString(e.stdout, b.String())
		return err
	}
	if len(done) == 0 && !several {
		return nil
	}
	_, err := e.stdout.Write(visibleJSON(appendVerdicts(nil, f.output.word, done, several)))
	return err
}

// appendVerdicts appends one object, or an array of them when several bundles were asked for.
func appendVerdicts(dst []byte, format string, done []verdict, several bool) []byte {
	if several {
		dst = append(dst, '[')
	}
	for i, v := range done {
		if i > 0 {
			dst = append(dst, ',', '\n')
		}
		if format == "evidence" {
			dst = record.AppendEvidence(dst, v.report)
			continue
		}
		r := *v.report
		if several {
			r.Bundle = v.path
		}
		dst = record.AppendReport(dst, &r)
	}
	if several {
		dst = append(dst, ']')
	}
	return append(dst, '\n')
}

// verdictText writes one block: the verdict, the counts, the losses, the findings by rule.
func (e *env) verdictText(b *strings.Builder, f *validateFlags, v *verdict) {
	r := v.report
	word := e.paint().good("valid")
	switch n := r.Errors(); {
	case n > 0:
		word = e.paint().bad("not valid") + ", " + count(n, "error")
	case v.accepted > 0:
		word = e.paint().good("no new error")
	}
	fmt.Fprintf(b, "%s: %s\n  %s\n", visible(v.path), word, countsLine(r))
	if v.accepted > 0 {
		fmt.Fprintf(b, "  accepted by the baseline: %s\n", count(v.accepted, "finding"))
	}
	var losses strings.Builder
	lossesText(&losses, r.Losses)
	if losses.Len() > 0 {
		b.WriteString("  " + losses.String())
	}
	e.foundText(b, f, r.Findings.Groups())
	if len(v.why) > 0 {
		fmt.Fprintf(b, "  %s: %s (--fail-on)\n", e.paint().bad("fails"), visible(strings.Join(v.why, ", ")))
	}
}
