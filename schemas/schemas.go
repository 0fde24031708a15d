// Package schemas embeds the JSON Schemas of the ctx formats and checks documents against them.
//
// The files are the machine form of the record format: draft 2020-12, one schema per record type, each complete in itself.
// Nothing is ever loaded from elsewhere.
package schemas

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// The files are read only.
//
//go:embed baseline.json config.json manifest.json report.json registry-entry.json record/*.json
var files embed.FS

const (
	base       = "https://schemas.ctx.invalid/v1/"
	extension  = ".json"
	recordRoot = "record/"
)

// Names lists the schemas, sorted: "baseline", "config", "manifest", "record/<type>" for each record type, "registry-entry", "report".
func Names() []string {
	names := append(list("."), list("record")...)
	slices.Sort(names)
	return names
}

// Source is the schema file of that name as it is released. The caller owns the bytes.
func Source(name string) ([]byte, bool) {
	raw, err := files.ReadFile(name + extension)
	return raw, err == nil
}

// list names the schemas that lie in one embedded folder.
func list(folder string) []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if name, ok := schemaName(folder, e); ok {
			names = append(names, name)
		}
	}
	return names
}

func schemaName(folder string, e fs.DirEntry) (string, bool) {
	name, ok := strings.CutSuffix(e.Name(), extension)
	if folder != "." {
		name = folder + "/" + name
	}
	return name, ok && !e.IsDir()
}
