package registry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/formats"
)

// A file is a source by itself when its name may be one's and its first event says so.
func TestDetectFile(t *testing.T) {
	const (
		first = "{\n  \"id\": \"a\",\n  \"kind\": \"K\",\n  \"source\": \"user\",\n  \"timestamp\": \"t\"\n}\n"
		mark  = "--JSON Event--\n"
	)
	printed := []string{"openhands openhands-cli-json-output cli-json"}
	exported := []string{"openhands openhands-exported-events export"}
	rows := []string{"openhands openhands-evaluation-output evaluation-rows"}
	line := strings.ReplaceAll(first, "\n", "")
	row := func(event string) string {
		return `{"instance_id":"x","metadata":{"llm":{}},"history":[` + strings.ReplaceAll(event, "\n", "") + `],"metrics":null}`
	}
	tests := []struct {
		name string
		want []string
		file string
		text string
	}{
		{"a log", printed, "run.log", "hello\n" + mark + first},
		{"standard output", printed, "agent-stdout-2", mark + first},
		{"CR LF", printed, "run.txt", strings.ReplaceAll(mark+first, "\n", "\r\n")},
		{"after a broken event", printed, "run.out", mark + "{\"a\n" + mark + first},
		{"a long event", printed, "run.log", mark + strings.Replace(first, "{", `{"pad":"`+strings.Repeat("x", 200_000)+`",`, 1)},
		{"another name", nil, "run.md", mark + first},
		{"an event without a mark", nil, "run.log", first},
		{"a mark without an event", nil, "run.log", mark + "text\n"},
		{"an event that is none", nil, "run.log", mark + "{\"id\":1}\n" + mark + first},
		{"an event that does not end", nil, "run.log", mark + first[:20]},
		{"a mark far behind the start", nil, "run.log", strings.Repeat("text\n", beginsWithin/5) + mark + first},
		{"an event without an end in sight", nil, "run.log", mark + `{"pad":"` + strings.Repeat("x", endsWithin) + `",` + first[1:]},
		{"nothing", nil, "run.log", ""},

		{"an array", exported, "a.json", "[" + first + "]"},
		{"an array of many", exported, "a.json", "[" + strings.Repeat(first+",", 2000) + "1]"},
		{"a member", exported, "a.json", `{"conversation_id":"x","events":[` + first + "]}\n"},
		{"an array that does not end", exported, "a.json", "[" + first + "," + first[:9]},
		{"after what is no object", exported, "a.json", "[1," + first + "]"},
		{"beside other nested values", nil, "a.json", `{"events":[` + first + `],"agent":{}}`},
		{"beside other nested values far behind", nil, "a.json", `{"events":[` + strings.Repeat(first+",", 2000) + first + `],"agent":{}}`},
		{"with something behind", nil, "a.json", "[" + first + "] []"},
		{"an array of something else", nil, "a.json", `[{"id":"a"},` + first + "]"},
		{"another member's", nil, "a.json", `{"rows":[` + first + "]}"},
		{"an event alone", nil, "a.json", first},
		{"an empty array", nil, "a.json", "[]"},
		{"an array under another name", nil, "a.jsn", "[" + first + "]"},

		{"a row", rows, "output.jsonl", row(first) + "\n"},
		{"a row without a line feed", rows, "output.jsonl", row(first)},
		{"rows with a line of white space before", rows, "output.jsonl", "\n" + row(first) + "\n" + row(first)},
		{"behind a row without events", rows, "output.jsonl", row("") + "\n" + row(first) + "\n"},
		{"behind a line of text", nil, "output.jsonl", "text\n" + strings.Repeat("text\n", beginsWithin/5) + row(first) + "\n"},
		{"behind much else in the row", rows, "output.jsonl", `{"instruction":"` + strings.Repeat("x", 3*beginsWithin) + `",` + row(first)[1:]},
		{"behind many rows without events", rows, "output.jsonl", strings.Repeat(row("")+"\n", beginsWithin/10) + row(first)},
		{"a row that ends within its second event", rows, "output.jsonl", `{"history":[` + line + "," + line[:9]},
		{"rows without events", nil, "output.jsonl", row("") + "\n" + row("") + "\n"},
		{"rows of something else", nil, "output.jsonl", row(`{"id":"a","action":"run"}`) + "\n" + row(first)},
		{"a row over several lines", nil, "output.jsonl", strings.Replace(row(first), ",", ",\n", 1)},
		{"a file of one such document", []string{"openhands openhands-evaluation-output evaluation-document"}, "a.json", strings.ReplaceAll(row(first), ",", ",\n")},
	}
	r, err := Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := site(t, map[string]string{"c/" + tt.file: tt.text}, "c")
			got := r.DetectFile(s, s.Names[0], nil)
			if d := cmp.Diff(tt.want, matches(got)); d != "" {
				t.Errorf("matches (-want +got):\n%s", d)
			}
			if len(got) > 0 && got[0].File != tt.file {
				t.Errorf("got file %q, want %q", got[0].File, tt.file)
			}
			if list := r.DetectFile(s, formats.Name{Name: tt.file, Kind: formats.KindLink}, nil); list != nil {
				t.Errorf("got %v for a link, want none", matches(list))
			}
		})
	}
}
