package registry

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
)

// site opens a folder of a tree that a test made.
func site(t testing.TB, files map[string]string, at string) *Site {
	t.Helper()
	root, err := formats.Open(folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	names, err := root.List(at)
	if err != nil {
		t.Fatal(err)
	}
	return &Site{Root: root, Path: at, Name: path.Base(at), Names: names}
}

// matches writes what was detected: agent, format and layout.
func matches(list []Match) []string {
	var out []string
	for _, m := range list {
		layout := "-"
		if m.Layout != nil {
			layout = m.Layout.Name
		}
		out = append(out, m.Entry.Alias()+" "+m.Format.ID+" "+layout)
	}
	return out
}

func TestDetect(t *testing.T) {
	const (
		state = `{"id":"8f1d2d60-20c5-4db3-b1f5-64a614232af2","agent":{"kind":"Agent"}}`
		event = "event-00000-4038ea6e.json"
	)
	const first = `{"id":"a","kind":"K","timestamp":"t","source":"agent"}`
	lines := []string{"openhands openhands-event-lines event-lines"}
	oneOf := func(layout string) []string { return []string{"openhands openhands-events " + layout} }
	tests := []struct {
		name  string
		want  []string
		at    string
		files map[string]string
	}{
		{"sdk", oneOf("sdk"), "c", map[string]string{"c/base_state.json": state, "c/events/" + event: "{}"}},
		{"events only", oneOf("sdk"), "c", map[string]string{"c/events/" + event: ""}},
		{"events whose first ones are gone", oneOf("sdk"), "c", map[string]string{"c/events/event-00341-x.json": ""}},
		{"ordinals of six digits", oneOf("sdk"), "c", map[string]string{"c/events/event-100000-x.json": ""}},
		{"state only", oneOf("sdk"), "c", map[string]string{"c/base_state.json": state}},
		{"state and an empty folder of events", oneOf("sdk"), "c", map[string]string{"c/base_state.json": state, "c/events/.eventlog.lock": ""}},
		{"state after a byte order mark", oneOf("sdk"), "c", map[string]string{"c/base_state.json": "\xef\xbb\xbf" + state}},
		{"state with NaN", oneOf("sdk"), "c", map[string]string{"c/base_state.json": strings.Replace(state, "{", `{"cost":NaN,`, 1)}},
		{"an unreadable state beside events", oneOf("sdk"), "c", map[string]string{"c/base_state.json": "{", "c/events/" + event: "{}"}},
		{"flat", oneOf("flat"), "c", map[string]string{"c/" + event: "{}"}},
		{"flat with a state", oneOf("flat"), "c", map[string]string{"c/" + event: "{}", "c/base_state.json": state}},
		{"both events/ and flat", oneOf("sdk"), "c", map[string]string{"c/events/" + event: "{}", "c/" + event: "{}"}},
		{"event service", oneOf("event-service"), "c/event_service", map[string]string{"c/event_service/events/" + event: "{}", "c/event_service/base_state.json": state}},
		{"event service without a state", oneOf("event-service"), "c/event_service", map[string]string{"c/event_service/events/" + event: "{}"}},
		{"event service without events", oneOf("event-service"), "c/event_service", map[string]string{"c/event_service/base_state.json": state}},
		{"flat event service", oneOf("flat"), "c/event_service", map[string]string{"c/event_service/" + event: "{}"}},
		{"sub-agent", oneOf("sdk"), "c/subagents/d", map[string]string{"c/subagents/d/events/" + event: "{}"}},

		{"the folder above an event service", nil, "c", map[string]string{"c/event_service/events/" + event: "{}"}},
		{"a state without id", nil, "c", map[string]string{"c/base_state.json": `{"agent":{}}`}},
		{"a state with an id of null", nil, "c", map[string]string{"c/base_state.json": `{"id":null,"agent":{}}`}},
		{"a state without agent", nil, "c", map[string]string{"c/base_state.json": `{"id":"x"}`}},
		{"a state that is no object", nil, "c", map[string]string{"c/base_state.json": `["id","agent"]`}},
		{"a torn state", nil, "c", map[string]string{"c/base_state.json": `{"id":"x","age`}},
		{"an empty state", nil, "c", map[string]string{"c/base_state.json": ""}},
		{"a folder named like a state", nil, "c", map[string]string{"c/base_state.json/x": ""}},
		{"events named like nothing", nil, "c", map[string]string{"c/events/event-0001-x.json": "", "c/events/event-00001-.json": "", "c/events/x.json": ""}},
		{"unfinished writes", nil, "c", map[string]string{"c/events/.event-00001-x.json.tmp": ""}},
		{"a file named events", nil, "c", map[string]string{"c/events": "{}"}},
		{"an empty folder", nil, "c", map[string]string{"c/": "", "c/x": ""}},

		{"lines", lines, "c", map[string]string{"c/events.jsonl": first + "\n"}},
		{"lines with a state", lines, "c", map[string]string{"c/events.jsonl": first + "\n", "c/base_state.json": state}},
		{"lines after one that is no JSON", lines, "c", map[string]string{"c/events.jsonl": "{\n[1]\n" + first + "\n"}},
		{"lines after a byte order mark", lines, "c", map[string]string{"c/events.jsonl": "\xef\xbb\xbf" + first + "\r\n"}},
		{"a long first line", lines, "c", map[string]string{"c/events.jsonl": strings.Replace(first, "{", `{"pad":"`+strings.Repeat("x", 100_000)+`",`, 1) + "\n"}},
		{"lines beside events", oneOf("sdk"), "c", map[string]string{"c/events.jsonl": first + "\n", "c/events/" + event: "{}"}},
		{"a first line without its end", nil, "c", map[string]string{"c/events.jsonl": first}},
		{"that, and a state", oneOf("sdk"), "c", map[string]string{"c/events.jsonl": first, "c/base_state.json": state}},
		{"lines of something else", nil, "c", map[string]string{"c/events.jsonl": strings.Replace(first, "agent", "web", 1) + "\n" + first + "\n"}},
		{"lines without kinds", nil, "c", map[string]string{"c/events.jsonl": strings.Replace(first, "kind", "type", 1) + "\n"}},
		{"an empty file of lines", nil, "c", map[string]string{"c/events.jsonl": ""}},
		{"a folder named like lines", nil, "c", map[string]string{"c/events.jsonl/x": first + "\n"}},

		{"cloud", []string{"openhands openhands-cloud-download cloud"}, "c", map[string]string{"c/meta.json": `{"id":"x"}`, "c/event_000000_a1.json": ""}},
		{"cloud without meta", nil, "c", map[string]string{"c/event_000000_a1.json": ""}},
		{"cloud whose meta has no id", nil, "c", map[string]string{"c/meta.json": `{}`, "c/event_000000_a1.json": ""}},
		{"cloud with five digits", nil, "c", map[string]string{"c/meta.json": `{"id":"x"}`, "c/event_00000_a1.json": ""}},

		{"legacy", []string{"openhands openhands-legacy-event-tree -"}, "s", map[string]string{"s/events/0.json": "{}", "s/metadata.json": "{}"}},
		{"legacy with a pickle", []string{"openhands openhands-legacy-event-tree -"}, "s", map[string]string{"s/events/12.json": "{}", "s/agent_state.pkl": ""}},
		{"legacy events that are folders", nil, "s", map[string]string{"s/events/0.json/x": "{}", "s/metadata.json": "{}"}},
		{"legacy beside other names", nil, "s", map[string]string{"s/events/x.json": "{}", "s/metadata.json": "{}"}},
		{"legacy without either", nil, "s", map[string]string{"s/events/0.json": "{}"}},
		{"a qualified format counts before one that is not", oneOf("sdk"), "s", map[string]string{"s/events/0.json": "{}", "s/metadata.json": "{}", "s/events/" + event: "{}"}},
	}
	r, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, matches(r.Detect(site(t, tt.files, tt.at), nil))); d != "" {
				t.Errorf("matches (-want +got):\n%s", d)
			}
		})
	}
}

