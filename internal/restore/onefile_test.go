package restore_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/restore"
)

const (
	lines   = "424b1fee9709431585d95954058b4714/events.jsonl"
	crlf    = "ee8f6454f1784ec7b609912fe2e7a724/events.jsonl"
	torn    = "ec077ad4aec744b1a8b4406c0190f12c/events.jsonl"
	printed = "logs/run-7.log"

	exported = "download.json"
	rowsFile = "run-a/output.jsonl"
	document = "run-b/example__parser-14.json"
)

// Each change of a file that holds many items is named once or more, and as one of that file.
func TestOneFileChanged(t *testing.T) {
	appended := func(more string) func([]byte) []byte {
		return func(raw []byte) []byte { return append(raw, more...) }
	}
	cutLines := func(from, to int) func([]byte) []byte {
		return func(raw []byte) []byte {
			all := bytes.SplitAfter(raw, []byte("\n"))
			return bytes.Join(append(all[:from:from], all[to:]...), nil)
		}
	}
	for _, tt := range []struct {
		name, fixture, file, kind string
		change                    func([]byte) []byte
	}{
		{"a byte of an item", "event-lines", lines, "changed", flip},
		{"a line more", "event-lines", lines, "changed", appended("{}\n")},
		{"a line less", "event-lines", lines, "changed", cutLines(4, 5)},
		{"the first line gone", "event-lines", lines, "changed", cutLines(0, 1)},
		{"no last line feed", "event-lines", lines, "changed", func(raw []byte) []byte { return raw[:len(raw)-1] }},
		{"a tail", "event-lines", lines, "changed", appended("x")},
		{"white space at the end", "event-lines", lines, "changed", appended("\n")},
		{"white space at the start", "event-lines", lines, "changed", func(raw []byte) []byte { return append([]byte("\n"), raw...) }},
		{"a CR gone", "event-lines", crlf, "changed", swap("\r\n", "\n")},
		{"white space between", "event-lines", crlf, "changed", swap(" \t\r\n", "\t\t\r\n")},
		{"a byte of a gap", "event-lines-damaged", torn, "changed", swap("\xff", "\xfe")},
		{"a byte of the tail", "event-lines-damaged", torn, "changed", func(raw []byte) []byte { return append(raw[:len(raw)-1], 'X') }},
		{"a tail that goes on", "event-lines-damaged", torn, "changed", appended("}")},
		{"a tail that is committed", "event-lines-damaged", torn, "changed", appended("\n")},
		{"no tail", "event-lines-damaged", torn, "changed", cutLines(5, 6)},
		{"text before the first", "cli-json-output", printed, "changed", swap("Initializing", "initializing")},
		{"text between", "cli-json-output", printed, "changed", swap("nothing marks it", "nothing marks IT")},
		{"text at the end", "cli-json-output", printed, "changed", appended("bye")},
		{"an event of what was text", "cli-json-output", printed, "changed", swap("{\"level\"", "--JSON Event--\n{\"level\"")},
		{"gone", "cli-json-output", printed, "missing", nil},
		{"an id beside the array", "exported-events", exported, "changed", swap(`"conversation_id"`, `"conversation-id"`)},
		{"white space in the array", "exported-events", exported, "changed", swap(`"events":[`, `"events":[ `)},
		{"an element more", "exported-events", exported, "changed", swap("]}\n", ",1]}\n")},
		{"no end", "exported-events", exported, "changed", func(raw []byte) []byte { return raw[:len(raw)-3] }},
		{"a byte of an item of a row", "evaluation-output", rowsFile, "changed", swap("1 passed", "2 passed")},
		{"white space between items of a row", "evaluation-output", rowsFile, "changed", swap("},{\"id\":\"6b1f000c", "}, {\"id\":\"6b1f000c")},
		{"a byte before the items of a row", "evaluation-output", rowsFile, "changed", swap(`"attempt":2`, `"attempt":3`)},
		{"a byte before the items of a row with cuts", "evaluation-output", rowsFile, "changed", swap(`"attempt":1`, `"attempt":3`)},
		{"a byte behind the items of a row", "evaluation-output", rowsFile, "changed", swap("0000000", "0000001")},
		{"a secret of a row that is a member less", "evaluation-output", rowsFile, "unlike", swap(`"api_key":"FAKE-evaluation-key-0001",`, "")},
		{"a row more", "evaluation-output", rowsFile, "added", appended("{}\n")},
		{"the last row gone", "evaluation-output", rowsFile, "", cutLines(3, 4)},
		{"white space before a row", "evaluation-output", rowsFile, "changed", swap("\r\n\n", "\r\n\n\n")},
		{"a line feed of a row", "evaluation-output", rowsFile, "changed", swap("\r\n", "\n")},
		{"a row in two", "evaluation-output", rowsFile, "", swap(`"history":`, "\n\"history\":")},
		{"all rows gone", "evaluation-output", rowsFile, "missing", nil},
		{"a row without items that has one", "evaluation-output", rowsFile, "changed", swap(`"history":[],`, `"history":[{}],`)},
		{"a document's end", "evaluation-output", document, "changed", appended("\n")},
		{"a document's number", "evaluation-output", document, "changed", swap(`"num_events": 2`, `"num_events": 3`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := copyOf(t, fixture(tt.fixture))
			b, _ := convert(t, bundle.Zstd, source)
			at := filepath.Join(source, filepath.FromSlash(tt.file))
			if tt.change == nil {
				if err := os.Remove(at); err != nil {
					t.Fatal(err)
				}
			} else {
				edit(t, at, tt.change)
			}
			v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := named(v)
			if len(got) == 0 {
				t.Fatal("got no difference, want some")
			}
			for _, d := range got {
				if d != tt.kind+" "+tt.file && (tt.kind != "" || !strings.HasSuffix(d, " "+tt.file)) {
					t.Errorf("got %s, want %s %s", d, tt.kind, tt.file)
				}
			}
		})
	}
}

