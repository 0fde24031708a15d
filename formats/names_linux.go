package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// Where the members of a directory entry of getdents64 stand.
const (
	entryLength = 16
	entryType   = 18
	entryName   = 19
)

// readNames reads the names of an open folder. os.File.ReadDir makes four
// allocations a name, which a long conversation feels; here the names of one
// system call share one text.
func (r *Root) readNames(f *os.File, folder string) ([]Name, error) {
	var names []Name
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Getdents(int(f.Fd()), buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return names, err
		}
		if names, err = r.appendEntries(names, buf[:n], folder); err != nil {
			return nil, err
		}
	}
}

// appendEntries appends the names that one system call gave.
func (r *Root) appendEntries(names []Name, entries []byte, folder string) ([]Name, error) {
	size := 0
	for rest := entries; len(rest) > 0; {
		var e entry
		e, rest = nextEntry(rest)
		size += len(e.name)
	}
	var text strings.Builder
	text.Grow(size) // so that it never moves
	for rest := entries; len(rest) > 0; {
		var e entry
		if e, rest = nextEntry(rest); len(e.name) == 0 {
			continue
		}
		begin := text.Len()
		text.Write(e.name)
		name := text.String()[begin:]
		kind, err := r.kindOfEntry(e.kind, folder, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since it was listed
		}
		if err != nil {
			return nil, err
		}
		names = append(names, Name{Name: name, Kind: kind})
	}
	return names, nil
}

type entry struct {
	name []byte // empty for the folder itself and the one above
	kind byte
}

// nextEntry takes the first entry off a listing, all of it if it is torn.
func nextEntry(listing []byte) (e entry, rest []byte) {
	if len(listing) <= entryName {
		return entry{}, nil
	}
	length := int(binary.NativeEndian.Uint16(listing[entryLength:]))
	if length <= entryName || length > len(listing) {
		return entry{}, nil
	}
	name, _, _ := bytes.Cut(listing[entryName:length], []byte{0})
	if string(name) == "." || string(name) == ".." {
		name = nil
	}
	return entry{name: name, kind: listing[entryType]}, listing[length:]
}

func (r *Root) kindOfEntry(kind byte, folder, name string) (Kind, error) {
	switch kind {
	case unix.DT_REG:
		return KindFile, nil
	case unix.DT_DIR:
		return KindFolder, nil
	case unix.DT_LNK:
		return KindLink, nil
	case unix.DT_UNKNOWN: // a file system that does not say
		info, err := r.root.Lstat(path.Join(folder, name))
		if err != nil {
			return KindOdd, err
		}
		return kindOf(info.Mode()), nil
	}
	return KindOdd, nil
}
