package transcript

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/session"
	"github.com/session-trace/ctx/registry"
)

const captures = "../../../shared/captures"

// What is not marked as abandoned is what the SDK itself found on the active branch of each capture.
func TestBranchGolden(t *testing.T) {
	root, err := filepath.EvalSymlinks(captures)
	if err != nil {
		t.Skip("the captures are not there: ", captures)
	}
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "b")
	_, err = converter.Convert(t.Context(), converter.Options{Sources: []string{root}, Registry: reg, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	golden, compared, aside := goldenBranches(t, root), 0, 0
	for _, s := range b.Manifest().Streams {
		at := slices.IndexFunc(b.Manifest().Sources, func(i bundle.SourceInfo) bool { return i.ID == s.Source })
		want, ok := golden[b.Manifest().Sources[at].Path]
		if !ok {
			continue
		}
		ix, err := readIndex(b, s, "")
		if err != nil {
			t.Fatal(err)
		}
		head := Head{Record: ix.info.head, Known: ix.info.head != ""}
		if !head.Known { // as the command does it
			stated, err := session.Open(t.Context(), b, s, session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if at := stated.Head(); at.Record == session.None {
				head = Head{Known: at.Stated}
			} else {
				head = Head{Record: stated.Record(at.Record).ID, Known: true}
			}
		}
		ix.branch(head)
		var wanted, got []string
		for i := range ix.items {
			it := &ix.items[i]
			if !it.onChain {
				continue
			}
			if want[it.id] {
				wanted = append(wanted, it.id)
			}
			if it.aside {
				aside++
			} else {
				got = append(got, it.id)
			}
		}
		compared++
		if d := cmp.Diff(wanted, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", s.ID, d)
		}
	}
	t.Logf("%d sessions, %d items on abandoned branches", compared, aside)
	if compared < 100 || aside == 0 {
		t.Errorf("compared %d sessions with %d items aside, want more than that", compared, aside)
	}
}

// goldenBranches are the ids on the active branches by the path of their conversation.
func goldenBranches(t *testing.T, root string) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "golden.json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{NonFinite: true})
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for n := range doc.Children(0) {
			list := doc.Find(n, "active_branch_ids")
			if list < 0 {
				continue
			}
			ids := map[string]bool{}
			for id := range doc.Children(list) {
				ids[doc.Text(id)] = true
			}
			all[strings.TrimSuffix(filepath.ToSlash(rel)+"/"+string(doc.Name(n)), "/")] = ids
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
