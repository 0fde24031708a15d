package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// maxFile bounds a baseline file, in bytes.
const maxFile = 256 << 20

// Load reads a baseline file.
func Load(path string) (*Baseline, error) {
	// a pipe would be waited for without end
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, placed(path, err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	var raw bytes.Buffer
	n, err := raw.ReadFrom(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, placed(path, err)
	}
	if n > maxFile {
		return nil, fmt.Errorf("%q: more than %d bytes, which no baseline has", path, maxFile)
	}
	b, err := Read(raw.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%q: no baseline: %w", path, err)
	}
	return b, nil
}

// Check says whether a baseline may be written to a path: nothing stands there, or a baseline. A link leads to its file.
func Check(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return placed(path, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q: not a regular file", path)
	}
	_, err = Load(path)
	return err
}

// Write puts the baseline at a path in one step. After an error the file that stood there stands there still.
func (b *Baseline) Write(path string) error {
	if err := Check(path); err != nil {
		return err
	}
	raw := b.Append(nil)
	if len(raw) > maxFile {
		return fmt.Errorf("%q: %d bytes of findings, over the limit of %d", path, len(raw), maxFile)
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".ctx-tmp-"+strconv.Itoa(os.Getpid()))
	if err := writeSynced(temp, raw); err != nil {
		return placed(path, errors.Join(err, removed(temp)))
	}
	if err := os.Rename(temp, path); err != nil {
		return placed(path, errors.Join(err, removed(temp)))
	}
	return nil
}

func writeSynced(path string, raw []byte) error {
	if err := removed(path); err != nil { // of a process of that number that was killed
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return cause(err)
	}
	_, err = f.Write(raw)
	return errors.Join(cause(err), cause(f.Sync()), cause(f.Close()))
}

// removed removes what may be there.
func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cause(err)
	}
	return nil
}

func placed(path string, err error) error { return fmt.Errorf("%q: %w", path, cause(err)) }

// cause takes the operating system's error out of one that repeats the path.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
