package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestMain lets the test's program stand in for a process of the fleet: a true one, or one that crashes or says nothing.
func TestMain(m *testing.M) {
	if len(os.Args) < 3 || os.Args[1] != "work" {
		os.Exit(m.Run())
	}
	switch os.Getenv("CTX_CHAOS_TEST") {
	case "crash":
		from, err := strconv.Atoi(os.Args[2])
		fmt.Println(wordBegin, 10+from)
		panic(fmt.Sprint("made up ", err))
	case "fault":
		fmt.Println(wordBegin, 10)
		fmt.Println(wordFault, 10, "seed 10\x00  ! law: broken")
	case "silent":
		os.Exit(9)
	default:
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
}

func TestFleet(t *testing.T) {
	tests := []struct {
		name, how string
		exit      int
		want      []string // in what is printed
	}{
		{"sound runs", "", 0, []string{"4 runs from seed 10, 0 with faults, at most "}},
		{"a fault", "fault", 1, []string{"seed 10\n  ! law: broken\n", " with faults, at most "}},
		{"crashes", "crash", 1, []string{"seed 10 ended its process", "seed 13 ended its process", "panic: made up", "4 runs from seed 10, 4 with faults"}},
		{"no process that works", "silent", 2, []string{"chaos: exit status 9"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("CTX_CHAOS_TEST", tt.how)
			var said bytes.Buffer
			args := []string{"-runs", "4", "-seed", "10", "-jobs", "2", "-corpus", filepath.Join("..", "..", "fixtures"), "-keep", filepath.Join(t.TempDir(), "kept")}
			if got := run(args, &said, &said); got != tt.exit {
				t.Errorf("exit code %d, want %d", got, tt.exit)
			}
			for _, want := range tt.want {
				if !strings.Contains(said.String(), want) {
					t.Errorf("got %q, want %q in it", said.String(), want)
				}
			}
		})
	}
}

// TestHang holds that a run that takes too long ends its process with its seed and all stacks.
func TestHang(t *testing.T) {
	var said bytes.Buffer
	args := []string{"-runs", "1", "-seed", "10", "-jobs", "1", "-deadline", "1ns", "-corpus", filepath.Join("..", "..", "fixtures"), "-keep", filepath.Join(t.TempDir(), "kept")}
	if got := run(args, &said, &said); got != 1 {
		t.Errorf("exit code %d, want 1", got)
	}
	for _, want := range []string{"seed 10 takes longer than 1ns", "goroutine "} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("got %.500q, want %q in it", said.String(), want)
		}
	}
}
