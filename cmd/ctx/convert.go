package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/stage"
	"github.com/session-trace/ctx/validator"
)

// convertFlags are the flags of ctx convert.
type convertFlags struct {
	out           string
	force, dryRun bool
	update        bool
	checksum      bool
	watch         bool
	interval      time.Duration
	limits        limits
	sessions      []string
	since, until  string
	exclude       []string
	agent         string
	compress      *output
	check         bool
	failOn        []string
	output        *output
}

func newConvert(e *env) *cobra.Command {
	f := &convertFlags{compress: newOutput("none", "zstd"), output: newOutput("text", "json")}
	c := &cobra.Command{
		Use:   "convert SOURCE… -o BUNDLE",
		Short: "Convert session folders into a bundle",
		Long: "convert looks for conversations of known agents below each SOURCE and writes one bundle.\n" +
			"Nothing is lost silently: what is missing, cut out, not understood or not readable is named in the bundle\n" +
			"and in the table printed at the end. It exits with 1 when a conversation of a format that is converted gave no stream,\n" +
			"or when --fail-on says so; gaps, notices and unidentified files alone are no failure.",
		Example: "  ctx convert ~/.openhands/conversations -o bundle\n" +
			"  ctx convert a b -o bundle --compress zstd --check\n" +
			"  ctx convert ~/.openhands/conversations --dry-run",
		Args: someArguments("SOURCE"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("interval") && !f.watch {
				return &usageError{message: "--interval is the time between two looks of --watch", hint: "give --watch too"}
			}
			return e.convert(c.Context(), f, args)
		},
	}
	f.register(c)
	return c
}

func (f *convertFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "write the bundle to the folder `BUNDLE`, which must not exist")
	flags.BoolVar(&f.force, "force", false, "replace BUNDLE when it is a ctx bundle")
	flags.BoolVar(&f.update, "update", false, "work only conversations that changed since the run before; what that run read is remembered in BUNDLE.state")
	flags.BoolVar(&f.checksum, "checksum", false, "with --update or --watch: read the files to tell whether they changed, not only their sizes and times")
	flags.BoolVar(&f.watch, "watch", false, "keep the bundle current until interrupted, as --update does, looking again every --interval")
	flags.DurationVar(&f.interval, "interval", 2*time.Second, "with --watch: the `TIME` between two looks")
	flags.BoolVar(&f.dryRun, "dry-run", false, "write nothing; print what would be converted, with sizes")
	flags.StringArrayVar(&f.sessions, "session", nil, "convert only the session `ID`: an id with or without dashes, a stream id, or a unique beginning; may be repeated")
	flags.StringVar(&f.since, "since", "", "convert only sessions with an item at or after `TIME` (ISO 8601)")
	flags.StringVar(&f.until, "until", "", "convert only sessions with an item at or before `TIME` (ISO 8601)")
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out folders and files that match `GLOB`; a conversation goes whole or stays whole; may be repeated")
	flags.StringVar(&f.agent, "agent", "", "convert only sources of the registry entry `NAME`")
	f.limits.register(flags)
	flags.Var(f.compress, "compress", "compress streams and blobs")
	flags.BoolVar(&f.check, "check", false, "validate the whole bundle after writing it")
	flags.StringArrayVar(&f.failOn, "fail-on", nil, "exit with 1 on these `WORDS`: "+failOnHelp+" (default error)")
	flags.Var(f.output, "output", "print the result in this format")
}

const failOnHelp = "error, notice (implies error), gap, unidentified, loss, loss:<code>, a rule id, or none; may be repeated, commas allowed"

// convert runs one conversion and prints its result.
func (e *env) convert(ctx context.Context, f *convertFlags, sources []string) error {
	fails, err := f.validate()
	if err != nil {
		return err
	}
	if f.watch {
		return e.watch(ctx, f, fails, sources)
	}
	return e.convertOnce(ctx, f, fails, sources)
}

// convertOnce runs one conversion and prints its result.
func (e *env) convertOnce(ctx context.Context, f *convertFlags, fails failOn, sources []string) error {
	result, err := e.runConvert(ctx, f, sources)
	if err != nil {
		return err
	}
	return e.printResult(ctx, f, fails, result)
}

// printResult prints the result of one conversion, checked when that is asked for.
func (e *env) printResult(ctx context.Context, f *convertFlags, fails failOn, result *converter.Result) error {
	checked, err := e.checkBundle(ctx, f)
	if err != nil {
		return err
	}
	done := conversion{flags: f, result: result, checked: checked, fails: fails}
	if err := e.printConversion(&done); err != nil {
		return err
	}
	if done.failed() {
		return errFindings
	}
	return nil
}

