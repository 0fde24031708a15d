package converter

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// looseFiles are the files that belong to no source, by folder and reason.
type looseFiles map[looseKey]*bundle.Unidentified

type looseKey struct{ folder, reason string }

func (l looseFiles) add(folder, reason string, files, bytes int64) {
	k := looseKey{folder, reason}
	u := l[k]
	if u == nil {
		u = &bundle.Unidentified{Path: folder, Reason: reason}
		l[k] = u
	}
	u.Files += files
	u.Bytes += bytes
}

func (l looseFiles) merge(other looseFiles) {
	for k, u := range other {
		l.add(k.folder, k.reason, u.Files, u.Bytes)
	}
}

func (l looseFiles) sorted() []bundle.Unidentified {
	list := make([]bundle.Unidentified, 0, len(l))
	for _, u := range l {
		list = append(list, *u)
	}
	slices.SortFunc(list, func(a, b bundle.Unidentified) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}

// noteFile lists one name that belongs to no source.
func noteFile(loose looseFiles, findings *record.Findings, dir *formats.Root, spelled func(string) string, p string, n formats.Name, reason string) {
	folder := spelled(path.Dir(p))
	switch n.Kind {
	case formats.KindOdd:
		findings.Notice(record.OddFile, "", "", fmt.Sprintf("%s: got no regular file, not opened", quote(spelled(p))))
		return
	case formats.KindLink:
		kind, err := dir.Link(p)
		switch {
		case errors.Is(err, formats.ErrOutside):
			loose.add(folder, reasonOutside, 1, 0)
			return
		case err != nil:
			loose.add(folder, reasonUnreadable, 1, 0)
			return
		case kind != formats.KindFile:
			findings.Notice(record.OddFile, "", "", fmt.Sprintf("%s: got a link to a %s, not followed", quote(spelled(p)), kind))
			return
		}
	}
	size, err := sizeOf(dir, p, n.Kind)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		reason = reasonUnreadable
	}
	loose.add(folder, reason, 1, size)
}

// sizeOf is the size of a file, of the one that it leads to for a link.
func sizeOf(dir *formats.Root, p string, kind formats.Kind) (int64, error) {
	if kind == formats.KindLink {
		st, err := dir.Stamp(p)
		return st.Size, err
	}
	size, _, err := dir.Stat(p)
	return size, err
}

func wholeFolder(loose looseFiles, findings *record.Findings, root *formats.Root, spelled func(string) string, dir string, names []formats.Name, reason string, depth int) {
	for _, n := range names {
		p := path.Join(dir, n.Name)
		if n.Kind != formats.KindFolder {
			noteFile(loose, findings, root, spelled, p, n, reason)
			continue
		}
		sub, err := root.List(p)
		if err != nil || depth > maxFolders {
			loose.add(spelled(p), reasonUnreadable, 0, 0)
			continue
		}
		wholeFolder(loose, findings, root, spelled, p, sub, reason, depth+1)
	}
}
