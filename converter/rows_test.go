package converter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/laws"
)

// rowOf is one run of a task: its events, and members around them.
func rowOf(before, after string, events ...event) string {
	list := make([]string, len(events))
	for i, e := range events {
		list[i] = e.text(i)
	}
	return `{"instance_id":"task",` + before + `"history":[` + strings.Join(list, ",") + `],` + after + `"error":null}`
}

// reports is the ledger of one response.
func reports(response string) string {
	return `"metrics":{"accumulated_cost":1.5,"accumulated_token_usage":{"prompt_tokens":7},"costs":[],"response_latencies":[],` +
		`"token_usages":[{"model":"m","prompt_tokens":7,"response_id":"` + response + `"}]},`
}

// rowed makes a file of rows, each with the end given, and returns the input root and the file.
func rowed(t testing.TB, end string, rows ...string) (root, path string) {
	t.Helper()
	root = scratch(t)
	path = filepath.Join(root, "run", "output.jsonl")
	put(t, path, strings.Join(rows, end)+end)
	return root, path
}

// lawful holds what was made against the folder.
func lawful(t *testing.T, m *made, root string) {
	t.Helper()
	b, err := bundle.Open(m.out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	for _, f := range append(laws.Whole(root, b), laws.Restored(context.Background(), root, filepath.Join(scratch(t), "again"), b)...) {
		t.Error(f)
	}
}

// A large state is read in pieces, and its ledger may stand on either side of the items.
func TestRowsLargeState(t *testing.T) {
	pad := `"instance":"` + strings.Repeat("x", largeSnapshot) + `",`
	for _, tt := range []struct{ name, before, after string }{
		{"behind", pad, reports("r")},
		{"before", reports("r"), pad},
		{"all before", pad + reports("r"), ""},
		{"all behind", "", pad + reports("r")},
		{"small", reports("r"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, _ := rowed(t, "\n", "\ufeff"+rowOf(tt.before, tt.after, user("a"), answer("b", "r")), rowOf("", "", user("c")))
			m := convertMade(t, loadRegistry(t), nil, root)
			var usage, total string
			for _, r := range m.streams[0] {
				switch r.Type {
				case "inference":
					usage = string(r.Usage)
				case "usage_summary":
					total = string(r.Usage)
				}
			}
			if want := `{"inputTokens":7}`; usage != want || total != want {
				t.Errorf("got usage %q, total %q, want %s", usage, total, want)
			}
			lawful(t, m, root)
		})
	}
}

// TestRows holds what becomes of a file's rows: the session, records of the transcript and notices of each.
func TestRows(t *testing.T) {
	sound := rowOf("", "", user("a"), answer("b", "r"))
	none := `{"instance_id":"task","history":[],"error":"failed"}`
	long := strings.Repeat("i", 130)
	for _, tt := range []struct {
		name, end string
		rows      []string
		want      []string
		change    func(*Options)
	}{
		{"sound", "\n", []string{sound, rowOf("", "", user("c"))}, []string{"openhands-a: a b", "openhands-c: c"}, nil},
		{"CR LF and white space", " \r\n\n\t\n", []string{" " + sound, rowOf("", "", user("c"))}, []string{"openhands-a: a b", "openhands-c: c"}, nil},
		{"a row without events", "\n", []string{sound, none}, []string{"openhands-a: a b", "openhands-output1:"}, nil},
		{"a history of null", "\n", []string{sound, `{"history":null}`}, []string{"openhands-a: a b", "openhands-output1:"}, nil},
		{"no history", "\n", []string{sound, `{}`}, []string{"openhands-a: a b", "openhands-output1:"}, nil},
		{"white space in an empty history", "\n", []string{sound, `{"history": [ ] }`}, []string{"openhands-a: a b", "openhands-output1:"}, nil},
		{"the same run twice", "\n", []string{sound, sound}, []string{"openhands-a: a b", "openhands-a-2: a b; session-duplicate 1"}, nil},
		{"the same run twice under a long id", "\n", []string{rowOf("", "", user(long)), rowOf("", "", user(long))}, []string{
			"openhands-" + long[:110] + "-*: " + long, "openhands-" + long[:110] + "-*: " + long + "; session-duplicate 1",
		}, nil},
		{"an id that leads elsewhere", "\n", []string{sound, rowOf("", "", user("../x"))}, []string{"openhands-a: a b", "openhands-output1: ../x"}, nil},
		{"a first event that cannot be read", "\n", []string{sound, rowOf("", "", user("x").bytes(`{"id":}`), user("c"))}, []string{
			"openhands-a: a b", "openhands-output1: gap=invalid-json c",
		}, nil},
		{"text", "\n", []string{sound, "text"}, []string{"openhands-a: a b", "openhands-output1:; state-unreadable 1"}, nil},
		{"another array", "\n", []string{sound, `[{"history":[]}]`}, []string{"openhands-a: a b", "openhands-output1:; state-unreadable 1"}, nil},
		{"something behind a row", "\n", []string{sound, sound + " x"}, []string{"openhands-a: a b", "openhands-a-2: a b; session-duplicate 1, state-unreadable 1"}, nil},
		{"not UTF-8", "\n", []string{sound, rowOf("\"x\":\"\xff\",", "", user("c"))}, []string{"openhands-a: a b", "openhands-c: c; state-unreadable 1"}, nil},
		{"a history twice", "\n", []string{sound, rowOf(`"history":[`+user("x").text(0)+`],`, "", user("c"))}, []string{
			"openhands-a: a b", "openhands-x: x; state-unreadable 1",
		}, nil},
		{"a history under an escaped name", "\n", []string{sound, `{"histor\u0079":[` + user("x").text(0) + `]}`}, []string{
			"openhands-a: a b", "openhands-output1:; state-unreadable 1",
		}, nil},
		{"a history that is an object", "\n", []string{sound, `{"history":{"0":` + user("x").text(0) + `}}`}, []string{
			"openhands-a: a b", "openhands-output1:; state-unreadable 1",
		}, nil},
		{"a member twice", "\n", []string{sound, rowOf(`"x":1,"x":2,`, "", user("c"))}, []string{"openhands-a: a b", "openhands-c: c; duplicate-key 1"}, nil},
		{"no last line feed", "", []string{sound}, []string{"openhands-a: a b"}, nil},
		{"cut off in an event", "", []string{sound + "\n", sound[:len(sound)-40]}, []string{
			"openhands-a: a b", "openhands-a-2: a tail; session-duplicate 1, state-unreadable 1",
		}, nil},
		{"cut off behind the events", "", []string{sound + "\n", sound[:len(sound)-5]}, []string{
			"openhands-a: a b", "openhands-a-2: a b tail; session-duplicate 1, state-unreadable 1",
		}, nil},
		{"cut off before the events", "", []string{sound + "\n", sound[:9]}, []string{"openhands-a: a b", "openhands-output1:; state-unreadable 1"}, nil},
		{"a large state", "\n", []string{sound, rowOf(`"pad":"`+strings.Repeat("x", 5000)+`",`, "", user("c"))}, []string{
			"openhands-a: a b", "openhands-c: c; state-unreadable 1",
		}, func(o *Options) { o.MaxItem = 4096 }},
		{"a large event", "\n", []string{sound, rowOf("", "", user("c"), user("x").with(`"pad":"`+strings.Repeat("x", 5000)+`"`), user("d"))}, []string{
			"openhands-a: a b", "openhands-c: c gap=too-large d",
		}, func(o *Options) { o.MaxItem = 4096 }},
		{"too many events", "\n", []string{sound, rowOf("", "", user("c"), user("d"))}, []string{
			"openhands-a: a gap=too-large", "openhands-c: c gap=too-large",
		}, func(o *Options) { o.MaxItems = 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, path := rowed(t, tt.end, tt.rows...)
			m := convertMade(t, loadRegistry(t), func(o *Options) {
				if tt.change != nil {
					tt.change(o)
				}
			}, root)
			var got []string
			for i, list := range m.streams {
				id := m.result.Sources[i].Stream
				if len(id) > maxStreamID {
					id = id[:len(id)-8] + "*"
				}
				line := id + ":"
				for _, r := range list {
					switch {
					case r.Type == "gap":
						line += " gap=" + r.Reason
					case r.hasNative() && r.Position.Family == "transcript":
						line += " " + r.ID
					case r.Meta["rs.ctx/uncommitted"] != nil:
						line += " tail"
					}
				}
				got = append(got, line+rowNotices(m, m.result.Sources[i].Stream))
			}
			if d := strings.Join(got, "\n"); d != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", d, strings.Join(tt.want, "\n"))
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			var bytes int64
			for i, s := range m.result.Sources {
				if bytes += s.Bytes; s.Files != 1 || s.Row != int64(i) || s.Rows != int64(len(tt.rows)) {
					t.Errorf("got %d files, row %d of %d, want 1, %d of %d", s.Files, s.Row, s.Rows, i, len(tt.rows))
				}
			}
			if bytes != info.Size() || len(m.result.Unidentified) != 0 {
				t.Errorf("got rows of %d bytes, unidentified %v, want all %d", bytes, m.result.Unidentified, info.Size())
			}
			lawful(t, m, root)
		})
	}
}

// rowNotices are the notices of a stream, but for those that hang on what the events are made of.
func rowNotices(m *made, stream string) string {
	rules := map[string]int64{}
	for _, f := range m.result.Report.Findings.Listed() {
		if f.Stream == stream && f.Rule != "parent-missing" && f.Rule != "time-backwards" {
			rules[f.Rule]++
		}
	}
	if len(rules) == 0 {
		return ""
	}
	return "; " + some(rules)
}

// A file that grows behind its rows while they are read keeps those that were there; one that is written anew loses those
// that stand elsewhere now, and says so.
func TestRowsInUse(t *testing.T) {
	rows := []string{rowOf("", "", user("a")), rowOf("", "", user("b")), rowOf("", "", user("c"))}
	for _, tt := range []struct {
		name    string
		change  func(t *testing.T, path string)
		streams int
		failed  int
		changed string
	}{
		{"grown", func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString(rowOf("", "", user("d")) + "\n")
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		}, 3, 0, "source-changed 1"},
		{"written anew", func(t *testing.T, path string) {
			put(t, path, rows[0]+"\n"+rowOf(`"pad":"x",`, "", user("b"))+"\n"+rows[2]+"\n")
		}, 1, 2, ""},
		{"gone", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, 1, 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, path := rowed(t, "\n", rows...)
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
			done := false
			m := convertMade(t, loadRegistry(t), func(o *Options) {
				o.Jobs = 1
				o.Progress = func(p Progress) {
					if p.SourcesDone == 1 && !done {
						done = true
						tt.change(t, path)
					}
				}
			}, root)
			if len(m.streams) != tt.streams || len(m.failures()) != tt.failed || some(m.notices, "source-changed") != tt.changed {
				t.Errorf("got %d streams, failed %v, notices %v, want %d, %d, %s", len(m.streams), m.failures(), m.notices, tt.streams, tt.failed, tt.changed)
			}
			if len(m.result.Unidentified) != 0 {
				t.Errorf("got unidentified %v for a file of which a row was converted", m.result.Unidentified)
			}
		})
	}
}

