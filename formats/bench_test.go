package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkRead reports how many times cheaper a read is than os.ReadFile,
// both over the same small files.
func BenchmarkRead(b *testing.B) {
	files := map[string]string{}
	for i := range 500 {
		files[fmt.Sprintf("event-%05d-0b9f6f0e-7a53-4d0e-9d3b-3c1f0a2b4c5d.json", i)] = strings.Repeat("x", 3300)
	}
	dir := tree(b, files)
	r := openRoot(b, dir)
	names, err := r.List(".")
	if err != nil {
		b.Fatal(err)
	}
	f := openFolder(b, r, ".")
	buf := make([]byte, 128<<10)
	b.Run("folder", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			if _, err := f.Read(names[i%len(names)].Name, buf, 1<<20); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("os.ReadFile", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			if _, err := os.ReadFile(filepath.Join(dir, names[i%len(names)].Name)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
