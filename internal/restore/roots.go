package restore

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/record"
)

// roots are the folders that were converted, as a bundle's paths begin with them.
type roots struct {
	dirs     []*formats.Root
	prefixes []string // of a single folder ""
}

// openRoots opens the folders. With several, paths begin with the last element of each, made unique in order, as in
// the conversion.
func openRoots(sources []string) (*roots, error) {
	r := &roots{}
	var names []string
	for _, s := range sources {
		dir, err := formats.Open(s)
		if err != nil {
			r.close()
			return nil, err
		}
		r.dirs = append(r.dirs, dir)
		names = append(names, lastElement(s))
	}
	r.prefixes = make([]string, len(names))
	if len(names) > 1 {
		r.prefixes = record.UniqueNames(names)
	}
	return r, nil
}

func (r *roots) close() {
	for _, d := range r.dirs {
		d.Close() //nolint:errcheck // nothing was written
	}
}

// lastElement is the last element of a folder's resolved path.
func lastElement(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	return filepath.Base(folder)
}

// find is the folder that a path of the bundle lies in, and the path below it.
func (r *roots) find(p string) (dir *formats.Root, below string, ok bool) {
	for i, prefix := range r.prefixes {
		switch {
		case prefix == "":
			return r.dirs[i], p, true
		case p == prefix:
			return r.dirs[i], ".", true
		case strings.HasPrefix(p, prefix+"/"):
			return r.dirs[i], p[len(prefix)+1:], true
		}
	}
	return nil, "", false
}

// spelled is the bundle's spelling of a path below one of the folders.
func (r *roots) spelled(i int, p string) string {
	if r.prefixes[i] != "" {
		p = path.Join(r.prefixes[i], p)
	}
	return record.SpellPath(p)
}
