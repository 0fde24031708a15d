package restore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/restore"
)

// session is the folder of the fuzzed conversation.
const session = "4b1f0b2d9a6e4c57b3f1a8c2d5e7f901"

// places are the files that fuzzed bytes stand in: an item between others, the last item, an attachment, one of text, the
// state, a torn write, a length marker, and a second item of an ordinal.
func places() []string {
	return []string{
		"events/event-00001-b.json", "events/event-00003-d.json", "TASKS.json", "observations/out.txt",
		"base_state.json", "events/.event-00004-e.json.tmp", "events/.eventlog-len-3.marker", "events/event-00002-x.json",
	}
}

// fuzzed writes a conversation of which one file has the bytes.
func fuzzed(t testing.TB, place string, content []byte) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "in")
	at := filepath.Join(source, session)
	for path, text := range map[string]string{
		"base_state.json": `{"id":"` + session + `","agent":{"kind":"Agent","llm":{"model":"m","api_key":"k3y-of-llm"}},` +
			`"secret_registry":{"secret_sources":{"T":{"kind":"StaticSecret","value":"pl4nted"}}}}`,
		"events/event-00000-a.json": `{"kind":"MessageEvent","id":"a","timestamp":"2026-01-01T00:00:00","source":"user",` +
			`"llm_message":{"role":"user","content":[{"type":"text","text":"pl4nted"}]}}`,
		"events/event-00001-b.json": `{"kind":"PauseEvent","id":"b","timestamp":"2026-01-01T00:00:01","source":"user"}`,
		"events/event-00002-c.json": `{"kind":"PauseEvent","id":"c","timestamp":"2026-01-01T00:00:02","source":"user"}`,
		place:                       string(content),
	} {
		write(t, filepath.Join(at, filepath.FromSlash(path)), text)
	}
	return source
}

// FuzzRoundTrip converts and restores a conversation that holds any bytes in any of its files: what comes back is the same,
// or it is named as cut or as lacking, and verify agrees.
func FuzzRoundTrip(f *testing.F) {
	for i, seed := range []string{
		"", "{}", "{\"a\":1}\n", "\xef\xbb\xbf{}", `{"kind":"MessageEvent","id":"b","llm_message":{"content":[{"type":"text","text":"a pl4nted b"}]}}`,
		`{"a":"pl4nt\u0065d","b":"cGw0bnRlZA==","c":"p\\u006c4nted","d":["%70l4nted"]}`, `{"secret_registry":{"x":"y"},"a":1}`,
		`[{"a":1,"secrets_manager":{"x":"y"}}]`, `"pl4nted"`, `{"secret_registry":{"x":`, `{"a":1,"a":2}`, `{"n":1e999,"m":NaN}`,
		`{"s":"\ud800"}`, "{\"s\":\"\xff\"}", `{"torn`, strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "\x00",
		`{"kind":"ConversationStateUpdateEvent","key":"full_state","value":{"secret_registry":{"a":"b"},"agent":{"llm":{"base_url":"http://u:p@h"}}}}`,
		`{"kind":"LLMCompletionLogEvent","log_data":"{\"api_key\":12,\"llm\":{\"api_key\":\"x\"}}"}`, `{"a":"<secret-omitted>pl4nted"}`,
		`{"secret_registry":null,"secret_registry":{"a":"pl4nted"} , "x":"pl4nted"}`, ` { "k" : "v" } `,
	} {
		for _, step := range []int{0, 3, 5} {
			f.Add(uint8(i+step), []byte(seed))
		}
	}
	reg := load(f)
	f.Fuzz(func(t *testing.T, at uint8, content []byte) {
		place := places()[int(at)%len(places())]
		source := fuzzed(t, place, content)
		b, _ := convertWith(t, converter.Options{Sources: []string{source}, Registry: reg})
		dir := filepath.Join(t.TempDir(), "made")
		r, err := restore.Restore(t.Context(), b, dir, restore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkMade(t, source, dir, r)
		v, err := restore.Verify(t.Context(), b, []string{source}, restore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Differences) > 0 {
			t.Errorf("%s: %v", place, v.Differences)
		}
	})
}

// checkMade wants every file of the source to be made again, the same unless it is listed; what is listed has lost a secret.
func checkMade(t *testing.T, source, dir string, r *restore.Result) {
	t.Helper()
	less, lacks := map[string]bool{}, map[string]bool{}
	for _, f := range r.Redacted {
		less[f.Path] = true
	}
	was, made := tree(t, source), tree(t, dir)
	for _, f := range r.Lacking {
		if _, ok := made[f.Path]; f.Rows > 0 && ok { // some of its rows
			less[f.Path] = true
		} else {
			lacks[f.Path] = true
		}
	}
	for path, content := range was {
		got, ok := made[path]
		switch {
		case ok == lacks[path]:
			t.Errorf("%s: made %v, listed as lacking %v", path, ok, lacks[path])
		case !ok:
		case (got == content) == less[path]:
			t.Errorf("%s: got %q for %q, listed as less %v", path, got, content, less[path])
		}
	}
	if len(made)+len(lacks) != len(was) {
		t.Errorf("got %d files made and %d lacking, want %d", len(made), len(lacks), len(was))
	}
}
