package restore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/restore"
)

// proven wants what is restored to be the source byte for byte but for what is listed, and verify to say so.
func proven(t *testing.T, source string, how bundle.Compression) {
	t.Helper()
	b, _ := convert(t, how, source)
	dir := filepath.Join(t.TempDir(), "made")
	r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	less := map[string]bool{}
	for _, f := range r.Redacted {
		if len(f.Cuts) == 0 {
			t.Errorf("%s is listed without a cut", f.Path)
		}
		less[f.Path] = true
	}
	was, made := tree(t, source), tree(t, dir)
	for path, content := range made {
		if want, ok := was[path]; !ok {
			t.Errorf("%s was made and is not in the source", path)
		} else if (content == want) == less[path] {
			t.Errorf("%s: the same %v, listed as less %v", path, content == want, less[path])
		}
	}
	var want, bytes int64
	for _, s := range b.Manifest().Sources {
		want += s.Files
	}
	for _, l := range r.Lacking {
		if _, ok := made[l.Path]; ok {
			t.Errorf("%s is listed as lacking and was made", l.Path)
		}
	}
	if got := int64(len(made) + len(r.Lacking)); got != want || r.Files != int64(len(made)) {
		t.Errorf("got %d files made and lacking, %d counted, want %d", got, r.Files, want)
	}
	for _, content := range made {
		bytes += int64(len(content))
	}
	if bytes != r.Bytes {
		t.Errorf("got %d bytes counted, want %d", r.Bytes, bytes)
	}
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]restore.Difference(nil), v.Differences); d != "" {
		t.Errorf("verify (-want +got):\n%s", d)
	}
	if d := cmp.Diff(r.Redacted, v.Redacted); d != "" {
		t.Errorf("restore and verify list other cuts (-restore +verify):\n%s", d)
	}
	if v.Files != want || v.Same+int64(len(v.Redacted)+len(v.Lacking)) != want {
		t.Errorf("got %d files compared, %d the same, %d cut, %d lacking, want %d together", v.Files, v.Same, len(v.Redacted), len(v.Lacking), want)
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
