package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/session-trace/ctx/internal/bundle"
)

// fileFlags say that the arguments are files of bundles, as hooks of version control name them.
type fileFlags struct{ byFile bool }

func (f *fileFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.byFile, "files", false, "the arguments are files: check each bundle that one of them belongs to, and pass over the others")
}

// bundles are the bundles to check. A folder is no file that a hook would name.
func (f *fileFlags) bundles(args []string) ([]string, error) {
	if !f.byFile {
		return args, nil
	}
	var found []string
	for _, file := range args {
		dir := bundleOf(file)
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			return nil, &usageError{message: "--files: " + quote(file) + " is a folder, want a file of a bundle", hint: "without --files the arguments are bundles"}
		}
		if dir != "" && !slices.Contains(found, dir) {
			found = append(found, dir)
		}
	}
	return found, nil
}

// bundleOf is the folder of the bundle that a file belongs to by its name, "" none. A manifest that cannot be read beside a
// folder of streams belongs to one: who commits it wants to know.
func bundleOf(file string) string {
	dir := filepath.Dir(file)
	switch name := filepath.Base(file); {
	case name == "manifest.json", name == "report.json":
	case filepath.Base(dir) == "streams", filepath.Base(dir) == "blobs":
		dir = filepath.Dir(dir)
	default:
		return ""
	}
	_, err := os.Lstat(filepath.Join(dir, "manifest.json"))
	streams, failed := os.Stat(filepath.Join(dir, "streams"))
	if bundle.IsBundle(dir) || err == nil && failed == nil && streams.IsDir() {
		return dir
	}
	return ""
}
