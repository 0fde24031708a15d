package restore

import (
	"fmt"
	"path"
	"slices"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
)

// names says how the files of one layout are called.
type names struct {
	format   *entry.Format
	layout   *entry.Layout
	items    formats.Patterns
	cut      *formats.Cutter    // how items stand in one file, nil where each has its own
	document []*formats.Pattern // unfinished writes in the source's own folder
}

// entries reads the registry entries that a bundle names, from its own blobs or in their place those given.
func entries(b *bundle.Bundle, given map[string]*entry.Entry) (map[string]*entry.Entry, error) {
	found := map[string]*entry.Entry{}
	for _, used := range b.Manifest().Registry {
		if e := given[used.Agent]; e != nil {
			found[used.Agent] = e
			continue
		}
		raw, err := b.Blob(used.SHA256)
		if err != nil {
			return nil, fmt.Errorf("registry entry %.64q: %w: %w", used.Agent, ErrDamaged, err)
		}
		e, err := entry.Load(raw)
		if err != nil {
			return nil, fmt.Errorf("registry entry %.64q: %w: %w", used.Agent, ErrDamaged, err)
		}
		found[used.Agent] = e
	}
	return found, nil
}

// namesOf are the names of a source's files; nil when the entry lacks its layout, so that only paths tell them.
func namesOf(list map[string]*entry.Entry, src *bundle.SourceInfo) (*names, error) {
	e := list[src.Agent]
	if e == nil {
		return nil, nil
	}
	for i := range e.Formats {
		f := &e.Formats[i]
		y := slices.IndexFunc(f.Layouts, func(y entry.Layout) bool { return y.Name == src.Layout })
		if f.ID != src.Format || y < 0 {
			continue
		}
		n := &names{format: f, layout: &f.Layouts[y]}
		return n, n.compile()
	}
	return nil, nil
}

func (n *names) compile() error {
	it := &n.format.Items
	list, err := patterns(slices.Concat([]string{it.Name, it.Length}, it.Unfinished))
	if err != nil {
		return err
	}
	n.items = formats.Patterns{Item: list[0], Length: list[1], Unfinished: list[2:], Ignore: it.Ignore}
	if n.format.OneFile() {
		n.cut = &formats.Cutter{Mark: it.Mark, Arrays: it.Arrays, Around: n.format.Document.Around}
	}
	n.document, err = patterns(slices.Concat(n.format.Document.Unfinished, n.format.Unfinished))
	return err
}

// alone says whether a source of the layout is one file and not a folder.
func (n *names) alone() bool { return n != nil && len(n.layout.Files) > 0 }

// around says whether the items of a source stand in a document that is its state.
func (n *names) around() bool { return n.alone() && n.format.Document.Around }

// one is the path of the file that holds all items of a source, relative to its folder; "" where each has its own.
func (n *names) one(source string) string {
	switch {
	case n == nil || n.cut == nil:
		return ""
	case n.alone():
		return path.Base(source)
	default:
		return n.layout.Items
	}
}

// patterns compiles name patterns; an empty one is nil.
func patterns(texts []string) ([]*formats.Pattern, error) {
	list := make([]*formats.Pattern, len(texts))
	for i, text := range texts {
		if text == "" {
			continue
		}
		p, err := formats.ParsePattern(text)
		if err != nil {
			return nil, fmt.Errorf("registry entry: %w", err)
		}
		list[i] = p
	}
	return list, nil
}

// item is the path of an item by its ordinal and id.
func (n *names) item(ordinal int64, id string) (string, bool) {
	if n == nil || n.items.Item == nil {
		return "", false
	}
	name, ok := n.items.Item.Render(ordinal, id)
	if n.layout.Items != "." {
		name = n.layout.Items + "/" + name
	}
	return name, ok
}
