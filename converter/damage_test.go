package converter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spoiled converts a conversation whose second of three events is replaced, and checks that all else is there.
func spoiled(t *testing.T, raw string) (*made, []rec) {
	t.Helper()
	root := conv(t, state(), []event{user("a"), user("x").bytes(raw), user("b")})
	m := convertMade(t, loadRegistry(t), nil, root)
	list := m.only(t)
	checkWhole(t, root, m)
	if r := byID(t, list)["b"]; r == nil || !r.hasNative() {
		t.Error("the event behind the damage is not there")
	}
	return m, list
}

func TestDamagedEvents(t *testing.T) {
	tests := []struct{ name, want, raw string }{
		{"forty million brackets", "invalid-json", strings.Repeat("[", 40_000_000)},
		{"forty million open objects", "invalid-json", strings.Repeat(`{"a":`, 8_000_000)},
		{"a long run of quotes", "invalid-json", strings.Repeat(`"`, 10_000_000)},
		{"empty", "empty", ""},
		{"NUL bytes", "invalid-json", strings.Repeat("\x00", 4096)},
		{"only a byte order mark", "invalid-json", "\uFEFF"},
		{"10,001 deep", "invalid-json", nested(10001)},
		{"not UTF-8", "not-utf8", "{\"id\":\"x\",\"a\":\"\xff\"}"},
		{"UTF-16", "not-utf8", "\xff\xfe{\x00}\x00"},
		{"two objects", "invalid-json", `{"id":"x"}{"id":"y"}`},
		{"a half one", "invalid-json", `{"id":"x`},
		{"an array", "invalid-json", `[{"id":"x"}]`},
		{"10,000 deep", "", `{"id":"x","kind":"N","a":` + nested(9999) + `}`},
		{"CRLF at the end", "", user("x").text(1) + "\r\n"},
		{"a byte order mark before", "", "\uFEFF" + user("x").text(1)},
		{"an empty object", "", `{}`},
		{"members of wrong kinds", "", `{"id":7,"kind":["ActionEvent"],"timestamp":{},"parent_id":1,"llm_response_id":[]}`},
		{"every member null", "", `{"id":null,"kind":null,"timestamp":null,"parent_id":null}`},
		{"wrong kinds below", "", `{"kind":"ActionEvent","tool_call":[],"thought":{"a":1},"tool_call_id":{},"action":7,"thinking_blocks":"x"}`},
		{"a message of nothing", "", `{"kind":"MessageEvent","source":7,"llm_message":"x","extended_content":{}}`},
		{"a compaction of nothing", "", `{"kind":"Condensation","forgotten_event_ids":{"a":1},"summary":7,"summary_offset":-1}`},
		{"a compaction of wrong ids", "", `{"kind":"Condensation","forgotten_event_ids":[1,null,[],{"a":1},"zz"],"summary":"s","summary_offset":1e999}`},
		{"a result of nothing", "", `{"kind":"ObservationEvent","observation":[[[]]],"action_id":[],"tool_call_id":7}`},
		{"a verdict of nothing", "", `{"kind":"SecurityAnalysisEvent","risks":[1],"analyzer":{}}`},
		{"a huge number of members", "", `{"kind":"N"` + strings.Repeat(`,"a":1`, 50_000) + `}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, list := spoiled(t, tt.raw)
			gap := byID(t, list)["gap:1:x"]
			switch {
			case tt.want == "" && gap != nil:
				t.Errorf("got a gap %s, want the item", gap.Reason)
			case tt.want != "" && (gap == nil || gap.Reason != tt.want || m.blob(gap.Native.Blob.SHA256) != tt.raw):
				t.Errorf("got gap %+v, want reason %s with all bytes", gap, tt.want)
			}
		})
	}
}

// manyBad makes one conversation for every way to spoil an event.
func manyBad(t *testing.T, ways []string) (root string, m *made) {
	t.Helper()
	root = scratch(t)
	for i, raw := range ways {
		conversation(t, filepath.Join(root, fmt.Sprintf("c%04d", i)), "", []event{user("a"), user("x").bytes(raw), user("b")})
	}
	m = convertMade(t, loadRegistry(t), nil, root)
	if len(m.streams) != len(ways) {
		t.Fatalf("got %d streams, want %d", len(m.streams), len(ways))
	}
	checkWhole(t, root, m)
	return root, m
}

// TestTruncated cuts an event at every byte: only the whole one is an item, and no cut loses a byte.
func TestTruncated(t *testing.T) {
	whole := action("x", "k", "r").with(`"more":{"ß":"€\ud83d\ude00","n":[-1.5e3,true,null]}`).text(1)
	var ways []string
	for n := range len(whole) + 1 {
		ways = append(ways, whole[:n])
	}
	_, m := manyBad(t, ways)
	for n, list := range m.streams {
		if gap := byID(t, list)["gap:1:x"]; (gap == nil) != (n == len(whole)) {
			t.Errorf("cut at %d of %d: got gap %+v", n, len(whole), gap)
		}
	}
}

// TestOneBadByte puts a byte that is no UTF-8 at every place of an event.
func TestOneBadByte(t *testing.T) {
	whole := user("x").with(`"ß":"€"`).text(1)
	var ways []string
	for n := range len(whole) + 1 {
		ways = append(ways, whole[:n]+"\xff"+whole[n:])
	}
	_, m := manyBad(t, ways)
	for n, list := range m.streams {
		if gap := byID(t, list)["gap:1:x"]; gap == nil || gap.Reason != "not-utf8" {
			t.Errorf("a bad byte at %d: got gap %+v, want not-utf8", n, gap)
		}
	}
}

// TestHugeOrdinals holds that ordinals beyond 2^53-1 are attachments, and that a hole of any size is one gap.
func TestHugeOrdinals(t *testing.T) {
	root := conv(t, "", []event{user("a")})
	for _, n := range []string{"900000000000000000", "9007199254740992", "99999999999999999999", "000000000000000000001"} {
		put(t, filepath.Join(root, "c1", "events", "event-"+n+"-h.json"), user("h").text(1))
	}
	put(t, filepath.Join(root, "c1", "events", "event-9007199254740991-z.json"), user("z").text(1))
	m := convertMade(t, loadRegistry(t), nil, root)
	checkWhole(t, root, m)
	var got []string
	for _, r := range m.only(t) {
		got = append(got, r.ID)
	}
	want := []string{
		"session", "a", "h", "gap:2-9007199254740990", "z", "file:events/event-900000000000000000-h.json",
		"file:events/event-9007199254740992-h.json", "file:events/event-99999999999999999999-h.json", "end",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
	if m.notices["odd-file"] != 3 {
		t.Errorf("got notices %s, want odd-file 3", some(m.notices))
	}
}

// TestOddNames converts names that are not UTF-8, or hold what paths escape.
func TestOddNames(t *testing.T) {
	root := scratch(t)
	dir := filepath.Join(root, "c\xff%")
	conversation(t, dir, "", []event{user("a"), {id: "b\xfe%", raw: ptr(user("b").text(1))}, {id: "c%41", raw: ptr(user("c%41").text(2))}},
		file{"observations/o\xfd%.txt", "x"})
	m := convertMade(t, loadRegistry(t), nil, root)
	list := m.only(t)
	src := m.result.Sources[0]
	if src.Path != "c%FF%25" || src.SessionID != "c%FF%25" || src.Files != 4 {
		t.Errorf("got source %+v, want path and id c%%FF%%25 and 4 files", src)
	}
	records := byID(t, list)
	if r := records["b%FE%25"]; r == nil || r.Position.Path != "events/event-00001-b%FE%25.json" {
		t.Errorf("got %+v, want an item with its name spelled out", r)
	}
	if r := records["c%41"]; r == nil || r.Position.Path != "" {
		t.Errorf("got %+v, want a sound name as it stands", r)
	}
	if r := records["file:observations/o%FD%25.txt"]; r == nil || m.blob(r.Native.Blob.SHA256) != "x" {
		t.Errorf("got attachment %+v", r)
	}
}

func ptr(s string) *string { return &s }

func TestRefused(t *testing.T) {
	root := conv(t, "", []event{user("a")})
	taken := filepath.Join(scratch(t), "taken")
	put(t, filepath.Join(taken, "notes.txt"), "mine")
	done := convertMade(t, loadRegistry(t), nil, root).out
	plain := filepath.Join(scratch(t), "file")
	put(t, plain, "x")
	link := filepath.Join(scratch(t), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	fresh := func() string { return filepath.Join(scratch(t), "bundle") }
	tests := []struct {
		name, want string
		change     func(*Options)
	}{
		{"the output inside the input", "output inside the input", func(o *Options) { o.Out = filepath.Join(root, "out") }},
		{"the output inside the input, by a link", "output inside the input", func(o *Options) { o.Out = filepath.Join(link, "out") }},
		{"the output is the input", "output inside the input", func(o *Options) { o.Out = root }},
		{"the input inside the output", "inside the output", func(o *Options) { o.Out = filepath.Dir(root); o.Force = true }},
		{"the output exists", "exists already", func(o *Options) { o.Out = done }},
		{"the output is no bundle", "no ctx bundle", func(o *Options) { o.Out = taken; o.Force = true }},
		{"the source is a bundle", "got a ctx bundle", func(o *Options) { o.Sources = []string{done} }},
		{"the source is a file", "not a folder", func(o *Options) { o.Sources = []string{plain} }},
		{"the source is not there", "no such file", func(o *Options) { o.Sources = []string{root + "-not"} }},
		{"one of several is a file", "not a folder", func(o *Options) { o.Sources = []string{root, plain} }},
		{"no such agent", "nobody", func(o *Options) { o.Agent = "nobody" }},
		{"no such session", "names no session", func(o *Options) { o.Sessions = []string{"zz"} }},
		{"no date", "want a date", func(o *Options) { o.Since = "noon" }},
		{"a pattern that is none", "--exclude", func(o *Options) { o.Exclude = []string{"a/["} }},
		{"no folder for the output", "no such file", func(o *Options) { o.Out = filepath.Join(root+"-not", "out") }},
	}
	before := onDisk(t, filepath.Dir(taken))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Sources: []string{root}, Out: fresh(), Registry: loadRegistry(t)}
			tt.change(&o)
			_, err := Convert(context.Background(), o)
			var usage *UsageError
			if !errors.As(err, &usage) || !strings.Contains(usage.Message, tt.want) {
				t.Errorf("got %v, want a usage error with %q", err, tt.want)
			}
			if list, _ := os.ReadDir(filepath.Dir(o.Out)); strings.HasSuffix(o.Out, "/bundle") && o.Out != done && len(list) > 0 {
				t.Errorf("got %v left behind, want nothing", list)
			}
		})
	}
	if d := cmp.Diff(before, onDisk(t, filepath.Dir(taken))); d != "" {
		t.Errorf("what stood at the output changed (-want +got):\n%s", d)
	}
}

func TestEmptyInput(t *testing.T) {
	m := convertMade(t, loadRegistry(t), nil, scratch(t))
	if len(m.streams) != 0 || some(m.notices) != "bundle-empty 1" || len(m.result.Unidentified) != 0 {
		t.Errorf("got %d streams, notices %q, unidentified %v", len(m.streams), some(m.notices), m.result.Unidentified)
	}
}

// large makes a conversation of more bytes than a session keeps between its two phases.
func large(t *testing.T, n int) string {
	t.Helper()
	var events []event
	for i := range n {
		events = append(events, user(fmt.Sprintf("e%d", i)).with(`"pad":"`+strings.Repeat("x", keepBytes/n+200)+`"`))
	}
	return conv(t, "", events)
}

// TestChanging changes files between the two phases of a session: once, so that it is worked again, and time and again.
func TestChanging(t *testing.T) {
	const items = 300
	name := func(root string, n int) string {
		return filepath.Join(root, "c1", "events", fmt.Sprintf("event-%05d-e%d.json", n, n))
	}
	tests := []struct {
		name   string
		change func(t *testing.T, root string, call int64)
		check  func(t *testing.T, m *made)
	}{
		{"rewritten once", func(t *testing.T, root string, call int64) {
			if call == 1 {
				put(t, name(root, 7), user("e7").with(`"new":1`).text(7))
			}
		}, func(t *testing.T, m *made) {
			r := byID(t, m.only(t))["e7"]
			if m.notices["source-changed"] != 1 || !strings.Contains(string(r.Native.Record), `"new":1`) {
				t.Errorf("got notices %s, record %.80s, want the new bytes", some(m.notices), r.Native.Record)
			}
		}},
		{"removed", func(t *testing.T, root string, call int64) {
			if call == 1 {
				if err := os.Remove(name(root, 7)); err != nil {
					t.Error(err)
				}
			}
		}, func(t *testing.T, m *made) {
			if m.notices["source-changed"] != 1 || byID(t, m.only(t))["gap:7-7"] == nil {
				t.Errorf("got notices %s, want source-changed and a gap", some(m.notices))
			}
		}},
		{"rewritten each time", func(t *testing.T, root string, call int64) {
			put(t, name(root, 7), user("e7").with(fmt.Sprintf(`"new":%d`, call)).text(7))
		}, func(t *testing.T, m *made) {
			var files int64
			for _, u := range m.result.Unidentified {
				files += u.Files
			}
			if len(m.streams) != 0 || len(m.failures()) != 1 || files != items+1 {
				t.Errorf("got %d streams, failures %v, %d files of no source, want none, 1, %d", len(m.streams), m.failures(), files, items+1)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := large(t, items)
			calls := int64(0)
			m := convertMade(t, loadRegistry(t), func(o *Options) {
				o.Progress = func(p Progress) {
					if p.SourcesDone == 0 {
						calls++
						tt.change(t, root, calls)
					}
				}
			}, root)
			tt.check(t, m)
		})
	}
}

// TestKeptOrReadAgain holds that a conversation gives the same records whether its items are kept or read twice.
func TestKeptOrReadAgain(t *testing.T) {
	events := []event{
		user("a"), action("b", "k", "r"), user("d"), bad("x"), observed("o", "b", "k"),
		condense("c", []string{"a"}, `"summary":"s"`, `"summary_offset":1`), user("d").ordinal(8), user("e").ordinal(8),
	}
	pad := user("p").ordinal(20).with(`"pad":"` + strings.Repeat("x", keepBytes) + `"`)
	small := convertMade(t, loadRegistry(t), nil, conv(t, state(`"leaf_event_id":"e"`), append(events[:len(events):len(events)], user("p").ordinal(20))))
	big := convertMade(t, loadRegistry(t), nil, conv(t, state(`"leaf_event_id":"e"`), append(events[:len(events):len(events)], pad)))
	strip := func(m *made) string {
		var lines []string
		for line := range strings.Lines(rawStreams(t, m.out)["openhands-c1"]) {
			if !strings.Contains(line, `"id":"p"`) {
				lines = append(lines, line)
			}
		}
		return strings.Join(lines, "")
	}
	if d := cmp.Diff(strip(small), strip(big)); d != "" {
		t.Errorf("records (-kept +read again):\n%s", d)
	}
}

// TestCancelled stops conversions at several moments. Nothing may stay behind.
func TestCancelled(t *testing.T) {
	root := large(t, 600)
	for after := range int64(4) {
		ctx, cancel := context.WithCancel(context.Background())
		dir := scratch(t)
		calls := int64(0)
		_, err := Convert(ctx, Options{
			Sources: []string{root}, Out: filepath.Join(dir, "bundle"), Registry: loadRegistry(t),
			Progress: func(Progress) {
				if calls++; calls > after {
					cancel()
				}
			},
		})
		cancel()
		list, _ := os.ReadDir(dir)
		if after < 2 && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d calls: got %v, want it cancelled", after, err)
		}
		if err != nil && len(list) > 0 {
			t.Errorf("cancelled after %d calls: got %v left behind", after, list)
		}
	}
}

// TestTooLarge holds the limit of one item: its size and hash are stated, its bytes are not kept.
func TestTooLarge(t *testing.T) {
	root := conv(t, "", []event{user("a"), user("x").with(`"pad":"` + strings.Repeat("x", 5000) + `"`), user("b")}, file{"TASKS.json", `["` + strings.Repeat("y", 5000) + `"]`})
	m := convertMade(t, loadRegistry(t), func(o *Options) { o.MaxItem = 4096 }, root)
	gap := byID(t, m.only(t))["gap:1:x"]
	if gap == nil || gap.Reason != "too-large" || gap.Native.Blob != nil || !strings.Contains(string(gap.Meta["rs.ctx/file"]), `"sha256":"`) {
		t.Errorf("got gap %+v, want too-large with its size and hash alone", gap)
	}
	end := last(m.only(t))
	if file := string(end.Meta["rs.ctx/file"]); !strings.HasPrefix(file, `[{"path":"TASKS.json","bytes":5004,"sha256":"`) || !end.lost("native-unreadable") || m.notices["state-unreadable"] != 1 {
		t.Errorf("got files %s, losses %q, notices %s, want the attachment with its size and hash", file, end.Losses, some(m.notices))
	}
	if m.result.Sources[0].Files != 4 || len(m.result.Unidentified) != 0 {
		t.Errorf("got %d files, unidentified %v, want the attachment among the source's files", m.result.Sources[0].Files, m.result.Unidentified)
	}
}
