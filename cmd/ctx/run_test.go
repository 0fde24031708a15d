package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeFunc is a writer made of a function.
type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func TestRunRecovers(t *testing.T) {
	var stderr bytes.Buffer
	boom := writeFunc(func([]byte) (int, error) { panic("content that must not be printed") })
	if got := run(t.Context(), []string{"version"}, nil, boom, &stderr); got != exitNotDone {
		t.Errorf("exit code %d, want %d", got, exitNotDone)
	}
	if got := stderr.String(); !strings.Contains(got, "internal fault (string) at ") || strings.Contains(got, "content") {
		t.Errorf("stderr %q, want the place of the fault without its content", got)
	}
}

func TestRunOutputFails(t *testing.T) {
	var stderr bytes.Buffer
	full := writeFunc(func([]byte) (int, error) { return 0, errors.New("disk full") })
	if got := run(t.Context(), []string{"version"}, nil, full, &stderr); got != exitNotDone {
		t.Errorf("exit code %d, want %d", got, exitNotDone)
	}
	if d := cmp.Diff("ctx: standard output: disk full\n", stderr.String()); d != "" {
		t.Errorf("stderr (-want +got):\n%s", d)
	}
}

func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	folder := t.TempDir()
	args := []string{"convert", "../../fixtures/openhands/sample/native", "-o", folder + "/bundle"}
	if got := run(ctx, args, nil, &stdout, &stderr); got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
	if d := cmp.Diff("ctx: interrupted; no bundle was written\n", stderr.String()); d != "" {
		t.Errorf("stderr (-want +got):\n%s", d)
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout %q, want nothing", &stdout)
	}
	if left := list(t, folder); len(left) > 0 {
		t.Errorf("left behind: %q, want nothing", left)
	}
}
