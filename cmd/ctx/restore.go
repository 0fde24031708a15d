package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/restore"
	"github.com/session-trace/ctx/internal/session"
)

// restoreFlags are the flags of ctx restore.
type restoreFlags struct {
	out      string
	sessions []string
	output   *output
}

func newRestore(e *env) *cobra.Command {
	f := &restoreFlags{output: newOutput("text", "json")}
	c := &cobra.Command{
		Use:   "restore BUNDLE -o DIR",
		Short: "Make the source files of a bundle again",
		Long: "restore writes every source file that BUNDLE holds below DIR, byte for byte, under its own name. Values that\n" +
			"were cut out as secrets stay out and are listed; so are files that the bundle does not have. File modes, times,\n" +
			"empty folders and files that the registry entry ignores are not restored. It exits with 1 when a file is lacking.",
		Example: "  ctx restore bundle -o conversations\n" +
			"  ctx restore bundle -o one --session 09adb143",
		Args: exactlyOne("BUNDLE"),
		RunE: func(c *cobra.Command, args []string) error { return e.restore(c.Context(), f, args[0]) },
	}
	c.Flags().StringVarP(&f.out, "out", "o", "", "write below the folder `DIR`, which must be empty or not exist")
	c.Flags().StringArrayVar(&f.sessions, "session", nil, "restore only the session `ID`: an id with or without dashes, a stream id, or a unique beginning; may be repeated")
	c.Flags().Var(f.output, "output", "print the result in this format")
	return c
}

// restore writes the files and prints what became of them.
func (e *env) restore(ctx context.Context, f *restoreFlags, path string) error {
	if f.out == "" {
		return &usageError{message: "restore needs -o DIR", hint: "a folder that is empty or does not exist"}
	}
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return err
	}
	defer b.Close()
	if inside(f.out, path) {
		return &usageError{message: visible(f.out) + " lies in the bundle", hint: "choose a folder elsewhere"}
	}
	o, err := e.restoreOptions("restore", b, path, f.sessions)
	if err != nil {
		return err
	}
	bar := e.newProgress("restore", "file")
	o.Progress = bar.records()
	result, err := restore.Restore(ctx, b, f.out, o)
	bar.stop()
	if ctx.Err() != nil {
		return fmt.Errorf("%w; nothing was written", errInterrupted)
	}
	if err != nil {
		return restoreError(path, err)
	}
	if err := e.printRestore(f, path, result); err != nil {
		return err
	}
	if len(result.Lacking) > 0 {
		return errFindings
	}
	return nil
}

// restoreError says what was left behind, and what to do about a folder that is taken.
func restoreError(path string, err error) error {
	if errors.Is(err, restore.ErrTarget) {
		return &usageError{message: err.Error(), hint: "restore overwrites nothing; choose a folder that is empty or does not exist"}
	}
	if _, ok := errors.AsType[*restore.PartialError](err); ok {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w; nothing was written", path, err)
}

// inside says whether a path lies in a folder, links followed.
func inside(path, folder string) bool {
	at, err := os.Stat(folder)
	if err != nil {
		return false
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return false
	}
	for {
		if info, err := os.Stat(path); err == nil {
			if os.SameFile(info, at) {
				return true
			}
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}

// restoreOptions are the options of what reads source files out of a bundle.
func (e *env) restoreOptions(command string, b *bundle.Bundle, path string, sessions []string) (restore.Options, error) {
	var o restore.Options
	for _, name := range sessions {
		s, err := session.Find(b, name)
		if missing, ok := errors.AsType[*session.NameError](err); ok {
			return o, &usageError{message: "--session " + missing.Error(), hint: missing.Hint()}
		}
		if err != nil {
			return o, err
		}
		o.Streams = append(o.Streams, s.ID)
	}
	var err error
	o.Registry, err = e.entriesInstead(command, b, path)
	return o, err
}
