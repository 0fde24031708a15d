package archive

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Limits bound what is unpacked. The zero value has the defaults.
type Limits struct {
	Bytes   int64 // of all files together; 0: DefaultBytes
	Entries int64 // files and folders; 0: 1,000,000
}

// DefaultBytes is how much is unpacked when nothing else is said.
const DefaultBytes = 16 << 30

const (
	defaultEntries = 1_000_000
	manifestName   = "manifest.json"
	copyStep       = 256 << 10
)

// Folder is a private temporary folder with a bundle that was unpacked.
type Folder struct {
	temp string
	path string // of the bundle
}

// Path is the folder of the bundle.
func (f *Folder) Path() string { return f.path }

// Remove removes all that was unpacked.
func (f *Folder) Remove() error { return os.RemoveAll(f.temp) }

// Unpack unpacks a tar, maybe compressed with zstd or gzip, that holds a bundle at its top or in its one top folder. Only
// files and folders come out of it, none outside of a temporary folder that nobody else may read. A file at a place that
// bundles do not have comes out empty: it is there to be found, and what it holds is of no interest.
//
// The caller removes the folder. After an error there is none. Links, devices, doubled and unsafe names, and what is
// larger than the limits, are errors.
func Unpack(ctx context.Context, r io.Reader, l Limits) (*Folder, error) {
	x, err := Detect(&interruptible{ctx, r})
	if err != nil {
		return nil, err
	}
	defer x.Close() //nolint:errcheck // it closes nothing that was written
	temp, err := os.MkdirTemp("", "ctx-unpacked-")
	if err != nil {
		return nil, err
	}
	f := &Folder{temp: temp}
	if err := f.fill(ctx, x, l); err != nil {
		return nil, errors.Join(err, f.Remove())
	}
	return f, nil
}

func (f *Folder) fill(ctx context.Context, x *Expanded, l Limits) error {
	root, err := os.OpenRoot(f.temp)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // what was written is closed
	u := &unpacking{root: root, left: l.Bytes, room: l.Entries, buf: make([]byte, copyStep)}
	if u.left <= 0 {
		u.left = DefaultBytes
	}
	if u.room <= 0 {
		u.room = defaultEntries
	}
	u.most, u.mostEntries = u.left, u.room
	if err := u.all(x); err != nil {
		if bound := x.Bound(); bound != nil {
			return bound
		}
		return errors.Join(ctx.Err(), err)
	}
	at, err := bundleIn(root)
	f.path = filepath.Join(f.temp, at)
	return err
}

// unpacking is one tar being unpacked.
type unpacking struct {
	root              *os.Root
	left, room        int64 // bytes and entries that may still come
	most, mostEntries int64
	number            int64  // of the entry at hand
	folder            string // that was made last
	buf               []byte
}

// all unpacks every entry and wants nothing but zeros behind the last.
func (u *unpacking) all(x io.Reader) error {
	end := &ended{r: x}
	t := tar.NewReader(end)
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF && end.hit && u.number == 0: //nolint:errorlint // as archive/tar documents it
			return fmt.Errorf("%w: got no entry", ErrNotTar)
		case err == io.EOF && end.hit: //nolint:errorlint // as archive/tar documents it
			return errors.New("got a tar without its end mark: it was cut off")
		case err == io.EOF: //nolint:errorlint // as archive/tar documents it
			return zeros(x, u.buf)
		case err != nil:
			return u.fault(err)
		}
		u.number++
		if err := u.entry(h, t); err != nil {
			return &EntryError{Number: u.number, Name: h.Name, Cause: err}
		}
	}
}

// fault says what is wrong with the tar itself.
func (u *unpacking) fault(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && u.number == 0:
		return fmt.Errorf("%w: it ends within its first header", ErrNotTar)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("got a tar that was cut off after %d entries: %w", u.number, err)
	case errors.Is(err, tar.ErrHeader) && u.number == 0:
		return fmt.Errorf("%w: its first bytes are no header of an entry", ErrNotTar)
	}
	return fmt.Errorf("after %d entries: %w", u.number, err)
}

// zeros wants nothing but the zeros that fill a tar up.
func zeros(r io.Reader, buf []byte) error {
	for {
		n, err := r.Read(buf)
		for _, c := range buf[:n] {
			if c != 0 {
				return errors.New("got bytes after the end of the tar, want none")
			}
		}
		if err == io.EOF { //nolint:errorlint // a reader returns it as it is
			return nil
		}
		if err != nil {
			return fmt.Errorf("after the end of the tar: %w", err)
		}
	}
}

// bundleIn is where the bundle stands: "." or the one top folder.
func bundleIn(root *os.Root) (string, error) {
	if info, err := root.Lstat(manifestName); err == nil && info.Mode().IsRegular() {
		return ".", nil
	}
	top, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return "", err
	}
	if len(top) == 1 && top[0].IsDir() {
		name := top[0].Name()
		if info, err := root.Lstat(path.Join(name, manifestName)); err == nil && info.Mode().IsRegular() {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w: got no %s at its top or in its one top folder", ErrNoBundle, manifestName)
}
