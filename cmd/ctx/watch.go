package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// watch keeps a bundle current until it is interrupted. It looks at the sources every interval, which needs no
// descriptor for any of them, and exchanges the whole bundle when something changed: who reads the old one keeps it.
// Each result that differs from the one before is printed.
func (e *env) watch(ctx context.Context, f *convertFlags, fails failOn, sources []string) error {
	last := ""
	for {
		result, err := e.runConvert(ctx, f, sources)
		if err != nil {
			return err
		}
		if result.RootSHA256 != last {
			last = result.RootSHA256
			if err := e.printResult(ctx, f, fails, result); err != nil && !errors.Is(err, errFindings) {
				return err
			}
			if err := e.flush(); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return errInterrupted
		case <-time.After(f.interval):
		}
	}
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