// validate refuses flags that cannot be carried out, before anything is read.
func (f *convertFlags) validate() (failOn, error) {
	switch {
	case slices.Contains(outWords(), f.out):
		return failOn{}, &usageError{
			message: "-o is the path of the bundle, got " + quote(f.out),
			hint:    "for the printed format use --output " + f.out + "; for a folder of that name use -o ./" + f.out,
		}
	case f.out == "" && !f.dryRun:
		return failOn{}, &usageError{message: "convert needs -o BUNDLE", hint: "or --dry-run, to see what would be converted"}
	case f.dryRun && (f.update || f.watch):
		return failOn{}, &usageError{message: "--dry-run writes nothing that --update or --watch could keep", hint: "give one of them"}
	case f.limits.depth < 1 || f.limits.depth > maxDepth:
		return failOn{}, &usageError{message: fmt.Sprintf("--max-depth is %d", f.limits.depth), hint: fmt.Sprintf("1 to %d", maxDepth)}
	case f.limits.items < 0:
		return failOn{}, &usageError{message: fmt.Sprintf("--max-items is %d", f.limits.items), hint: "0 (all) or more"}
	case f.checksum && !f.update && !f.watch:
		return failOn{}, &usageError{message: "--checksum tells how --update and --watch look for changes", hint: "give --update or --watch too"}
	case f.watch && f.interval < 100*time.Millisecond:
		return failOn{}, &usageError{message: "--interval is " + f.interval.String(), hint: "at least 100ms"}
	case f.dryRun && f.check:
		return failOn{}, &usageError{message: "--dry-run writes nothing that --check could check", hint: "give one of them"}
	}
	return parseFailOn(f.failOn)
}

func (e *env) runConvert(ctx context.Context, f *convertFlags, sources []string) (*converter.Result, error) {
	reg, err := e.load()
	if err != nil {
		return nil, err
	}
	compress := bundle.None
	if f.compress.word == "zstd" {
		compress = bundle.Zstd
	}
	o := converter.Options{
		Sources: sources, Out: f.out, Registry: reg, Jobs: e.jobs, Compress: compress,
		Force: f.force, DryRun: f.dryRun, Update: f.update || f.watch, Checksum: f.checksum, Sessions: f.sessions, Since: f.since, Until: f.until,
		Exclude: f.exclude, Agent: f.agent, NewCheck: stage.New,
		MaxItem: int64(f.limits.item), MaxDepth: f.limits.depth, MaxItems: f.limits.items, MaxBytes: int64(f.limits.bytes),
	}
	bar := e.newProgress("convert", "item")
	defer bar.stop()
	if bar != nil {
		o.Progress = bar.converted
	}
	result, err := converter.Convert(ctx, o)
	if err == nil && result.Forgotten != nil {
		fmt.Fprintf(e.stderr, "ctx: the bundle was written; the next --update will work everything again: %s\n", visible(result.Forgotten.Error()))
	}
	if err == nil && !f.watch {
		for _, pattern := range result.Unused {
			fmt.Fprintf(e.stderr, "ctx: --exclude %s left out nothing\n", quote(pattern))
		}
	}
	if err != nil && ctx.Err() != nil {
		return nil, interruption(err)
	}
	return result, err
}

// interruption says what an interrupted conversion leaves.
func interruption(err error) error {
	if e, ok := errors.AsType[*converter.InterruptedError](err); ok {
		return fmt.Errorf("%w; no bundle was written; the next --update takes over %s", errInterrupted, count(int64(e.Kept), "finished conversation"))
	}
	return fmt.Errorf("%w; no bundle was written", errInterrupted)
}

// checkBundle validates the bundle just written when --check asks for it, else it returns nil.
func (e *env) checkBundle(ctx context.Context, f *convertFlags) (*record.Report, error) {
	if !f.check {
		return nil, nil
	}
	b, err := bundle.OpenHeld(f.out)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	bar := e.newProgress("check", "record")
	defer bar.stop()
	return validator.Validate(ctx, b, validator.Options{Jobs: e.jobs, Progress: bar.records()})
}

// conversion is one conversion that was carried out.
type conversion struct {
	flags   *convertFlags
	result  *converter.Result
	checked *record.Report // of the whole validator, nil without --check
	fails   failOn
}

// failures lists the sources that were recognised and gave no stream.
func (c *conversion) failures() []converter.SourceResult {
	var failed []converter.SourceResult
	for _, s := range c.result.Sources {
		if s.Err != nil {
			failed = append(failed, s)
		}
	}
	return failed
}

// failed says whether the command exits with 1.
func (c *conversion) failed() bool {
	if c.fails.nothing() {
		return false
	}
	if len(c.failures()) > 0 || len(c.fails.hits(&c.result.Report)) > 0 {
		return true
	}
	return c.checked != nil && len(c.fails.hits(c.checked)) > 0
}
