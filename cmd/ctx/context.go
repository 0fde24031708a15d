package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/session"
)

// contextFlags are the flags of ctx context.
type contextFlags struct {
	session, at  string
	diff         []string
	view, output *output
}

func newContext(e *env) *cobra.Command {
	f := &contextFlags{view: newOutput("live", "rebuilt"), output: newOutput("ids", "text", "json")}
	c := &cobra.Command{
		Use:   "context BUNDLE",
		Short: "Print what the model saw at a point of a session",
		Long: "context prints the records that the model would see at a point of a session, in order, from the bundle alone.\n" +
			"A point is a record, after it and with it, on its own branch; or inference:ID, before the first record of that\n" +
			"response. Without --at it is the head of the session. The live view applies compactions; the rebuilt view also\n" +
			"drops what the agent drops when it loads the session again. Where the view cannot be exact, the notes say why.",
		Example: "  ctx context bundle --session 3f2a\n" +
			"  ctx context bundle --at inference:chatcmpl-17 --output json\n" +
			"  ctx context bundle --view rebuilt --diff RECORD RECORD",
		Args: f.arguments,
		RunE: func(c *cobra.Command, args []string) error { return e.context(c.Context(), f, f.place(args)) },
	}
	c.Flags().StringVar(&f.session, "session", "", "the session: its `ID` with or without dashes, its stream id, or a beginning that only one has")
	c.Flags().StringVar(&f.at, "at", "", "the point: a `RECORD` id, a beginning that only one has, or inference:ID (default the head)")
	c.Flags().StringArrayVar(&f.diff, "diff", nil, "two points, `A` B: print what entered and what left from A to B")
	c.Flags().Var(f.view, "view", "apply compactions alone, or the rules of loading again too")
	c.Flags().Var(f.output, "output", "print ids, one record a line; text; or json, with the whole records")
	return c
}

// arguments wants the bundle, and beside it the second point of --diff A B.
func (f *contextFlags) arguments(c *cobra.Command, args []string) error {
	hint := "see " + c.CommandPath() + " --help"
	switch {
	case len(f.diff) == 0 && len(args) != 1:
		return &usageError{message: fmt.Sprintf("%s needs one BUNDLE, got %d", c.CommandPath(), len(args)), hint: hint}
	case len(f.diff) > 0 && len(f.diff)+len(args) != 3:
		return &usageError{message: "--diff needs two points and one BUNDLE", hint: "write " + c.CommandPath() + " BUNDLE --diff A B"}
	case len(f.diff) > 0 && f.at != "":
		return &usageError{message: "--at and --diff contradict each other", hint: hint}
	}
	return nil
}

// place takes the bundle from the arguments and completes the points of --diff.
func (f *contextFlags) place(args []string) (path string) {
	if len(args) == 1 {
		return args[0]
	}
	path, point := args[0], args[1]
	if !bundle.IsBundle(path) && bundle.IsBundle(point) { // --diff A B BUNDLE
		path, point = point, path
	}
	f.diff = append(f.diff, point)
	return path
}

func (e *env) context(ctx context.Context, f *contextFlags, path string) error {
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return err
	}
	defer b.Close()
	info, err := session.Find(b, f.session)
	if err != nil {
		return unclearName(err)
	}
	others, err := e.entriesInstead("context", b, path)
	if err != nil {
		return err
	}
	s, err := session.Open(ctx, b, info, session.Options{Entry: others[info.Agent]})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer s.Close()
	w := bufio.NewWriterSize(e.stdout, 64<<10)
	differs, err := e.printContext(ctx, w, f, s)
	if err := errors.Join(err, w.Flush()); err != nil {
		return err
	}
	if differs {
		return errFindings
	}
	return nil
}

// printContext prints a view, or the difference of two and whether there is any.
func (e *env) printContext(ctx context.Context, w *bufio.Writer, f *contextFlags, s *session.Session) (differs bool, err error) {
	p := contextPrinter{ctx: ctx, e: e, w: w, s: s}
	kind := session.Kind(f.view.word)
	if len(f.diff) == 0 {
		at, err := s.Point(f.at)
		if err != nil {
			return false, unclearPoint("--at", err)
		}
		return false, p.view(f.output.word, s.View(at, kind))
	}
	var views [2]*session.View
	for i, name := range f.diff {
		if name == "" {
			return false, &usageError{message: "--diff got an empty point, want a record id"}
		}
		at, err := s.Point(name)
		if err != nil {
			return false, unclearPoint("--diff", err)
		}
		views[i] = s.View(at, kind)
	}
	d := session.Compare(views[0], views[1])
	return len(d.Entered)+len(d.Left) > 0, p.difference(f.output.word, d)
}

func unclearName(err error) error {
	if e, ok := errors.AsType[*session.NameError](err); ok {
		return &usageError{message: "--session: " + e.Error(), hint: e.Hint()}
	}
	return err
}

func unclearPoint(flag string, err error) error {
	if e, ok := errors.AsType[*session.PointError](err); ok {
		return &usageError{message: flag + ": " + e.Error(), hint: e.Hint()}
	}
	return err
}
