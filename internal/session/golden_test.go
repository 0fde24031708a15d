package session_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/session"
	"github.com/session-trace/ctx/registry"
)

const captures = "../../../shared/captures"

// golden is what an SDK says of one of its conversations.
type golden struct {
	EventIDs         []string  `json:"event_ids"`
	EffectiveParents []*string `json:"effective_parents"`
	ResolvedLeaf     *string   `json:"resolved_leaf"`
	ActiveBranch     []string  `json:"active_branch_ids"`
	Live             []string  `json:"live_view_ids"`
	Rebuilt          []string  `json:"view_event_ids"`
	Unmatched        []string  `json:"unmatched_action_ids"`
	Messages         []message `json:"messages"`
	Error            string    `json:"error"`
}

// message is one message as a model server got it.
type message struct {
	Role      string   `json:"role"`
	Chars     int      `json:"chars"`
	SHA256    string   `json:"sha256"`
	Head      string   `json:"head"`
	ToolCalls []string `json:"tool_calls"`
	CallID    string   `json:"tool_call_id"`
}

// TestCaptures compares what the captures become with what their SDKs say, and with what they really sent.
func TestCaptures(t *testing.T) {
	if _, err := os.Stat(captures); err != nil {
		t.Skipf("%s is not there", captures)
	}
	b := convert(t, captures)
	t.Run("golden", func(t *testing.T) { compareGolden(t, b) })
	t.Run("requests", func(t *testing.T) { compareRequests(t, b) })
}

// convert converts a folder and opens the bundle.
func convert(t testing.TB, source string) *bundle.Bundle {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bundle")
	if _, err := converter.Convert(context.Background(), converter.Options{Sources: []string{source}, Out: path, Registry: reg}); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() }) //nolint:errcheck,gosec // read only
	return b
}

func readGolden(t *testing.T) map[string]golden {
	t.Helper()
	all := map[string]golden{}
	files, err := filepath.Glob(captures + "/*/golden.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files (%v), want golden.json files", len(files), err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var g map[string]golden
		if err := json.Unmarshal(raw, &g); err != nil {
			t.Fatal(err)
		}
		for k, v := range g {
			all[filepath.Base(filepath.Dir(f))+"/"+k] = v
		}
	}
	return all
}

func openSession(t testing.TB, b *bundle.Bundle, info bundle.StreamInfo) *session.Session {
	t.Helper()
	s, err := session.Open(context.Background(), b, info, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// items are the items of records, each once; summaries keep their name.
func items(s *session.Session, records []int) []string {
	list := []string{}
	for _, i := range records {
		id, _, _ := strings.Cut(s.Record(i).ID, "#")
		if len(list) == 0 || list[len(list)-1] != id {
			list = append(list, id)
		}
	}
	return list
}

func ids(s *session.Session, records []int) []string {
	list := []string{}
	for _, i := range records {
		list = append(list, s.Record(i).ID)
	}
	return list
}

func viewAt(t testing.TB, s *session.Session, at string, kind session.Kind) *session.View {
	t.Helper()
	p, err := s.Point(at)
	if err != nil {
		t.Fatal(err)
	}
	return s.View(p, kind)
}

// compareGolden compares parents, leaf, branch, both views, and the calls that wait.
func compareGolden(t *testing.T, b *bundle.Bundle) {
	want := readGolden(t)
	paths := map[string]string{}
	for _, src := range b.Manifest().Sources {
		paths[src.ID] = src.Path
	}
	compared := 0
	for _, info := range b.Manifest().Streams {
		g, ok := want[paths[info.Source]]
		if !ok || g.Error != "" {
			continue
		}
		compared++
		t.Run(paths[info.Source], func(t *testing.T) {
			s := openSession(t, b, info)
			if d := cmp.Diff(none(g.ActiveBranch), ids(s, s.Branch())); d != "" {
				t.Errorf("active branch (-want +got):\n%s", d)
			}
			if d := cmp.Diff(none(g.Unmatched), ids(s, s.OpenCalls())); d != "" {
				t.Errorf("open calls (-want +got):\n%s", d)
			}
			live, rebuilt := viewAt(t, s, "", session.Live), viewAt(t, s, "", session.Rebuilt)
			if g.Live != nil {
				if d := cmp.Diff(g.Live, items(s, live.Records)); d != "" {
					t.Errorf("live (-want +got):\n%s", d)
				}
			}
			got := items(s, rebuilt.Records)
			if strings.HasPrefix(paths[info.Source], "sdk-1.0.0/") {
				g.Rebuilt, got = byPlace(g.Rebuilt, g.EventIDs), byPlace(got, g.EventIDs)
			}
			if d := cmp.Diff(none(g.Rebuilt), got); d != "" {
				t.Errorf("rebuilt (-want +got):\n%s", d)
			}
			checkParents(t, s, &g)
		})
	}
	if compared < 140 {
		t.Errorf("compared %d conversations, want at least 140", compared)
	}
}

func checkParents(t *testing.T, s *session.Session, g *golden) {
	t.Helper()
	if g.EffectiveParents == nil {
		return
	}
	for n, id := range g.EventIDs {
		i, ok := s.Lookup(id)
		if !ok {
			t.Errorf("event %s: got no record", id)
			continue
		}
		want, got := "", ""
		if g.EffectiveParents[n] != nil {
			want = *g.EffectiveParents[n]
		}
		if up, known := s.ParentItem(s.Record(i).Item); up >= 0 {
			_, _, p := s.Span(up)
			got = s.Record(p).ID
		} else if !known {
			got = "unknown"
		}
		if want != got {
			t.Errorf("parent of %s: got %q, want %q", id, got, want)
		}
	}
	want, got := "", ""
	if g.ResolvedLeaf != nil {
		want = *g.ResolvedLeaf
	}
	if h := s.Head(); h.Record >= 0 {
		got = s.Record(h.Record).ID
	}
	if want != got {
		t.Errorf("head: got %q, want %q", got, want)
	}
}

func none(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// byPlace replaces the ids of summaries, which old SDKs make up at each load.
func byPlace(list, events []string) []string {
	out := slices.Clone(list)
	for i := range out {
		if !slices.Contains(events, out[i]) {
			out[i] = "summary"
		}
	}
	return out
}
