package bundle

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func renameExchange(from, to string) error { return rename2(from, to, unix.RENAME_EXCHANGE) }

func renameNoReplace(from, to string) error { return rename2(from, to, unix.RENAME_NOREPLACE) }

func rename2(from, to string, flags uint) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOTSUP):
		return errUnsupported
	}
	return fmt.Errorf("rename %q to %q: %w", from, to, err)
}

// syncAll brings everything of a file system to the disk with one call.
func syncAll(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return pathError(path, err)
	}
	defer f.Close()
	if err := unix.Syncfs(int(f.Fd())); err != nil {
		return errUnsupported
	}
	return nil
}
