//go:build !linux

package formats

import (
	"errors"
	"io"
	"os"
)

// listStep bounds the entries that the operating system's listing holds at
// once, beside ours.
const listStep = 1024

// readNames reads the names of an open folder.
func (r *Root) readNames(f *os.File, _ string) ([]Name, error) {
	var names []Name
	for {
		entries, err := f.ReadDir(listStep)
		for _, e := range entries {
			names = append(names, Name{Name: e.Name(), Kind: kindOf(e.Type())})
		}
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
