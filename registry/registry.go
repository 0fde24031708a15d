// Package registry decides which registry entry a source belongs to and maps one native item to its records.
package registry

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
)

//go:embed entries/*.json
var embedded embed.FS

// maxEntry bounds an entry file.
const maxEntry = 4 << 20

// Registry holds the entries of a run.
type Registry struct {
	entries []*entry.Entry
	mappers map[string]*Mapper
	formats []*format // those that can be detected, in order of entry name
}

// Load reads the shipped entries and those of the given folders (*.json); a later entry replaces an earlier one of its
// name. The error names every fault of every entry, with its file and place.
func Load(dirs []string) (*Registry, error) {
	r := &Registry{mappers: map[string]*Mapper{}}
	var faults []error
	shipped, err := fs.Sub(embedded, "entries")
	if err != nil {
		return nil, err
	}
	faults = append(faults, r.folder(shipped, "shipped")...)
	for _, dir := range dirs {
		faults = append(faults, r.folder(os.DirFS(dir), dir)...)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	slices.SortFunc(r.entries, func(a, b *entry.Entry) int { return strings.Compare(a.Name, b.Name) })
	if err := errors.Join(r.clashes()...); err != nil {
		return nil, err
	}
	return r, r.detectable()
}

// clashes are the names and aliases that two entries bear. They begin stream ids and choose agents, so one means one.
func (r *Registry) clashes() []error {
	var faults []error
	bearer := map[string]string{}
	for _, e := range r.entries {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if other, ok := bearer[name]; ok && other != e.Name {
				faults = append(faults, fmt.Errorf("got %q as a name of %s and of %s, want it for one entry", name, other, e.Name))
			}
			bearer[name] = e.Name
		}
	}
	return faults
}

// folder loads the entries of one folder.
func (r *Registry) folder(dir fs.FS, label string) []error {
	if _, err := fs.Stat(dir, "."); err != nil {
		return []error{fmt.Errorf("%s: got no folder that can be read, want one: %w", label, cause(err))}
	}
	names, err := fs.Glob(dir, "*.json")
	if err == nil && len(names) == 0 {
		err = errors.New("no entry (*.json) in the registry folder")
	}
	if err != nil {
		return []error{fmt.Errorf("%s: %w", label, err)}
	}
	var faults []error
	files := map[string]string{} // by entry
	for _, name := range names {
		e, err := r.file(dir, name)
		if err == nil && files[e.Name] != "" {
			err = fmt.Errorf("/name: got %q, which %s bears too, want one file for each entry", e.Name, files[e.Name])
		}
		if err == nil {
			files[e.Name] = name
		} else {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				faults = append(faults, fmt.Errorf("%s: %s", path.Join(label, name), line))
			}
		}
	}
	return faults
}

// cause is an error without the path that it names.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (r *Registry) file(dir fs.FS, name string) (*entry.Entry, error) {
	info, err := fs.Stat(dir, name)
	if err != nil {
		return nil, cause(err)
	}
	if info.IsDir() {
		return nil, errors.New("got a folder, want a file")
	}
	if !info.Mode().IsRegular() || info.Size() > maxEntry {
		return nil, fmt.Errorf("got %s of %d bytes, want a file of at most %d", info.Mode().Type(), info.Size(), maxEntry)
	}
	raw, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, cause(err)
	}
	return r.add(raw)
}

// add loads one entry, in place of one with the same name.
func (r *Registry) add(raw []byte) (*entry.Entry, error) {
	e, err := entry.Load(raw)
	if err != nil {
		return nil, err
	}
	m, err := newMapper(e)
	if err != nil {
		return nil, err
	}
	r.entries = slices.DeleteFunc(r.entries, func(have *entry.Entry) bool { return have.Name == e.Name })
	r.entries = append(r.entries, e)
	r.mappers[e.Name] = m
	return e, nil
}

// Entries lists the entries, sorted by name.
func (r *Registry) Entries() []*entry.Entry { return r.entries }

// Entry is the entry with a name or alias.
func (r *Registry) Entry(name string) (*entry.Entry, error) {
	for _, e := range r.entries {
		if e.Name == name || slices.Contains(e.Aliases, name) {
			return e, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", entry.ErrNoEntry, name)
}

// Mapper is the mapper of an entry that converts.
func (r *Registry) Mapper(e *entry.Entry) *Mapper { return r.mappers[e.Name] }
