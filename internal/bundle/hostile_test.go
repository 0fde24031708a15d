package bundle

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// pack makes zstd frames of data that repeats, without holding the data.
func pack(t testing.TB, piece []byte, times int, window int) []byte {
	t.Helper()
	var out bytes.Buffer
	e, err := zstd.NewWriter(&out, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		if _, err := e.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// put writes a file into a bundle.
func put(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	os.Remove(path)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// read reads a stream to its end.
func read(b *Bundle, s StreamInfo) (int64, error) {
	r, err := b.Stream(s)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return io.Copy(io.Discard, r)
}

func TestHostileStreamNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	write(t, path, WriterOptions{})
	b := open(t, path)
	good := b.Manifest().Streams[0]
	if n, err := read(b, good); n != good.Bytes || err != nil {
		t.Fatalf("want %d bytes, got %d, %v", good.Bytes, n, err)
	}
	for _, tt := range []struct{ id, file, compression string }{
		{"a-1", "../streams/a-1.jsonl", "none"},
		{"a-1", "/etc/passwd", "none"},
		{"a-1", "manifest.json", "none"},
		{"a-1", "streams/a-long.jsonl", "none"},
		{"a-1", "streams/a-1.jsonl", "zstd"},
		{"a-1", "streams/a-1.jsonl.zst", "none"},
		{"a-1", "streams/./a-1.jsonl", "none"},
		{"../manifest", "streams/../manifest.jsonl", "none"},
		{"..", "streams/...jsonl", "none"},
		{"", "streams/.jsonl", "none"},
	} {
		_, err := read(b, StreamInfo{ID: tt.id, File: tt.file, Compression: tt.compression, Bytes: 10})
		if !errors.Is(err, ErrUnsafe) {
			t.Errorf("%+v: want ErrUnsafe, got %v", tt, err)
		}
	}
	if _, err := read(b, StreamInfo{ID: "a-1", File: "streams/a-1.jsonl", Compression: "gzip"}); err == nil {
		t.Error("gzip was read")
	}
	if _, err := read(b, StreamInfo{ID: "a-2", File: "streams/a-2.jsonl", Compression: "none"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want fs.ErrNotExist, got %v", err)
	}
	for _, sum := range []string{"", "..", "../manifest.json", strings.Repeat("A", 64), strings.Repeat("a", 63) + "/"} {
		if _, err := b.Blob(sum); !errors.Is(err, ErrUnsafe) {
			t.Errorf("blob %q: want ErrUnsafe, got %v", sum, err)
		}
	}
	if _, err := b.Blob(strings.Repeat("a", 64)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("want fs.ErrNotExist, got %v", err)
	}
}

func TestLinksInABundleAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	write(t, path, WriterOptions{})
	b := open(t, path)
	entry := sha([]byte("entry"))
	link := func(target, name string) {
		t.Helper()
		name = filepath.Join(path, filepath.FromSlash(name))
		if err := errors.Join(os.RemoveAll(name), os.Symlink(target, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	link("a-long.jsonl", "streams/a-1.jsonl")
	if _, err := read(b, b.Manifest().Streams[0]); !errors.Is(err, ErrUnsafe) {
		t.Errorf("stream: want ErrUnsafe, got %v", err)
	}
	link("../report.json", "blobs/"+entry)
	if _, err := b.Blob(entry); !errors.Is(err, ErrUnsafe) {
		t.Errorf("blob: want ErrUnsafe, got %v", err)
	}
	if err := os.Rename(filepath.Join(path, "streams"), filepath.Join(path, "real")); err != nil {
		t.Fatal(err)
	}
	link("real", "streams")
	if _, err := read(b, b.Manifest().Streams[1]); !errors.Is(err, ErrUnsafe) {
		t.Errorf("folder: want ErrUnsafe, got %v", err)
	}
	files, err := b.Files()
	if got := strings.Join(files, " "); err != nil || !strings.Contains(got, "real/ real/a-1.jsonl real/a-long.jsonl") || !strings.HasSuffix(got, " streams") {
		t.Errorf("got files %q, %v", files, err)
	}
	link("../elsewhere", "manifest.json")
	if _, err := Open(path); !errors.Is(err, ErrNotBundle) {
		t.Errorf("manifest: want ErrNotBundle, got %v", err)
	}
}

func TestDamagedStreams(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	write(t, path, WriterOptions{Compress: Zstd})
	b := open(t, path)
	s := b.Manifest().Streams[1]
	name := filepath.Join(path, filepath.FromSlash(s.File))
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	line := []byte("{\"type\":\"gap\"}\n")
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0xff
	for _, tt := range []struct {
		name string
		data []byte
		want int64 // bytes read, -1 any
		bad  bool
	}{
		{"whole", whole, s.Bytes, false},
		{"truncated", whole[:len(whole)/2], -1, true},
		{"cut by one byte", whole[:len(whole)-1], -1, true},
		{"one bit group flipped", flipped, -1, true},
		{"no zstd", []byte("{}\n"), 0, true},
		{"empty", nil, 0, false},
		{"longer", append(bytes.Clone(whole), pack(t, line, 1, frameSize)...), s.Bytes + 1, false},
		{"bomb", pack(t, make([]byte, 1<<20), 1024, frameSize), s.Bytes + 1, false},
		{"window over the limit", pack(t, bytes.Repeat(line, 1<<16), 40, 32<<20), 0, true},
		{"garbage after the last frame", append(bytes.Clone(whole), "garbage"...), -1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			put(t, path, s.File, tt.data)
			before := allocated()
			n, err := read(b, s)
			if (err != nil) != tt.bad || (tt.want >= 0 && n != tt.want) || n > s.Bytes+1 {
				t.Errorf("want %d bytes, error %t; got %d, %v", tt.want, tt.bad, n, err)
			}
			if used := allocated() - before; used > 40<<20 {
				t.Errorf("reading took %d MiB", used>>20)
			}
		})
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestDamagedBlobs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	write(t, path, WriterOptions{Compress: Zstd})
	b := open(t, path)
	packed, plain := sha([]byte(strings.Repeat("blob ", 1000))), sha([]byte("entry"))
	for _, tt := range []struct {
		sum, name string
		data      []byte
	}{
		{plain, plain, []byte("entrX")},
		{plain, plain, []byte("entry+")},
		{plain, plain, []byte("entr")},
		{packed, packed + ".zst", pack(t, []byte("other"), 1000, frameSize)},
		{packed, packed + ".zst", pack(t, make([]byte, 1<<20), 1024, frameSize)},
		{packed, packed + ".zst", nil},
	} {
		put(t, path, "blobs/"+tt.name, tt.data)
		if _, err := b.Blob(tt.sum); !errors.Is(err, ErrDigest) {
			t.Errorf("%.8s: want ErrDigest, got %v", tt.sum, err)
		}
	}
	put(t, path, "blobs/"+packed+".zst", []byte("no zstd"))
	if _, err := b.Blob(packed); err == nil {
		t.Error("want an error")
	}
}
