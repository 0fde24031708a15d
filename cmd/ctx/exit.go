package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
)

// Exit codes of all commands.
const (
	exitDone        = 0   // done and clean
	exitFindings    = 1   // done, with findings, differences or sources that failed
	exitNotDone     = 2   // not done: usage, I/O, not a bundle
	exitInterrupted = 130 // a signal ended the command
)

// errInterrupted ends a command that a signal stopped.
var errInterrupted = errors.New("interrupted")

// errFindings ends a command that did its work and found something. It prints nothing.
var errFindings = errors.New("done, with findings")

// usageError is a command line that cannot be carried out as it stands.
type usageError struct {
	message string
	hint    string // what to write instead, "" none
}

func (e *usageError) Error() string { return e.message }

// report prints what is to be said about an error and returns its exit code.
func report(stderr io.Writer, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	}
	fmt.Fprintf(stderr, "ctx: %s\n", visibleLines(err.Error()))
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", visibleLines(hint))
	}
	return exitNotDone
}

func hintOf(err error) string {
	if e, ok := errors.AsType[*usageError](err); ok {
		return e.hint
	}
	if e, ok := errors.AsType[*converter.UsageError](err); ok {
		return e.Hint
	}
	if errors.Is(err, bundle.ErrNotBundle) {
		return "ctx convert makes a bundle of a folder of conversations; a bundle in a tar is unpacked first, but for ctx validate"
	}
	return ""
}