// A file of which an item is too large is named as lacking, and nothing of it is written.
func TestOneFileLacking(t *testing.T) {
	source := copyOf(t, fixture("event-lines"))
	edit(t, filepath.Join(source, filepath.FromSlash(lines)), func(raw []byte) []byte {
		return append(raw, `{"id":"x","pad":"`+strings.Repeat("x", 10_000)+"\"}\n{}\n"+`{"id":"z","pad":"`+strings.Repeat("y", 10_000)+"\"}\n{}\n"...)
	})
	b, _ := convertWith(t, converter.Options{Sources: []string{source}, MaxItem: 9000})
	dir := filepath.Join(t.TempDir(), "made")
	r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Lacking) != 1 || r.Lacking[0].Path != lines || r.Lacking[0].Reason != restore.ReasonTooLarge {
		t.Errorf("got lacking %v, want %s", r.Lacking, lines)
	}
	made := tree(t, dir)
	if _, there := made[lines]; there || made[crlf] == "" || r.Files != int64(len(made)) {
		t.Errorf("got %d files, want all but the one that lacks an item", len(made))
	}
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"unkept " + lines, "unkept " + lines}, named(v)); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
	if d := cmp.Diff(r.Lacking, v.Lacking); d != "" {
		t.Errorf("lacking (-restore +verify):\n%s", d)
	}
	edit(t, filepath.Join(source, filepath.FromSlash(lines)), swap("xxx", "xyx"))
	if v, err = restore.Verify(t.Context(), b, []string{source}, restore.Options{}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"unkept " + lines, "changed " + lines, "unkept " + lines}, named(v)); d != "" {
		t.Errorf("differences of another item (-want +got):\n%s", d)
	}
}

