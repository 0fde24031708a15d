package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/transcript"
)

// listFlags are the flags of ctx list, and of ctx show without a session.
type listFlags struct {
	output *output
	sort   *output
}

func (f *listFlags) add(c *cobra.Command) {
	f.output = newOutput("text", "json", "csv")
	f.sort = newOutput(sortWords()...)
	c.Flags().Var(f.output, "output", "print the list in this format")
	c.Flags().Var(f.sort, "sort", "order the list by this; counts, largest first")
}

func newList(e *env) *cobra.Command {
	f := &listFlags{}
	c := &cobra.Command{
		Use:   "list BUNDLE…",
		Short: "List the sessions of bundles",
		Long: "list prints one line a session. Tokens are the sum over the responses whose usage is known; a + says that\n" +
			"others have none. What is not known is -, never 0.",
		Example: "  ctx list bundle\n" +
			"  ctx list bundle --sort tokens\n" +
			"  ctx list bundle --output csv",
		Args: someArguments("BUNDLE"),
		RunE: func(c *cobra.Command, args []string) error { return e.list(c.Context(), f, args) },
	}
	f.add(c)
	return c
}

// listed is one session of a list.
type listed struct {
	bundle string // as given
	short  string // the beginning of its id that no other session of the bundle has
	transcript.Summary
}

// list prints the sessions of all bundles. One that cannot be read does not keep the others from being listed.
func (e *env) list(ctx context.Context, f *listFlags, paths []string) error {
	var all []listed
	var broken []error
	for _, path := range paths {
		rows, err := listBundle(ctx, path)
		all = append(all, rows...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			broken = append(broken, err)
		}
	}
	sortListed(all, f.sort.word)
	if len(all) == 0 && len(broken) > 0 {
		return errors.Join(broken...)
	}
	if err := e.printList(f.output.word, all, len(paths) > 1); err != nil {
		return err
	}
	if len(broken) > 0 {
		return errors.Join(broken...)
	}
	return e.unreadable(all)
}

// listBundle reads the sessions of one bundle in the order of its manifest.
func listBundle(ctx context.Context, path string) ([]listed, error) {
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	var rows []listed
	var broken []error
	for _, s := range b.Manifest().Streams {
		if ctx.Err() != nil {
			return rows, ctx.Err()
		}
		sum, err := transcript.Summarize(b, s)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		rows = append(rows, listed{bundle: path, Summary: *sum})
	}
	shorten(rows)
	return rows, errors.Join(broken...)
}

func (e *env) printList(format string, all []listed, several bool) error {
	switch {
	case format == "json":
		_, err := e.stdout.Write(visibleJSON(append(appendListed(nil, all), '\n')))
		return err
	case format == "csv":
		return listCSV(e.stdout, all)
	case e.quiet:
		return nil
	default:
		return e.listText(e.stdout, all, several)
	}
}

// unreadable says on stderr which streams hold lines that are no records.
func (e *env) unreadable(all []listed) error {
	var err error
	for i := range all {
		if n := all[i].Unreadable; n > 0 {
			damaged(e.stderr, all[i].bundle, all[i].Stream, n)
			err = errFindings
		}
	}
	return err
}

func damaged(w io.Writer, path, stream string, lines int) {
	_, _ = io.WriteString(w, visible(path)+": "+visible(stream)+": "+count(int64(lines), "line")+" that cannot be read; see ctx validate\n")
}
