package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// made is an entry of a tar to be written.
type made struct {
	name, text string
	kind       byte // 0: a file, or a folder when the name ends with a slash
	link       string
	size       int64 // that the header states, 0: that of text
	pax        map[string]string
}

// tarOf writes a tar. Entries whose stated size is not theirs leave it without an end mark.
func tarOf(t testing.TB, list ...made) []byte {
	t.Helper()
	var raw bytes.Buffer
	w := tar.NewWriter(&raw)
	whole := true
	for _, m := range list {
		h := &tar.Header{Name: m.name, Typeflag: m.kind, Linkname: m.link, Mode: 0o4777, Size: int64(len(m.text)), PAXRecords: m.pax}
		if m.kind == tar.TypeXGlobalHeader {
			h = &tar.Header{Typeflag: m.kind, PAXRecords: m.pax}
		}
		if m.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if m.name != "" && m.kind == 0 && m.name[len(m.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if m.size != 0 {
			h.Size, whole = m.size, false
		}
		must(t, w.WriteHeader(h))
		if _, err := w.Write([]byte(m.text)); err != nil {
			t.Fatal(err)
		}
		if !whole {
			return raw.Bytes()
		}
	}
	must(t, w.Close())
	return raw.Bytes()
}

// block is one entry of the GNU format as it lies in a tar, for kinds that cannot be written otherwise.
func block(name string, kind byte, text string) []byte {
	raw := make([]byte, 512, 1024)
	copy(raw, name)
	copy(raw[100:], "0000644\x00")
	copy(raw[124:], fmt.Sprintf("%011o\x00", len(text)))
	copy(raw[257:], "ustar  \x00")
	raw[156] = kind
	sum := 8 * int(' ')
	for _, c := range raw {
		sum += int(c)
	}
	copy(raw[148:], fmt.Sprintf("%06o\x00 ", sum))
	raw = append(raw, text...)
	return append(raw, make([]byte, -len(raw)&511)...)
}

func bundleEntries() []made {
	return []made{
		{name: "b/"},
		{name: "b/blobs/"},
		{name: "b/blobs/0a", text: "blob"},
		{name: "b/manifest.json", text: "{}"},
		{name: "b/report.json", text: "[]"},
		{name: "b/streams/x.jsonl", text: "line\n"},
	}
}

func zipped(t testing.TB, raw []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	return out.Bytes()
}

func zstdOf(t testing.TB, raw []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	must(t, err)
	return w.EncodeAll(raw, nil)
}

// bomb is zstd that gives size bytes of one kind.
func bomb(t testing.TB, start []byte, c byte, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(1<<20), zstd.WithEncoderConcurrency(1))
	must(t, err)
	_, err = w.Write(start)
	must(t, err)
	step := bytes.Repeat([]byte{c}, 1<<20)
	for ; size > 0; size -= len(step) {
		_, err := w.Write(step)
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

// private lets everything be unpacked below a folder of its own, and returns that.
func private(t testing.TB) string {
	t.Helper()
	outside := t.TempDir()
	inside := filepath.Join(outside, "a", "b", "tmp")
	must(t, os.MkdirAll(inside, 0o755))
	t.Setenv("TMPDIR", inside)
	t.Setenv("TMP", inside) // of Windows
	return outside
}

// names are the files and folders below a folder, folders with a slash.
func names(t testing.TB, root string) []string {
	t.Helper()
	var list []string
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if d.IsDir() {
			name += "/"
		}
		list = append(list, filepath.ToSlash(name))
		return err
	}))
	slices.Sort(list)
	return list
}

func unpack(t testing.TB, raw []byte, l Limits) (*Folder, error) {
	t.Helper()
	return Unpack(context.Background(), bytes.NewReader(raw), l)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
