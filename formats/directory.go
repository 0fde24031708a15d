package formats

import (
	"cmp"
	"path"
	"slices"
)

// Patterns says which names of a folder are what. A nil pattern matches
// nothing.
type Patterns struct {
	Item       *Pattern
	Unfinished []*Pattern // temporary files of writes that never finished
	Length     *Pattern   // markers whose {count} says how many items there were
	Ignore     []string   // globs of path.Match on the name
}

// Listing is a folder's names sorted out. Every name given is in exactly one
// of Items, Unfinished, Markers, Ignored, Odd and Rest; the latter keep the
// order of the names given. The caller owns the slices; the texts share memory
// with the names.
type Listing struct {
	Items      []ItemRef // by ordinal, then id, then name
	Holes      []Hole    // runs of ordinals before and between items that no item has
	Unfinished []Mark
	Markers    []Mark
	Ignored    []Name
	Odd        []Name // files and links with ordinals or counts above MaxOrdinal
	Rest       []Name // named like nothing, or of a kind that such a name cannot have
}

// ItemRef is one item by its name. Kind is as listed: a link is not yet
// followed, and a folder or odd file named like an item is kept as one.
type ItemRef struct {
	Ordinal int64 // -1 where the pattern has none
	ID      string
	Name    string
	Kind    Kind
}

// Hole is a run of missing ordinals, both ends included.
type Hole struct {
	First, Last int64
}

// Mark is a name beside the items, with the count that it states (-1: none).
type Mark struct {
	Name  string
	Count int64
}

// Directory sorts the names of a folder with one document per item.
func Directory(names []Name, p Patterns) Listing {
	var l Listing
	if p.Item != nil {
		l.Items = make([]ItemRef, 0, len(names))
	}
	for _, name := range names {
		l.put(name, &p)
	}
	l.Items = slices.Clip(l.Items)
	// by number, not by name: writers pad to a few digits only
	if !slices.IsSortedFunc(l.Items, byOrdinal) {
		slices.SortFunc(l.Items, byOrdinal)
	}
	l.Holes = holes(l.Items)
	return l
}

func (l *Listing) put(name Name, p *Patterns) {
	if p.Item != nil {
		if m, ok := p.Item.Match(name.Name); ok {
			l.putItem(name, m)
			return
		}
	}
	switch {
	case name.Kind == KindFolder: // whatever it is called, it may hold files
		l.Rest = append(l.Rest, name)
	case slices.ContainsFunc(p.Ignore, func(glob string) bool { return fits(glob, name.Name) }):
		l.Ignored = append(l.Ignored, name)
	case name.Kind == KindOdd:
		l.Rest = append(l.Rest, name)
	default:
		l.putMark(name, p)
	}
}

func (l *Listing) putItem(name Name, m Match) {
	if m.Huge {
		if name.Kind == KindFolder || name.Kind == KindOdd {
			l.Rest = append(l.Rest, name)
			return
		}
		l.Odd = append(l.Odd, name)
		return
	}
	l.Items = append(l.Items, ItemRef{Ordinal: m.Ordinal, ID: m.ID, Name: name.Name, Kind: name.Kind})
}

func (l *Listing) putMark(name Name, p *Patterns) {
	if p.Length != nil {
		if m, ok := p.Length.Match(name.Name); ok {
			if m.Huge {
				l.Odd = append(l.Odd, name)
			} else {
				l.Markers = append(l.Markers, Mark{Name: name.Name, Count: m.Count})
			}
			return
		}
	}
	for _, pattern := range p.Unfinished {
		if m, ok := pattern.Match(name.Name); ok {
			l.Unfinished = append(l.Unfinished, Mark{Name: name.Name, Count: m.Count})
			return
		}
	}
	l.Rest = append(l.Rest, name)
}

// fits treats a glob that is no glob as matching nothing.
func fits(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

func byOrdinal(a, b ItemRef) int {
	return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
}

func holes(items []ItemRef) []Hole {
	var found []Hole
	next := int64(0)
	for i := range items {
		ordinal := items[i].Ordinal
		if ordinal > next {
			found = append(found, Hole{First: next, Last: ordinal - 1})
		}
		next = ordinal + 1
	}
	return found
}
