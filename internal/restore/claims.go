package restore

import (
	"path"
	"slices"

	"github.com/session-trace/ctx/formats"
)

// claims sorts the names of one folder of a source ("." is its own): those that the source claims, and all others that
// the entry does not ignore.
func (n *names) claims(folder string, list []formats.Name) (own []string, rest []formats.Name) {
	if folder == n.layout.Items && n.cut == nil {
		l := formats.Directory(list, n.items)
		for i := range l.Items {
			own = append(own, l.Items[i].Name)
		}
		for _, m := range slices.Concat(l.Markers, l.Unfinished) {
			own = append(own, m.Name)
		}
		for _, m := range l.Odd {
			own = append(own, m.Name)
		}
		list = l.Rest
	}
	for _, name := range list {
		switch {
		case name.Kind == formats.KindFolder, name.Kind == formats.KindOdd:
			rest = append(rest, name)
		case n.belongs(folder, name.Name):
			own = append(own, name.Name)
		case !n.ignored(path.Join(folder, name.Name)):
			rest = append(rest, name)
		}
	}
	return own, rest
}

// belongs says whether a file is the snapshot, an attachment or an unfinished write beside them.
func (n *names) belongs(folder, name string) bool {
	if folder == "." {
		if name == n.layout.Snapshot || (n.cut != nil && name == n.layout.Items) {
			return true
		}
		for _, p := range n.document {
			if _, ok := p.Match(name); ok {
				return true
			}
		}
	}
	for i := range n.format.Attachments {
		if n.format.Attachments[i].Match(path.Join(folder, name)) {
			return true
		}
	}
	return false
}

// ignored says whether the entry ignores a file by its path below the source.
func (n *names) ignored(below string) bool {
	for i := range n.format.Ignore {
		if n.format.Ignore[i].Match(below) {
			return true
		}
	}
	return false
}

// ignoresName says whether the entry ignores files of that name somewhere in a source.
func (n *names) ignoresName(name string) bool {
	return n.ignored(name) || slices.ContainsFunc(n.items.Ignore, func(glob string) bool {
		ok, err := path.Match(glob, name)
		return ok && err == nil
	})
}

// folders are the folders of a source that it claims files in.
func (n *names) folders() []string {
	list := []string{"."}
	if n.layout.Items != "." && n.cut == nil {
		list = append(list, n.layout.Items)
	}
	for i := range n.format.Attachments {
		if f := n.format.Attachments[i].First(); f != "" && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}
