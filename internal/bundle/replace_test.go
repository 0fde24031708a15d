package bundle

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small writes a bundle with one stream of that id.
func small(t testing.TB, path, id string) {
	t.Helper()
	w := create(t, path, WriterOptions{Force: true})
	addStream(t, w, id, []string{"{}"})
	if err := w.Commit(manifest(id), nil); err != nil {
		t.Fatal(err)
	}
}

// deadPID is the number of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestCreateRemovesWhatDeadProcessesLeft(t *testing.T) {
	dir := t.TempDir()
	dead := deadPID(t)
	for _, name := range []string{
		fmt.Sprintf(".out.ctx-tmp-%d/streams", dead),
		fmt.Sprintf(".out.ctx-tmp-%d", os.Getpid()), // of an earlier process of our number
		fmt.Sprintf(".out.ctx-tmp-%d", os.Getppid()),
		fmt.Sprintf(".other.ctx-tmp-%d", dead),
		".out.ctx-tmp-x", ".out.ctx-tmp-0", ".out.ctx-tmp-", fmt.Sprintf("out.ctx-tmp-%d", dead), fmt.Sprintf(".out.ctx-tmp-0%d", dead),
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		fmt.Sprintf(".other.ctx-tmp-%d", dead), ".out.ctx-tmp-", ".out.ctx-tmp-0", fmt.Sprintf(".out.ctx-tmp-0%d", dead),
		fmt.Sprintf(".out.ctx-tmp-%d", os.Getppid()), ".out.ctx-tmp-x", "out", fmt.Sprintf("out.ctx-tmp-%d", dead),
	}
	small(t, filepath.Join(dir, "out"), "a")
	if d := cmp.Diff(sortedCopy(want), names(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestTwoWritersOfOneBundle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here")
	}
	path := filepath.Join(t.TempDir(), "out")
	first := create(t, path, WriterOptions{})
	if _, err := Create(path, WriterOptions{}); err == nil || !strings.Contains(err.Error(), "another writer") {
		t.Fatalf("want a refusal, got %v", err)
	}
	addStream(t, first, "a", []string{"{}"})
	if err := first.Commit(manifest("a"), nil); err != nil {
		t.Errorf("the first writer was disturbed: %v", err)
	}
}

func TestSwap(t *testing.T) {
	dir := t.TempDir()
	small(t, filepath.Join(dir, "new"), "new")
	small(t, filepath.Join(dir, "old"), "old")
	for _, how := range []func(from, to string) error{swap, exchange} {
		if err := how(filepath.Join(dir, "new"), filepath.Join(dir, "old")); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{"new", "old"}, names(t, dir)); d != "" {
			t.Error(d)
		}
	}
	if id := open(t, filepath.Join(dir, "new")).Manifest().Streams[0].ID; id != "new" {
		t.Errorf("swapped twice: got %s, want new", id)
	}
	if err := swap(filepath.Join(dir, "missing"), filepath.Join(dir, "old")); err == nil {
		t.Error("want an error")
	}
	if id := open(t, filepath.Join(dir, "old")).Manifest().Streams[0].ID; id != "old" {
		t.Errorf("a failed swap left %s, want old", id)
	}
}

func TestInterruptedSwap(t *testing.T) {
	for _, tt := range []struct {
		name  string
		begin map[string]string // folder → stream id, "" no bundle
		want  map[string]string // what is there after Create and Abort
	}{
		{"undone", map[string]string{".out.old": "old"}, map[string]string{"out": "old"}},
		{"finished", map[string]string{".out.old": "old", "out": "new"}, map[string]string{"out": "new"}},
		{"not ours", map[string]string{".out.old": "", "out": "new"}, map[string]string{".out.old": "", "out": "new"}},
		{"not ours, alone", map[string]string{".out.old": ""}, map[string]string{".out.old": ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, id := range tt.begin {
				path := filepath.Join(dir, "begin")
				if id != "" {
					small(t, path, id)
				} else if err := os.Mkdir(path, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(path, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			w, err := Create(filepath.Join(dir, "out"), WriterOptions{Force: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Abort(); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, name := range names(t, dir) {
				got[name] = ""
				if b, err := Open(filepath.Join(dir, name)); err == nil {
					got[name] = b.Manifest().Streams[0].ID
					b.Close()
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestManyAtOnce is for the race detector, and holds that the result does not
// depend on who came first.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	long := sample()["a-long"]
	for _, name := range []string{"one", "two"} {
		w := create(t, filepath.Join(dir, name), WriterOptions{Compress: Zstd, Workers: 2})
		var wg sync.WaitGroup
		var faults [8]error
		ids := make([]string, len(faults))
		for i := range faults {
			ids[i] = fmt.Sprintf("a-%d", i)
			wg.Add(1)
			go func() {
				defer wg.Done()
				faults[i] = convert(w, ids[i], long[:5000*(i%3)+1])
			}()
		}
		wg.Wait()
		if err := errors.Join(faults[:]...); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit(manifest(ids...), nil); err != nil {
			t.Fatal(err)
		}
	}
	one := snapshot(t, filepath.Join(dir, "one"))
	if len(one) != 8+2+50 {
		t.Errorf("want 8 streams, 50 blobs and 2 files, got %d", len(one))
	}
	if d := cmp.Diff(one, snapshot(t, filepath.Join(dir, "two"))); d != "" {
		t.Error("bundles differ")
	}
}

// convert writes a stream and the blobs that all streams have.
func convert(w *Writer, id string, lines []string) error {
	s, err := w.Stream()
	if err != nil {
		return err
	}
	defer s.Abort()
	for i, line := range lines {
		if err := s.Write([]byte(line)); err != nil {
			return err
		}
		if _, err := s.Blob(fmt.Appendf(nil, "blob %d %s", i%50, strings.Repeat("x", i%50)), []string{unknownMedia, "text/" + id}[i%2]); err != nil {
			return err
		}
	}
	for i := range 50 {
		if _, err := s.Blob(fmt.Appendf(nil, "blob %d %s", i, strings.Repeat("x", i)), "text/plain"); err != nil {
			return err
		}
	}
	if _, err := s.Close(); err != nil {
		return err
	}
	return s.Name(id)
}

func TestFailedWriteEndsTheStream(t *testing.T) {
	w := create(t, filepath.Join(t.TempDir(), "out"), WriterOptions{})
	s, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	s.file.Close() // every write fails from here
	line := []byte(strings.Repeat("x", plainSize/2))
	var failed error
	for range 1000 {
		if failed = s.Write(line); failed != nil {
			break
		}
	}
	if failed == nil {
		t.Error("want an error while writing")
	}
	if _, err := s.Close(); err == nil {
		t.Error("want an error of Close")
	}
	s.Abort()
	if err := w.Commit(manifest(), nil); err == nil {
		t.Error("a bundle that lacks something was committed")
	}
}

func TestNothingAfterTheEnd(t *testing.T) {
	w := create(t, filepath.Join(t.TempDir(), "out"), WriterOptions{Compress: Zstd})
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Stream(); err == nil {
		t.Error("want no stream after Abort")
	}
	if _, err := w.Blob(nil, "a/b"); err == nil {
		t.Error("want no blob after Abort")
	}
	if err := w.Commit(manifest(), nil); err == nil {
		t.Error("want no commit after Abort")
	}
	if err := w.Abort(); err != nil {
		t.Errorf("Abort again: %v", err)
	}
}
