package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPagerWords(t *testing.T) {
	tests := []struct {
		want  []string
		value string
		set   bool
	}{
		{[]string{"less"}, "", false},
		{nil, "", true},
		{nil, "cat", true},
		{[]string{"less", "-R", "+G"}, " less -R  +G", true},
		{[]string{"more;", "rm"}, "more; rm", true}, // no shell reads it
	}
	for _, tt := range tests {
		got := pagerWords(func(string) (string, bool) { return tt.value, tt.set })
		if d := cmp.Diff(tt.want, got, cmp.Transformer("none", func(s []string) string { return strings.Join(s, "\n") })); d != "" {
			t.Errorf("PAGER %q, set %v (-want +got):\n%s", tt.value, tt.set, d)
		}
	}
}

func TestPagerEnv(t *testing.T) {
	if d := cmp.Diff([]string{"A=1", "LESS=FRX"}, pagerEnv([]string{"A=1"})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"LESS=", "A=1"}, pagerEnv([]string{"LESS=", "A=1"})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestPipe(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip("there is no cat")
	}
	sent := strings.Repeat("x", 1<<20)
	write := func(w io.Writer) error { _, err := io.WriteString(w, sent); return err }
	var out bytes.Buffer
	pager := exec.Command(cat)
	pager.Stdout = &out
	if err := pipe(t.Context(), pager, write); err != nil || out.String() != sent {
		t.Errorf("got %d bytes, error %v, want %d and none", out.Len(), err, len(sent))
	}
	broken := errors.New("broken")
	if err := pipe(t.Context(), exec.Command(cat), func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of what prints", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := pipe(stopped, exec.Command(cat), write); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want an interruption", err)
	}
	// a reader who leaves early is no error
	leaves, err := exec.LookPath("true")
	if err != nil {
		t.Skip("there is no true")
	}
	if err := pipe(t.Context(), exec.Command(leaves), write); err != nil {
		t.Errorf("got %v, want no error when the pager ends early", err)
	}
}
