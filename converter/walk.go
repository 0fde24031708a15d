package converter

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// Reasons why a file belongs to no source.
const (
	reasonNoEntry     = "no-entry-matches"
	reasonAmbiguous   = "ambiguous"
	reasonUnqualified = "unqualified-format"
	reasonUnreadable  = "unreadable"
	reasonOutside     = "symlink-outside"
	reasonNotOpened   = "not-opened"
)

// maxFolders bounds how deep folders are followed: real trees are far flatter, and paths have an end.
const maxFolders = 200

// source is one native conversation that was found.
type source struct {
	root  *formats.Root
	from  *root
	match registry.Match
	dir   string // relative to the root
	alone bool   // the source is one file of the folder, not the folder
	path  string // as the bundle spells it
	key   string // name of the folder, file or row that names the session
	child bool   // lies in a child folder of another source
	names []formats.Name

	row, rows int64        // which row of how many of the file, when each is a source by itself
	span      formats.Span // of the row in the file
	seen      int64        // when the file was changed last, as it was seen
}

// finder walks the input folders.
type finder struct {
	registry *registry.Registry
	agent    *entry.Entry
	exclude  []exclusion
	never    []entry.Glob // of all entries, those that hold anywhere

	sources  []*source
	loose    looseFiles
	findings record.Findings
}

// root is one input folder.
type root struct {
	dir    *formats.Root
	prefix string // of its paths in the bundle, "" for a single input
	name   string // its own name
	parent string // the name of the folder that it lies in
}

// openRoots opens the input folders. With several, paths begin with the last element of each, made unique in order.
func openRoots(sources []string) ([]root, error) {
	var roots []root
	var names []string
	for _, s := range sources {
		dir, err := formats.Open(s)
		if err != nil {
			closeRoots(roots)
			return nil, &UsageError{Message: err.Error(), Hint: "SOURCE is a folder that holds conversations"}
		}
		r := root{dir: dir}
		r.name, r.parent = ownName(s)
		roots, names = append(roots, r), append(names, r.name)
	}
	if len(roots) > 1 {
		for i, name := range record.UniqueNames(names) {
			roots[i].prefix = name
		}
	}
	return roots, nil
}

func closeRoots(roots []root) {
	for _, r := range roots {
		r.dir.Close() //nolint:errcheck // nothing was written
	}
}

// ownName is the last element of a folder's resolved path and the one before it.
func ownName(folder string) (name, parent string) {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	return filepath.Base(folder), filepath.Base(filepath.Dir(folder))
}

// spelled is a path as the bundle spells it: below the prefix of its root, names that are not UTF-8 percent-encoded.
func (r *root) spelled(p string) string {
	if r.prefix != "" {
		p = path.Join(r.prefix, p)
	}
	return record.SpellPath(p)
}

// walk looks at one folder and what lies below it.
func (f *finder) walk(ctx context.Context, r *root, dir string, claimed *source, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	names, err := r.dir.List(dir)
	if err != nil || depth > maxFolders {
		if dir == "." {
			return &UsageError{Message: err.Error(), Hint: "SOURCE must be readable"}
		}
		f.loose.add(r.spelled(dir), reasonUnreadable, 0, 0)
		return nil
	}
	site := &registry.Site{Root: r.dir, Path: dir, Name: path.Base(dir), Names: names}
	if dir == "." {
		site.Name = r.name
	}
	found := f.registry.Detect(site, f.agent)
	switch {
	case len(found) == 1 && found[0].Layout != nil:
		src := f.source(r, site, found[0], claimed)
		f.sources = append(f.sources, src)
		return f.below(ctx, r, site, src, src, depth)
	case len(found) > 1 && found[0].Layout != nil:
		f.whole(r, dir, f.kept(r, dir, names), reasonAmbiguous, depth)
		return nil
	case len(found) > 0:
		f.findings.Notice(record.FormatUnqualified, "", "",
			fmt.Sprintf("%s: got format %s, which is recognised and not converted", quote(r.spelled(dir)), found[0].Format.ID))
		f.whole(r, dir, f.kept(r, dir, names), reasonUnqualified, depth)
		return nil
	default:
		return f.below(ctx, r, site, nil, claimed, depth)
	}
}

// source notes one source.
func (f *finder) source(r *root, s *registry.Site, m registry.Match, parent *source) *source {
	src := &source{root: r.dir, from: r, match: m, dir: s.Path, path: r.spelled(s.Path), key: s.Name, names: s.Names}
	if m.Layout.ParentKey {
		src.key = path.Base(path.Dir(s.Path))
		switch {
		case s.Path == ".":
			src.key = r.parent
		case !strings.Contains(s.Path, "/"):
			src.key = r.name
		}
	}
	if parent != nil && parent.root == r.dir {
		below := strings.TrimPrefix(strings.TrimPrefix(s.Path, parent.dir), "/")
		for i := range m.Format.Children {
			src.child = src.child || m.Format.Children[i].Match(below)
		}
	}
	return src
}

