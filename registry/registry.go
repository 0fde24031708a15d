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
	return r, r.detectable()
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
	for _, name := range names {
		if err := r.file(dir, name); err != nil {
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

func (r *Registry) file(dir fs.FS, name string) error {
	info, err := fs.Stat(dir, name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errors.New("got a folder, want a file")
	}
	if !info.Mode().IsRegular() || info.Size() > maxEntry {
		return fmt.Errorf("got %s of %d bytes, want a file of at most %d", info.Mode().Type(), info.Size(), maxEntry)
	}
	raw, err := fs.ReadFile(dir, name)
	if err != nil {
		return err
	}
	return r.add(raw)
}

// add loads one entry, in place of one with the same name.
func (r *Registry) add(raw []byte) error {
	e, err := entry.Load(raw)
	if err != nil {
		return err
	}
	m, err := newMapper(e)
	if err != nil {
		return err
	}
	r.entries = slices.DeleteFunc(r.entries, func(have *entry.Entry) bool { return have.Name == e.Name })
	r.entries = append(r.entries, e)
	r.mappers[e.Name] = m
	return nil
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
