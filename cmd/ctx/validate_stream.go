package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/session-trace/ctx/internal/archive"
	reports "github.com/session-trace/ctx/internal/report"
	"github.com/session-trace/ctx/validator"
)

// validateStream checks a stream that stands alone, and says what that leaves out.
func (e *env) validateStream(ctx context.Context, f *validateFlags, j *judge, path, suffix string) (verdict, error) {
	if f.output.word == "evidence" {
		return verdict{}, &usageError{message: path + " is a stream alone: it qualifies no format", hint: "give the whole bundle, or another --output"}
	}
	lines, err := openStream(path, suffix)
	if err != nil {
		return verdict{}, err
	}
	defer lines.Close() //nolint:errcheck // it was only read
	reg, err := e.load()
	if err != nil {
		return verdict{}, err
	}
	entry := "without a registry entry of its agent"
	entryOf := func(agent string) []byte {
		found, err := reg.Entry(agent)
		if err != nil || found.Name != agent {
			return nil
		}
		entry = "with the entry " + visible(agent) + " " + visible(found.Version) + " that ctx knows, not the bundle's own"
		return found.Raw
	}
	bar := e.newProgress("validate", "record")
	defer bar.stop()
	name := strings.TrimSuffix(filepath.Base(path), suffix)
	found, err := validator.ValidateStream(ctx, lines, name, validator.Options{
		EntryOf: entryOf, Jobs: e.jobs, Findings: f.gathered(), Progress: bar.records(),
	})
	if bound := lines.Bound(); bound != nil {
		return verdict{}, packedError(path, bound)
	}
	if err != nil {
		return verdict{}, fmt.Errorf("%s: %w", path, err)
	}
	if !e.quiet {
		fmt.Fprintf(e.stderr, "validate: %s: a stream alone, checked %s; not checked: manifest, blobs, report\n", visible(path), entry)
	}
	return j.verdict(f, path, found, &reports.Files{Streams: []reports.Stream{{ID: name, Lines: streamLines(path, suffix)}}}), nil
}

// stream is a file with the lines of a stream, decompressed.
type stream struct {
	*archive.Expanded
	file io.Closer
}

func (s stream) Close() error { return errors.Join(s.Expanded.Close(), s.file.Close()) }

func openStream(path, suffix string) (stream, error) {
	file, err := archive.Open(path)
	if err != nil {
		return stream{}, err
	}
	if !strings.HasSuffix(suffix, ".zst") {
		return stream{archive.Plain(file), file}, nil
	}
	lines, err := archive.Zstd(file)
	if err != nil {
		return stream{}, fmt.Errorf("%s: %w", path, errors.Join(err, file.Close()))
	}
	return stream{lines, file}, nil
}

// streamLines reads the lines of a stream that stands alone once more, to show places in them.
func streamLines(path, suffix string) func(yield func(n int, line []byte) error) error {
	return func(yield func(n int, line []byte) error) error {
		r, err := openStream(path, suffix)
		if err != nil {
			return err
		}
		defer r.Close() //nolint:errcheck // it was only read
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxLine)
		for n := 1; lines.Scan(); n++ {
			if err := yield(n, lines.Bytes()); err != nil {
				return err
			}
		}
		return lines.Err()
	}
}