// below goes on with the folders of a folder, and notes its files unless they are the source's own. What is the
// source's own cannot be excluded: a conversation is converted whole or left out whole.
func (f *finder) below(ctx context.Context, r *root, s *registry.Site, own, owner *source, depth int) error {
	for _, n := range s.Names {
		p := path.Join(s.Path, n.Name)
		if own != nil && (n.Kind != formats.KindFolder || own.claims(n.Name)) || f.excluded(r, p) {
			continue
		}
		switch {
		case n.Kind == formats.KindFolder:
			if f.forbidden(p, owner) {
				sub, _ := r.dir.List(p)
				f.whole(r, p, sub, reasonNotOpened, depth+1)
				continue
			}
			if err := f.walk(ctx, r, p, owner, depth+1); err != nil {
				return err
			}
		case !f.alone(r, s, p, n, owner):
			f.file(r, p, n, owner)
		}
	}
	return nil
}

// alone notes a file that is a source by itself, or that several entries take for one.
func (f *finder) alone(r *root, s *registry.Site, p string, n formats.Name, owner *source) bool {
	if f.forbidden(p, owner) {
		return false
	}
	found := f.registry.DetectFile(s, n, f.agent)
	switch len(found) {
	case 0:
		return false
	case 1:
		src := f.source(r, s, found[0], nil)
		src.alone, src.path, src.names = true, r.spelled(p), []formats.Name{n}
		if found[0].Layout.FileKey {
			src.key = fileKey(n.Name)
		}
		if !found[0].Layout.Rows {
			f.sources = append(f.sources, src)
		} else if f.rows(src, p) != nil {
			f.note(r, p, n, reasonUnreadable)
		}
	default:
		f.note(r, p, n, reasonAmbiguous)
	}
	return true
}

// fileKey is a file's name without its suffix, or all of it when nothing that can name a session would be left.
func fileKey(name string) string {
	if key := strings.TrimSuffix(name, path.Ext(name)); usableID(key) {
		return key
	}
	return name
}

// at is the path of the source, relative to the root, as its file system has it.
func (s *source) at() string {
	if s.alone {
		return path.Join(s.dir, s.match.File)
	}
	return s.dir
}

// claims says whether a folder of the source is the source's to read.
func (s *source) claims(folder string) bool {
	if s.match.Layout.Items == folder {
		return true
	}
	for i := range s.match.Format.Attachments {
		if s.match.Format.Attachments[i].First() == folder {
			return true
		}
	}
	return false
}

// forbidden says whether an entry lists a path as never opened: anywhere, or within its source.
func (f *finder) forbidden(p string, owner *source) bool {
	for i := range f.never {
		if f.never[i].Match(p) || f.never[i].Below(p) {
			return true
		}
	}
	return owner != nil && owner.forbids(strings.TrimPrefix(strings.TrimPrefix(p, owner.dir), "/"))
}

// forbids says whether the source's format lists a path below the source as never opened.
func (s *source) forbids(below string) bool {
	for i := range s.match.Format.Never {
		if g := &s.match.Format.Never[i]; g.Match(below) || g.Below(below) {
			return true
		}
	}
	return false
}

// exclusion is one pattern of paths that the caller excluded.
type exclusion struct {
	text string
	glob entry.Glob
	used bool // it has left something out
}

// excluded says whether the caller excluded a path.
func (f *finder) excluded(r *root, p string) bool {
	if r.prefix != "" {
		p = path.Join(r.prefix, p)
	}
	found := false
	for i := range f.exclude {
		e := &f.exclude[i]
		if e.glob.Match(p) || e.glob.Below(p) {
			e.used, found = true, true
		}
	}
	return found
}

// kept leaves out the names that the caller excluded.
func (f *finder) kept(r *root, dir string, names []formats.Name) []formats.Name {
	return slices.DeleteFunc(slices.Clone(names), func(n formats.Name) bool { return f.excluded(r, path.Join(dir, n.Name)) })
}

// unused lists the patterns that left out nothing.
func (f *finder) unused() []string {
	var list []string
	for _, e := range f.exclude {
		if !e.used {
			list = append(list, e.text)
		}
	}
	return list
}

// file notes one file that belongs to no source.
func (f *finder) file(r *root, p string, n formats.Name, owner *source) {
	if f.forbidden(p, owner) {
		f.note(r, p, n, reasonNotOpened)
		return
	}
	f.note(r, p, n, reasonNoEntry)
}

// note lists one name with its reason; links out of the input and odd files have their own.
func (f *finder) note(r *root, p string, n formats.Name, reason string) {
	noteFile(f.loose, &f.findings, r.dir, r.spelled, p, n, reason)
}

// whole lists a folder with everything below it under one reason.
func (f *finder) whole(r *root, dir string, names []formats.Name, reason string, depth int) {
	wholeFolder(f.loose, &f.findings, r.dir, r.spelled, dir, names, reason, depth)
}
