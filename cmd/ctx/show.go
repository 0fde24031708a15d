package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/session"
	"github.com/session-trace/ctx/internal/transcript"
)

// showFlags are the flags of ctx show.
type showFlags struct {
	list               listFlags
	branch             *output
	first, last, width int
	at                 string
	full, noPager      bool
}

func newShow(e *env) *cobra.Command {
	f := &showFlags{branch: newOutput("all", "active")}
	c := &cobra.Command{
		Use:   "show BUNDLE [SESSION]",
		Short: "Read a session in the terminal, or list the sessions of a bundle",
		Long: "show prints a session as a transcript: who said what, calls with their results under them, compactions, gaps,\n" +
			"hooks, decisions, errors, and usage at the end. SESSION is a session id with or without dashes, a stream id, or\n" +
			"a beginning that only one has. Without SESSION it lists the sessions, as ctx list does.\n\n" +
			"On a terminal the transcript goes through $PAGER.",
		Example: "  ctx show bundle\n" +
			"  ctx show bundle 09adb143\n" +
			"  ctx show bundle 09adb143 --at 91cd89ef --first 3 --full",
		Args: oneOrTwo("BUNDLE", "SESSION"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.fit(c.Flags(), len(args) == 2); err != nil {
				return err
			}
			if len(args) == 1 {
				return e.list(c.Context(), &f.list, args)
			}
			return e.show(c.Context(), f, args[0], args[1])
		},
	}
	f.list.add(c)
	flags := c.Flags()
	flags.Var(f.branch, "branch", "print all branches, with marks, or the active one alone")
	flags.IntVar(&f.first, "first", 0, "print the first `N` items; with --at, from there on")
	flags.IntVar(&f.last, "last", 0, "print the last `N` items; with --at, up to there")
	flags.StringVar(&f.at, "at", "", "begin at the item of this `RECORD`: its id, or a beginning that only one has")
	flags.IntVar(&f.width, "width", 0, "print rows of at most `N` columns; 0: those of the terminal, elsewhere 100")
	flags.BoolVar(&f.full, "full", false, "print long texts and ids whole")
	flags.BoolVar(&f.noPager, "no-pager", false, "print without $PAGER")
	return c
}

// fit refuses flags that are for the other of the two things that show prints.
func (f *showFlags) fit(flags *pflag.FlagSet, session bool) error {
	if session {
		if flags.Changed("sort") {
			return &usageError{message: "--sort is for the list of sessions", hint: "leave SESSION or --sort out"}
		}
		return f.check(flags)
	}
	for _, name := range []string{"branch", "first", "last", "at", "width", "full", "no-pager"} {
		if flags.Changed(name) {
			return &usageError{message: "--" + name + " is for one session", hint: "name the SESSION: ctx list shows their ids"}
		}
	}
	return nil
}

func (f *showFlags) check(flags *pflag.FlagSet) error {
	if f.first < 0 || f.last < 0 || f.width < 0 || f.first == 0 && flags.Changed("first") || f.last == 0 && flags.Changed("last") {
		return &usageError{message: "--first and --last take 1 or more, --width 0 or more"}
	}
	if f.list.output.word != "text" {
		return &usageError{
			message: "--output " + f.list.output.word + " is for the list of sessions",
			hint:    "a session as JSON is its stream in the bundle; ctx context prints what the model saw",
		}
	}
	return nil
}

// show prints one session.
func (e *env) show(ctx context.Context, f *showFlags, path, name string) error {
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return err
	}
	defer b.Close()
	stream, err := findSession(b, name)
	if err != nil {
		return err
	}
	o := e.showOptions(f)
	o.Head = func() transcript.Head { return headOf(ctx, b, stream) }
	bad := 0
	err = e.paged(ctx, f.noPager, func(w io.Writer) error {
		bad, err = transcript.Show(untilDone{ctx, w}, b, stream, o)
		return err
	})
	if unknown, ok := errors.AsType[*transcript.RecordError](err); ok {
		return &usageError{message: "--at " + unknown.Error(), hint: candidates(unknown.Candidates)}
	}
	if err == nil && bad > 0 {
		damaged(e.stderr, path, stream.ID, bad)
		return errFindings
	}
	return err
}

func findSession(b *bundle.Bundle, name string) (bundle.StreamInfo, error) {
	stream, err := session.Find(b, name)
	if unclear, ok := errors.AsType[*session.NameError](err); ok {
		return stream, &usageError{message: unclear.Error(), hint: unclear.Hint()}
	}
	return stream, err
}

func candidates(ids []string) string {
	if len(ids) == 0 {
		return "ctx show prints the beginning of each id"
	}
	return "candidates: " + strings.Join(ids, ", ")
}

func (e *env) showOptions(f *showFlags) transcript.Options {
	o := transcript.Options{
		Width: f.width, Full: f.full, ActiveOnly: f.branch.word == "active",
		First: f.first, Last: f.last, At: f.at, Visible: visible,
	}
	if o.Width == 0 && e.terminal {
		o.Width = e.columns()
	}
	if p := e.paint(); p.on {
		o.Paint = func(s transcript.Style, text string) string { return p.with(colourOf(s), text) }
	}
	return o
}

func colourOf(s transcript.Style) string {
	switch s {
	case transcript.Faint:
		return "2"
	case transcript.Strong:
		return "1"
	case transcript.User:
		return "1;36"
	case transcript.Agent:
		return "1;32"
	case transcript.Call:
		return "34"
	case transcript.Good:
		return "32"
	case transcript.Warning:
		return "33"
	case transcript.Bad:
		return "31"
	default:
		return "1;35"
	}
}

// headOf is where the active branch of a session ends whose state does not name it, by the rule of its entry.
func headOf(ctx context.Context, b *bundle.Bundle, stream bundle.StreamInfo) transcript.Head {
	s, err := session.Open(ctx, b, stream, session.Options{})
	if err != nil {
		return transcript.Head{Note: "not known: " + err.Error()}
	}
	h := s.Head()
	if h.Record == session.None {
		return transcript.Head{Known: h.Stated, Note: h.Doubt}
	}
	return transcript.Head{Record: s.Record(h.Record).ID, Known: true, Note: h.Doubt}
}

// untilDone writes until the command is interrupted.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}