// other is an agent that takes the same folders for its own, and one more that is not qualified.
const other = `{"name":"org.other","aliases":["other"],"formats":[
	{"id":"first","detect":{"items":true},"layouts":[{"name":"l","items":"events","key":"."}],
		"streams":[{"family":"transcript","reader":"json-directory","boundary":"document","name":"event-{ordinal:5+}-{id}.json"}]},
	{"id":"second","detect":{"items":true},"layouts":[{"name":"l","items":"events","key":"."}],
		"streams":[{"family":"transcript","reader":"json-directory","boundary":"document","name":"event-{any}"}]},
	{"id":"old","qualified":false,"detect":{"all":[{"file":"events/old.json"},{"not":{"file":"new"}}]}}],
	"records":[{"when":{},"emit":[{"type":"vendor"}]}]}`

func TestDetectSeveral(t *testing.T) {
	r, err := Load([]string{folder(t, map[string]string{"o.json": other, "none.json": strings.Replace(strings.Replace(other, `"org.other","aliases":["other"]`, `"org.silent","aliases":["silent"]`, 1), `,
	"records":[{"when":{},"emit":[{"type":"vendor"}]}]`, "", 1)})})
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := "openhands openhands-events sdk", "other first l"
	event := map[string]string{"c/events/event-00000-x.json": "{}"}
	tests := []struct {
		name  string
		want  []string
		agent string
		files map[string]string
	}{
		{"two entries", []string{ours, theirs}, "", event},
		{"one of them asked for", []string{theirs}, "other", event},
		{"the other asked for", []string{ours}, "openhands", event},
		{"an entry without records converts nothing", nil, "org.silent", event},
		{"the second format of an entry", []string{"other second l"}, "", map[string]string{"c/events/event-x": "{}"}},
		{"what is not qualified is named by each entry that knows it", []string{"other old -", "silent old -"}, "", map[string]string{"c/events/old.json": "{}"}},
		{"not", nil, "", map[string]string{"c/events/old.json": "{}", "c/new": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var agent *entry.Entry
			if tt.agent != "" {
				if agent, err = r.Entry(tt.agent); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(tt.want, matches(r.Detect(site(t, tt.files, "c"), agent))); d != "" {
				t.Errorf("matches (-want +got):\n%s", d)
			}
		})
	}
}

// A match brings the compiled patterns of its format.
func TestDetectFiles(t *testing.T) {
	r, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	found := r.Detect(site(t, map[string]string{"c/events/event-00000-x.json": "{}"}, "c"), nil)
	if len(found) != 1 {
		t.Fatalf("got %d matches, want one", len(found))
	}
	f := found[0].Files
	var got []string
	for _, p := range append([]*formats.Pattern{f.Items.Item, f.Items.Length, f.Items.Unfinished[0]}, f.Document...) {
		got = append(got, p.String())
	}
	want := []string{
		"event-{ordinal:5+}-{id}.json", ".eventlog-len-{count}.marker", ".event-{ordinal:5+}-{id}.json.{any}", ".base_state.json.{any}", ".meta.json.{any}",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("patterns (-want +got):\n%s", d)
	}
}

func TestTrimBOM(t *testing.T) {
	for in, want := range map[string]string{"\xef\xbb\xbf{}": "{}", "{}": "{}", "\xef\xbb": "\xef\xbb", "": "", "\xef\xbb\xbf\xef\xbb\xbf": "\xef\xbb\xbf"} {
		if got := string(TrimBOM([]byte(in))); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
