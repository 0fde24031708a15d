package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/registry"
)

// base is one native conversation that runs begin with.
type base struct {
	path string // in the corpus
	name string // the folder that it stands in here, with the one above it where the layout needs that
	tree tree   // below that folder
	size int
}

// Bounds of a conversation that runs begin with: thousands of runs are to be quick.
const (
	maxBaseFiles = 400
	maxBaseBytes = 3 << 20
)

// readCorpus reads the conversations below a folder that are small enough, the smallest first.
func readCorpus(dir string, reg *registry.Registry) ([]base, error) {
	found, err := converter.Convert(context.Background(), converter.Options{Sources: []string{dir}, Registry: reg, DryRun: true})
	if err != nil {
		return nil, err
	}
	var list []base
	for _, s := range found.Sources {
		b := base{path: s.Path, name: path.Base(s.Path)}
		if b.tree, err = readTree(filepath.Join(dir, filepath.FromSlash(s.Path))); err != nil {
			return nil, err
		}
		if s.Layout == "event-service" {
			b.name = path.Join(path.Base(path.Dir(s.Path)), b.name)
		}
		for _, n := range b.tree {
			b.size += len(n.data)
		}
		if s.Path == "." {
			b.name = path.Base(filepath.ToSlash(dir))
		}
		if len(b.tree) > 0 && len(b.tree) <= maxBaseFiles && b.size <= maxBaseBytes {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: got no conversation of at most %d files and %d bytes", dir, maxBaseFiles, maxBaseBytes)
	}
	slices.SortStableFunc(list, func(a, b base) int { return a.size - b.size })
	return list, nil
}
