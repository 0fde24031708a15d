package converter

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// streamIDs are the ids of a conversion's streams, in order.
func streamIDs(m *made) string {
	var ids []string
	for _, s := range m.result.Sources {
		if s.Stream != "" {
			ids = append(ids, strings.TrimPrefix(s.Stream, "openhands-"))
		}
	}
	return strings.Join(ids, " ")
}

// dated makes conversations whose only event has the given time each.
func dated(t *testing.T, times map[string]string) string {
	t.Helper()
	root := scratch(t)
	for id, when := range times {
		body := `{"id":"a","kind":"PauseEvent","timestamp":"` + when + `"}`
		conversation(t, filepath.Join(root, id), "", []event{user("a").bytes(body)})
	}
	return root
}

func TestSelection(t *testing.T) {
	root := dated(t, map[string]string{
		"aa-01": "2026-11-29T23:59:59", "aa-02": "2026-11-30T00:00:00.000001", "bb": "2026-11-30T23:59:59.999999Z", "cc": "2026-12-01T00:00:00+05:00", "dd": "never",
	})
	tests := []struct {
		name, want, selection string
		change                func(*Options)
	}{
		{"all", "aa01 aa02 bb cc dd", `{"policy":"all"}`, func(o *Options) {}},
		{"since a day", "aa02 bb cc", `{"policy":"subset","since":"2026-11-30"`, func(o *Options) { o.Since = "2026-11-30" }},
		{"until a day, which is whole", "aa01 aa02 bb", `{"policy":"subset","until":"2026-11-30"`, func(o *Options) { o.Until = "2026-11-30" }},
		{"one day", "aa02 bb", `{"policy":"subset","since":"2026-11-30","until":"2026-11-30"`, func(o *Options) { o.Since, o.Until = "2026-11-30", "2026-11-30" }},
		{"since a moment", "bb cc", `{"policy":"subset"`, func(o *Options) { o.Since = "2026-11-30T12:00" }},
		{"until a moment, itself too", "aa01", `{"policy":"subset"`, func(o *Options) { o.Until = "2026-11-29T23:59:59" }},
		{"zones aside", "cc", `{"policy":"subset"`, func(o *Options) { o.Since = "2026-12-01T00:00:00Z" }},
		{"by id", "aa01 bb", `{"policy":"subset","sessions":["bb","aa-01"]`, func(o *Options) { o.Sessions = []string{"bb", "aa-01"} }},
		{"by id without dashes", "aa01", `{"policy":"subset"`, func(o *Options) { o.Sessions = []string{"aa01"} }},
		{"by stream", "cc", `{"policy":"subset"`, func(o *Options) { o.Sessions = []string{"openhands-cc"} }},
		{"by a beginning", "bb", `{"policy":"subset"`, func(o *Options) { o.Sessions = []string{"b"} }},
		{"twice the same", "bb", `{"policy":"subset"`, func(o *Options) { o.Sessions = []string{"b", "bb"} }},
		{"without a folder", "aa01 aa02 cc dd", `{"policy":"subset","exclude":["bb"]`, func(o *Options) { o.Exclude = []string{"bb"} }},
		{"without a pattern", "bb cc dd", `{"policy":"subset","exclude":["aa-*"]`, func(o *Options) { o.Exclude = []string{"aa-*"} }},
		{"files of conversations stay", "aa01 aa02 bb cc dd", `{"policy":"subset","exclude":["**/event-*","**/events","bb/events/**"]`, func(o *Options) { o.Exclude = []string{"**/event-*", "**/events", "bb/events/**"} }},
		{"of one agent", "aa01 aa02 bb cc dd", `{"policy":"all"}`, func(o *Options) { o.Agent = "openhands" }},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, tt.change, root)
			if got := streamIDs(m); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			for _, name := range []string{"manifest.json", "report.json"} {
				if !strings.Contains(m.files[name], `"selection":`+tt.selection) {
					t.Errorf("%s: got no selection %s", name, tt.selection)
				}
			}
		})
	}
}

