package formats

import (
	"context"
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

// BenchmarkConversation lists, sorts out and reads one of 20,000 items; the
// metrics are of one item.
func BenchmarkConversation(b *testing.B) {
	const n = 20_000
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("event-%05d-0b9f6f0e-7a53-4d0e-9d3b-3c1f0a2b4c5d.json", i)] = strings.Repeat("x", 3300)
	}
	r := openRoot(b, tree(b, files))
	f := openFolder(b, r, ".")
	p := patterns(b)
	var l Listing
	b.Run("list", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			names, err := r.List(".")
			if err != nil {
				b.Fatal(err)
			}
			l = Directory(names, p)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
	})
	b.Run("ahead", func(b *testing.B) {
		b.ReportAllocs()
		o := AheadOptions{Limit: 1 << 20, Buffers: new(Buffers)}
		for range b.N {
			a := ReadAhead(context.Background(), f, l.Items, o)
			for batch, ok := a.Next(); ok; batch, ok = a.Next() {
				batch.Release()
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
	})
}
