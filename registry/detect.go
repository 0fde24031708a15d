package registry

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// maxProbe bounds a file that detection looks into.
const maxProbe = 64 << 20

// format is one format that can be detected, with its patterns compiled.
type format struct {
	entry *entry.Entry
	spec  *entry.Format
	files Files
	names map[string]*formats.Pattern // of lookups
}

// Files are the compiled name patterns of one format.
type Files struct {
	Items    formats.Patterns
	Document []*formats.Pattern // unfinished writes beside the snapshot
	Cut      *formats.Cutter    // how items stand in one file, nil where each has its own
}

// Match is a source found in a folder.
type Match struct {
	Entry  *entry.Entry
	Format *entry.Format
	Layout *entry.Layout // nil for a format that is not qualified
	Files  *Files
	File   string // name of the one file that holds the items, "" where each has its own
}

// Site is one folder that may be a source. Names are listed once.
type Site struct {
	Root  *formats.Root
	Path  string // of the folder, relative to the root
	Name  string // the folder's own name, of the input root too
	Names []formats.Name
	subs  map[string][]formats.Name
}

// Sub lists a folder of the site; "." is the site itself. A folder that is not there has no names.
func (s *Site) Sub(folder string) []formats.Name {
	if folder == "." {
		return s.Names
	}
	if names, ok := s.subs[folder]; ok {
		return names
	}
	var names []formats.Name
	if slices.ContainsFunc(s.Names, func(n formats.Name) bool { return n.Name == folder && n.Kind == formats.KindFolder }) {
		names, _ = s.Root.List(path.Join(s.Path, folder)) // an unreadable folder holds no items that we could tell
	}
	if s.subs == nil {
		s.subs = map[string][]formats.Name{}
	}
	s.subs[folder] = names
	return names
}

// detectable compiles the patterns of every format that can be detected.
func (r *Registry) detectable() error {
	for _, e := range r.entries {
		for i := range e.Formats {
			spec := &e.Formats[i]
			if spec.Detect == nil || (spec.Qualified && e.Records < 0) {
				continue
			}
			f := &format{entry: e, spec: spec, names: map[string]*formats.Pattern{}}
			if err := f.compile(); err != nil {
				return fmt.Errorf("%s: format %s: %w", e.Name, spec.ID, err)
			}
			r.formats = append(r.formats, f)
		}
	}
	return nil
}

func (f *format) compile() error {
	it := &f.spec.Items
	var err error
	one := func(text string) *formats.Pattern {
		if text == "" || err != nil {
			return nil
		}
		var p *formats.Pattern
		p, err = formats.ParsePattern(text)
		return p
	}
	many := func(texts []string) []*formats.Pattern {
		var list []*formats.Pattern
		for _, t := range texts {
			list = append(list, one(t))
		}
		return list
	}
	f.files.Items = formats.Patterns{
		Item: one(it.Name), Unfinished: many(it.Unfinished), Length: one(it.Length), Ignore: it.Ignore,
	}
	if f.spec.OneFile() {
		f.files.Cut = &formats.Cutter{Mark: it.Mark, Arrays: it.Arrays, Around: f.spec.Document.Around}
	}
	f.files.Document = append(many(f.spec.Document.Unfinished), many(f.spec.Unfinished)...)
	var lookups func(k *entry.Lookup)
	lookups = func(k *entry.Lookup) {
		if k == nil {
			return
		}
		if k.Name != "" {
			f.names[k.Name] = one(k.Name)
		}
		for _, sub := range slices.Concat(k.All, k.Any, []*entry.Lookup{k.Not}) {
			lookups(sub)
		}
	}
	lookups(f.spec.Detect)
	return err
}

// Detect says which entries take the folder for a source. Qualified formats come before others; of one entry only one
// counts: the first that finds items, else the first. agent limits it to one entry, nil for all.
func (r *Registry) Detect(s *Site, agent *entry.Entry) []Match {
	var qualified, others []Match
	for _, items := range [...]bool{true, false} {
		for _, f := range r.formats {
			if (agent != nil && f.entry != agent) || (items && !f.spec.Qualified) {
				continue
			}
			m, ok := f.detect(s, items)
			switch {
			case !ok:
			case f.spec.Qualified:
				qualified = m.unlessEntry(qualified)
			default:
				others = append(others, m)
			}
		}
	}
	if len(qualified) > 0 {
		slices.SortStableFunc(qualified, func(a, b Match) int { return strings.Compare(a.Entry.Name, b.Entry.Name) })
		return qualified
	}
	return others
}

