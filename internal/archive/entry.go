package archive

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// entry unpacks one entry.
func (u *unpacking) entry(h *tar.Header, r io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader { // a comment
		return nil
	}
	name, err := cleaned(h.Name)
	if err != nil {
		return err
	}
	switch kind := kindOf(h); kind {
	case "folder":
		return u.folders(name)
	case "file":
		if name == "." {
			return errOutside
		}
		return u.file(name, h.Size, r)
	default:
		return fmt.Errorf("got a %s, want files and folders alone", kind)
	}
}

// kindOf names what an entry is.
func kindOf(h *tar.Header) string {
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return "sparse file"
		}
	}
	switch h.Typeflag {
	case tar.TypeReg, '\x00':
		return "file"
	case tar.TypeDir:
		return "folder"
	case tar.TypeLink:
		return "hard link"
	case tar.TypeSymlink:
		return "symbolic link"
	case tar.TypeChar, tar.TypeBlock:
		return "device"
	case tar.TypeFifo:
		return "FIFO"
	case tar.TypeGNUSparse:
		return "sparse file"
	default:
		return fmt.Sprintf("thing of type %q", h.Typeflag)
	}
}

// folders makes a folder and those above it.
func (u *unpacking) folders(name string) error {
	if name == "." || name == u.folder {
		return nil
	}
	if err := u.folders(path.Dir(name)); err != nil {
		return err
	}
	switch err := u.root.Mkdir(name, 0o700); {
	case errors.Is(err, fs.ErrExist):
		if info, err := u.root.Lstat(name); err != nil || !info.IsDir() {
			return fmt.Errorf("got %s as a file and as a folder", shown(name))
		}
	case err != nil:
		return disk(err)
	default:
		if err := u.count(); err != nil {
			return err
		}
	}
	u.folder = name
	return nil
}

func (u *unpacking) count() error {
	if u.room--; u.room < 0 {
		return &BoundError{Problem: fmt.Sprintf("got more than %d files and folders", u.mostEntries)}
	}
	return nil
}

func (u *unpacking) file(name string, size int64, r io.Reader) error {
	if err := u.count(); err != nil {
		return err
	}
	if err := u.folders(path.Dir(name)); err != nil {
		return err
	}
	f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return errors.New("got a name that stood before, want each once")
	}
	if err != nil {
		return disk(err)
	}
	if kept(name) {
		err = u.bytes(f, size, r)
	}
	return errors.Join(err, f.Close())
}

// bytes writes the bytes of a file.
func (u *unpacking) bytes(f *os.File, size int64, r io.Reader) error {
	if size > u.left {
		return &BoundError{Problem: fmt.Sprintf("got more than %d bytes to unpack", u.most), Hint: "--max-unpacked allows more"}
	}
	u.left -= size
	for {
		n, err := r.Read(u.buf)
		if _, err := f.Write(u.buf[:n]); err != nil {
			return disk(err)
		}
		if err == io.EOF { //nolint:errorlint // as archive/tar documents it
			return nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("got a tar that was cut off in the middle of it: %w", err)
		}
		if err != nil {
			return err
		}
	}
}

// disk says that unpacking failed on our side.
func disk(err error) error {
	return fmt.Errorf("to be unpacked below %q (TMPDIR chooses another folder): %w", os.TempDir(), cause(err))
}
