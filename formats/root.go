package formats

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Root is an open input folder. Every path given to it is relative to the
// folder, slash separated ("." is the folder itself) and never leaves it. Its
// methods may be used by several goroutines at once.
type Root struct {
	root *os.Root
}

// Kind says what a name in a folder is.
type Kind uint8

// What a name can be. A link's target is told by Root.Link.
const (
	KindFile   Kind = iota // regular file
	KindFolder             // folder
	KindLink               // symbolic link, not followed
	KindOdd                // FIFO, socket, device: never opened
)

func (k Kind) String() string {
	return [...]string{"file", "folder", "link", "odd file"}[min(k, KindOdd)]
}

// Name is one name in a folder. The text is bytes as the file system holds
// them, not always UTF-8.
type Name struct {
	Name string
	Kind Kind
}

// Open opens the input folder at a path of the operating system. A link there
// is followed; anything but a folder is refused, and the error says what it is.
func Open(path string) (*Root, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, pathError(path, cause(err))
	}
	if !info.IsDir() {
		return nil, pathError(path, fmt.Errorf("%w: it is a %s", ErrNotFolder, describe(info.Mode())))
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, pathError(path, cause(err))
	}
	return &Root{root: root}, nil
}

// Close closes the input folder. Folders opened from it stay usable, except
// for following links.
func (r *Root) Close() error { return r.root.Close() }

// List returns the names in a folder, sorted by their bytes; the caller owns
// the slice. A link to a folder is refused (ErrNotFolder).
func (r *Root) List(folder string) ([]Name, error) {
	f, err := r.openFolder(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := r.readNames(f, folder)
	if err != nil {
		return nil, pathError(folder, cause(err))
	}
	byBytes := func(a, b Name) int { return strings.Compare(a.Name, b.Name) }
	slices.SortFunc(names, byBytes)
	return names, nil
}

// Stat returns a file's size in bytes and its kind without following a link.
func (r *Root) Stat(path string) (size int64, kind Kind, err error) {
	info, err := r.root.Lstat(path)
	if err != nil {
		return 0, KindOdd, pathError(path, cause(err))
	}
	return info.Size(), kindOf(info.Mode()), nil
}

// Read reads one file as Folder.Read does; path may lie in any folder.
func (r *Root) Read(name string, buf []byte, limit int64) ([]byte, error) {
	dir, base := path.Split(path.Clean(name))
	f, err := r.Folder(path.Clean(dir))
	if err != nil {
		return buf[:0], err
	}
	defer f.Close()
	return f.Read(base, buf, limit)
}

// openFolder opens a folder that is no link, without ever blocking.
func (r *Root) openFolder(folder string) (*os.File, error) {
	before, err := r.root.Lstat(folder)
	if err != nil {
		return nil, pathError(folder, cause(err))
	}
	if !before.IsDir() {
		return nil, pathError(folder, fmt.Errorf("%w: it is a %s", ErrNotFolder, describe(before.Mode())))
	}
	f, err := r.root.OpenFile(folder, openFlags, 0)
	if err != nil {
		return nil, pathError(folder, cause(err))
	}
	// os.Root follows links inside the root: make sure that it opened what
	// was looked at.
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, pathError(folder, ErrNotFolder)
	}
	return f, nil
}

func kindOf(mode fs.FileMode) Kind {
	switch mode.Type() {
	case 0:
		return KindFile
	case fs.ModeDir:
		return KindFolder
	case fs.ModeSymlink:
		return KindLink
	default:
		return KindOdd
	}
}

func describe(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "file"
	case mode&fs.ModeSymlink != 0:
		return "link"
	case mode&fs.ModeNamedPipe != 0:
		return "FIFO"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	default:
		return "special file"
	}
}

// cause takes the operating system's error out of its *fs.PathError, whose
// operation and absolute path say nothing to a reader.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
