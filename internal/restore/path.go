package restore

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// checkPath refuses a path that is not plainly below a folder.
func checkPath(p string) error {
	if p == "" || strings.IndexByte(p, 0) >= 0 || !filepath.IsLocal(filepath.FromSlash(p)) {
		return fmt.Errorf("path %.64q: %w: want one below the folder", p, ErrPlace)
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("path %.64q: %w: want names alone", p, ErrPlace)
		}
	}
	return nil
}

// below joins the path of a source and that of a file in it, both checked. "." is the root of the input.
func below(source, file string) (string, error) {
	if source != "." {
		if err := checkPath(source); err != nil {
			return "", err
		}
	}
	if err := checkPath(file); err != nil {
		return "", err
	}
	return path.Join(source, file), nil
}

// join is below for paths that are only printed.
func join(source, file string) string {
	if source == "." {
		return file
	}
	return source + "/" + file
}
