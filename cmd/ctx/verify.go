package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/restore"
)

// verifyFlags are the flags of ctx verify.
type verifyFlags struct {
	sources  []string
	sessions []string
	output   *output
}

func newVerify(e *env) *cobra.Command {
	f := &verifyFlags{output: newOutput("text", "json")}
	c := &cobra.Command{
		Use:   "verify BUNDLE --source DIR…",
		Short: "Prove that a bundle holds what its source holds",
		Long: "verify reads BUNDLE and the folders it was converted from and compares every file byte for byte. Where the\n" +
			"bundle names values that were cut out, the same cuts are applied to the source first. It writes nothing, prints a\n" +
			"line for each file that differs, and exits with 1 when something differs that is no declared redaction.",
		Example: "  ctx verify bundle --source ~/.openhands/conversations\n" +
			"  ctx verify bundle --source a --source b",
		Args: someArguments("BUNDLE"),
		RunE: func(c *cobra.Command, args []string) error { return e.verify(c.Context(), f, args) },
	}
	c.Flags().StringArrayVar(&f.sources, "source", nil, "compare with the folder `DIR`; several stand in the order in which they were converted, each with its own --source or after the last one")
	c.Flags().StringArrayVar(&f.sessions, "session", nil, "compare only the session `ID`: an id with or without dashes, a stream id, or a unique beginning; may be repeated")
	c.Flags().Var(f.output, "output", "print the result in this format")
	return c
}

// verify compares and prints the result.
func (e *env) verify(ctx context.Context, f *verifyFlags, args []string) error {
	if len(f.sources) == 0 {
		return &usageError{message: "verify needs --source DIR", hint: "the folder that the bundle was converted from"}
	}
	path, sources := args[0], append(f.sources, args[1:]...)
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return err
	}
	defer b.Close()
	o, err := e.restoreOptions("verify", b, path, f.sessions)
	if err != nil {
		return err
	}
	bar := e.newProgress("verify", "file")
	o.Progress = bar.records()
	v, err := restore.Verify(ctx, b, sources, o)
	bar.stop()
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := e.printVerify(f, path, v); err != nil {
		return err
	}
	if len(v.Differences) > 0 {
		return errFindings
	}
	return nil
}

func (e *env) printVerify(f *verifyFlags, path string, v *restore.Verdict) error {
	if f.output.word == "json" {
		_, err := e.stdout.Write(visibleJSON(append(appendVerdict(nil, path, v), '\n')))
		return err
	}
	if e.quiet {
		return nil
	}
	var b strings.Builder
	word := e.paint().good("the same as its source")
	if n := len(v.Differences); n > 0 {
		word = e.paint().bad("not the same as its source") + ", " + count(int64(n), "difference")
	}
	fmt.Fprintf(&b, "%s: %s\n  %s compared, %s, of %s: %d byte for byte, %d but for what was cut out\n", visible(path), word,
		count(v.Files, "file"), size(v.Bytes), count(int64(v.Streams), "session"), v.Same, len(v.Redacted))
	if len(v.Differences) > 0 {
		b.WriteByte('\n')
	}
	for _, d := range v.Differences {
		fmt.Fprintf(&b, "  %s %s: %s\n", d.Kind, visible(d.Path), visible(d.Message))
	}
	e.redactedText(&b, v.Redacted)
	e.lackingText(&b, v.Lacking)
	_, err := e.stdout.Write([]byte(b.String()))
	return err
}

func appendVerdict(dst []byte, path string, v *restore.Verdict) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "bundle"), path)
	dst = record.AppendInt(record.AppendKey(dst, "streams"), int64(v.Streams))
	dst = record.AppendInt(record.AppendKey(dst, "files"), v.Files)
	dst = record.AppendInt(record.AppendKey(dst, "bytes"), v.Bytes)
	dst = record.AppendInt(record.AppendKey(dst, "same"), v.Same)
	dst = append(record.AppendKey(dst, "differences"), '[')
	for i, d := range v.Differences {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "path"), d.Path)
		dst = record.AppendString(record.AppendKey(dst, "kind"), d.Kind)
		dst = append(record.AppendString(record.AppendKey(dst, "message"), d.Message), '}')
	}
	dst = appendRedacted(append(dst, ']'), v.Redacted)
	dst = appendLacking(dst, v.Lacking)
	return append(record.AppendBool(record.AppendKey(dst, "failed"), len(v.Differences) > 0), '}')
}
