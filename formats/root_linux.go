package formats

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openFlags opens folders: never blocks, even if a FIFO took the name.
const openFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NONBLOCK

const fileFlags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_CLOEXEC

// directory is an open folder. Opening relative to its descriptor and reading
// once costs less than half of os.ReadFile.
type directory struct {
	file *os.File
	fd   int
}

func openDirectory(r *Root, folder string) (directory, error) {
	f, err := r.openFolder(folder)
	if err != nil {
		return directory{}, err
	}
	return directory{file: f, fd: int(f.Fd())}, nil
}

func (d directory) close() error { return d.file.Close() }

// stamp looks at a name; plain says that it is a regular file and no link.
func (d directory) stamp(name string) (st Stamp, plain bool, err error) {
	var s unix.Stat_t
	if err := unix.Fstatat(int(d.file.Fd()), name, &s, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return st, false, err
	}
	return Stamp{s.Size, s.Mtim.Nano(), s.Ino}, s.Mode&unix.S_IFMT == unix.S_IFREG, nil
}

func (d directory) open(name string) (handle, error) {
	for {
		fd, err := openat(d.fd, name)
		runtime.KeepAlive(d.file)
		switch {
		case err == nil:
			return handle{fd: fd}, nil
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ELOOP):
			return noHandle, errLink
		case errors.Is(err, unix.ENXIO), errors.Is(err, unix.ENODEV):
			return noHandle, ErrOdd // a socket, or a device without driver
		default:
			return noHandle, err
		}
	}
}

// openat is unix.Openat without its allocation: the name's C string is built
// on the stack, as it is wanted once for every file.
func openat(dir int, name string) (int, error) {
	var c [unix.NAME_MAX + 1]byte
	if len(name) >= len(c) {
		return -1, unix.ENAMETOOLONG
	}
	copy(c[:], name)
	fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&c[0])), fileFlags|unix.O_LARGEFILE, 0, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// openThroughRoot opens a path whose links are resolved; os.Root refuses what
// has since become a way out.
func openThroughRoot(r *Root, path string) (handle, error) {
	f, err := r.root.OpenFile(path, unix.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return noHandle, cause(err)
	}
	return handle{fd: int(f.Fd()), file: f}, nil
}

// handle is one open file.
type handle struct {
	fd   int
	file *os.File // nil when the descriptor is ours alone
}

var noHandle = handle{fd: -1}

func (h handle) read(buf []byte) (int, error) {
	for {
		n, err := unix.Read(h.fd, buf)
		switch {
		case err == nil:
			return n, nil
		case !errors.Is(err, unix.EINTR):
			return 0, err
		}
	}
}

func (h handle) stat() (size int64, regular bool, err error) {
	var st unix.Stat_t
	for {
		err = unix.Fstat(h.fd, &st)
		if !errors.Is(err, unix.EINTR) {
			return st.Size, st.Mode&unix.S_IFMT == unix.S_IFREG, err
		}
	}
}

func (h handle) close() {
	if h.file != nil {
		h.file.Close()
		return
	}
	unix.Close(h.fd)
}
