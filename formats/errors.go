package formats

import (
	"errors"
	"fmt"
)

// Reasons why a name is not read. They are wrapped with the path; use
// errors.Is. A missing file is fs.ErrNotExist, a forbidden one
// fs.ErrPermission.
var (
	// ErrOutside says that a symbolic link is absolute or leads out of the
	// input folder.
	ErrOutside = errors.New("link leads out of the input folder")
	// ErrOdd says that a name is no regular file: a folder, FIFO, socket or
	// device.
	ErrOdd = errors.New("not a regular file")
	// ErrNotFolder says that a folder was wanted and something else found; a
	// link to a folder counts as something else.
	ErrNotFolder = errors.New("not a folder")
	// ErrLinks says that symbolic links lead in a circle or too far.
	ErrLinks = errors.New("too many links")

	errName = errors.New("not a name of one file in a folder")
)

// TooLargeError says that a file is larger than the limit of the read. The
// file was not read; Folder.Hash names its content.
type TooLargeError struct {
	Size int64 // bytes, as the file system states them
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("file of %d bytes is over the limit", e.Size)
}

// pathError puts the place before the cause. The path is quoted because a
// name may hold any byte.
func pathError(path string, err error) error {
	return fmt.Errorf("%q: %w", path, err)
}
