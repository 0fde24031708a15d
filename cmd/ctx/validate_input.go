package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/session-trace/ctx/internal/archive"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
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
func (e *env) validateInput(ctx context.Context, f *validateFlags, path string) (*record.Report, error) {
	switch form, suffix := formOf(path); form {
	case tarForm:
		return e.validateTar(ctx, f, path)
	case streamForm:
		return e.validateStream(ctx, f, path, suffix)
	default:
		report, err := e.validateOne(ctx, f, path)
		if info, failed := os.Stat(path); err != nil && failed == nil && info.Mode().IsRegular() {
			err = &usageError{
				message: err.Error(),
				hint:    "want the folder of a bundle, a tar (.tar, .tar.zst, .tar.gz) or a stream (.jsonl, .jsonl.zst)",
			}
		}
		return report, err
	}
}

// validateTar checks a bundle in a tar, unpacked for as long as that takes.
func (e *env) validateTar(ctx context.Context, f *validateFlags, path string) (report *record.Report, err error) {
	r, err := e.openTar(ctx, path)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // it was only read
	folder, err := archive.Unpack(ctx, r, f.limits())
	if err != nil {
		return nil, packedError(path, err)
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	b, err := bundle.Open(folder.Path())
	if _, faulty := errors.AsType[*bundle.ManifestError](err); err != nil && !faulty {
		err = fmt.Errorf("%s: %w", path, errors.Unwrap(err)) // without the temporary folder
	}
	return e.validateOpened(ctx, f, path, b, err)
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

// validateStream checks a stream that stands alone, and says what that leaves out.
func (e *env) validateStream(ctx context.Context, f *validateFlags, path, suffix string) (*record.Report, error) {
	if f.output.word == "evidence" {
		return nil, &usageError{message: path + " is a stream alone: it qualifies no format", hint: "give the whole bundle, or another --output"}
	}
	file, err := archive.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	lines := archive.Plain(file)
	if strings.HasSuffix(suffix, ".zst") {
		if lines, err = archive.Zstd(file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		defer lines.Close() //nolint:errcheck // it was only read
	}
	reg, err := e.load()
	if err != nil {
		return nil, err
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
	report, err := validator.ValidateStream(ctx, lines, name, validator.Options{EntryOf: entryOf, Jobs: e.jobs, Progress: bar.records()})
	if bound := lines.Bound(); bound != nil {
		return nil, packedError(path, bound)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !e.quiet {
		fmt.Fprintf(e.stderr, "validate: %s: a stream alone, checked %s; not checked: manifest, blobs, report\n", visible(path), entry)
	}
	return report, nil
}