// unlessEntry appends a match unless its entry has one.
func (m *Match) unlessEntry(list []Match) []Match {
	if slices.ContainsFunc(list, func(have Match) bool { return have.Entry == m.Entry }) {
		return list
	}
	return append(list, *m)
}

// detect looks for the format's items, or for what else makes the folder a source.
func (f *format) detect(s *Site, items bool) (Match, bool) {
	m := Match{Entry: f.entry, Format: f.spec, Files: &f.files}
	if !f.spec.Qualified {
		return m, f.holds(f.spec.Detect, s, found{})
	}
	for _, y := range f.layouts(s) {
		switch {
		case items && f.hasItems(s, y):
			if f.spec.OneFile() {
				m.File = y.Items
			}
			if !f.holds(f.spec.Detect, s, found{items: items, file: m.File}) {
				continue
			}
		case items, y.Snapshot == "", !f.holds(f.spec.Detect, s, found{}):
			continue
		}
		m.Layout = y
		return m, true
	}
	return m, false
}

// found is what a layout has in a folder.
type found struct {
	items bool
	file  string // that holds all items
	rows  bool   // each line of it is a document of its own
}

// layouts lists the layouts that the folder's name allows; a layout that names its folder goes before the others.
func (f *format) layouts(s *Site) []*entry.Layout {
	var named, plain []*entry.Layout
	for i := range f.spec.Layouts {
		switch y := &f.spec.Layouts[i]; {
		case len(y.Files) > 0:
		case y.Under == "":
			plain = append(plain, y)
		case y.Under == s.Name:
			named = append(named, y)
		}
	}
	return append(named, plain...)
}

func (f *format) hasItems(s *Site, y *entry.Layout) bool {
	if f.spec.OneFile() {
		return slices.ContainsFunc(s.Names, func(n formats.Name) bool { return n.Name == y.Items && n.Kind != formats.KindFolder })
	}
	p := f.files.Items.Item
	return p != nil && slices.ContainsFunc(s.Sub(y.Items), func(n formats.Name) bool {
		_, ok := p.Match(n.Name)
		return ok
	})
}

// holds says whether the folder has what a lookup asks for.
func (f *format) holds(k *entry.Lookup, s *Site, has found) bool {
	for _, sub := range k.All {
		if !f.holds(sub, s, has) {
			return false
		}
	}
	if len(k.Any) > 0 && !slices.ContainsFunc(k.Any, func(sub *entry.Lookup) bool { return f.holds(sub, s, has) }) {
		return false
	}
	if k.Not != nil && f.holds(k.Not, s, has) {
		return false
	}
	if (k.Items && !has.items) || (k.First != nil && !f.first(k.First, s, has)) {
		return false
	}
	if k.File != "" && !f.hasFile(k, s) {
		return false
	}
	if k.Name != "" {
		p := f.names[k.Name]
		return slices.ContainsFunc(s.Sub(k.Folder), func(n formats.Name) bool {
			_, ok := p.Match(n.Name)
			return ok && n.Kind != formats.KindFolder
		})
	}
	return true
}

// hasFile says whether the file is there and, when members are asked for, a JSON object with those members.
func (f *format) hasFile(k *entry.Lookup, s *Site) bool {
	folder, name := path.Dir(k.File), path.Base(k.File)
	if !slices.ContainsFunc(s.Sub(folder), func(n formats.Name) bool { return n.Name == name && n.Kind != formats.KindFolder }) {
		return false
	}
	if len(k.Has) == 0 {
		return true
	}
	raw, err := s.Root.Read(path.Join(s.Path, k.File), nil, maxProbe)
	if err != nil {
		return false
	}
	doc, err := jsonscan.Scan(TrimBOM(raw), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		return false
	}
	for i := range k.Has {
		if n := k.Has[i].One(&doc, 0); n < 0 || doc.Kind(n) == jsonscan.Null {
			return false
		}
	}
	return true
}

// TrimBOM is raw without a leading UTF-8 byte order mark.
func TrimBOM(raw []byte) []byte {
	if len(raw) >= 3 && raw[0] == 0xEF && raw[1] == 0xBB && raw[2] == 0xBF {
		return raw[3:]
	}
	return raw
}
