package converter

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gaps spells the gaps: id, reason, losses, and whether bytes are kept.
func gaps(list []rec) []string {
	var all []string
	for i := range list {
		r := &list[i]
		if r.Type != "gap" {
			continue
		}
		p := []string{r.ID, r.Reason}
		if r.Position.Through != nil {
			p = append(p, "through")
		}
		if r.Native.Blob != nil {
			p = append(p, "kept as "+r.Native.Reason)
		}
		if raw := r.Meta["rs.ctx/gapEvidence"]; raw != nil && r.Reason == "missing" {
			p = append(p, string(raw))
		}
		all = append(all, strings.Join(append(p, r.Losses...), " "))
	}
	return all
}

// TestGapPlace holds that a gap says at which byte its file stops being readable.
func TestGapPlace(t *testing.T) {
	tests := []struct{ want, name, text string }{
		{`{"byte":9}`, "truncated", `{"id":"x"`},
		{`{"byte":10}`, "bytes after the document", `{"id":"x"}tail`},
		{`{"byte":2}`, "not UTF-8", "{\"\xff\":1}"},
		{`{"byte":7}`, "not UTF-8 after a broken document", `{"id":x` + "\xff"},
		{`{"byte":6}`, "no value", `{"id":x}`},
		{`{"byte":9}`, "behind a byte order mark", "\uFEFF" + `{"id":x}`},
		{`{"byte":0}`, "no object", `[]`},
		{`{"byte":0}`, "NULs", "\x00\x00\x00"},
		{"", "empty", ""},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := convertMade(t, reg, nil, conv(t, "", []event{event{id: "x"}.bytes(tt.text), user("a")})).only(t)
			for _, r := range list {
				if r.Type == "gap" {
					if d := cmp.Diff(tt.want, string(r.Meta["rs.ctx/gapEvidence"])); d != "" {
						t.Errorf("evidence (-want +got):\n%s", d)
					}
					return
				}
			}
			t.Error("got no gap, want one")
		})
	}
}

func TestTail(t *testing.T) {
	marker := func(n string) file { return file{"events/.eventlog-len-" + n + ".marker", ""} }
	raw := func(id, text string) event { return event{id: id}.bytes(text) }
	tests := []struct {
		name    string
		want    []string
		notices string
		torn    string // paths of the uncommitted tail
		events  []event
		more    []file
	}{
		{"sound", nil, "", "", []event{user("a"), user("b")}, nil},
		{"a hole", []string{"gap:1-1 missing"}, "", "", []event{user("a"), user("b").ordinal(2)}, nil},
		{"a run", []string{"gap:1-3 missing through"}, "", "", []event{user("a"), user("b").ordinal(4)}, nil},
		{"two runs", []string{"gap:0-1 missing through", "gap:3-3 missing"}, "", "", []event{user("a").ordinal(2), user("b").ordinal(4)}, nil},
		{"torn", nil, "", "event-00001-x.json", []event{user("a"), bad("x")}, nil},
		{"empty at the end", nil, "", "event-00001-x.json", []event{user("a"), raw("x", "")}, nil},
		{"torn alone", nil, "", "event-00000-x.json", []event{bad("x")}, nil},
		{"torn behind a hole", []string{"gap:1-1 missing"}, "", "event-00002-x.json", []event{user("a"), bad("x").ordinal(2)}, nil},
		{"unreadable before the last", []string{"gap:0:x invalid-json kept as invalid-json native-unreadable"}, "", "", []event{bad("x"), user("a")}, nil},
		{"each reason", []string{
			"gap:0:v empty kept as empty native-unreadable", "gap:1:w invalid-json kept as invalid-json native-unreadable",
			"gap:2:x not-utf8 kept as not-utf8 native-unreadable", "gap:3:y invalid-json kept as invalid-json native-unreadable",
		}, "", "", []event{raw("v", ""), raw("w", "[]"), raw("x", "{\"\xff\":1}"), raw("y", nested(10001)), user("a")}, nil},
		{"two at the end", []string{"gap:1:x invalid-json kept as invalid-json native-unreadable"}, "", "event-00002-y.json", []event{user("a"), bad("x"), bad("y")}, nil},
		{"not alone at the end", []string{"gap:1:x invalid-json kept as invalid-json native-unreadable"}, "", "", []event{user("a"), user("b"), bad("x").ordinal(1)}, nil},
		{"two torn at one ordinal", []string{
			"gap:1:x invalid-json kept as invalid-json native-unreadable", "gap:1:y invalid-json kept as invalid-json native-unreadable",
		}, "", "", []event{user("a"), bad("x"), bad("y").ordinal(1)}, nil},
		{"torn, later ones proven", []string{
			"gap:1:x invalid-json kept as invalid-json native-unreadable", `gap:2-2 missing {"lengthMarker":3}`,
		}, "", "", []event{user("a"), bad("x")}, []file{marker("3")}},
		{"torn, only itself counted", nil, "", "event-00001-x.json", []event{user("a"), bad("x")}, []file{marker("2")}},
		{"a marker that fits", nil, "", "", []event{user("a"), user("b")}, []file{marker("2")}},
		{"a marker of one more", []string{`gap:2-2 missing {"lengthMarker":3}`}, "", "", []event{user("a"), user("b")}, []file{marker("3")}},
		{"a marker of many more", []string{`gap:2-9 missing through {"lengthMarker":10}`}, "", "", []event{user("a"), user("b")}, []file{marker("10")}},
		{"a marker behind", nil, "length-marker-behind 1", "", []event{user("a"), user("b")}, []file{marker("1")}},
		{"two markers, the higher counts", []string{`gap:2-3 missing through {"lengthMarker":4}`}, "length-marker-behind 1", "", []event{user("a"), user("b")}, []file{marker("1"), marker("4")}},
		{"a marker without items", []string{`gap:0-1 missing through {"lengthMarker":2}`}, "", "", nil, []file{marker("2"), {"base_state.json", state()}}},
		{"a marker of nothing", nil, "", "", nil, []file{marker("0"), {"base_state.json", state()}}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, "", tt.events, tt.more...))
			list := m.only(t)
			if d := cmp.Diff(tt.want, gaps(list)); d != "" {
				t.Errorf("gaps (-want +got):\n%s", d)
			}
			torn := string(last(list).Meta["rs.ctx/uncommitted"])
			if (tt.torn == "") != (torn == "") || !strings.Contains(torn, tt.torn) {
				t.Errorf("got uncommitted %s, want %q", torn, tt.torn)
			}
			if got := some(m.notices); got != tt.notices {
				t.Errorf("got notices %q, want %q", got, tt.notices)
			}
			marks := string(last(list).Meta["rs.ctx/file"])
			for _, f := range tt.more {
				if strings.Contains(f.path, "marker") && !strings.Contains(marks, `{"path":"`+f.path+`","bytes":0}`) {
					t.Errorf("got marks %s, want %s among them", marks, f.path)
				}
			}
		})
	}
}

