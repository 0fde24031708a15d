package formats

import (
	"crypto/sha256"
	"errors"
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

// readWhole reads one file to its end. A short read on a regular file is its
// end, so only a full or an empty buffer needs a look at what was opened: the
// look costs a fifth of the read.
func readWhole(h handle, buf []byte, limit int64) ([]byte, error) {
	buf = buf[:cap(buf)]
	n, err := h.read(buf)
	if err == nil && n > 0 && n < len(buf) && int64(n) <= limit {
		return buf[:n], nil
	}
	size, regular, statErr := h.stat()
	switch {
	case statErr != nil:
		return buf, statErr
	case !regular:
		return buf, ErrOdd
	case err != nil:
		return buf, err
	case size > limit:
		return buf, &TooLargeError{Size: size}
	case int64(n) == size:
		return buf[:n], nil
	}
	return readRest(h, buf[:n], size, limit)
}

// readRest continues after a first read that was not the whole file: the
// buffer was too small, or the file changes under us.
func readRest(h handle, buf []byte, size, limit int64) ([]byte, error) {
	if int64(cap(buf)) <= size {
		buf = append(make([]byte, 0, size+1), buf...)
	}
	for {
		if int64(len(buf)) > limit {
			return buf, &TooLargeError{Size: max(size, int64(len(buf)))}
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := h.read(buf[len(buf):cap(buf)])
		if err != nil {
			return buf, err
		}
		if n == 0 {
			return buf, nil
		}
		buf = buf[:len(buf)+n]
	}
}

const hashStep = 128 << 10

func copyTo(sum interface{ Write([]byte) (int, error) }, h handle) (int64, error) {
	want, regular, err := h.stat()
	if err != nil {
		return 0, err
	}
	if !regular {
		return 0, ErrOdd
	}
	buf := make([]byte, min(want, hashStep))
	var got int64
	for got < want {
		n, err := h.read(buf[:min(want-got, hashStep)])
		if err != nil {
			return got, err
		}
		if n == 0 {
			break
		}
		sum.Write(buf[:n])
		got += int64(n)
	}
	return got, nil
}
