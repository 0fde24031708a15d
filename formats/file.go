package formats

import (
	"io"
	"os"
	"syscall"
)

// File is one regular file, for reads at any place.
type File struct {
	file *os.File
	path string
}

// OpenFile opens a regular file below the root, following a relative link to one.
func (r *Root) OpenFile(path string) (*File, error) {
	f, err := r.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, pathError(path, cause(err))
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close() //nolint:errcheck // nothing was written
		if err == nil {
			err = ErrOdd
		}
		return nil, pathError(path, err)
	}
	return &File{f, path}, nil
}

// ReadAt fills buf from the place on; anything less is an error.
func (f *File) ReadAt(buf []byte, at int64) error {
	if _, err := f.file.ReadAt(buf, at); err != nil {
		return pathError(f.path, err)
	}
	return nil
}

// Section reads the bytes from a place up to another, or to the end of the file where that comes first.
func (f *File) Section(s Span) io.Reader { return io.NewSectionReader(f.file, s.From, s.To-s.From) }

// Size is how many bytes the file has now.
func (f *File) Size() (int64, error) {
	info, err := f.file.Stat()
	if err != nil {
		return 0, pathError(f.path, cause(err))
	}
	return info.Size(), nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
