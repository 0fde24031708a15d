// Command ctx converts folders of coding-agent sessions into portable bundles, and checks bundles.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// a second signal ends the process at once
	context.AfterFunc(ctx, stop)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // the same speed as 100 in all that was measured, in less memory
	}
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code)
}

// run executes one command line and returns its exit code. It alone turns errors into codes.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "ctx: internal fault (%T) at %s; please report it\n", v, panicPlace())
			code = exitNotDone
		}
	}()
	out := bufio.NewWriterSize(stdout, 1<<16)
	root := newRoot(&env{stdin: stdin, stdout: out, stderr: stderr, terminal: terminalOf(stdout), talks: terminalOf(stderr)})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if flushErr := out.Flush(); flushErr != nil && err == nil {
		err = fmt.Errorf("standard output: %w", flushErr)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = errInterrupted
	}
	return report(stderr, err)
}

// panicPlace is where our own code was when it panicked: function and line, no values.
func panicPlace() string {
	frames := make([]uintptr, 64)
	next := runtime.CallersFrames(frames[:runtime.Callers(3, frames)])
	for {
		f, more := next.Next()
		if strings.Contains(f.Function, "session-trace/ctx") || strings.HasPrefix(f.Function, "main.") {
			return fmt.Sprintf("%s:%d", f.Function, f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
