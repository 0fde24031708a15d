package archive

import (
	"archive/tar"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzTar unpacks any bytes: nothing is written outside of the temporary folder, what comes out is files and folders within
// the limits, and nothing stays.
func FuzzTar(f *testing.F) {
	whole := tarOf(f, bundleEntries()...)
	f.Add(whole)
	f.Add(zipped(f, whole))
	f.Add(zstdOf(f, whole))
	for _, m := range []made{
		{name: "../x", text: "x"},
		{name: "/x", text: "x"},
		{name: "manifest.json/x"},
		{name: "b/l", kind: tar.TypeSymlink, link: "../.."},
		{name: "b/blobs/l", kind: tar.TypeLink, link: "b/manifest.json"},
		{name: strings.Repeat("d/", 200), pax: map[string]string{"comment": "c"}},
	} {
		f.Add(tarOf(f, m, made{name: "b/l/x", text: "x"}, made{name: "manifest.json", text: "{}"}))
	}
	f.Add(block("b/s", tar.TypeGNUSparse, ""))
	outside := private(f)
	limits := Limits{Bytes: 64 << 10, Entries: 100}
	f.Fuzz(func(t *testing.T, raw []byte) {
		folder, err := unpack(t, raw, limits)
		if err == nil {
			looked(t, folder, limits)
			must(t, folder.Remove())
		} else if errors.Is(err, os.ErrPermission) {
			t.Errorf("got %v: something was tried that is not ours", err)
		}
		if left := names(t, outside); !slices.Equal(left, []string{"a/", "a/b/", "a/b/tmp/"}) {
			t.Errorf("left over: %q", left)
		}
	})
}

// looked wants only files and folders in an unpacked folder, within limits, a manifest among them.
func looked(t *testing.T, folder *Folder, l Limits) {
	t.Helper()
	all := names(t, folder.temp)
	var size int64
	for _, name := range all {
		info, err := os.Lstat(filepath.Join(folder.temp, name))
		must(t, err)
		if !info.IsDir() && !info.Mode().IsRegular() {
			t.Errorf("got %q of mode %v", name, info.Mode())
		}
		if info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	if size > l.Bytes || int64(len(all)) > l.Entries {
		t.Errorf("got %d bytes in %d files and folders, want at most %+v", size, len(all), l)
	}
	if _, err := os.Stat(filepath.Join(folder.Path(), manifestName)); err != nil {
		t.Error(err)
	}
}
