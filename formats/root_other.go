//go:build !linux

package formats

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// openFlags opens folders: never blocks, even if a FIFO took the name.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

// directory is an open folder, its names opened through os.Root.
type directory struct {
	root *os.Root
}

func openDirectory(r *Root, folder string) (directory, error) {
	f, err := r.openFolder(folder)
	if err != nil {
		return directory{}, err
	}
	f.Close()
	root, err := r.root.OpenRoot(folder)
	if err != nil {
		return directory{}, pathError(folder, cause(err))
	}
	return directory{root: root}, nil
}

func (d directory) close() error { return d.root.Close() }

// stamp looks at a name; plain says that it is a regular file and no link.
func (d directory) stamp(name string) (st Stamp, plain bool, err error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return st, false, cause(err)
	}
	return Stamp{info.Size(), info.ModTime().UnixNano(), inode(info)}, info.Mode().IsRegular(), nil
}

func (d directory) open(name string) (handle, error) {
	return openRegular(d.root, name)
}

func openRegular(root *os.Root, name string) (handle, error) {
	before, err := root.Lstat(name)
	switch {
	case err != nil:
		return noHandle, cause(err)
	case before.Mode()&fs.ModeSymlink != 0:
		return noHandle, errLink
	case !before.Mode().IsRegular():
		return noHandle, ErrOdd
	}
	f, err := root.OpenFile(name, openFlags, 0)
	if err != nil {
		return noHandle, cause(err)
	}
	// a link that took the name meanwhile would have been followed
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		f.Close()
		return noHandle, errLink
	}
	return handle{file: f}, nil
}

// openThroughRoot opens a path whose links are resolved.
func openThroughRoot(r *Root, path string) (handle, error) {
	h, err := openRegular(r.root, path)
	if errors.Is(err, errLink) {
		return noHandle, ErrLinks
	}
	return h, err
}

// handle is one open file.
type handle struct {
	file *os.File
}

var noHandle = handle{}

func (h handle) read(buf []byte) (int, error) {
	n, err := h.file.Read(buf)
	if errors.Is(err, io.EOF) {
		return n, nil
	}
	if err != nil {
		return n, cause(err)
	}
	return n, nil
}

func (h handle) stat() (size int64, regular bool, err error) {
	info, err := h.file.Stat()
	if err != nil {
		return 0, false, cause(err)
	}
	return info.Size(), info.Mode().IsRegular(), nil
}

func (h handle) close() { h.file.Close() }
