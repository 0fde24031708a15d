package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeldBundleStays replaces a bundle that is being read: the reader keeps
// all of it, and the first writer after the last reader clears it away.
func TestHeldBundleStays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	small(t, path, "one")
	first, err := OpenHeld(path)
	if err != nil {
		t.Fatal(err)
	}
	small(t, path, "two")
	second, err := OpenHeld(path)
	if err != nil {
		t.Fatal(err)
	}
	small(t, path, "three")
	temp := fmt.Sprintf(".out.ctx-tmp-%d", os.Getpid())
	if d := cmp.Diff([]string{temp + "-1", temp + "-2", "out"}, names(t, dir)); d != "" {
		t.Errorf("while two are read (-want +got):\n%s", d)
	}
	for id, b := range map[string]*Bundle{"one": first, "two": second} {
		if got := b.Manifest().Streams[0]; got.ID != id {
			t.Errorf("got stream %s, want %s", got.ID, id)
		}
		if err := b.Lines(b.Manifest().Streams[0], 100, func(int, []byte, bool) error { return nil }); err != nil {
			t.Errorf("%s was replaced: %v", id, err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	small(t, path, "four")
	if d := cmp.Diff([]string{temp + "-2", "out"}, names(t, dir)); d != "" {
		t.Errorf("while one is read (-want +got):\n%s", d)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Mend(path); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"out"}, names(t, dir)); d != "" {
		t.Errorf("when nobody reads (-want +got):\n%s", d)
	}
}

func TestOpenHeldRefusesAsOpenDoes(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenHeld(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want fs.ErrNotExist", err)
	}
	if _, err := OpenHeld(dir); !errors.Is(err, ErrNotBundle) {
		t.Errorf("got %v, want ErrNotBundle", err)
	}
}

// TestOpenHeldWhileReplaced opens a bundle again and again while it is
// replaced: each time a whole one.
func TestOpenHeldWhileReplaced(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere there is a moment without a bundle")
	}
	path := filepath.Join(t.TempDir(), "out")
	small(t, path, "s0")
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
				small(t, path, fmt.Sprintf("s%d", i))
			}
		}
	})
	for range 30 {
		b, err := OpenHeld(path)
		if err != nil {
			t.Error(err)
			break
		}
		if err := b.Lines(b.Manifest().Streams[0], 100, func(int, []byte, bool) error { return nil }); err != nil {
			t.Error(err)
		}
		b.Close()
	}
	close(stop)
	writer.Wait()
}

func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.state")
	left := filepath.Join(dir, fmt.Sprintf(".out.state.ctx-tmp-%d", deadPID(t)))
	for _, text := range []string{"one", "two"} {
		if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := ReplaceFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if d := cmp.Diff([]string{"out.state"}, names(t, dir)); d != "" {
		t.Errorf("left (-want +got):\n%s", d)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(folder, nil); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("got %v, want an error that names the folder", err)
	}
	if d := cmp.Diff([]string{"folder", "out.state"}, names(t, dir)); d != "" {
		t.Errorf("left after a failure (-want +got):\n%s", d)
	}
}