// TestUnfinished holds what becomes of temporary files: those of events are kept, those of documents with secrets are not.
func TestUnfinished(t *testing.T) {
	m := convertMade(t, loadRegistry(t), nil, conv(t, state(), []event{user("a"), user("b")},
		file{"events/.event-00002-x.json.abc", `{"id":"x"}`}, file{"events/.event-00000-y.json.tmp", `{"id"`},
		file{".base_state.json.q.tmp", `{"id":"c1","k":"FAKE-TEMP"}`}, file{".meta.json.q", `FAKE-TEMP`}))
	list := m.only(t)
	if len(gaps(list)) > 0 || len(list) != 4 {
		t.Errorf("got %d records, gaps %v, want 4 and none: no temporary file is an item", len(list), gaps(list))
	}
	got := string(last(list).Meta["rs.ctx/unfinished"])
	for _, want := range []string{
		`{"path":".base_state.json.q.tmp","bytes":27}`, `{"path":".meta.json.q","bytes":9}`,
		`{"path":"events/.event-00000-y.json.tmp","bytes":5,"blob":{`, `{"path":"events/.event-00002-x.json.abc","bytes":10,"blob":{`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got unfinished %s, want %s in it", got, want)
		}
	}
	if !last(list).lost("native-unreadable") || !last(list).lost("secret-omitted") {
		t.Errorf("got losses %v, want native-unreadable and secret-omitted for what was not kept", last(list).Losses)
	}
	if strings.Contains(allText(t, m), "FAKE-TEMP") {
		t.Error("got a temporary document kept, want its path and size alone")
	}
}

func TestAttachments(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n0000"
	m := convertMade(t, loadRegistry(t), nil, conv(t, state(), []event{user("a")},
		file{"meta.json", `{"id":"c1","secrets":{"A":"FAKE-KEPT"},"title":"t"}`}, file{"TASKS.json", `[1]`},
		file{"observations/b.txt", "text"}, file{"observations/a.png", png}, file{"observations/deep/c.txt", "x"}, file{"notes.txt", "x"}))
	list := m.only(t)
	var got []string
	for i := range list {
		if r := &list[i]; r.Type == "attachment" {
			p := []string{r.Path, r.MediaType, string(r.Native.Record)}
			if r.Native.Blob != nil {
				p = append(p[:2], r.Native.Reason, m.blob(r.Native.Blob.SHA256))
			}
			got = append(got, strings.Join(append(p, r.Losses...), " | "))
		}
	}
	want := []string{
		"TASKS.json | application/json | invalid-json | [1]",
		`meta.json | application/json | {"id":"c1","title":"t"} | secret-omitted`,
		"observations/a.png | image/png | " + reasonOf(png) + " | " + png,
		"observations/b.txt | application/octet-stream | invalid-json | text",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("attachments (-want +got):\n%s", d)
	}
	loose := ""
	for _, u := range m.result.Unidentified {
		loose += u.Path + " " + u.Reason + "\n"
	}
	if want := "c1 no-entry-matches\nc1/observations/deep no-entry-matches\n"; loose != want {
		t.Errorf("got unidentified\n%s, want\n%s", loose, want)
	}
}

