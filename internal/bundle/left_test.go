package bundle

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leave makes what an interrupted run of a process leaves: one stream and a journal.
func leave(t *testing.T, path string, pid int) string {
	t.Helper()
	w := create(t, filepath.Join(filepath.Dir(path), "other"), WriterOptions{})
	s, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Note([]byte("note\n")); err != nil {
		t.Fatal(err)
	}
	w.Leave()
	to := tempPath(path, pid)
	if err := os.Rename(w.temp, to); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestClaimLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	dead, living := deadPID(t), os.Getppid()
	leave(t, path, dead)
	leave(t, path, living)
	own := leave(t, path, os.Getpid()) // of an earlier process of our number
	if err := os.Mkdir(tempPath(path, dead)+"-1", 0o755); err != nil {
		t.Fatal(err)
	}
	claimed, err := ClaimLeft(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(tempPath(path, dead)), filepath.Base(tempPath(path, living)), filepath.Base(own) + "-1"}
	if d := cmp.Diff(sortedCopy(want), names(t, dir)); d != "" || len(claimed) != 2 {
		t.Errorf("%d claimed (-want +got):\n%s", len(claimed), d)
	}
	if again, err := ClaimLeft(path); err != nil || len(again) > 0 {
		t.Errorf("got %d claimed twice (%v)", len(again), err)
	}
	w := create(t, path, WriterOptions{Left: claimed})
	lines := []byte("{}\n")
	digest := StreamDigest{SHA256: fmt.Sprintf("%x", sha256.Sum256(lines)), Bytes: 3, Lines: 1}
	digest.Stored = FileDigest{digest.SHA256, 3}
	for _, l := range claimed {
		if string(l.Notes) != "note\n" {
			t.Errorf("got journal %q", l.Notes)
		}
		if _, err := w.TakeStream(l.Bundle, "streams/.tmp-2", digest); err == nil {
			t.Error("got a stream that is not there")
		}
		if _, err := w.TakeStream(l.Bundle, "journal", digest); err == nil {
			t.Error("got a file that is not the stream")
		}
		s, err := w.TakeStream(l.Bundle, "streams/.tmp-1", digest)
		if err != nil {
			t.Fatal(err)
		}
		s.Abort()
	}
	if err := claimed[0].Close(); err != nil {
		t.Error(err)
	}
	if err := claimed[1].Remove(); err != nil {
		t.Error(err)
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if err := Mend(path); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff([]string{filepath.Base(tempPath(path, living))}, names(t, dir)); d != "" {
		t.Errorf("in the end (-want +got):\n%s", d)
	}
}
