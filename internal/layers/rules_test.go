package layers_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestForbidden(t *testing.T) {
	tests := []struct {
		want []string // endings of the messages
		name string
		src  string
	}{
		{nil, "clean", "package a\nimport \"os\"\nvar x = os.Args"},
		{[]string{"use a literal table"}, "init", "package a\nfunc init() {}"},
		{nil, "a method named init", "package a\ntype t int\nfunc (t) init() {}"},
		{[]string{"the only reader of JSON"}, "marshal", "package a\nimport \"encoding/json\"\nfunc f() { json.Marshal(1) }"},
		{[]string{"the only reader of JSON"}, "renamed", "package a\nimport j \"encoding/json\"\nfunc f() { j.NewEncoder(nil) }"},
		{nil, "the type alone", "package a\nimport \"encoding/json\"\nvar x json.Number"},
		{[]string{"recurse without bound"}, "gjson", "package a\nimport \"github.com/tidwall/gjson\"\nvar x = gjson.Get(\"\", \"a\")"},
		{[]string{"which bound them", "which bound them"}, "os", "package a\nimport \"os\"\nfunc f() { os.ReadFile(\"\"); os.WriteFile(\"\", nil, 0) }"},
		{[]string{"nothing random goes into a bundle"}, "rand", "package a\nimport \"math/rand/v2\"\nvar x = rand.Int()"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			syntax, err := parser.ParseFile(token.NewFileSet(), "a.go", tt.src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			f := file{path: "a/a.go", folder: "a", syntax: syntax}
			var got []string
			for i, message := range forbidden(f, rules(), func(ast.Node) string { return "a.go" }) {
				if i < len(tt.want) && strings.HasSuffix(message, tt.want[i]) {
					message = tt.want[i]
				}
				got = append(got, message)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("forbidden (-want +got):\n%s", d)
			}
		})
	}
}

func TestBadNames(t *testing.T) {
	src := "package a\ntype MessageHandler int\nfunc f(utilities []int) {}\nvar plain int"
	syntax, err := parser.ParseFile(token.NewFileSet(), "a.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a.go: the name MessageHandler holds the word handler",
		"a.go: the name utilities holds the word util",
	}
	got := badNames(file{path: "a/a.go", folder: "a", syntax: syntax}, oldWords(), func(ast.Node) string { return "a.go" })
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("badNames (-want +got):\n%s", d)
	}
}