// Text around items that is larger than an item may be is not kept: its size and hash are, and all else of the file.
func TestOneFileLargeText(t *testing.T) {
	const mark = "--JSON Event--\n"
	for _, tt := range []struct {
		name, text string
		large      int // records with a loss
	}{
		{"before", strings.Repeat("x", 700) + "\n" + mark + event("a"), 1},
		{"between", mark + event("a") + strings.Repeat("x\n", 400) + mark + event("b"), 1},
		{"behind", mark + event("a") + strings.Repeat("x\n", 400), 1},
		{"all around", strings.Repeat("x\n", 400) + mark + event("a") + strings.Repeat("y", 700) + "\n" + mark + event("b") + strings.Repeat("z", 700), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := t.TempDir()
			write(t, filepath.Join(source, "run.log"), tt.text)
			write(t, filepath.Join(source, "other.log"), mark+event("c"))
			b, _ := convertWith(t, converter.Options{Sources: []string{source}, MaxItem: 600})
			for _, s := range b.Manifest().Streams {
				if got := s.Losses["native-unreadable"].Count; s.ID == "openhands-run" && got != int64(tt.large) {
					t.Errorf("got %d records with a loss, want %d", got, tt.large)
				}
			}
			dir := filepath.Join(t.TempDir(), "made")
			r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Lacking) != 1 || r.Lacking[0].Path != "run.log" || r.Lacking[0].Reason != restore.ReasonTooLarge || len(tree(t, dir)) != 1 {
				t.Errorf("got lacking %v and files %v, want run.log lacking", r.Lacking, tree(t, dir))
			}
			v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range v.Differences {
				if d.Kind != restore.Unkept || d.Path != "run.log" {
					t.Errorf("got %v", d)
				}
			}
			edit(t, filepath.Join(source, "run.log"), swap("xx\n", "xy\n"))
			edit(t, filepath.Join(source, "run.log"), func(raw []byte) []byte { return bytes.Replace(raw, []byte("x\nx\n"), []byte("x\ny\n"), 1) })
			if v, err = restore.Verify(t.Context(), b, []string{source}, restore.Options{}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(named(v), ", "); !strings.Contains(got, "changed run.log") {
				t.Errorf("got %s, want the changed text named by its hash", got)
			}
		})
	}
}

// event is one event of an id, on a line.
func event(id string) string {
	return `{"id":"` + id + `","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}` + "\n"
}

// What was cut out of several items of a file is listed as cut out of the one file, by the items' numbers.
func TestOneFileCuts(t *testing.T) {
	source := t.TempDir()
	said := func(id string) string {
		return `{"id":"` + id + `","kind":"MessageEvent","timestamp":"2026-01-01T00:00:00","source":"user","llm_message":{"role":"user","content":"pl4nted"}}` + "\n"
	}
	write(t, filepath.Join(source, "s", "events.jsonl"), said("a")+"pl4nted\n"+said("b")+"pl4nt")
	write(t, filepath.Join(source, "s", "base_state.json"), `{"id":"s","agent":{},"secret_registry":{"secret_sources":{"T":{"value":"pl4nted"}}}}`)
	proven(t, source, bundle.None)
	b, _ := convert(t, bundle.None, source)
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []restore.Redacted{
		{Path: "s/base_state.json", Record: "state", Cuts: []record.Redaction{{Pointer: "/secret_registry", Kind: "secret"}}},
		{Path: "s/events.jsonl", Record: "a", Cuts: []record.Redaction{
			{Pointer: "/0/llm_message/content", Kind: "secret"}, {Pointer: "/1", Kind: "secret"}, {Pointer: "/2/llm_message/content", Kind: "secret"},
		}},
	}
	if d := cmp.Diff(want, v.Redacted); d != "" {
		t.Errorf("cuts (-want +got):\n%s", d)
	}
}

// A file more beside files that are sources by themselves is one that the bundle does not account for.
func TestOneFileAdded(t *testing.T) {
	source := copyOf(t, fixture("cli-json-output"))
	b, _ := convert(t, bundle.Zstd, source)
	write(t, filepath.Join(source, "logs", "more.log"), "text\n")
	v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := named(v); len(got) != 1 || got[0] != "added logs" {
		t.Errorf("got %v, want the folder named", got)
	}
}

