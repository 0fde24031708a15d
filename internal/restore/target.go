package restore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
)

// PartialError says that files were left at the target without all of them being there.
type PartialError struct {
	Dir string
	Err error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("%s holds only some of the files: %v", e.Dir, e.Err)
}

func (e *PartialError) Unwrap() error { return e.Err }

// target is the folder that files are written to. They are made in a temporary folder beside it, or inside of it when
// it is there already, and take their places at the end.
type target struct {
	dir, temp string
	there     bool
	root      *os.Root

	folder *os.Root // of the last file
	at     string   // its path
}

const tempInfix = ".ctx-tmp-"

// newTarget accepts a path where nothing stands, or an empty folder.
func newTarget(dir string) (*target, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	t := &target{dir: dir}
	if t.there, err = empty(dir); err != nil {
		return nil, err
	}
	base := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+tempInfix)
	if t.there {
		base = filepath.Join(dir, tempInfix)
	}
	if err := t.make(base + strconv.Itoa(os.Getpid())); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *target) make(temp string) error {
	if err := os.Mkdir(temp, 0o755); err != nil {
		return fmt.Errorf("%q: %w", temp, cause(err))
	}
	t.temp = temp
	root, err := os.OpenRoot(temp)
	if err != nil {
		os.Remove(temp) //nolint:errcheck // the error that is returned counts
		return fmt.Errorf("%q: %w", temp, cause(err))
	}
	t.root = root
	return nil
}

// empty says whether an empty folder stands at a path, or nothing; anything else is ErrTarget.
func empty(dir string) (there bool, err error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%q: %w", dir, cause(err))
	case !info.IsDir():
		return false, fmt.Errorf("%q: %w", dir, ErrTarget)
	}
	f, err := os.Open(dir)
	if err != nil {
		return false, fmt.Errorf("%q: %w", dir, cause(err))
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if names, _ := f.Readdirnames(1); len(names) > 0 {
		return false, fmt.Errorf("%q: %w: it holds %.64q", dir, ErrTarget, names[0])
	}
	return true, nil
}

// create begins a file at a checked path; a second one there, or below a file, is ErrPlace.
func (t *target) create(at string) (*os.File, error) {
	dir, name := path.Split(at)
	if err := t.enter(path.Clean(dir)); err != nil {
		return nil, err
	}
	f, err := t.folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("path %.64q: %w: something stands there already", at, ErrPlace)
	}
	if err != nil {
		return nil, fmt.Errorf("%.200q: %w", at, cause(err))
	}
	return f, nil
}

// enter opens the folder of the next file, made when it is not there.
func (t *target) enter(dir string) error {
	if t.folder != nil && t.at == dir {
		return nil
	}
	t.leave()
	if err := t.root.MkdirAll(dir, 0o755); err != nil {
		if info, e := t.blocked(dir); e == nil && !info.IsDir() {
			return fmt.Errorf("path %.64q: %w: a file stands above it", dir, ErrPlace)
		}
		return fmt.Errorf("%.200q: %w", dir, cause(err))
	}
	folder, err := t.root.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("%.200q: %w", dir, cause(err))
	}
	t.folder, t.at = folder, dir
	return nil
}

// blocked is the first thing on a path that is no folder, or its end.
func (t *target) blocked(dir string) (fs.FileInfo, error) {
	for i := 0; i < len(dir); i++ {
		if dir[i] != '/' {
			continue
		}
		if info, err := t.root.Lstat(dir[:i]); err == nil && !info.IsDir() {
			return info, nil
		}
	}
	return t.root.Lstat(dir)
}

func (t *target) leave() {
	if t.folder != nil {
		t.folder.Close() //nolint:errcheck // a folder
		t.folder = nil
	}
}

func (t *target) abort() {
	t.leave()
	t.root.Close()       //nolint:errcheck // a folder
	os.RemoveAll(t.temp) //nolint:errcheck // the error that led here counts
}

// publish puts the files in their places.
func (t *target) publish() error {
	t.leave()
	t.root.Close() //nolint:errcheck // a folder
	if !t.there {
		if _, err := os.Lstat(t.dir); err == nil { // rename would replace an empty folder
			os.RemoveAll(t.temp) //nolint:errcheck // the error that is returned counts
			return fmt.Errorf("%q: %w", t.dir, ErrTarget)
		}
		if err := os.Rename(t.temp, t.dir); err != nil {
			os.RemoveAll(t.temp) //nolint:errcheck // the error that is returned counts
			return fmt.Errorf("%q: %w", t.dir, cause(err))
		}
		return nil
	}
	return t.moveUp()
}

// moveUp moves what lies in the temporary folder to the one that it lies in.
func (t *target) moveUp() error {
	list, err := os.ReadDir(t.temp)
	if err != nil {
		return &PartialError{t.dir, cause(err)}
	}
	for _, e := range list {
		to := filepath.Join(t.dir, e.Name())
		if _, err := os.Lstat(to); err == nil {
			return &PartialError{t.dir, fmt.Errorf("%q: %w", to, fs.ErrExist)}
		}
		if err := os.Rename(filepath.Join(t.temp, e.Name()), to); err != nil {
			return &PartialError{t.dir, cause(err)}
		}
	}
	return os.Remove(t.temp)
}

// cause takes the operating system's error out of one that repeats the path.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
