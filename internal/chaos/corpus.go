package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/registry"
)

// base is one native conversation that runs begin with.
type base struct {
	path string // in the corpus; of a file that is a conversation by itself, or of which each row is one, its own
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
		at := filepath.Join(dir, filepath.FromSlash(s.Path))
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
			if s.Row > 0 {
				continue
			}
			raw, err := os.ReadFile(at)
			if err != nil {
				return nil, err
			}
			b.name, b.tree = "files", tree{path.Base(s.Path): {data: string(raw)}}
		} else if b.tree, err = readTree(at); err != nil {
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