// A row is chosen like any other session, whatever its state is kept as.
func TestRowsChosen(t *testing.T) {
	root, _ := rowed(t, "\n", rowOf("", "", user("a")), rowOf(`"x" : 1,`, "", user("b")), rowOf("", "", user("c")))
	m := convertMade(t, loadRegistry(t), func(o *Options) { o.Sessions = []string{"openhands-c", "b"} }, root)
	var got []string
	for _, s := range m.result.Sources {
		got = append(got, fmt.Sprintf("%s %d", s.Stream, s.Row))
	}
	if want := "openhands-b 1, openhands-c 2"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// Whatever of a row is damaged, no secret that the entry names is kept: of its state, nor of sound events that a damaged one
// takes in.
func TestRowsSecrets(t *testing.T) {
	const secret = "FAKE-row-secret"
	stated := `"metadata":{"llm":{"api_key":"` + secret + `"}},`
	event := user("b").text(1)
	full := ev("ConversationStateUpdateEvent", "c", `"source":"environment","key":"full_state","value":{"agent":{"llm":{"api_key":"`+secret+`"}}}`).text(2)
	logged := func(inner string) string {
		return ev("LLMCompletionLogEvent", "c", `"source":"agent","log_data":"`+inner).text(2)
	}
	row := func(before, events, after string) string {
		return `{"instance_id":"x",` + before + `"history":[` + user("a").text(0) + "," + events + after
	}
	for _, tt := range []struct{ name, row string }{
		{"sound, behind", row("", event, `],`+stated+`"metrics":null}`)},
		{"sound, before", row(stated, event, `],"metrics":null}`)},
		{"no brace", row("", event[:len(event)-1], `],`+stated+`"metrics":null}`)},
		{"three braces less", row("", event[:strings.LastIndex(event, "}]}}")], `],`+stated+`"metrics":null}`)},
		{"no quote", row("", strings.Replace(event, `"user",`, `"user,`, 1), `],`+stated+`"metrics":null}`)},
		{"a quote more", row("", strings.Replace(event, `"user",`, `"us"er",`, 1), `],`+stated+`"metrics":null}`)},
		{"no bracket", row("", event, `,`+stated+`"metrics":null}`)},
		{"no bracket, of no other", `{"history":[` + stated + `"metrics":null}`},
		{"a bracket for a brace", row("", event[:len(event)-1]+"]", `],`+stated+`"metrics":null}`)},
		{"a bracket more", row("", event, `[],`+stated+`"metrics":null}`)},
		{"a damaged event before one with a secret", row("", event[:len(event)-1]+","+full, `],"metrics":null}`)},
		{"a damaged event before an agent", row("", strings.Replace(event, `"user",`, `"user,`, 1)+","+full, `],"metrics":null}`)},
		{"the state in the array", row("", `{"llm":{"api_key":"`+secret+`"}}`, `,"metrics":null}`)},
		{"a log that is cut off in the row", row("", logged(`{\"kwargs\":{\"api_key\":\"` + secret + `\",\"x`)[:len(logged(`{\"kwargs\":{\"api_key\":\"`+secret+`\",\"x`))-1], "")},
		{"a log that is cut off in itself", row("", logged(`{\"kwargs\":{\"api_key\":\"`+secret+`\",\"x"`), `],"metrics":null}`)},
		{"a log behind a break", row("", event[:len(event)-1]+","+logged(`{\"kwargs\":{\"api_key\":\"`+secret+`\",\"x\":1}"`), `],"metrics":null}`)},
		{"an address that is cut off", row("", strings.Replace(full, `"api_key":"`+secret+`"}}}}`, `"base_url":"https://user:`+secret, 1), "")},
		{"an address behind a break", row("", event[:len(event)-1]+","+strings.Replace(full, `"api_key":"`+secret, `"base_url":"https://user:`+secret+`@x`, 1), `],"metrics":null}`)},
		{"text before", "x " + row(stated, event, `],"metrics":null}`)},
		{"two lines", strings.Replace(row(stated, event, `],"metrics":null}`), `"api_key":`, "\"api_key\":\n", 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, _ := rowed(t, "\n", tt.row, rowOf("", "", user("z")))
			m := convertMade(t, loadRegistry(t), nil, root)
			if len(m.streams) < 2 {
				t.Fatalf("got %d streams, want one a row at least", len(m.streams))
			}
			if all := fmt.Sprint(rawStreams(t, m.out), m.files); strings.Contains(all, secret) {
				at := strings.Index(all, secret)
				t.Errorf("got the secret: …%s…", all[max(at-200, 0):at+60])
			}
			lawful(t, m, root)
		})
	}
}
