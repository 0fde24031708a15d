//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// A compressed stream that gives endless bytes ends with a message, and so does one of endless empty lines.
func TestStreamBombs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl.zst")
	for _, tt := range []struct {
		want string
		line string
		code int
	}{
		{"over 200 times as many", strings.Repeat(" ", 1<<20) + "\n", exitNotDone},
		{"got more than 1000000 lines that are no records, and read no further", strings.Repeat("\n", 1<<20), exitFindings},
	} {
		must(t, os.WriteFile(path, repeated(t, tt.line, 1<<30), 0o600))
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"validate", path}, nil, &stdout, &stderr)
		if said := stdout.String() + stderr.String(); code != tt.code || !strings.Contains(said, tt.want) {
			t.Errorf("exit code %d, want %d and %q:\n%s", code, tt.code, tt.want, said)
		}
	}
}

// repeated is zstd of one line again and again.
func repeated(t *testing.T, line string, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(1<<20), zstd.WithEncoderConcurrency(1))
	must(t, err)
	for n := 0; n < size; n += len(line) {
		_, err := w.Write([]byte(line))
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

func TestNoStandardInput(t *testing.T) {
	for _, args := range [][]string{{"validate", "-"}, {"validate", "--from", "-"}} {
		var stderr bytes.Buffer
		if code := run(t.Context(), args, nil, new(bytes.Buffer), &stderr); code != exitNotDone || !strings.Contains(stderr.String(), "standard input, got none") {
			t.Errorf("%q: exit code %d, %s", args, code, &stderr)
		}
	}
}

// A signal ends the wait for a tar, or a list, of which nothing comes any more; nothing that was unpacked stays.
func TestInterruptInput(t *testing.T) {
	for _, args := range [][]string{{"validate", "-"}, {"validate", "--from", "-"}} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			temp := t.TempDir()
			c := program(t, args...)
			c.Env = append(os.Environ(), "TMPDIR="+temp)
			in, err := c.StdinPipe()
			must(t, err)
			must(t, c.Start())
			if args[1] == standard {
				_, err = in.Write(header("b/manifest.json", 100))
				must(t, err)
				until(t, "the unpacking to begin", func() bool {
					found, _ := filepath.Glob(filepath.Join(temp, "*", "b", "manifest.json")) //nolint:errcheck // the pattern is sound
					return len(found) > 0
				})
			} else {
				_, err = in.Write(bytes.Repeat([]byte("missing\n"), 32<<10)) // more than a pipe holds: it reads
				must(t, err)
			}
			must(t, c.Process.Signal(sig))
			if got := ends(t, c); got != exitInterrupted || said(c) != "ctx: interrupted\n" {
				t.Errorf("%q, %v: exit code %d, %q, want %d", args, sig, got, said(c), exitInterrupted)
			}
			in.Close()
			if left := list(t, temp); len(left) > 0 {
				t.Errorf("%q, %v: left behind: %q", args, sig, left)
			}
		}
	}
}

// header is the beginning of a tar: a file of a size, without its bytes.
func header(name string, size int64) []byte {
	var raw bytes.Buffer
	// who never closes it writes no end mark
	if err := tar.NewWriter(&raw).WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size, Typeflag: tar.TypeReg}); err != nil {
		panic(err)
	}
	return raw.Bytes()
}
