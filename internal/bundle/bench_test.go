package bundle

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchLines are about 4 MB of lines that compress like records.
func benchLines() [][]byte {
	lines := make([][]byte, 1000)
	for i := range lines {
		var text strings.Builder
		for j := range 300 {
			fmt.Fprintf(&text, "word%d ", (i*7919+j*j*31)%5000)
		}
		lines[i] = fmt.Appendf(nil, `{"type":"message","id":"%08d","text":"%s%s"}`, i, text.String(), strings.Repeat("same ", 200))
	}
	return lines
}

func size(lines [][]byte) (n int64) {
	for _, line := range lines {
		n += int64(len(line)) + 1
	}
	return n
}

// BenchmarkStream is to be read against "raw": the same lines hashed and
// written in the same blocks by one goroutine.
func BenchmarkStream(b *testing.B) {
	lines := benchLines()
	b.Run("raw", func(b *testing.B) {
		b.SetBytes(size(lines))
		for range b.N {
			f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
			if err != nil {
				b.Fatal(err)
			}
			sum, block := sha256.New(), make([]byte, 0, plainSize)
			for _, line := range lines {
				if len(block)+len(line)+1 > plainSize {
					sum.Write(block)
					f.Write(block)
					block = block[:0]
				}
				block = append(append(block, line...), '\n')
			}
			sum.Write(block)
			f.Write(block)
			f.Close()
		}
	})
	for _, how := range []Compression{None, Zstd} {
		b.Run(how.String(), func(b *testing.B) {
			w := create(b, filepath.Join(b.TempDir(), "out"), WriterOptions{Compress: how})
			b.SetBytes(size(lines))
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				benchStream(b, w, lines, i)
			}
		})
	}
}

func benchStream(b *testing.B, w *Writer, lines [][]byte, i int) {
	s, err := w.Stream()
	if err != nil {
		b.Fatal(err)
	}
	for _, line := range lines {
		if err := s.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.Close(); err != nil {
		b.Fatal(err)
	}
	if err := s.Name(fmt.Sprintf("s-%d", i)); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkRead(b *testing.B) {
	lines := benchLines()
	for _, how := range []Compression{None, Zstd} {
		path := filepath.Join(b.TempDir(), how.String())
		w := create(b, path, WriterOptions{Compress: how})
		benchStream(b, w, lines, 0)
		if err := w.Commit(manifest("s-0"), nil); err != nil {
			b.Fatal(err)
		}
		bundle := open(b, path)
		s := bundle.Manifest().Streams[0]
		b.Run(how.String(), func(b *testing.B) {
			b.SetBytes(s.Bytes)
			b.ReportAllocs()
			for range b.N {
				if n, err := read(bundle, s); n != s.Bytes || err != nil {
					b.Fatal(n, err)
				}
			}
		})
		b.Run(how.String()+"-lines", func(b *testing.B) {
			b.SetBytes(s.Bytes)
			for range b.N {
				if err := bundle.Lines(s, 1<<20, func(int, []byte, bool) error { return nil }); err != nil && err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}
