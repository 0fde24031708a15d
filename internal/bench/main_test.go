package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// asWorker makes the test binary be the program, as the runner starts it.
const asWorker = "CTX_BENCH_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(asWorker) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// beWorker makes the processes that a test starts be the program.
func beWorker(t *testing.T) {
	t.Helper()
	t.Setenv(asWorker, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // else a race build waits a second at the end of every process
}

func TestRunRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"argument", []string{"x"}, "no arguments"},
		{"both sizes", []string{"-quick", "-full"}, "at most one"},
		{"unknown variant", []string{"-only", "copy,fast"}, `variant "fast": want one of copy, convert`},
		{"nothing to compare", []string{"-quick", "-only", "copy"}, "name both sides"},
		{"unknown flag", []string{"-slow"}, "-slow"},
		{"worker without arguments", []string{"copy-files"}, "want source, output and jobs"},
		{"worker without jobs", []string{"copy-files", "a", "b", "0"}, "want a number from 1"},
		{"unknown set", []string{"generate", "Z", t.TempDir(), "1"}, `set "Z"`},
		{"launch without a program", []string{"launch", "x"}, "want a file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var complaint strings.Builder
			if got := run(tc.args, io.Discard, &complaint); got != 2 {
				t.Errorf("got exit code %d, want 2", got)
			}
			if !strings.Contains(complaint.String(), tc.want) {
				t.Errorf("got %q, want it to hold %q", complaint.String(), tc.want)
			}
		})
	}
}

func TestGenerateWritesTruthBesideTheCorpus(t *testing.T) {
	folder := t.TempDir()
	if got := run([]string{"generate", "T", folder, "1"}, io.Discard, os.Stderr); got != 0 {
		t.Fatalf("got exit code %d, want 0", got)
	}
	got, err := os.ReadFile(folder + "/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	if want := generateTiny(t, 1).truth.AppendJSON(nil); !bytes.Equal(want, got) {
		t.Errorf("got truth %s, want %s", got, want)
	}
}
