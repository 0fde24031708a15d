package diff_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/diff"
	"github.com/session-trace/ctx/registry"
)

// Bundles with bytes changed anywhere, plain and compressed, are compared or refused, and each is the same as itself.
func TestMutated(t *testing.T) {
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, how := range map[string]bundle.Compression{"plain": bundle.None, "zstd": bundle.Zstd} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "bundle")
			source := filepath.Join("..", "..", "fixtures", "openhands", "condensation-twice", "native")
			if _, err := converter.Convert(t.Context(), converter.Options{Sources: []string{source}, Registry: reg, Compress: how, Out: out}); err != nil {
				t.Fatal(err)
			}
			sound := reopen(t, out)
			noticed := 0
			for seed := range uint64(80) {
				b, err := bundle.Open(mutate(t, out, rand.New(rand.NewPCG(seed, 2))))
				if err != nil {
					continue // the manifest is none any more
				}
				if r, err := diff.Compare(t.Context(), b, b, diff.Options{}); err == nil && r.Different() {
					t.Errorf("seed %d: a bundle differs from itself: %+v", seed, r)
				}
				r, err := diff.Compare(t.Context(), sound, b, diff.Options{Max: 3})
				if r == nil {
					t.Fatalf("seed %d: no result beside %v", seed, err)
				}
				if err != nil || r.Different() {
					noticed++
				}
				b.Close()
			}
			if noticed < 20 {
				t.Errorf("only %d bundles were noticed, want many", noticed)
			}
		})
	}
}

func reopen(t *testing.T, path string) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// mutate copies a bundle with a few bytes of one file changed, or the file cut.
func mutate(t *testing.T, from string, rng *rand.Rand) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "streams", "*"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(dir, "manifest.json"), filepath.Join(dir, "report.json"))
	path := files[rng.IntN(len(files))]
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 1 + rng.IntN(4) {
		raw[rng.IntN(len(raw))] = "{}[]\",:0e\\\n\x00\xff"[rng.IntN(13)]
	}
	if rng.IntN(4) == 0 {
		raw = raw[:rng.IntN(len(raw))]
	}
	put(t, path, string(raw))
	return dir
}
