package registry

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/schemas"
)

// shipped is the mapper of the entry that the module ships.
func shipped(t testing.TB) *Mapper {
	t.Helper()
	r, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Entry("openhands")
	if err != nil {
		t.Fatal(err)
	}
	return r.Mapper(e)
}

// shared is a folder of data that lies beside the repository, or nowhere.
func shared(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(filepath.Join("..", "..", "shared", name))
	if err != nil {
		t.Skipf("no shared data: %v", err)
	}
	return path
}

func decoded(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// stripped is an entry without what the seed's kind of entry does not have: what makes it run, our formats, our evidence.
func stripped(doc map[string]any, formats []any, evidence int) map[string]any {
	seeds := func(f any) bool {
		return slices.ContainsFunc(formats, func(seed any) bool { return seed.(map[string]any)["id"] == f.(map[string]any)["id"] })
	}
	out := map[string]any{}
	for _, key := range []string{"name", "aliases", "namespace", "positions", "destinations", "mappings"} {
		out[key] = doc[key]
	}
	var list []any
	for _, f := range doc["formats"].([]any) {
		f := f.(map[string]any)
		if !seeds(f) {
			continue
		}
		for _, key := range []string{"detect", "layouts", "streams", "attachments", "unfinished", "ignore", "never", "children", "qualified"} {
			delete(f, key)
		}
		list = append(list, f)
	}
	out["formats"] = list
	out["evidence"] = doc["evidence"].([]any)[:evidence]
	return out
}

// The shipped entry is the seed with more: nothing of the seed is edited.
func TestShippedKeepsSeed(t *testing.T) {
	path := shared(t, "reference/openhands-registry-entry.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := decoded(t, raw)
	got := decoded(t, shipped(t).entry.Raw)
	if extra := len(got["evidence"].([]any)) - len(want["evidence"].([]any)); extra < 1 {
		t.Fatalf("evidence: got %d items beyond the seed's, want ours after them", extra)
	}
	if d := cmp.Diff(want, stripped(got, want["formats"].([]any), len(want["evidence"].([]any)))); d != "" {
		t.Errorf("the seed's part (-want +got):\n%s", d)
	}
}

// Every layout names evidence that covers it.
func TestShippedEvidence(t *testing.T) {
	e := shipped(t).entry
	for _, y := range e.Formats[0].Layouts {
		if len(y.Evidence) == 0 {
			t.Errorf("layout %s: got no evidence, want some", y.Name)
		}
		if slices.Contains(y.Evidence, 1) {
			t.Errorf("layout %s: got the evidence of converter tests, which covers no layout", y.Name)
		}
	}
}

// events yields every native event of the shared folders.
func events(t testing.TB, yield func(path string, raw []byte)) {
	t.Helper()
	name := regexp.MustCompile(`^event-[0-9]{5,}-.+\.json$`)
	for _, top := range []string{"captures", "realdata"} {
		err := filepath.WalkDir(shared(t, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !name.MatchString(d.Name()) {
				return err
			}
			raw, err := os.ReadFile(path)
			if err == nil {
				yield(path, raw)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// vendorKinds are the kinds without a projection of their own in the shared events: kept whole, as vendor records.
func vendorKinds() []string { return []string{"SystemPromptUpdateEvent"} }

// No member of any real event is left out without a word, every event has one primary record, and every record is sound.
func TestShippedMapsAllEvents(t *testing.T) {
	m := shipped(t)
	set := schemaSet(t)
	out := &Out{}
	count, vendors := 0, map[string]int{}
	events(t, func(path string, raw []byte) {
		d, err := jsonscan.Scan(TrimBOM(raw), nil, jsonscan.Options{NonFinite: true})
		if err != nil {
			return // an event that its writer could not finish
		}
		count++
		f := entry.SessionFacts{}
		m.Map(&Item{Doc: &d, ID: "i", Projection: m.Match(&d, f), Facts: f}, out)
		if len(out.Unmapped) > 0 {
			t.Errorf("%s: unmapped members %q of %s", path, out.Unmapped, d.Text(d.Find(0, "kind")))
		}
		if out.Records[out.Primary].Type == record.Vendor {
			vendors[d.Text(d.Find(0, "kind"))]++
		}
		sound(t, set, path, out)
	})
	if count < 1000 {
		t.Errorf("got %d events, want at least 1000", count)
	}
	for kind, n := range vendors {
		if !slices.Contains(vendorKinds(), kind) {
			t.Errorf("got %d vendor records of kind %q, want a projection", n, kind)
		}
	}
}

func schemaSet(t testing.TB) *schemas.Set {
	t.Helper()
	set, err := schemas.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// sound says what is wrong with the records of an item once the session has given them its part.
func sound(t testing.TB, set *schemas.Set, label string, out *Out) {
	t.Helper()
	primaries := 0
	for i := range out.Records {
		r := out.Records[i]
		if r.ID == "i" {
			primaries++
		}
		r.Position = record.Position{Family: record.Transcript, Through: -1}
		if r.Type == record.Compaction && string(r.Get("phase")) == `"applied"` {
			r.Set("extent", []byte(`"exact"`))
		}
		line := record.AppendLine(nil, &r)
		d, err := jsonscan.Scan(line, nil, jsonscan.Options{})
		if err != nil || d.Has(jsonscan.DuplicateKey) || d.Has(jsonscan.LoneSurrogate) || d.Has(jsonscan.UnsafeNumber) {
			t.Errorf("%s: %s: not fit to be written: %v", label, line, err)
			continue
		}
		if set.Accept("record/"+r.Type.String(), &d) {
			continue
		}
		problems, err := set.Check("record/"+r.Type.String(), line)
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %s: %v %v", label, line, problems, err)
		}
	}
	if primaries != 1 || out.Records[out.Primary].ID != "i" {
		t.Errorf("%s: got %d primary records, want one", label, primaries)
	}
}

// Each row is a file of a conversation, and what the shipped entry says about it.
func TestShippedFiles(t *testing.T) {
	tests := []struct{ want, path string }{
		{"attachment", "meta.json"},
		{"attachment", "TASKS.json"},
		{"attachment", "observations/8f1d2d60.txt"},
		{"ignore", "owner_lease.json"},
		{"ignore", ".owner_lease.lock"},
		{"never", "agent_settings.json"},
		{"never", "a/b/agent_settings.json"},
		{"never", "acp/session.json"},
		{"never", "x/runtime-control/token"},
		{"never", "x/runtime-data/a/b"},
		{"never", "npm-cache/a"},
		{"never", ".trash/0f9e/events/event-00000-x.json"},
		{"child", "subagents/0f9e"},
		{"", "subagents/0f9e/x"},
		{"", "observations/deep/x"},
		{"", "base_state.json"},
		{"", "sub/meta.json"},
		{"", "notes.txt"},
	}
	f := &shipped(t).entry.Formats[0]
	lists := []struct {
		name  string
		globs []entry.Glob
	}{{"attachment", f.Attachments}, {"ignore", f.Ignore}, {"never", f.Never}, {"child", f.Children}}
	for _, tt := range tests {
		got := ""
		for _, l := range lists {
			if slices.ContainsFunc(l.globs, func(g entry.Glob) bool { return g.Match(tt.path) }) {
				got += l.name
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.path, got, tt.want)
		}
	}
}
