package report

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/visible"
)

var update = flag.Bool("update", false, "rewrite what tests compare with")

// Every format prints hostile content as the files of testdata show.
func TestGolden(t *testing.T) {
	rules, results := hostileRules(), hostileResults()
	tests := []struct {
		name string
		got  []byte
	}{
		{"junit.xml", JUnit(nil, "ctx validate", rules, results)},
		{"sarif.json", visible.JSON(Sarif(nil, "ctx validate", "v1", rules, results))},
		{"github.txt", GitHub(nil, "ctx validate", rules, results)},
		{"markdown.md", Markdown(nil, "ctx validate", rules, results, MarkdownOptions{Explain: true})},
		{"markdown-short.md", Markdown(nil, "ctx validate", rules, results, MarkdownOptions{Places: 1})},
		{"markdown-cut.md", Markdown(nil, "ctx validate", rules, results, MarkdownOptions{Bytes: 400})},
	}
	for _, tt := range tests {
		path := filepath.Join("testdata", tt.name)
		if *update {
			if err := os.WriteFile(path, tt.got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(tt.got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}
