package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/session-trace/ctx/internal/archive"
	"github.com/session-trace/ctx/internal/bundle"
)

// standard is the path that means standard input.
const standard = "-"

// form is what a bundle is given as.
type form uint8

const (
	folderForm form = iota
	tarForm
	streamForm
)

// suffixes of files by what they hold, longer ones first.
var suffixes = [...]struct {
	name string
	form form
}{
	{".jsonl.zst", streamForm},
	{".jsonl", streamForm},
	{".tar.zst", tarForm},
	{".tar.gz", tarForm},
	{".tgz", tarForm},
	{".tar", tarForm},
}

// formOf tells a folder, a tar and a stream apart. A file that has none of the names is left to who opens a folder.
func formOf(path string) (f form, suffix string) {
	if path == standard {
		return tarForm, ""
	}
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return folderForm, ""
	}
	for _, s := range suffixes {
		if strings.HasSuffix(path, s.name) {
			return s.form, s.name
		}
	}
	return folderForm, ""
}

// validateInput checks one bundle, whatever it is given as.
func (e *env) validateInput(ctx context.Context, f *validateFlags, j *judge, path string) (verdict, error) {
	switch form, suffix := formOf(path); form {
	case tarForm:
		return e.validateTar(ctx, f, j, path)
	case streamForm:
		return e.validateStream(ctx, f, j, path, suffix)
	default:
		v, err := e.validateOne(ctx, f, j, path)
		if info, failed := os.Stat(path); err != nil && failed == nil && info.Mode().IsRegular() {
			err = &usageError{
				message: err.Error(),
				hint:    "want the folder of a bundle, a tar (.tar, .tar.zst, .tar.gz) or a stream (.jsonl, .jsonl.zst)",
			}
		}
		return v, err
	}
}

// validateTar checks a bundle in a tar, unpacked for as long as that takes.
func (e *env) validateTar(ctx context.Context, f *validateFlags, j *judge, path string) (v verdict, err error) {
	r, err := e.openTar(ctx, path)
	if err != nil {
		return verdict{}, err
	}
	defer r.Close() //nolint:errcheck // it was only read
	folder, err := archive.Unpack(ctx, r, f.limits())
	if err != nil {
		return verdict{}, packedError(path, err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	b, err := bundle.Open(folder.Path())
	if _, faulty := errors.AsType[*bundle.ManifestError](err); err != nil && !faulty {
		err = fmt.Errorf("%s: %w", path, errors.Unwrap(err)) // without the temporary folder
	}
	return e.validateOpened(ctx, f, j, path, b, err)
}

// limits are those of a tar; 0 stands for none, as in other flags.
func (f *inputFlags) limits() archive.Limits {
	if f.unpacked == 0 {
		return archive.Limits{Bytes: math.MaxInt64}
	}
	return archive.Limits{Bytes: int64(f.unpacked)}
}

func (e *env) openTar(ctx context.Context, path string) (io.ReadCloser, error) {
	if path != standard {
		return archive.Open(path)
	}
	if e.stdin == nil || terminalOf(e.stdin) {
		return nil, &usageError{message: "- reads a bundle as tar from standard input, got none", hint: "tar -c bundle | ctx validate -"}
	}
	return io.NopCloser(archive.Await(ctx, e.stdin)), nil
}

// packedError says what to do about a tar or a stream that cannot be unpacked.
func packedError(path string, err error) error {
	named := fmt.Errorf("%s: %w", path, err)
	switch bound, isBound := errors.AsType[*archive.BoundError](err); {
	case isBound && bound.Hint != "":
		return &usageError{message: named.Error(), hint: bound.Hint}
	case errors.Is(err, archive.ErrNotTar):
		return &usageError{message: named.Error(), hint: "a bundle is packed with tar -c bundle; zstd and gzip are understood"}
	}
	return named
}
