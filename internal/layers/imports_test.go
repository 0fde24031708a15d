package layers_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/layers"
)

// ours is the folder of a package of the module, or false for any other package.
func ours(name, imported string) (string, bool) {
	folder, ok := strings.CutPrefix(imported, name+"/")
	return folder, ok
}

// violations lists the imports that the table does not allow, and the packages that it does not name.
func violations(files []file, name string, allowed map[string][]string) []string {
	var bad []string
	for _, f := range files {
		may, known := allowed[f.folder]
		if !known {
			bad = append(bad, f.path+": package "+f.folder+" is not in the import table")
			continue
		}
		if f.test || slices.Contains(may, layers.Any) {
			continue
		}
		for _, spec := range f.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				bad = append(bad, f.path+": "+err.Error())
				continue
			}
			if folder, ok := ours(name, imported); ok && !slices.Contains(may, folder) {
				bad = append(bad, f.path+": package "+f.folder+" may not import "+folder)
			}
		}
	}
	return bad
}

func TestImports(t *testing.T) {
	files, _, name := module(t)
	if len(files) == 0 {
		t.Fatal("got no Go files, want those of the module")
	}
	for _, v := range violations(files, name, layers.Allowed()) {
		t.Error(v)
	}
}

func TestViolations(t *testing.T) {
	const src = "package a\nimport (\n\"fmt\"\n\"example.org/m/b\"\n)"
	syntax, err := parser.ParseFile(token.NewFileSet(), "a.go", src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		want    []string
		name    string
		test    bool
		allowed map[string][]string
	}{
		{nil, "allowed", false, map[string][]string{"a": {"b"}}},
		{nil, "all", false, map[string][]string{"a": {layers.Any}}},
		{nil, "a test may import more", true, map[string][]string{"a": nil}},
		{[]string{"a/a.go: package a may not import b"}, "forbidden", false, map[string][]string{"a": {"c"}}},
		{[]string{"a/a.go: package a is not in the import table"}, "unknown", false, nil},
		{[]string{"a/a.go: package a is not in the import table"}, "unknown test", true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := violations([]file{{"a/a.go", "a", tt.test, syntax}}, "example.org/m", tt.allowed)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("violations (-want +got):\n%s", d)
			}
		})
	}
}

// The table for people and the one that is enforced are the same.
func TestArchitecturePage(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		got[strings.Trim(strings.TrimSpace(cells[1]), "`")] = cellPackages(cells[3])
	}
	for folder, want := range layers.Allowed() {
		have, ok := got[folder]
		slices.Sort(have)
		slices.Sort(want)
		if !ok || !slices.Equal(want, have) {
			t.Errorf("docs/architecture.md says %q may import %q, want %q", folder, have, want)
		}
		delete(got, folder)
	}
	for folder := range got {
		t.Errorf("docs/architecture.md names package %q, which the import table lacks", folder)
	}
}

// cellPackages reads the last cell of a row: quoted names with commas, "all" or "none".
func cellPackages(cell string) []string {
	switch cell = strings.TrimSpace(cell); cell {
	case "none":
		return nil
	case "all":
		return []string{layers.Any}
	}
	var list []string
	for name := range strings.SplitSeq(cell, ",") {
		list = append(list, strings.Trim(strings.TrimSpace(name), "`"))
	}
	return list
}
