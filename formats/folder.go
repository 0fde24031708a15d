package formats

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Folder is one open folder below a Root, made for many reads. Several
// goroutines may read at once; none may while it is closed.
type Folder struct {
	root *Root
	path string // relative to the root
	dir  directory
}

// Folder opens a folder for many reads. A link to a folder is refused
// (ErrNotFolder).
func (r *Root) Folder(path string) (*Folder, error) {
	dir, err := openDirectory(r, path)
	if err != nil {
		return nil, err
	}
	return &Folder{root: r, path: path, dir: dir}, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.dir.close() }

// Read reads the regular file of that name into buf[:0] and returns the
// result, which shares buf's memory where the file fits and is the caller's.
// A buffer with room for one byte more than the file saves a look at its size.
// A relative link to a file below the root is followed. Names listed as KindOdd
// are not for reading: they do not block, but a FIFO that has a writer gives
// what was written.
//
// A file of more than limit bytes is a *TooLargeError. With every error the
// result is empty but keeps the buffer.
func (f *Folder) Read(name string, buf []byte, limit int64) ([]byte, error) {
	h, err := f.open(name)
	if err != nil {
		return buf[:0], f.fault(name, err)
	}
	out, err := readWhole(h, buf, limit)
	h.close()
	if err != nil {
		return out[:0], f.fault(name, err)
	}
	return out, nil
}

// Hash returns the SHA-256 and the number of bytes of a file of any size
// without holding it. What is appended meanwhile does not count.
func (f *Folder) Hash(name string) (sha [32]byte, size int64, err error) {
	h, err := f.open(name)
	if err != nil {
		return sha, 0, f.fault(name, err)
	}
	defer h.close()
	sum := sha256.New()
	if size, err = copyTo(sum, h); err != nil {
		return sha, size, f.fault(name, err)
	}
	sum.Sum(sha[:0])
	return sha, size, nil
}

// Open opens a regular file for reading piece by piece, as Lines does.
func (f *Folder) Open(name string) (io.ReadCloser, error) {
	h, err := f.open(name)
	if err != nil {
		return nil, f.fault(name, err)
	}
	if _, regular, err := h.stat(); err != nil || !regular {
		h.close()
		return nil, f.fault(name, cmp.Or(err, ErrOdd))
	}
	return &openFile{handle: h, path: path.Join(f.path, name)}, nil
}

// openFile is a handle as an io.ReadCloser.
type openFile struct {
	handle handle
	path   string
	closed bool
}

func (o *openFile) Read(p []byte) (int, error) {
	if o.closed {
		return 0, pathError(o.path, fs.ErrClosed)
	}
	if len(p) == 0 {
		return 0, nil
	}
	n, err := o.handle.read(p)
	switch {
	case err != nil:
		return n, pathError(o.path, err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

func (o *openFile) Close() error {
	if !o.closed {
		o.closed = true
		o.handle.close()
	}
	return nil
}

// open opens a regular file, or what looks like one: the read finds out.
func (f *Folder) open(name string) (handle, error) {
	if !plainName(name) {
		return noHandle, errName
	}
	h, err := f.dir.open(name)
	if !errors.Is(err, errLink) {
		return h, err
	}
	target, kind, err := f.root.resolve(path.Join(f.path, name))
	if err != nil {
		return noHandle, err
	}
	if kind != KindFile {
		return noHandle, ErrOdd
	}
	return openThroughRoot(f.root, target)
}

// errLink is what a directory answers for a symbolic link.
var errLink = errors.New("is a link")

func (f *Folder) fault(name string, err error) error {
	return pathError(path.Join(f.path, name), err)
}

// plainName holds a name to one element, so that a descriptor-relative open
// cannot leave the folder.
func plainName(name string) bool {
	return name != "" && name != "." && name != ".." && strings.IndexByte(name, '/') < 0 && strings.IndexByte(name, 0) < 0
}