// FuzzOneFile converts and restores files that hold any bytes beside events: what comes back is the same, or it is named.
func FuzzOneFile(f *testing.F) {
	for i, seed := range []string{
		"", "\n", "{}", "{\"a\":1}\n", "\r\n\r\n", "pl4nted", "{\"pl4nted\n", "\xff\xfe", "--JSON Event--\n{\"a\n--JSON Event--\n", "--JSON Event--\n{}\n",
		"{\"secret_registry\":{\"x\":\"y\"}}\n", "{\"secret_registry\":{\"x\"", strings.Repeat("x", 2000) + "\n", "{\"a\":\"pl4nt\\u0065d\"}\n", "\x00", "[1]\n",
	} {
		f.Add(uint8(i), []byte(seed))
		f.Add(uint8(9+i%5), []byte(seed))
	}
	reg := load(f)
	f.Fuzz(func(t *testing.T, at uint8, content []byte) {
		event := func(id string) string {
			return `{"id":"` + id + `","kind":"PauseEvent","timestamp":"2026-01-01T00:00:00","source":"user"}` + "\n"
		}
		parts := []string{"", event("a"), "", event("b"), ""}
		source := filepath.Join(t.TempDir(), "in")
		if place := int(at) % 14; place >= 9 {
			row := []string{"", `{"instance_id":"s",`, `"secret_registry":{"T":"pl4nted"},"history":[` + strings.TrimSpace(parts[1]), `,` + strings.TrimSpace(parts[3]), `],"metrics":null}` + "\n", ""}
			row[place-9] += string(content)
			write(t, filepath.Join(source, "s", "output.jsonl"), strings.Join(row, "")+rowLine("z"))
		} else if place >= 6 {
			parts[0], parts[1], parts[3], parts[4] = `{"conversation_id":"s","events":[`, parts[1]+",", ","+parts[3], "]}"
			parts[2*(place-6)] += string(content)
			write(t, filepath.Join(source, "s", "a.json"), strings.Join(parts, ""))
		} else if place < 3 {
			parts[2*place] = string(content)
			write(t, filepath.Join(source, "s", "events.jsonl"), strings.Join(parts, ""))
			write(t, filepath.Join(source, "s", "base_state.json"), `{"id":"s","agent":{},"secret_registry":{"secret_sources":{"T":{"value":"pl4nted"}}}}`)
		} else {
			parts[1], parts[3] = "--JSON Event--\n"+parts[1], "--JSON Event--\n"+parts[3]
			parts[2*(place-3)] = string(content)
			write(t, filepath.Join(source, "s", "run.log"), strings.Join(parts, ""))
		}
		b, _ := convertWith(t, converter.Options{Sources: []string{source}, Registry: reg})
		dir := filepath.Join(t.TempDir(), "made")
		r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Manifest().Streams) > 0 && len(b.Manifest().Unidentified) == 0 {
			checkMade(t, source, dir, r)
		}
		v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Differences) > 0 {
			t.Errorf("%v", v.Differences)
		}
	})
}

// Whatever a bundle states around an item, nothing but its own file is written, and verify names the difference.
func TestHostileFrames(t *testing.T) {
	frames := regexp.MustCompile(`"rs.ctx/serialization":\[.*?\}\]`)
	for _, tt := range []struct {
		name, put string
		damaged   bool
	}{
		{"no list", `"rs.ctx/serialization":5`, false},
		{"no entries", `"rs.ctx/serialization":[5,null,[]]`, false},
		{"no place", `"rs.ctx/serialization":[{"text":"x"}]`, false},
		{"no text", `"rs.ctx/serialization":[{"place":"before"},{"place":"after","text":7}]`, false},
		{"another text", `"rs.ctx/serialization":[{"place":"before","text":"../x"}]`, false},
		{"a cut of nothing", `"rs.ctx/serialization":[{"place":"after","text":"x","redacted":[{"pointer":"/a","kind":"secret"}]}]`, false},
		{"no blob", `"rs.ctx/serialization":[{"place":"after","blob":{}}]`, false},
		{"a blob of nothing", `"rs.ctx/serialization":[{"place":"after","blob":{"sha256":"` + strings.Repeat("0", 64) + `"}}]`, true},
		{"a blob elsewhere", `"rs.ctx/serialization":[{"place":"after","blob":{"sha256":"../../manifest.json"}}]`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := fixture("cli-json-output")
			b, path := convert(t, bundle.None, source)
			for _, s := range b.Manifest().Streams {
				if strings.HasSuffix(s.ID, "run7") {
					restream(t, path, s, func(raw []byte) []byte { return frames.ReplaceAll(raw, []byte(tt.put)) })
				}
			}
			b = open(t, path)
			dir := filepath.Join(t.TempDir(), "made")
			_, err := restore.Restore(t.Context(), b, dir, restore.Options{})
			if tt.damaged != errors.Is(err, restore.ErrDamaged) || (!tt.damaged && err != nil) {
				t.Errorf("got %v, want damaged %v", err, tt.damaged)
			}
			if !tt.damaged && len(tree(t, dir)) != 2 {
				t.Errorf("got %v, want the two files", tree(t, dir))
			}
			v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Differences) == 0 {
				t.Error("got no difference, want some")
			}
		})
	}
}
