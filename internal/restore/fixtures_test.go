package restore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
	"github.com/session-trace/ctx/internal/restore"
)

// proven wants what is restored to be the source byte for byte but for what is listed, and verify to say so.
func proven(t *testing.T, source string, how bundle.Compression) {
	t.Helper()
	b, _ := convert(t, how, source)
	for _, f := range laws.Restored(t.Context(), source, filepath.Join(t.TempDir(), "made"), b) {
		t.Error(f)
	}
}

func TestFixtures(t *testing.T) {
	list, err := filepath.Glob(fixture("*"))
	if err != nil || len(list) == 0 {
		t.Fatalf("got %d fixtures, %v", len(list), err)
	}
	for _, source := range list {
		for _, how := range []bundle.Compression{bundle.None, bundle.Zstd} {
			t.Run(filepath.Base(filepath.Dir(source))+"/"+how.String(), func(t *testing.T) { proven(t, source, how) })
		}
	}
}

// Real conversations, when they are there.
func TestShared(t *testing.T) {
	for _, name := range []string{"captures", "realdata"} {
		t.Run(name, func(t *testing.T) {
			source, err := filepath.EvalSymlinks(filepath.Join("..", "..", "..", "shared", name))
			if err != nil {
				t.Skip("no conversations in ../shared/" + name)
			}
			if _, err := os.Stat(source); err != nil {
				t.Skip(err)
			}
			proven(t, source, bundle.Zstd)
		})
	}
}

// What is restored converts to the same bundle, but for files of no source.
func TestConvertsAgain(t *testing.T) {
	source := copyOf(t, fixture("tree"))
	b, _ := convert(t, bundle.None, source)
	dir := filepath.Join(t.TempDir(), "copy")
	r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, _ := convert(t, bundle.None, dir)
	for i, s := range b.Manifest().Streams {
		if got := again.Manifest().Streams[i]; len(r.Redacted) == 0 && got.SHA256 != s.SHA256 {
			t.Errorf("stream %s is %s after restoring, want %s", s.ID, got.SHA256, s.SHA256)
		} else if got.Records != s.Records || got.Items != s.Items {
			t.Errorf("stream %s has %d records of %d items after restoring, want %d of %d", s.ID, got.Records, got.Items, s.Records, s.Items)
		}
	}
}
