package restore_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/registry"
)

// convert makes a bundle of the sources and opens it.
func convert(t testing.TB, how bundle.Compression, sources ...string) (*bundle.Bundle, string) {
	t.Helper()
	return convertWith(t, converter.Options{Sources: sources, Compress: how})
}

func convertWith(t testing.TB, o converter.Options) (*bundle.Bundle, string) {
	t.Helper()
	if o.Registry == nil {
		o.Registry = load(t)
	}
	o.Out = filepath.Join(t.TempDir(), "bundle")
	if _, err := converter.Convert(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return open(t, o.Out), o.Out
}

func load(t testing.TB) *registry.Registry {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func open(t testing.TB, path string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// tree is the content of all files below a folder, by path.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		files[filepath.ToSlash(rel)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// copyOf is a copy of a folder that a test may change.
func copyOf(t testing.TB, folder string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	for path, content := range tree(t, folder) {
		write(t, filepath.Join(to, filepath.FromSlash(path)), content)
	}
	return to
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fixture is the native folder of a fixture.
func fixture(name string) string {
	return filepath.Join("..", "..", "fixtures", "openhands", name, "native")
}
