package main

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestStartMeasuresTheProgramAlone(t *testing.T) {
	beWorker(t)
	ballast := make([]byte, 256<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1 // a page counts once it was written
	}
	source := generateTiny(t, 1)
	command := []string{os.Args[0], "scan-documents", source.root, "", "1"}
	u, printed, err := start(t.Context(), os.Args[0], t.TempDir(), command)
	runtime.KeepAlive(ballast)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkFiles(&place{truth: source.truth}, printed); err != nil {
		t.Error(err)
	}
	if most := int64(128 << 20); u.RSS < 1<<20 || u.RSS > most {
		t.Errorf("got a peak of %d bytes, want 1 MiB to %d: the runner's own memory must not count", u.RSS, most)
	}
	if u.CPU <= 0 {
		t.Errorf("got %v of CPU, want more than none", u.CPU)
	}
}

func TestStartReportsFailure(t *testing.T) {
	beWorker(t)
	_, _, err := start(t.Context(), os.Args[0], t.TempDir(), []string{os.Args[0], "copy-files"})
	if err == nil || !strings.Contains(err.Error(), "ended with 2") || !strings.Contains(err.Error(), "want source, output") {
		t.Errorf("got error %v, want exit code 2 and what the program said", err)
	}
	if _, _, err := start(t.Context(), os.Args[0], t.TempDir(), []string{"/no/such/program"}); err == nil {
		t.Error("got no error for a program that is not there")
	}
}

func TestPlainEnvironment(t *testing.T) {
	want := "A=1 B=GOGC=2"
	got := strings.Join(plainEnvironment([]string{"A=1", "GOGC=off", "GOMEMLIMIT=1", "GOMAXPROCS=1", "B=GOGC=2", "GODEBUG=x"}), " ")
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
