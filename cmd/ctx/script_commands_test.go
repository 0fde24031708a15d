package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// codeOf is the exit code of a process that ended with an error.
func codeOf(err error) string {
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return strconv.Itoa(failed.ExitCode())
	}
	return err.Error()
}

// sameTree wants two folders with the same files and bytes: same A B
func sameTree(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same folder folder")
	}
	d := cmp.Diff(tree(ts, args[0]), tree(ts, args[1]))
	if !neg && d != "" {
		ts.Fatalf("%s and %s differ (-want +got):\n%s", args[0], args[1], d)
	}
	if neg && d == "" {
		ts.Fatalf("%s and %s are the same, want a difference", args[0], args[1])
	}
}

// tree is the content of every file below a folder.
func tree(ts *testscript.TestScript, folder string) map[string]string {
	files := map[string]string{}
	root := ts.MkAbs(folder)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
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
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("%s holds no files", folder)
	}
	return files
}

// packFolder writes a folder as tar, below a name or at the top, compressed as the file's name says: pack FILE DIR [TOP]
func packFolder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: pack file folder [top]")
	}
	var raw bytes.Buffer
	var compressed io.WriteCloser
	switch filepath.Ext(args[0]) {
	case ".gz":
		compressed = gzip.NewWriter(&raw)
	case ".zst":
		z, err := zstd.NewWriter(&raw)
		ts.Check(err)
		compressed = z
	default:
		compressed = nopCloser{&raw}
	}
	files := tree(ts, args[1])
	w := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: path.Join(append(args[2:], name)...), Mode: 0o644, Size: int64(len(files[name]))}
		ts.Check(w.WriteHeader(h))
		_, err := io.WriteString(w, files[name])
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(compressed.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), raw.Bytes(), 0o644))
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// emptyFolder wants a folder without anything in it, hidden files included: empty DIR
func emptyFolder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: empty folder")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s holds %s, want nothing", args[0], e.Name())
	}
}
