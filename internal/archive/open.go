package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a regular file, following links to one. Nothing blocks.
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", path, cause(err))
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		f.Close() //nolint:errcheck // nothing was written
		return nil, fmt.Errorf("%q: %w", path, cause(err))
	}
	return f, nil
}

// cause takes the operating system's error out of one that repeats the path.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}
