package formats

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// maxLinks is how many links one path may pass, as on Linux.
const maxLinks = 40

// Link says what a path points at when every link on it has been followed
// inside the input folder: KindFile, KindFolder or KindOdd. A link that is absolute or
// leads out is ErrOutside, a dangling one fs.ErrNotExist, a circle ErrLinks.
func (r *Root) Link(path string) (Kind, error) {
	_, kind, err := r.resolve(path)
	if err != nil {
		return KindOdd, pathError(path, err)
	}
	return kind, nil
}

// resolve walks a path element by element from the input folder and returns
// the same place without links.
func (r *Root) resolve(name string) (string, Kind, error) {
	left := strings.Split(name, "/")
	at, kind, links := ".", KindFolder, 0
	for len(left) > 0 {
		element := left[0]
		left = left[1:]
		if kind != KindFolder {
			return "", KindOdd, ErrNotFolder
		}
		switch element {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return "", KindOdd, ErrOutside
			}
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, element)
		info, err := r.root.Lstat(next)
		if err != nil {
			return "", KindOdd, cause(err)
		}
		if kind = kindOf(info.Mode()); kind != KindLink {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", KindOdd, ErrLinks
		}
		target, err := r.target(next)
		if err != nil {
			return "", KindOdd, err
		}
		left = append(target, left...)
		kind = KindFolder
	}
	return at, kind, nil
}

// target returns the elements of a relative link.
func (r *Root) target(link string) ([]string, error) {
	text, err := r.root.Readlink(link)
	if err != nil {
		return nil, cause(err)
	}
	if text == "" {
		return nil, fs.ErrNotExist
	}
	text = filepath.ToSlash(text)
	if strings.HasPrefix(text, "/") || filepath.IsAbs(text) || filepath.VolumeName(text) != "" {
		return nil, ErrOutside
	}
	return strings.Split(text, "/"), nil
}
