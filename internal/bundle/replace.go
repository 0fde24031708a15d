package bundle

import (
	"errors"
	"os"
	"path/filepath"
)

// ReplaceFile writes a file beside a bundle, whole or not at all, and brings
// it to the disk. Its temporary file has a name as the folders of Create have,
// so that the next call or Mend removes what a dead process has left.
func ReplaceFile(path string, raw []byte) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := removeDead(path, nil); err != nil {
		return err
	}
	temp := tempPath(path, os.Getpid())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return pathError(temp, err)
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
		return pathError(path, err)
	}
	return nil
}
