package layers_test

import (
	"go/ast"
	"strconv"
	"strings"
	"testing"
)

// rule forbids some calls outside the packages that are their home.
type rule struct {
	imported string   // import path
	names    []string // functions and types of it; nil: any use
	home     []string // folders in which they may be used
	why      string
}

func rules() []rule {
	tools := []string{"internal/bench", "internal/chaos", "internal/laws"} // they work on bundles from outside, and ship with nothing
	return []rule{
		{
			"encoding/json",
			[]string{"Marshal", "MarshalIndent", "NewEncoder", "Unmarshal", "NewDecoder", "HTMLEscape", "Compact", "Indent"},
			tools,
			"internal/record is the only encoder, internal/jsonscan the only reader of JSON",
		},
		{
			"github.com/tidwall/gjson",
			[]string{"Get", "GetBytes", "GetMany", "GetManyBytes", "Valid", "ValidBytes", "Parse", "ParseBytes"},
			[]string{"internal/bench"},
			"its paths follow only the first match and its checks recurse without bound",
		},
		{
			"os",
			[]string{"ReadFile", "WriteFile"},
			tools,
			"reads go through formats and internal/bundle, which bound them",
		},
		{"io", []string{"ReadAll"}, []string{"internal/bench"}, "every read has a bound; use a limited reader and a buffer of its size"},
		{"io/ioutil", nil, nil, "it is deprecated"},
		{"math/rand", nil, nil, "nothing random goes into a bundle"},
		{"math/rand/v2", nil, tools, "nothing random goes into a bundle"},
	}
}

// forbidden lists the uses in one file that the rules do not allow, each with its place.
func forbidden(f file, list []rule, at func(ast.Node) string) []string {
	names := map[string]rule{}
	for _, spec := range f.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		for _, r := range list {
			if r.imported != imported || contains(r.home, f.folder) {
				continue
			}
			local := localName(spec, imported)
			names[local] = r
		}
	}
	var bad []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				bad = append(bad, at(n)+": init function; use a literal table")
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				if r, ok := names[x.Name]; ok && (r.names == nil || contains(r.names, n.Sel.Name)) {
					bad = append(bad, at(n)+": "+r.imported+"."+n.Sel.Name+": "+r.why)
				}
			}
		}
		return true
	})
	return bad
}

func localName(spec *ast.ImportSpec, imported string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	parts := strings.Split(imported, "/")
	if last := parts[len(parts)-1]; last != "v2" {
		return last
	}
	return parts[len(parts)-2]
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

func TestForbiddenCalls(t *testing.T) {
	files, set, _ := module(t)
	at := func(n ast.Node) string { return set.Position(n.Pos()).String() }
	for _, f := range files {
		if f.test {
			continue
		}
		for _, bad := range forbidden(f, rules(), at) {
			t.Error(bad)
		}
	}
}

// oldWords are names that say nothing about the one job of what bears them.
func oldWords() []string {
	return []string{"parser", "adapter", "provider", "plugin", "handler", "manager", "util", "helper", "common"}
}

// badNames lists what a file declares under a name that holds one of the words.
func badNames(f file, words []string, at func(ast.Node) string) []string {
	var bad []string
	report := func(id *ast.Ident) {
		for _, w := range words {
			if id != nil && strings.Contains(strings.ToLower(id.Name), w) {
				bad = append(bad, at(id)+": the name "+id.Name+" holds the word "+w)
			}
		}
	}
	report(f.syntax.Name)
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			report(n.Name)
		case *ast.TypeSpec:
			report(n.Name)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				report(id)
			}
		case *ast.Field:
			for _, id := range n.Names {
				report(id)
			}
		}
		return true
	})
	return bad
}

func TestNames(t *testing.T) {
	files, set, _ := module(t)
	at := func(n ast.Node) string { return set.Position(n.Pos()).String() }
	for _, f := range files {
		for _, bad := range badNames(f, oldWords(), at) {
			t.Error(bad)
		}
	}
}
