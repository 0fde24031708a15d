package converter_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/registry"
)

var update = flag.Bool("update", false, "rewrite the expected bundles under fixtures")

// TestGolden converts every fixture and compares the bundle with the expected one, byte for byte. What depends on the
// registry entry's own bytes alone (its hash, its blob, the root hash) is left out, so that a comment in the entry does
// not change every fixture.
func TestGolden(t *testing.T) {
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob("../fixtures/*/*/native")
	if err != nil || len(cases) < 40 {
		t.Fatalf("got %d fixtures (%v), want at least 40", len(cases), err)
	}
	for _, native := range cases {
		folder := filepath.Dir(native)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			got := bundleFiles(t, reg, native)
			expected := filepath.Join(folder, "expected")
			if *update {
				writeFiles(t, expected, got)
				return
			}
			if d := cmp.Diff(readFiles(t, expected), got); d != "" {
				t.Errorf("bundle (-want +got):\n%s", d)
			}
		})
	}
}

// bundleFiles converts a folder and gives the bundle's files by path.
func bundleFiles(t *testing.T, reg *registry.Registry, native string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bundle")
	result, err := converter.Convert(context.Background(), converter.Options{
		Sources: []string{native}, Out: out, Registry: reg, NewCheck: converter.NewStage,
	})
	if err != nil {
		t.Fatal(err)
	}
	files := readFiles(t, out)
	for _, e := range reg.Entries() {
		delete(files, "blobs/"+e.SHA256)
		m := strings.ReplaceAll(files["manifest.json"], e.SHA256, "<entry>")
		if _, rest, ok := strings.Cut(m, `{"sha256":"<entry>"`); ok {
			size, _, _ := strings.Cut(rest, "}")
			m = strings.ReplaceAll(m, `{"sha256":"<entry>"`+size+`}`, `"<entry>"`)
		}
		files["manifest.json"] = m
	}
	files["manifest.json"] = strings.ReplaceAll(files["manifest.json"], result.RootSHA256, "<root>")
	return files
}

func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, p))
		files[p] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for p, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