// reasonOf is why bytes that are no JSON object are kept beside the stream.
func reasonOf(raw string) string {
	sc := scan([]byte(raw), nil)
	return sc.problem
}

// TestUnreadableMeta holds that a document for which the entry names secrets is not kept when it cannot be parsed.
func TestUnreadableMeta(t *testing.T) {
	for name, raw := range map[string]string{"torn": `{"secrets":{"A":"FAKE-TORN"`, "an array": `["FAKE-TORN"]`, "NUL bytes": "FAKE-TORN\x00\x00", "empty": ""} {
		for _, path := range []string{"meta.json", "base_state.json"} {
			m := convertMade(t, loadRegistry(t), nil, conv(t, "", []event{user("a")}, file{path, raw}))
			end := last(m.only(t))
			if end.ID != "end" || end.Phase != "end" || m.notices["state-unreadable"] != 1 || !end.lost("native-unreadable") || !end.lost("secret-omitted") {
				t.Errorf("%s, %s: got %s, notices %s, losses %v", path, name, end.ID, some(m.notices), end.Losses)
			}
			if strings.Contains(allText(t, m), "FAKE-TORN") {
				t.Errorf("%s, %s: got it kept", path, name)
			}
			if m.result.Sources[0].Files != 2 {
				t.Errorf("%s, %s: got %d files of the source, want 2", path, name, m.result.Sources[0].Files)
			}
		}
	}
}

// TestSessionIDs holds where the session's id comes from, and which ids name no stream.
func TestSessionIDs(t *testing.T) {
	tests := []struct {
		name, want, stream, notices string
		state, meta                 string
	}{
		{"the folder", "c1", "openhands-c1", "", "", ""},
		{"the state", "a-b-c", "openhands-abc", "", `{"id":"a-b-c","agent":{}}`, `{"id":"other"}`},
		{"meta.json", "m", "openhands-m", "", `{"agent":{}}`, `{"id":"m"}`},
		{"the state without one", "c1", "openhands-c1", "", `{"agent":{},"id":7}`, ""},
		{"as spelled", "A B", "openhands-A_B", "", `{"id":"A B","agent":{}}`, ""},
		{"two of one shape", "aa", "openhands-aa", "id-disagreement 1", `{"id":"aa","agent":{}}`, `{"id":"bb"}`},
		{"up", "", "", "", `{"id":"..","agent":{}}`, ""},
		{"here", "", "", "", `{"id":".","agent":{}}`, ""},
		{"slash", "", "", "", `{"id":"a/b","agent":{}}`, ""},
		{"backslash", "", "", "", `{"id":"a\\b","agent":{}}`, ""},
		{"NUL", "", "", "", `{"id":"a\u0000b","agent":{}}`, ""},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var more []file
			if tt.meta != "" {
				more = []file{{"meta.json", tt.meta}}
			}
			root := conv(t, tt.state, []event{user("a")}, more...)
			conversation(t, filepath.Join(root, "sound"), "", []event{user("a")})
			m := convertMade(t, reg, nil, root)
			if tt.want == "" {
				if len(m.streams) != 1 || len(m.failures()) != 1 {
					t.Errorf("got %d streams, failures %v, want the sound one alone", len(m.streams), m.failures())
				}
				var files int64
				for _, u := range m.result.Unidentified {
					if files += u.Files; u.Reason != "unqualified-format" {
						t.Errorf("got reason %s, want unqualified-format", u.Reason)
					}
				}
				if files != 3 {
					t.Errorf("got %d files of no source, want 3: the state, the event and the lock", files)
				}
				return
			}
			s := m.result.Sources[0]
			if s.SessionID != tt.want || s.Stream != tt.stream || some(m.notices) != tt.notices || m.streams[0][0].SessionID != tt.want {
				t.Errorf("got %q, %q, %q, want %q, %q, %q", s.SessionID, s.Stream, some(m.notices), tt.want, tt.stream, tt.notices)
			}
		})
	}
}
