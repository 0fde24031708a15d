package main

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/diff"
	"github.com/session-trace/ctx/internal/session"
)

// diffFlags are the flags of ctx diff.
type diffFlags struct {
	sessions []string
	max      int
	output   *output
}

func newDiff(e *env) *cobra.Command {
	f := &diffFlags{output: newOutput("text", "json")}
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Say what differs between two bundles",
		Long: "diff compares the bundles A and B record by record: streams by their id, records by theirs, values by JSON\n" +
			"pointer. It prints what B has and A lacks (+), what it lacks (-), what changed (~) and what moved (>), and exits\n" +
			"with 1 when anything differs. Compression makes no difference; the release of the program and the registry\n" +
			"entries that were used are said and make none alone. Values are printed: bundles hold content.",
		Example: "  ctx diff before after\n" +
			"  ctx diff before after --session 09adb143 --max 0\n" +
			"  ctx diff before after --output json",
		Args: twoBundles,
		RunE: func(c *cobra.Command, args []string) error {
			if e.verbose && !c.Flags().Changed("max") {
				f.max = 0
			}
			return e.diff(c.Context(), f, args[0], args[1])
		},
	}
	c.Flags().StringArrayVar(&f.sessions, "session", nil, "compare only the session `ID`: an id with or without dashes, a stream id, or a unique beginning; may be repeated")
	c.Flags().IntVar(&f.max, "max", 20, "list at most `N` records of a stream, values of a record, and so on, 0 (or -v) for all; the counts are always complete")
	c.Flags().Var(f.output, "output", "print the result in this format")
	return c
}

func twoBundles(c *cobra.Command, args []string) error {
	if len(args) == 2 {
		return nil
	}
	return &usageError{message: c.CommandPath() + " needs two bundles, got " + strconv.Itoa(len(args)), hint: "see " + c.CommandPath() + " --help"}
}

// diff compares two bundles and prints the result. Streams that cannot be read are said after it.
func (e *env) diff(ctx context.Context, f *diffFlags, pathA, pathB string) error {
	if f.max < 0 {
		return &usageError{message: "--max is negative, want 0 or more"}
	}
	a, err := bundle.OpenHeld(pathA)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // read only
	b, err := bundle.OpenHeld(pathB)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // read only
	o := diff.Options{Max: f.max, Jobs: e.jobs}
	if e.jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Streams, err = sessionsOf(a, b, f.sessions); err != nil {
		return err
	}
	bar := e.newProgress("diff", "record")
	o.Progress = bar.records()
	r, err := diff.Compare(ctx, a, b, o)
	bar.stop()
	if ctx.Err() != nil {
		return errInterrupted
	}
	if r == nil {
		return err
	}
	return errors.Join(e.printDiff(f, pathA, pathB, r), err, differing(r, err))
}

// differing is what ends a command that found a difference, unless it is not done.
func differing(r *diff.Result, failed error) error {
	if failed == nil && r.Different() {
		return errFindings
	}
	return nil
}

// sessionsOf are the streams that the names stand for in either bundle. A session that only one of them has is a
// difference, not a fault of the name.
func sessionsOf(a, b *bundle.Bundle, names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		inA, errA := session.Find(a, name)
		inB, errB := session.Find(b, name)
		if errA != nil && (errB != nil || several(errA)) {
			return nil, sessionError(errA)
		}
		if several(errB) {
			return nil, sessionError(errB)
		}
		for _, id := range []string{inA.ID, inB.ID} {
			if id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// several says whether a name stands for more than one session.
func several(err error) bool {
	e, ok := errors.AsType[*session.NameError](err)
	return ok && e.Found > 1
}

func sessionError(err error) error {
	if e, ok := errors.AsType[*session.NameError](err); ok {
		return &usageError{message: "--session " + e.Error(), hint: e.Hint()}
	}
	return err
}