// TestUnusedExclusions: a pattern that leaves out nothing is told, since it was surely meant to.
func TestUnusedExclusions(t *testing.T) {
	root := dated(t, map[string]string{"aa": "2026-11-30T00:00:00", "bb": "2026-11-30T00:00:00"})
	put(t, filepath.Join(root, "notes.txt"), "x")
	exclude := []string{"aa", "zz-*", "**/event-*", "notes.txt", "bb/events"}
	m := convertMade(t, loadRegistry(t), func(o *Options) { o.Exclude = exclude }, root)
	if d := cmp.Diff([]string{"zz-*", "**/event-*", "bb/events"}, m.result.Unused); d != "" {
		t.Errorf("unused (-want +got):\n%s", d)
	}
	if n := len(m.result.Unidentified); n != 0 {
		t.Errorf("got %d unidentified sources, want the excluded file not to be one", n)
	}
}

func TestUnclearSession(t *testing.T) {
	root := dated(t, map[string]string{"aa-01": "2026-11-29T23:59:59", "aa-02": "2026-11-30T00:00:00"})
	for want, name := range map[string]string{"names 2 sessions": "aa", "names no session": "zz", `"" names`: ""} {
		_, err := Convert(t.Context(), Options{Sources: []string{root}, Out: filepath.Join(scratch(t), "b"), Registry: loadRegistry(t), Sessions: []string{name}})
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Message, want) || !strings.Contains(usage.Hint, "openhands-aa01, openhands-aa02") {
			t.Errorf("%q: got %v, want %s and the candidates", name, err, want)
		}
	}
}

// TestSeveralSources holds how paths begin when there are several input folders, and what a copied folder is named.
func TestSeveralSources(t *testing.T) {
	var roots []string
	for range 3 {
		root := filepath.Join(scratch(t), "in")
		conversation(t, filepath.Join(root, "c1"), "", []event{user("a")})
		put(t, filepath.Join(root, "notes.txt"), "x")
		roots = append(roots, root)
	}
	m := convertMade(t, loadRegistry(t), nil, roots...)
	var got []string
	for _, s := range m.result.Sources {
		got = append(got, s.ID+" "+s.Path+" "+s.Stream)
	}
	for _, u := range m.result.Unidentified {
		got = append(got, fmt.Sprintf("%s %s %d", u.Path, u.Reason, u.Files))
	}
	want := []string{
		"s1 in-2/c1 openhands-c1", "s2 in-3/c1 openhands-c1-2", "s3 in/c1 openhands-c1-3",
		"in no-entry-matches 1", "in-2 no-entry-matches 1", "in-3 no-entry-matches 1",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("sources and others (-want +got):\n%s", d)
	}
	if some(m.notices) != "session-duplicate 2" {
		t.Errorf("got notices %s, want session-duplicate 2", some(m.notices))
	}
}

// TestSourceIsConversation holds that a conversation can be the input itself: its own name is the key.
func TestSourceIsConversation(t *testing.T) {
	root := conv(t, "", []event{user("a")})
	m := convertMade(t, loadRegistry(t), nil, filepath.Join(root, "c1"))
	if s := m.result.Sources[0]; s.Path != "." || s.SessionID != "c1" || s.Stream != "openhands-c1" {
		t.Errorf("got %+v, want path ., session c1", s)
	}
	checkWhole(t, filepath.Join(root, "c1"), m)
}

// TestDryRun holds that a dry run counts and writes nothing.
func TestDryRun(t *testing.T) {
	root := conv(t, state(), []event{user("a"), user("b")})
	dir := scratch(t)
	result, err := Convert(t.Context(), Options{Sources: []string{root}, Out: filepath.Join(dir, "b"), Registry: loadRegistry(t), DryRun: true})
	if err != nil || len(result.Sources) != 1 || result.RootSHA256 != "" {
		t.Fatalf("got %+v, %v, want one source and no hash", result, err)
	}
	if left := onDisk(t, dir); len(left) > 0 {
		t.Errorf("got %v written", left)
	}
}
