//go:build unix && !solaris && !illumos && !aix

package bundle

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockFolder marks a folder as being worked in, for processes whose numbers we
// cannot see (containers). nil where the file system has no locks.
func lockFolder(path string) *os.File {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		f.Close()
		return nil
	}
	return f
}

// lockShared lets a folder be locked by others who read it, and by no writer.
// false: a writer has locked it.
func lockShared(f *os.File) bool {
	return !errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// locked says whether a living process has locked the folder, to write or to
// read.
func locked(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// claimFolder is lockFolder for a folder that others may claim too; false: one
// of them has.
func claimFolder(path string) (*os.File, bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		f.Close()
		return nil, false
	}
	return f, true
}

// ours says whether a folder belongs to the user and nobody else may write in it.
func ours(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && info.Mode().Perm()&0o022 == 0
}

// alive says whether a process of that number exists.
func alive(pid int) bool {
	return !errors.Is(unix.Kill(pid, 0), unix.ESRCH)
}
