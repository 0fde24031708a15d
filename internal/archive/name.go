package archive

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

const (
	maxName  = 4096 // bytes
	maxPart  = 255  // bytes between two slashes
	maxParts = 32
)

// Faults of names.
var (
	errOutside  = errors.New("got a name that leads out of the bundle, want one below it")
	errAbsolute = errors.New("got an absolute name, want one below the bundle")
	errNUL      = errors.New("got a name with a NUL byte")
	errLocal    = errors.New("got a name that this system keeps for something else")
)

// cleaned is the path, relative and slash separated, at which an entry of that name is unpacked; "." is the folder itself.
func cleaned(name string) (string, error) {
	switch {
	case len(name) > maxName:
		return "", fmt.Errorf("got a name of %d bytes, want at most %d", len(name), maxName)
	case strings.HasPrefix(name, "/"):
		return "", errAbsolute
	case strings.ContainsRune(name, 0):
		return "", errNUL
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", errOutside
		}
		if len(part) > maxPart {
			return "", fmt.Errorf("got a name with a part of %d bytes, want at most %d", len(part), maxPart)
		}
	}
	clean := path.Clean(name)
	if n := strings.Count(clean, "/") + 1; n > maxParts {
		return "", fmt.Errorf("got a name of %d parts, want at most %d", n, maxParts)
	}
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", errLocal
	}
	return clean, nil
}

// kept says whether the bytes of a file count: those at a place that a bundle has, below one top folder or none. Of other
// files the name alone is of interest.
func kept(name string) bool {
	_, below, _ := strings.Cut(name, "/")
	return inBundle(name) || inBundle(below)
}

func inBundle(name string) bool {
	folder, file, deeper := strings.Cut(name, "/")
	if !deeper {
		return name == manifestName || name == "report.json"
	}
	return (folder == "streams" || folder == "blobs") && !strings.Contains(file, "/")
}
