package restore

import (
	"context"
	"path"
	"slices"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// added looks for files of the source that its stream does not name.
func (c *comparison) added() {
	p := placed{c.root, c.dir, c.s.names, ""}
	if c.s.names.alone() {
		p.file = c.s.one
	}
	c.v.placed = append(c.v.placed, p)
	if c.s.names == nil || p.file != "" {
		return
	}
	for _, folder := range c.s.names.folders() {
		list, err := c.root.List(path.Join(c.dir, folder))
		if err != nil {
			continue // a folder that is not there has no files
		}
		own, _ := c.s.names.claims(folder, list)
		for _, name := range own {
			below := path.Join(folder, name)
			f := file{path: below, spelled: record.SpellPath(below)}
			if c.known[f.path] {
				continue
			}
			// what cannot be read is in no bundle: the conversion listed it elsewhere
			if r, err := c.open(below); err == nil {
				r.Close() //nolint:errcheck // nothing was written
				c.differ(&f, Added, "the bundle does not have it")
			}
		}
	}
}

// placed is a source that was found.
type placed struct {
	root  *formats.Root
	dir   string
	names *names // nil: unknown, nothing below is looked at
	file  string // the source is this one file of the folder, "": the folder
}

// whole says whether a bundle holds all that the conversion found, and all of it is looked at.
func whole(m *bundle.Manifest, o *Options) bool {
	d, err := jsonscan.Scan(m.Selection, nil, jsonscan.Options{})
	return err == nil && d.Equal(d.Find(0, "policy"), "all") && len(o.Streams) == 0
}

// census counts the files that belong to no source against those that the manifest lists.
type census struct {
	v      *Verdict
	roots  *roots
	listed map[string]int64 // files by folder
	names  []*names
	owned  map[site]owner
	alone  map[site][]string // files that are sources by themselves
}

// site is a folder below one of the roots.
type site struct {
	root *formats.Root
	dir  string
}

// owner is the source that claims files of a folder.
type owner struct {
	names  *names // nil: unknown
	folder string // relative to the source
}

// others looks for files that belong to no source and that the manifest does not account for.
func (v *Verdict) others(ctx context.Context, m *bundle.Manifest, r *roots, list []*stream) error {
	c := &census{v: v, roots: r, listed: map[string]int64{}, owned: map[site]owner{}, alone: map[site][]string{}}
	for _, p := range v.placed {
		c.own(p)
	}
	for _, u := range m.Unidentified {
		c.listed[u.Path] += u.Files
	}
	for _, s := range list {
		if s.names != nil && !slices.Contains(c.names, s.names) {
			c.names = append(c.names, s.names)
		}
	}
	for i := range r.dirs {
		if err := c.walk(ctx, i, ".", 0); err != nil {
			return err
		}
	}
	return nil
}

// maxFolders bounds how deep folders are followed, as in the conversion.
const maxFolders = 200

func (c *census) walk(ctx context.Context, root int, dir string, depth int) error {
	if err := ctx.Err(); err != nil || depth > maxFolders {
		return err
	}
	names, err := c.roots.dirs[root].List(dir)
	if err != nil {
		return nil // the conversion could not list it either, or it is gone since
	}
	var loose []string
	rest, skip := c.rest(root, dir, names)
	if skip {
		return nil
	}
	alone := c.alone[site{c.roots.dirs[root], dir}]
	for _, n := range rest {
		if slices.Contains(alone, n.Name) {
			continue
		}
		if n.Kind != formats.KindFolder && c.counts(root, path.Join(dir, n.Name), n.Kind) {
			loose = append(loose, n.Name)
		}
	}
	c.compare(root, dir, loose)
	for _, n := range names {
		if n.Kind != formats.KindFolder {
			continue
		}
		if err := c.walk(ctx, root, path.Join(dir, n.Name), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// own notes the folders of one source.
func (c *census) own(p placed) {
	if p.file != "" {
		at := site{p.root, p.dir}
		c.alone[at] = append(c.alone[at], p.file)
		return
	}
	if p.names == nil {
		c.owned[site{p.root, p.dir}] = owner{}
		return
	}
	for _, folder := range p.names.folders() {
		c.owned[site{p.root, path.Join(p.dir, folder)}] = owner{p.names, folder}
	}
}

// rest leaves out what a source claims or ignores; skip says that nothing is known of the folder.
func (c *census) rest(root int, dir string, all []formats.Name) (rest []formats.Name, skip bool) {
	if o, ok := c.owned[site{c.roots.dirs[root], dir}]; ok {
		if o.names == nil {
			return nil, true
		}
		_, rest = o.names.claims(o.folder, all)
		return rest, false
	}
	return slices.DeleteFunc(slices.Clone(all), func(n formats.Name) bool {
		return n.Kind != formats.KindFolder && slices.ContainsFunc(c.names, func(o *names) bool { return o.ignoresName(n.Name) })
	}), false
}

// counts says whether a name counts as a file: odd files do not, nor do links to anything but files.
func (c *census) counts(root int, p string, kind formats.Kind) bool {
	switch kind {
	case formats.KindFile:
		return true
	case formats.KindLink:
		kind, err := c.roots.dirs[root].Link(p)
		return err != nil || kind == formats.KindFile
	default:
		return false
	}
}

// compare holds the files of one folder against what the manifest lists there.
func (c *census) compare(root int, dir string, loose []string) {
	folder := c.roots.spelled(root, dir)
	listed := c.listed[folder]
	if int64(len(loose)) <= listed {
		return
	}
	if listed > 0 {
		c.v.differ(folder, Added, "got %d files that belong to no source, the bundle lists %d", len(loose), listed)
		return
	}
	for _, name := range loose {
		c.v.differ(join(folder, record.SpellPath(name)), Added, "the bundle does not account for it")
	}
}
