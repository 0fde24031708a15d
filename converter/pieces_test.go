package converter

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
)

// lined makes a conversation whose events stand one a line in one file, and returns the input root and the file.
func lined(t testing.TB, end string, events []event, more ...file) (root, path string) {
	t.Helper()
	root = scratch(t)
	path = filepath.Join(root, "c1", "events.jsonl")
	var b strings.Builder
	for n, e := range events {
		b.WriteString(e.text(n) + end)
	}
	put(t, path, b.String())
	for _, f := range more {
		put(t, filepath.Join(root, "c1", filepath.FromSlash(f.path)), f.raw)
	}
	return root, path
}

// TestLines holds what each damage of a file of lines gives: records of the transcript with their gap's reason, and notices.
func TestLines(t *testing.T) {
	torn := `{"id":"x","kin`
	for _, tt := range []struct {
		name, want, notices string
		end                 string
		events              []event
		change              func(*Options)
	}{
		{"sound", "a b", "", "\n", []event{user("a"), user("b")}, nil},
		{"CR LF", "a b", "", "\r\n", []event{user("a"), user("b")}, nil},
		{"lines of white space", "a b", "", "\n\n \t\r\n", []event{user("a"), user("b")}, nil},
		{"bad in the middle", "a gap:1:=invalid-json b", "", "\n", []event{user("a"), user("x").bytes(torn), user("b")}, nil},
		{"bad at the start", "gap:0:=invalid-json a", "", "\n", []event{user("x").bytes("text"), user("a")}, nil},
		{"bad at the end, but committed", "a gap:1:=invalid-json", "", "\n", []event{user("a"), user("x").bytes(torn)}, nil},
		{"no object", "a gap:1:=invalid-json", "", "\n", []event{user("a"), user("x").bytes("[]")}, nil},
		{"not UTF-8", "a gap:1:=not-utf8 b", "", "\n", []event{user("a"), user("x").bytes("{\"a\":\"\xff\"}"), user("b")}, nil},
		{"an id twice", "a b b~2", "id-duplicate 1", "\n", []event{user("a"), user("b"), user("b")}, nil},
		{"no id", "a item:1", "", "\n", []event{user("a"), user("x").bytes(`{"kind":"K"}`)}, nil},
		{"a large line", "a gap:1:=too-large b", "", "\n", []event{
			user("a"), user("x").with(`"pad":"` + strings.Repeat("x", 5000) + `"`), user("b"),
		}, func(o *Options) { o.MaxItem = 4096 }},
		{"a large last line", "a gap:1:=too-large", "", "\n", []event{
			user("a"), user("x").with(`"pad":"` + strings.Repeat("x", 5000) + `"`),
		}, func(o *Options) { o.MaxItem = 4096 }},
		{"too many lines", "a gap:1:=too-large gap:2:=too-large", "", "\n", []event{user("a"), user("b"), user("c")}, func(o *Options) { o.MaxItems = 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, path := lined(t, tt.end, tt.events)
			m := convertMade(t, loadRegistry(t), func(o *Options) {
				if tt.change != nil {
					tt.change(o)
				}
			}, root)
			var got []string
			for _, r := range m.only(t) {
				switch {
				case r.Type == "gap":
					got = append(got, r.ID+"="+r.Reason)
				case r.Type != "session_info":
					got = append(got, r.ID)
				}
			}
			if strings.Join(got, " ") != tt.want || some(m.notices, "id-duplicate", "tail-uncommitted", "odd-file", "source-changed") != tt.notices {
				t.Errorf("got %s, notices %v, want %s, %s", got, m.notices, tt.want, tt.notices)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if s := m.result.Sources[0]; s.Files != 1 || s.Bytes != info.Size() || len(m.result.Unidentified) != 0 {
				t.Errorf("got %d files, %d bytes, unidentified %v, want the one file of %d bytes", s.Files, s.Bytes, m.result.Unidentified, info.Size())
			}
		})
	}
}

// TestLinesTail holds that a last line without its line feed is no item, whatever it holds, and is kept.
func TestLinesTail(t *testing.T) {
	for _, tail := range []string{`{"id":"b","ki`, user("b").text(1), "\x00\x00\x00", "x\r"} {
		root, path := lined(t, "\n", []event{user("a")})
		put(t, path, user("a").text(0)+"\n \n"+tail)
		m := convertMade(t, loadRegistry(t), nil, root)
		list := m.only(t)
		end := last(list)
		if len(list) != 3 || list[1].ID != "a" || m.notices["tail-uncommitted"] != 0 && end.Meta["rs.ctx/uncommitted"] == nil {
			t.Errorf("%q: got %d records, last %+v, want one item and the tail", tail, len(list), end)
		}
		found := false
		for name, raw := range m.files {
			found = found || (strings.HasPrefix(name, "blobs/") && raw == tail)
		}
		if !found {
			t.Errorf("%q: got no blob with the tail", tail)
		}
		if frame := string(list[1].Meta["rs.ctx/serialization"]); frame != `[{"place":"after","text":"\n \n"}]` {
			t.Errorf("%q: got frame %s, want what stands before the tail", tail, frame)
		}
	}
}

// TestLinesSecrets holds that a secret that the state names goes from items, from the tail and from the text between.
func TestLinesSecrets(t *testing.T) {
	root, path := lined(t, "\n", nil, file{"base_state.json", state(`"secret_registry":{"secret_sources":{"A":{"value":"FAKE-SECRET"}}}`)})
	put(t, path, strings.ReplaceAll(user("a").text(0), "t a", "FAKE-SECRET")+"\nFAKE-SECRET\n{\"FAKE-SECRET")
	m := convertMade(t, loadRegistry(t), nil, root)
	all := whole(t, m.out)
	if strings.Contains(all, "FAKE-SECRET") || strings.Count(all, "<secret-omitted>") < 3 {
		t.Errorf("got the secret, or not each of its places marked: %d marks", strings.Count(all, "<secret-omitted>"))
	}
}

// TestLinesChange rewrites the file while it is read: the stream is all of the old one or all of the new one, and says so.
func TestLinesChange(t *testing.T) {
	var many, few []event
	for n := range 2000 {
		many = append(many, user(fmt.Sprintf("a%d", n)).with(`"pad":"`+strings.Repeat("x", 8000)+`"`))
	}
	for n := range 300 {
		few = append(few, user(fmt.Sprintf("b%d", n)))
	}
	for _, at := range []int64{256, 2000 * 3 / 4} {
		root, path := lined(t, "\n", many)
		_, other := lined(t, "\n", few)
		done := false
		result, err := Convert(context.Background(), Options{
			Sources: []string{root}, Out: filepath.Join(scratch(t), "bundle"), Registry: loadRegistry(t), Jobs: 1,
			Progress: func(p Progress) {
				if !done && p.Items >= at {
					done = true
					raw, _ := os.ReadFile(other)
					os.WriteFile(path, raw, 0o644) //nolint:errcheck // the test fails without it
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if s := result.Sources[0]; s.Err != nil || s.Items != 300 || result.Report.Findings.Rules()["source-changed"] != 1 {
			t.Errorf("changed at item %d: got %d items, %v, notices %v, want the 300 of the new file", at, s.Items, s.Err, result.Report.Findings.Rules())
		}
	}
}

// TestLinesGrow appends to the file while it is read: the stream is what was there at first.
func TestLinesGrow(t *testing.T) {
	var many []event
	for n := range 600 {
		many = append(many, user(fmt.Sprintf("a%d", n)))
	}
	root, path := lined(t, "\n", many)
	old := mustStat(t, path).ModTime().Add(-5e9)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	done := false
	result, err := Convert(context.Background(), Options{
		Sources: []string{root}, Out: filepath.Join(scratch(t), "bundle"), Registry: loadRegistry(t), Jobs: 1,
		Progress: func(Progress) {
			if !done {
				done = true
				raw, _ := os.ReadFile(path)
				os.WriteFile(path, append(raw, user("z").text(600)+"\n"...), 0o644) //nolint:errcheck // the test fails without it
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := result.Sources[0]; s.Err != nil || s.Items != 600 || result.Report.Findings.Rules()["source-changed"] != 1 {
		t.Errorf("got %d items, %v, notices %v, want the 600 of the first look", s.Items, s.Err, result.Report.Findings.Rules())
	}
}

func mustStat(t testing.TB, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// TestPrinted holds that each file of printed events is a source by itself, that text between them is kept whatever it is,
// and that the bundle does not depend on the number of jobs.
func TestPrinted(t *testing.T) {
	root := scratch(t)
	mark := "--JSON Event--\n"
	put(t, filepath.Join(root, "a.log"), "\xff"+strings.Repeat("noise\n", 500)+mark+user("a").text(0)+"\nbetween\n"+mark+user("b").text(1))
	put(t, filepath.Join(root, "sub", "a.txt"), mark+user("a").text(0)+"\n")
	put(t, filepath.Join(root, "sub", "..log"), mark+user("a").text(0)+"\n")
	put(t, filepath.Join(root, "b.txt"), "no event\n")
	put(t, filepath.Join(root, "c1", "base_state.json"), state())
	put(t, filepath.Join(root, "c1", "c.log"), mark+user("a").text(0))
	m := convertMade(t, loadRegistry(t), nil, root)
	var got []string
	for _, s := range m.result.Sources {
		got = append(got, fmt.Sprintf("%s %s %s %d", s.Path, s.Stream, s.SessionID, s.Items))
	}
	want := "a.log openhands-a a 2, c1 openhands-c1 c1 0, sub/..log openhands-..log ..log 1, sub/a.txt openhands-a-2 a 1"
	if strings.Join(got, ", ") != want || some(m.notices, "session-duplicate") != "session-duplicate 1" {
		t.Errorf("got %s, notices %v, want %s", strings.Join(got, ", "), m.notices, want)
	}
	if u := m.result.Unidentified; len(u) != 2 || u[0].Path != "." || u[0].Files != 1 || u[1].Path != "c1" || u[1].Files != 1 {
		t.Errorf("got unidentified %v, want b.txt and the log within a conversation", u)
	}
	if frame := string(m.streams[0][1].Meta["rs.ctx/serialization"]); !strings.Contains(frame, `"place":"before","blob"`) || !strings.Contains(frame, `"text":"\nbetween\n`) {
		t.Errorf("got %s, want the noise in a blob and the rest as text", frame)
	}
	for _, jobs := range []int{1, 5} {
		if again := convertMade(t, loadRegistry(t), func(o *Options) { o.Jobs = jobs }, root); whole(t, again.out) != whole(t, m.out) {
			t.Errorf("%d jobs: got another bundle: %s", jobs, laws.Difference(whole(t, m.out), whole(t, again.out)))
		}
	}
	one := convertMade(t, loadRegistry(t), func(o *Options) { o.Sessions = []string{"openhands-a-2"} }, root)
	if s := one.result.Sources; len(s) != 1 || s[0].Path != "sub/a.txt" {
		t.Errorf("got %v for one session, want its file alone", s)
	}
}

// What stands around the items keeps nothing that the entry names, however its name is spelled; and a doubled kind does not
// keep a secret.
func TestSecretsAroundItems(t *testing.T) {
	item := user("a").text(0)
	for name, raw := range map[string]string{
		"before":  `{"conversation_id":"cc","api_key":"PL4NTED-1","events":[` + item + `]}`,
		"behind":  `{"conversation_id":"cc","events":[` + item + `],"api_key":"PL4NTED-1"}`,
		"escaped": `{"conversation_id":"cc","secret\u005fregistry":"PL4NTED-1","events":[` + item + `]}`,
		"doubled": `[` + item + `,{"id":"z","timestamp":"2026-03-02T09:15:05","source":"agent","kind":"ConversationStateUpdateEvent","kind":"X","key":"agent","value":{"llm":{"api_key":"PL4NTED-1"}}}]`,
	} {
		root := scratch(t)
		put(t, filepath.Join(root, "x.json"), raw)
		m := convertMade(t, loadRegistry(t), nil, root)
		if len(m.streams) != 1 || strings.Contains(whole(t, m.out), "PL4NTED") {
			t.Errorf("%s: got %d streams, and the secret %v, want one stream without it", name, len(m.streams), strings.Contains(whole(t, m.out), "PL4NTED"))
		}
	}
}

// What a broken event begins and should be cut out may go on behind it in the same file: in text, and in what is no event either.
func TestSpiltSecrets(t *testing.T) {
	begun := `{"id":"x","kind":"ConversationStateUpdateEvent","source":"environment","key":"full_state","value":{"agent":{"llm":{"api_key":` + "\n"
	rest := `"FAKE-spilt"}}}}`
	state := func(id string) string {
		return `{"id":"` + id + `","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}` + "\n"
	}
	const mark = "--JSON Event--\n"
	for _, tt := range []struct{ name, file, text, kept string }{
		{"a mark within", "run.log", mark + state("a") + mark + begun + mark + rest + "\n" + mark + state("b") + "tail text\n", "tail text"},
		{"a mark within the last", "run.log", mark + state("a") + mark + begun + mark + rest + "\n", ""},
		{"a line within", "events.jsonl", state("a") + begun + rest + "\n" + state("b") + "after text\n", "after text"},
		{"a line within the last", "events.jsonl", state("a") + begun + rest, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := scratch(t)
			put(t, filepath.Join(root, "c1", tt.file), tt.text)
			m := convertMade(t, loadRegistry(t), nil, root)
			all := fmt.Sprint(rawStreams(t, m.out), m.files)
			if strings.Contains(all, "FAKE-spilt") {
				t.Errorf("got the secret in the bundle: %s", all)
			}
			if !strings.Contains(all, tt.kept) {
				t.Errorf("got no %q in the bundle, want what is no secret kept", tt.kept)
			}
			b, err := bundle.Open(m.out)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close() //nolint:errcheck // read only
			for _, f := range laws.Restored(context.Background(), root, filepath.Join(scratch(t), "again"), b) {
				t.Error(f)
			}
		})
	}
}

// A last line without its line feed that nests deeper than is read keeps size and hash, like one that is too long.
func TestDeepTail(t *testing.T) {
	root, path := lined(t, "\n", []event{user("a")})
	tail := ev("K", "b", `"x":[[[[[1]]]]]`).text(1)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, string(raw)+tail)
	m := convertMade(t, loadRegistry(t), func(o *Options) { o.MaxDepth = 5 }, root)
	want := fmt.Sprintf(`[{"path":"events.jsonl","bytes":%d,"sha256":"%x"}]`, len(tail), sha256.Sum256([]byte(tail)))
	if got := string(last(m.only(t)).Meta["rs.ctx/uncommitted"]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
