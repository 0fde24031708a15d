package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// kind says what a node is.
type kind uint8

const (
	file   kind = iota
	folder      // one that may be empty; folders that hold something need no node
	link
	fifo
)

// node is one name below the input.
type node struct {
	kind kind
	data string // of a file; the target of a link
}

// asked says whether the node is a folder that stands even when it holds nothing.
func (n node) asked() bool { return n.kind == folder }

// tree is an input folder in memory: paths, slash separated, in the bytes of the file system.
type tree map[string]node

// put places a node, unless its path leads through something that is no folder, or names what no file system takes.
func (t tree) put(p string, n node) bool {
	if p == "" || p == "." || len(p) > 2000 {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == "" || part == "." || part == ".." || len(part) > 250 || strings.IndexByte(part, 0) >= 0 {
			return false
		}
	}
	for at := path.Dir(p); at != "."; at = path.Dir(at) {
		if over, ok := t[at]; ok && over.kind != folder {
			return false
		}
	}
	if n.kind != folder {
		t.remove(p)
	}
	t[p] = n
	return true
}

// remove takes a path away with all that lies below it.
func (t tree) remove(p string) {
	maps.DeleteFunc(t, func(q string, _ node) bool { return q == p || strings.HasPrefix(q, p+"/") })
}

// below is the nodes under a folder, by their paths from there.
func (t tree) below(p string) tree {
	sub := tree{}
	for q, n := range t {
		if rest, ok := strings.CutPrefix(q, p+"/"); ok {
			sub[rest] = n
		}
	}
	return sub
}

// graft puts another tree under a folder.
func (t tree) graft(p string, sub tree) {
	for _, q := range slices.Sorted(maps.Keys(sub)) {
		t.put(path.Join(p, q), sub[q])
	}
}

// folders are all folders, those that stand in paths alone included, without the root.
func (t tree) folders() []string {
	seen := map[string]bool{}
	for p, n := range t {
		if n.kind == folder {
			seen[p] = true
		}
		for at := path.Dir(p); at != "."; at = path.Dir(at) {
			seen[at] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// files are the paths of all files, sorted.
func (t tree) files() []string {
	var list []string
	for p, n := range t {
		if n.kind == file {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// readTree reads a folder. What is neither a file nor a folder is left out.
func readTree(dir string) (tree, error) {
	t := tree{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		below := filepath.ToSlash(rel)
		switch {
		case e.IsDir():
			t[below] = node{kind: folder}
		case e.Type().IsRegular():
			raw, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			t[below] = node{data: string(raw)}
		}
		return nil
	})
	return t, err
}

// write makes a folder what the tree says; was is what it is now. Nodes that did not change are left alone, files that
// changed are written in place. All that is written has the given time, unless it is zero.
func (t tree) write(dir string, was tree, at time.Time) error {
	for _, p := range slices.Backward(slices.Sorted(maps.Keys(was))) {
		if now, ok := t[p]; !ok || now.kind != was[p].kind || (now.kind == link && now != was[p]) {
			if err := t.drop(dir, p, was[p]); err != nil {
				return err
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(t)) {
		if have, ok := was[p]; ok && have == t[p] {
			continue
		}
		if err := t[p].write(filepath.Join(dir, filepath.FromSlash(p)), at); err != nil {
			return err
		}
	}
	return nil
}

// drop takes one node away, with the folders above it that hold nothing more and are not asked for.
func (t tree) drop(dir, p string, n node) error {
	err := os.Remove(filepath.Join(dir, filepath.FromSlash(p)))
	if n.kind == folder || errors.Is(err, fs.ErrNotExist) {
		err = nil // what still lies in it keeps it
	}
	for at := path.Dir(p); err == nil && at != "."; at = path.Dir(at) {
		if t[at].asked() || os.Remove(filepath.Join(dir, filepath.FromSlash(at))) != nil {
			break
		}
	}
	return err
}

func (n node) write(name string, at time.Time) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch n.kind {
	case folder:
		return os.MkdirAll(name, 0o755)
	case link:
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return os.Symlink(n.data, name)
	case fifo:
		return makeFIFO(name)
	}
	if err := os.WriteFile(name, []byte(n.data), 0o644); err != nil || at.IsZero() {
		return err
	}
	return os.Chtimes(name, at, at)
}
