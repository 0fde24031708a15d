package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/session-trace/ctx/converter"
)

// watch keeps a bundle current until it is interrupted. It looks at the sources every interval, which needs no
// descriptor for any of them, and exchanges the whole bundle when something changed: who reads the old one keeps it.
// Each result that differs from the one before is printed. What fails after the first look, such as a folder that cannot
// be read for a while, is told once and tried again.
func (e *env) watch(ctx context.Context, f *convertFlags, fails failOn, sources []string) error {
	last, told := "", ""
	for first := true; ; first = false {
		result, err := e.runConvert(ctx, f, sources)
		switch {
		case err == nil:
			told = ""
			if last, err = e.watched(ctx, f, fails, result, last); err != nil {
				return err
			}
		case first || ctx.Err() != nil:
			return err
		case err.Error() != told:
			told = err.Error()
			report(e.stderr, err)
		}
		select {
		case <-ctx.Done():
			return errInterrupted
		case <-time.After(f.interval):
		}
	}
}

// watched prints a result unless it is the last one, and returns its root hash.
func (e *env) watched(ctx context.Context, f *convertFlags, fails failOn, result *converter.Result, last string) (string, error) {
	if result.RootSHA256 == last {
		return last, nil
	}
	if err := e.printResult(ctx, f, fails, result); err != nil && !errors.Is(err, errFindings) {
		return last, err
	}
	return result.RootSHA256, e.flush()
}

// flush lets what was printed be seen although the command goes on.
func (e *env) flush() error {
	f, ok := e.stdout.(interface{ Flush() error })
	if !ok {
		return nil
	}
	if err := f.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}
