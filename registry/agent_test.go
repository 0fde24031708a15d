package registry

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// An agent whose bytes are JSON in files takes one entry and no Go: this one exists in testdata alone. It names its kinds
// type, its items by number, keeps ids in their bodies, and its calls and usage under names of its own.
func TestAgentAsData(t *testing.T) {
	want := []string{
		`message 1 role="user" origin="user" content=[{"type":"text","text":"Tidy up"},{"type":"image","url":"https://example.org/desk.png"}]`,
		`reasoning 2#why content=[{"type":"text","text":"Look first"}]`,
		`message 2 role="assistant" origin="agent" content=[{"type":"text","text":"I look around."},{"type":"other","pointer":"/blocks/1"}]`,
		`tool_call 3 callId="k1" name="list" arguments="{\"path\": \"/home/user/notes\", \"limit\": 1.0}" risk="low"`,
		`state_change 3#env-1 key="LANG" value="C"`,
		`state_change 3#env-2 key="TRIES" value=3`,
		`tool_result 4 status="ok" content=[{"type":"text","text":"a.txt"}] rendering="persisted"`,
		`tool_call 5 callId="k2" name="drop" arguments="{}"`,
		`tool_result 6 status="error" content=[{"type":"text","text":"denied"}] rendering="persisted"`,
		`plan 7 items=[{"title":"Look","status":"done"},{"title":"Drop","status":"open"}]`,
		`vendor 8 name="mood"`,
	}
	r, err := Load([]string{"testdata/registry"})
	if err != nil {
		t.Fatal(err)
	}
	m, s := detected(t, r, "testdata/acme", "tidy-up")
	var got []string
	for _, it := range formats.Directory(s.Sub(m.Layout.Items), m.Files.Items).Items {
		got = append(got, mapItem(t, r.Mapper(m.Entry), s, path.Join(m.Layout.Items, it.Name), it.Ordinal)...)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}

// detected is the one match of a folder.
func detected(t *testing.T, r *Registry, dir, at string) (Match, *Site) {
	t.Helper()
	root, err := formats.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	names, err := root.List(at)
	if err != nil {
		t.Fatal(err)
	}
	s := &Site{Root: root, Path: at, Name: at, Names: names}
	found := r.Detect(s, nil)
	if len(found) != 1 || found[0].Layout == nil {
		t.Fatalf("got %v, want one match", matches(found))
	}
	return found[0], s
}

// mapItem maps one file as the item of its ordinal.
func mapItem(t *testing.T, m *Mapper, s *Site, name string, ordinal int64) []string {
	t.Helper()
	raw, err := s.Root.Read(path.Join(s.Path, name), nil, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := &Out{}
	m.Map(&Item{Doc: &d, ID: string(rune('1' + ordinal)), Projection: m.Match(&d, entry.SessionFacts{})}, out)
	if len(out.Unmapped) > 0 {
		t.Errorf("%s: unmapped members %q", name, out.Unmapped)
	}
	return lines(out)
}

func TestAgentSnapshot(t *testing.T) {
	r, err := Load([]string{"testdata/registry"})
	if err != nil {
		t.Fatal(err)
	}
	m, s := detected(t, r, "testdata/acme", "tidy-up")
	raw, err := s.Root.Read("tidy-up/session.json", nil, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i := r.Mapper(m.Entry).Info(&d)
	u := &m.Entry.Usage
	var rows []string
	for p := range u.Ledgers {
		u.Ledgers[p].Each(&d, 0, func(bucket int) bool {
			for row := range d.Children(u.Rows.One(&d, bucket)) {
				rows = append(rows, d.Text(u.RowJoin.One(&d, row))+" "+string(d.Value(u.Fields[0].Path.One(&d, row))))
			}
			return true
		})
	}
	want := []string{`"Tidy up"`, `"/home/user/notes"`, `["acme-large"]`, "tidy:1", "r1 120"}
	got := append([]string{string(i.Title), string(i.Workspace), string(i.RequestedModels), d.Text(m.Entry.Session.IDs[0].Path.One(&d, 0))}, rows...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("snapshot (-want +got):\n%s", diff)
	}
}
