package validator

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

var update = flag.Bool("update", false, "rewrite what tests compare with")

// fixtures is where the bundles of the rules lie.
var fixtures = filepath.Join("..", "fixtures", "rules")

// ruleFixture is a pair of bundles: pass keeps a rule, at its edge where that is cheap, and fail breaks it and no other.
type ruleFixture struct {
	rule       string
	pass, fail func(m *made)
}

func same(*made) {}

// The bundles of fixtures/rules are what the builder makes, each pass has no finding, each fail those of its rule alone.
func TestGoldenRules(t *testing.T) {
	for _, f := range ruleFixtures() {
		t.Run(f.rule, func(t *testing.T) {
			for _, c := range []struct {
				want   []string
				name   string
				change func(m *made)
			}{
				{nil, "pass", f.pass},
				{[]string{"error " + f.rule}, "fail", f.fail},
			} {
				m := sound()
				c.change(m)
				dir := filepath.Join(t.TempDir(), c.name)
				m.writeTo(t, dir)
				compareTree(t, filepath.Join(fixtures, f.rule, c.name), dir)
				report := validateFolder(t, filepath.Join(fixtures, f.rule, c.name))
				if d := cmp.Diff(c.want, rulesOf(&report.Findings)); d != "" {
					t.Errorf("%s: rules (-want +got):\n%s\n%s", c.name, d, listed(report))
				}
			}
		})
	}
}

// Every rule of the catalogue that is an error has a pair of bundles, and no bundles are left of rules that are gone.
func TestRuleFixturesComplete(t *testing.T) {
	var want, got []string
	for _, r := range Rules() {
		if slices.Contains(r.Severities, record.ErrorSeverity) {
			want = append(want, r.ID)
		}
	}
	for _, f := range ruleFixtures() {
		got = append(got, f.rule)
	}
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("rules with bundles (-want +got):\n%s", d)
	}
	var folders []string
	entries, err := os.ReadDir(fixtures)
	must(t, err)
	for _, e := range entries {
		folders = append(folders, e.Name())
	}
	if d := cmp.Diff(want, folders); d != "" {
		t.Errorf("folders of fixtures/rules (-want +got):\n%s", d)
	}
}

func validateFolder(t *testing.T, dir string) *record.Report {
	t.Helper()
	b, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	report, err := Validate(context.Background(), b, Options{})
	must(t, err)
	return report
}

// compareTree compares the files of a fixture with those that were made; with -update it replaces them.
func compareTree(t *testing.T, want, made string) {
	t.Helper()
	if *update {
		must(t, os.RemoveAll(want))
		must(t, os.MkdirAll(filepath.Dir(want), 0o755))
		must(t, os.CopyFS(want, os.DirFS(made)))
		return
	}
	if d := cmp.Diff(treeOf(t, want), treeOf(t, made)); d != "" {
		t.Errorf("%s (-want +made):\n%s", want, d)
	}
}

// treeOf is the files below a folder by path.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[strings.ReplaceAll(name, string(filepath.Separator), "/")] = string(raw)
		return err
	}))
	return files
}
