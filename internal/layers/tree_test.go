package layers_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// file is one Go file of the module.
type file struct {
	path   string // relative to the module, slash separated
	folder string // its package's folder
	test   bool
	syntax *ast.File
}

// module reads every Go file of the module, for any system, and the module's path.
func module(t *testing.T) (files []file, set *token.FileSet, name string) {
	t.Helper()
	set = token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skipped(rel, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		syntax, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file{rel, path.Dir(rel), strings.HasSuffix(rel, "_test.go"), syntax})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, set, moduleName(t)
}

// skipped names the folders that hold no package of ours.
func skipped(rel, name string) bool {
	return rel != "." && (strings.HasPrefix(name, ".") || name == "testdata" || rel == "fixtures" || rel == "bin" || rel == "out")
}

func moduleName(t *testing.T) string {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "module "); ok {
			return strings.TrimSpace(name)
		}
	}
	t.Fatal("go.mod has no module line")
	return ""
}
