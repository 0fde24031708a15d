package bundle

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// manyFiles is from how many files on one call for the whole file system is
// cheaper than one for each.
const manyFiles = 64

// syncTree brings the files of a folder and of its folders to the disk, then
// the folders.
func syncTree(root string, folders []string) error {
	files, err := filesOf(root, append([]string{"."}, folders...))
	if err != nil {
		return err
	}
	if len(files) >= manyFiles {
		if err = syncAll(root); err == nil {
			return nil
		}
		if !errors.Is(err, errUnsupported) {
			return err
		}
	}
	for _, path := range files {
		if err := syncFile(path); err != nil {
			return err
		}
	}
	for _, folder := range folders {
		if err := syncFolder(filepath.Join(root, folder)); err != nil {
			return err
		}
	}
	return syncFolder(root)
}

func filesOf(root string, folders []string) ([]string, error) {
	var files []string
	for _, folder := range folders {
		f, err := os.Open(filepath.Join(root, folder))
		if err != nil {
			return nil, pathError(root, err)
		}
		for err == nil {
			var entries []os.DirEntry
			entries, err = f.ReadDir(1024)
			for _, e := range entries {
				if !e.IsDir() {
					files = append(files, filepath.Join(root, folder, e.Name()))
				}
			}
		}
		f.Close()
		if !errors.Is(err, io.EOF) {
			return nil, pathError(root, err)
		}
	}
	return files, nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(path) // a file that was taken over may be another's
	}
	if err != nil {
		return pathError(path, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return pathError(path, err)
	}
	return nil
}

// syncFolder brings the names in a folder to the disk, where the system and
// the file system can.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return pathError(path, err)
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return pathError(path, err)
	}
	return nil
}
