package bundle

import (
	"errors"
	"io"
	"path"
	"slices"
)

// Files returns everything on disk below the bundle, relative, slash
// separated, sorted by bytes. Folders other than streams and blobs end with a
// slash; links are listed and not followed. Names are bytes, not always UTF-8.
func (b *Bundle) Files() ([]string, error) {
	var files []string
	for todo := []string{"."}; len(todo) > 0; {
		folder := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		names, folders, err := b.list(folder)
		if err != nil {
			return nil, err
		}
		files = append(files, names...)
		for _, f := range folders {
			if f != streamFolder && f != blobFolder {
				files = append(files, f+"/")
			}
		}
		todo = append(todo, folders...)
	}
	slices.Sort(files)
	return files, nil
}

// list reads one folder; the paths are relative to the bundle.
func (b *Bundle) list(folder string) (names, folders []string, err error) {
	f, err := b.root.OpenFile(folder, nonBlock, 0)
	if err != nil {
		return nil, nil, pathError(folder, err)
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			at := path.Join(folder, e.Name())
			if e.IsDir() {
				folders = append(folders, at)
			} else {
				names = append(names, at)
			}
		}
		if errors.Is(err, io.EOF) {
			return names, folders, nil
		}
		if err != nil {
			return nil, nil, pathError(folder, err)
		}
	}
}
