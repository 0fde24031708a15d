package bundle

import (
	"errors"
	"fmt"
	"io/fs"
)

// Errors of this package, wrapped with the place; use errors.Is.
var (
	// ErrExists says that something stands where a bundle is to be written.
	ErrExists = errors.New("exists already")
	// ErrNotBundle says that a path is no ctx bundle.
	ErrNotBundle = errors.New("not a ctx bundle")
	// ErrUnsafe says that a name in a bundle is none that a bundle may have, or
	// leads elsewhere.
	ErrUnsafe = errors.New("unsafe name")
	// ErrDigest says that bytes are not those that the manifest states.
	ErrDigest = errors.New("bytes differ from the manifest")
)

// ManifestError says what is wrong in a manifest that can be told to be one.
type ManifestError struct {
	Pointer string // JSON pointer into the manifest
	Problem string // found, then expected
	Raw     []byte // the bytes of manifest.json, nil when they were not read by this package
}

func (e *ManifestError) Error() string {
	return fmt.Sprintf("manifest %q: %s", e.Pointer, e.Problem)
}

// LongLineError says that a line is longer than the limit of the read.
type LongLineError struct {
	Line  int // from 1
	Limit int64
}

func (e *LongLineError) Error() string {
	return fmt.Sprintf("line %d: longer than %d bytes", e.Line, e.Limit)
}

// pathError puts the place before the cause.
func pathError(path string, err error) error {
	return fmt.Errorf("%q: %w", path, cause(err))
}

// cause takes the operating system's error out of one that repeats the path.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
