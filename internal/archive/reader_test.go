package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

func TestAwait(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789"), 100_000)
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(want), "halves": iotest.HalfReader(bytes.NewReader(want)), "with the end": iotest.DataErrReader(bytes.NewReader(want)),
	} {
		got, err := io.ReadAll(Await(context.Background(), r))
		if err != nil || !bytes.Equal(want, got) {
			t.Errorf("%s: got %d bytes and %v, want %d", name, len(got), err, len(want))
		}
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(Await(context.Background(), io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken))))
	if string(got) != "a" || !errors.Is(err, broken) {
		t.Errorf("got %q and %v, want a and the fault", got, err)
	}
}

func TestZstd(t *testing.T) {
	text := strings.Repeat("line\n", 1000)
	for _, tt := range []struct {
		want string // "" an error
		name string
		raw  []byte
	}{
		{text, "sound", zstdOf(t, []byte(text))},
		{text + text, "two frames", append(zstdOf(t, []byte(text)), zstdOf(t, []byte(text))...)},
		{"", "text", []byte(text)},
		{"", "cut", zstdOf(t, []byte(text))[:12]},
		{"", "a window of 16 MiB", window(t, 16<<20)},
	} {
		x, err := Zstd(bytes.NewReader(tt.raw))
		must(t, err)
		got, err := io.ReadAll(x)
		if (tt.want == "") != (err != nil) || err == nil && string(got) != tt.want {
			t.Errorf("%s: got %d bytes and %v, want %d", tt.name, len(got), err, len(tt.want))
		}
		if x.Bound() != nil {
			t.Errorf("%s: got %v, want no bound", tt.name, x.Bound())
		}
		must(t, x.Close())
		must(t, x.Close())
	}
}

// window is zstd that needs so large a window.
func window(t *testing.T, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(size), zstd.WithSingleSegment(false))
	must(t, err)
	for i := range 2 * size / 4096 {
		_, err := w.Write(bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 2048))
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

// A bomb ends soon after what any input may give, with the same error for ever.
func TestBomb(t *testing.T) {
	x, err := Zstd(bytes.NewReader(bomb(t, nil, '\n', 1<<30)))
	must(t, err)
	n, err := io.Copy(io.Discard, x)
	if _, isBound := errors.AsType[*BoundError](err); !isBound || n > freeBytes+1<<20 {
		t.Errorf("got %d bytes and %v, want about %d and a bound", n, err, freeBytes)
	}
	if _, again := x.Read(make([]byte, 1)); !errors.Is(again, err) || !errors.Is(x.Bound(), err) {
		t.Errorf("got %v and %v, want %v again", again, x.Bound(), err)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	must(t, os.WriteFile(file, []byte("x"), 0o600))
	must(t, os.Symlink(file, link))
	for _, tt := range []struct{ want, path string }{
		{"", file},
		{"", link},
		{"not a regular file", dir},
		{"no such file", filepath.Join(dir, "missing")},
		{"not a regular file", os.DevNull},
	} {
		f, err := Open(tt.path)
		if err == nil {
			f.Close()
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: want error %q, got %v", tt.path, tt.want, err)
		}
	}
}
