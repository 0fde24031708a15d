package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// publish puts the temporary folder in the bundle's place.
func (w *Writer) publish() error {
	if err := checkTarget(w.path, w.o.Force); err != nil {
		return err
	}
	_, err := os.Lstat(w.path)
	replaces := err == nil
	if replaces {
		err = exchange(w.temp, w.path)
	} else {
		err = place(w.temp, w.path)
	}
	if err != nil {
		return err
	}
	w.unlock() // it is a bundle now, and whoever replaces it may remove it
	if err := syncFolder(filepath.Dir(w.path)); err != nil {
		return fmt.Errorf("the bundle stands, and may be gone after a power failure: %w", err)
	}
	if replaces {
		w.removeReplaced()
	}
	return nil
}

// removeReplaced removes the bundle that was replaced. One that is being read
// goes aside under a name of its own; what stays is removed by the next Create.
func (w *Writer) removeReplaced() {
	for range replacedTries {
		if !locked(w.temp) {
			os.RemoveAll(w.temp)
			return
		}
		time.Sleep(time.Millisecond) // its writer may have put it there just now
	}
	aside(w.temp) //nolint:errcheck // the next Create removes it
}

// aside gives a temporary folder a name that no writer uses.
func aside(temp string) (string, error) {
	for n := 1; n < maxKept; n++ {
		to := temp + "-" + strconv.Itoa(n)
		if err := place(temp, to); !errors.Is(err, ErrExists) {
			return to, err
		}
	}
	return "", fmt.Errorf("%q: %w", temp, ErrExists)
}

// replacedTries bounds how often it is asked whether a replaced bundle is free.
const replacedTries = 100

// maxKept bounds how many temporary folders of one process are kept aside: replaced
// bundles for those who read them, and what an earlier process of its number left.
const maxKept = 1000

// place renames a folder to a name where nothing stands.
func place(from, to string) error {
	err := renameNoReplace(from, to)
	if errors.Is(err, errUnsupported) {
		// rename would replace an empty folder
		if _, err := os.Lstat(to); err == nil {
			return fmt.Errorf("%q: %w", to, ErrExists)
		}
		err = os.Rename(from, to)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q: %w", to, ErrExists)
	}
	return err
}

// exchange lets two folders change places.
func exchange(from, to string) error {
	err := renameExchange(from, to)
	if errors.Is(err, errUnsupported) {
		return swap(from, to)
	}
	return err
}

// errUnsupported says that a rename that does it in one step is not to be had.
var errUnsupported = errors.New("not supported by the system or file system")

func oldPath(path string) string {
	dir, name := filepath.Split(path)
	return filepath.Join(dir, "."+name+".old")
}

// swap lets two folders change places in steps: to goes aside, from takes its
// name, what was aside takes from's. recoverSwap mends what is interrupted.
func swap(from, to string) error {
	aside := oldPath(to)
	if err := place(to, aside); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(aside, to))
	}
	return os.Rename(aside, from)
}

// recoverSwap finishes or undoes a swap that was interrupted: a bundle that is
// aside goes back where nothing has taken its name, and away where something
// has. What is no bundle is not ours and stays.
func recoverSwap(path string) error {
	aside := oldPath(path)
	if _, err := os.Lstat(aside); err != nil || isBundle(aside) != nil {
		return nil
	}
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = os.Rename(aside, path)
	case err == nil && isBundle(path) == nil:
		err = os.RemoveAll(aside)
	}
	if err != nil {
		return fmt.Errorf("mend an interrupted replacement: %w", err)
	}
	return nil
}
