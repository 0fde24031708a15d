package main

import (
	"fmt"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
)

// entriesInstead are the entries of --registry that stand in for those of a bundle, by agent. Each is said on stderr.
func (e *env) entriesInstead(command string, b *bundle.Bundle, path string) (map[string]*entry.Entry, error) {
	if len(e.registries) == 0 {
		return nil, nil
	}
	reg, err := e.load()
	if err != nil {
		return nil, err
	}
	others := map[string]*entry.Entry{}
	for _, used := range b.Manifest().Registry {
		other, err := reg.Entry(used.Agent)
		if err == nil && other.Name == used.Agent && other.SHA256 != used.SHA256 {
			fmt.Fprintf(e.stderr, "%s: %s: using the entry %s of %s, not the bundle's own\n", command, visible(path), visible(used.Agent), e.registryWord())
			others[used.Agent] = other
		}
	}
	return others, nil
}
