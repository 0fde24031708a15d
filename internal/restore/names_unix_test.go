//go:build unix && !darwin

package restore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/restore"
)

// Names that are no text come back with their bytes, and are not taken for names that spell the same.
func TestForeignNames(t *testing.T) {
	source := filepath.Join(t.TempDir(), "in")
	for path, content := range tree(t, fixture("markers")) {
		folder, rest, _ := strings.Cut(path, "/")
		write(t, filepath.Join(source, folder+"\xff%", rest), content)
		write(t, filepath.Join(source, folder+"%FF%25", rest), content)
	}
	for _, folder := range []string{"9f5fdd9fb34d4e58b56209a519e1bb64\xff%", "9f5fdd9fb34d4e58b56209a519e1bb64%FF%25"} {
		at := filepath.Join(source, folder)
		write(t, filepath.Join(at, "events", "event-00005-a\xfeb%.json"), `{"id":"x","kind":"PauseEvent"}`)
		write(t, filepath.Join(at, "events", "event-00006-a\xfec.json"), `{"torn`)
		write(t, filepath.Join(at, "events", "event-00007-a\xfed.json"), `{"torn`)
		write(t, filepath.Join(at, "events", ".event-00008-a\xfed.json.tmp"), `{"torn`)
		write(t, filepath.Join(at, "observations", "\xfd.txt"), "text")
		write(t, filepath.Join(at, "observations", "%FD.txt"), "other text")
		write(t, filepath.Join(at, "events", ".eventlog-len-99.marker"), "not empty")
	}
	b, _ := convert(t, bundle.None, source)
	dir := filepath.Join(t.TempDir(), "made")
	r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	less := map[string]bool{}
	for _, f := range r.Redacted {
		less[filepath.Base(f.Path)] = true
	}
	was, made := tree(t, source), tree(t, dir)
	for path, content := range was {
		got, ok := made[path]
		if strings.HasSuffix(path, ".eventlog.lock") {
			continue
		}
		if !ok {
			t.Errorf("%q was not made", path)
		} else if got != content && !less[filepath.Base(path)] {
			t.Errorf("%q: got %q, want %q", path, got, content)
		}
	}
	for path := range made {
		if _, ok := was[path]; !ok {
			t.Errorf("%q was made and is not in the source", path)
		}
	}
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil || len(v.Differences) > 0 {
		t.Errorf("got %v, %v", err, v.Differences)
	}
}
