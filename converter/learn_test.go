package converter

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
)

// hide replaces what spans finds.
func hide(l *learnt, raw string) string {
	var b strings.Builder
	pos := 0
	for _, s := range l.spans([]byte(raw)) {
		b.WriteString(raw[pos:s[0]])
		b.WriteByte('#')
		pos = s[1]
	}
	return b.String() + raw[pos:]
}

// uEscaped spells every character as \uXXXX.
func uEscaped(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func inJSON(t *testing.T, s string) string {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw[1 : len(raw)-1])
}

func TestLearntSpans(t *testing.T) {
	const value = `sesame "open"/ß`
	once := inJSON(t, value)
	twice := inJSON(t, once)
	tests := []struct{ name, raw, want string }{
		{"as it stands", "x " + value + " y", "x # y"},
		{"nothing", "sesame open", "sesame open"},
		{"three times", value + value + "-" + value, "##-#"},
		{"in JSON", "x " + once + " y", "x # y"},
		{"in JSON in JSON", "x " + twice + " y", "x # y"},
		{"four layers", "x " + inJSON(t, inJSON(t, twice)) + " y", "x # y"},
		{"u escapes", "x" + uEscaped(value, `\u%04x`) + "y", "x#y"},
		{"u escapes in capitals", "x" + uEscaped(value, `\u%04X`) + "y", "x#y"},
		{"u escapes in JSON", "x" + uEscaped(value, `\\u%04x`) + "y", "x#y"},
		{"some u escapes", `xs\u0065same \"op\u0065n\"\/ßy`, `x#y`},
		{"percent", "a=" + url.QueryEscape("sesame") + "%20%22open%22%2F%C3%9F&b", "a=#&b"},
		{"percent, lower case", "a=sesame%20%22open%22%2f%c3%9f&b", "a=#&b"},
		{"percent for every byte", "a=" + strings.ReplaceAll(fmt.Sprintf("% x", " "+value), " ", "%")[2:], "a%20#"},
		{"percent in JSON", inJSON(t, `"sesame%20%22open%22%2F%C3%9F"`), `\"#\"`},
		{"beside half an escape", `\u00` + value + `\`, `\u00#\`},
		{"beside half a percent", "%" + value + "%2", "%#%2"},
	}
	l := &learnt{}
	l.add(value)
	for _, tt := range tests {
		if tt.name == "percent for every byte" {
			tt.raw, tt.want = "a"+strings.ToUpper(percentAll(value))+"b", "a#b"
		}
		if got := hide(l, tt.raw); got != tt.want {
			t.Errorf("%s: got %q, want %q, of %q", tt.name, got, tt.want, tt.raw)
		}
	}
}

func percentAll(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02x", s[i])
	}
	return b.String()
}

// TestLearntBase64 encodes a value behind every number of bytes. What is left shows none of its whole groups.
func TestLearntBase64(t *testing.T) {
	for _, value := range []string{"sesame-open", "ab?>cd~~ef", "key4"} {
		l := &learnt{}
		l.add(value)
		for name, enc := range map[string]*base64.Encoding{
			"std": base64.StdEncoding, "url": base64.URLEncoding, "raw": base64.RawStdEncoding, "rawurl": base64.RawURLEncoding,
		} {
			for before := range 7 {
				for after := range 4 {
					prefix, suffix := strings.Repeat("\xfb", before), strings.Repeat("\xff", after)
					code := enc.EncodeToString([]byte(prefix + value + suffix))
					first, past := (before*8+5)/6, (before+len(value))*8/6
					if past-first < minLearnt {
						continue
					}
					want := code[:first] + "#" + code[past:]
					if got := hide(l, code); got != want {
						t.Errorf("%q, %s, %d before, %d after: got %q, want %q", value, name, before, after, got, want)
					}
				}
			}
		}
	}
}

func TestLearntOverlap(t *testing.T) {
	l := &learnt{}
	for _, v := range []string{"abcdef", "defghi", "cdef"} {
		l.add(v)
	}
	tests := []struct{ raw, want string }{
		{"xabcdefghiy", "x#y"},
		{"xcdefy", "x#y"},
		{"abcdefdefghi", "##"},
		{"xabcdey", "xabcdey"},
	}
	for _, tt := range tests {
		if got := hide(l, tt.raw); got != tt.want {
			t.Errorf("got %q, want %q, of %q", got, tt.want, tt.raw)
		}
	}
}

func TestLearn(t *testing.T) {
	source := func(v string) string {
		return `{"secret_registry":{"secret_sources":{"A":{"kind":"StaticSecret","value":` + v + `}}}}`
	}
	tests := []struct {
		name, doc string
		want      []string
	}{
		{"four characters", source(`"ßßßß"`), []string{"ßßßß"}},
		{"three characters", source(`"ßßß"`), nil},
		{"unescaped", source(`"a\u0062c\"d"`), []string{`abc"d`}},
		{"masked", source(`"**********"`), nil},
		{"enciphered", source(`"gAAAAABx"`), nil},
		{"no text", source(`12345`), nil},
		{"the older spelling, at any depth", `{"secrets_manager":{"a":{"b":["deep"]},"c":"flat","kind":"StaticSecret","description":"words"}}`, []string{"deep", "flat"}},
		{"once", `{"secrets_manager":{"a":"same","b":"same"}}`, []string{"same"}},
		{"one that begins another", `{"secrets_manager":{"a":"abcd","b":"abcdef","c":"abcde"}}`, []string{"abcd", "abcdef", "abcde"}},
		{"keys are not read", `{"agent":{"api_key":"hidden"}}`, nil},
	}
	secrets := &openHands(t).Secrets
	for _, tt := range tests {
		r := redactor{secrets: secrets}
		r.learn(scanDoc(t, tt.doc))
		var got []string
		for i := range r.learnt.set.Len() {
			got = append(got, r.learnt.set.Value(i))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestLearntInItems converts a conversation whose state teaches a value. It must be nowhere in the bundle.
func TestLearntInItems(t *testing.T) {
	const value = "FAKE-open-sesame-77"
	code := base64.StdEncoding.EncodeToString([]byte("user:" + value))
	events := []event{
		user("u1"),
		said("user", "user", "u2").with(`"extra":"key ` + value + `, ` + code + `"`),
		action("a1", "k1", "r1").with(`"more":"` + uEscaped(value, `\u%04x`) + `"`),
		observed("o1", "a1", "k1").with(`"text":"{\"k\": \"` + value + `\"}"`),
		{id: "bad"},
		user("u3"),
		{id: "torn"},
	}
	events[4] = events[4].bytes("no JSON: " + value)
	events[6] = events[6].bytes(`{"text":"` + value)
	m := convertMade(t, loadRegistry(t), nil, conv(t,
		state(`"secret_registry":{"secret_sources":{"K":{"kind":"StaticSecret","value":"`+value+`"}}}`), events,
		file{"meta.json", `{"id":"c1","note":"` + value + `"}`}, file{"TASKS.json", `["` + value + `"]`},
		file{"observations/terminal_output_1.txt", "printed " + value + "\n"},
		file{"events/.event-00007-x.json.tmp", `{"id":"x","text":"` + value + `"}`}))
	records := byID(t, m.only(t))
	for _, id := range []string{"u2", "a1", "o1", "gap:4:bad", "file:meta.json", "file:TASKS.json", "file:observations/terminal_output_1.txt", "state"} {
		if r := records[id]; r == nil || len(r.Native.Redacted) == 0 || !r.lost("secret-omitted") {
			t.Errorf("%s: got %+v, want it redacted with the loss secret-omitted", id, r)
		}
	}
	if n := strings.Count(allText(t, m), value); n > 0 {
		t.Errorf("got the value %d times in the bundle, want it nowhere", n)
	}
	if strings.Contains(allText(t, m), uEscaped(value, `\u%04x`)) || strings.Contains(allText(t, m), code) {
		t.Error("got another spelling of the value in the bundle")
	}
	for _, name := range []string{"rs.ctx/uncommitted", "rs.ctx/unfinished"} {
		if raw := string(records["state"].Meta[name]); !strings.Contains(raw, `"redacted":[`) {
			t.Errorf("%s: got %s, want it to say what was left out", name, raw)
		}
	}
}

// TestIDsKeepLearntValues holds that ids and keys are no text: a value that is also an id stays there, or links would break.
func TestIDsKeepLearntValues(t *testing.T) {
	e := openHands(t)
	r := redactor{secrets: &e.Secrets, ids: idPaths(e)}
	r.learnt.add("call-1234")
	doc := `{"call-1234":1,"id":"call-1234","tool_call_id":"call-1234","parent_id":"call-1234","llm_response_id":"call-1234","text":"call-1234"}`
	want := strings.Replace(doc, `"text":"call-1234"`, `"text":"<secret-omitted>"`, 1)
	got, list := r.redact(entry.InTranscript, scanDoc(t, doc))
	if string(got) != want || cuts(list) != "/text secret" {
		t.Errorf("got %s, %s, want %s", got, cuts(list), want)
	}
}

// allText is everything that a bundle holds, uncompressed.
func allText(t testing.TB, m *made) string {
	t.Helper()
	var b strings.Builder
	for _, s := range rawStreams(t, m.out) {
		b.WriteString(s)
	}
	for name, raw := range m.files {
		if !strings.Contains(raw, `"learnFrom"`) { // the registry entry
			b.WriteString(name)
			b.WriteString(raw)
		}
	}
	return b.String()
}

// TestShortSecrets holds that a secret too short to be told from other text is reported, not replaced.
func TestShortSecrets(t *testing.T) {
	m := convertMade(t, loadRegistry(t), nil, conv(t,
		`{"id":"c1","agent":{},"secret_registry":{"secret_sources":{"A":{"value":"1","kind":"StaticSecret"},"B":{"value":"abc"},"C":{"value":"**********"}}}}`,
		[]event{user("a")}))
	m.only(t)
	if got := m.notices["secret-short"]; got != 1 {
		t.Errorf("got %d notices secret-short, want 1 for the session", got)
	}
}

// TestLearntInLedger holds that pieces of the snapshot that records repeat are cut as the snapshot is.
func TestLearntInLedger(t *testing.T) {
	ledger := stats("usage_to_metrics", account{
		name: "agent", more: `"accumulated_token_usage":{"prompt_tokens":1,"x":"FAKE-VALUE"}`,
		rows: []string{`{"model":"FAKE-VALUE","prompt_tokens":1,"response_id":"r","secret_registry":{"a":"FAKE-OTHER"},"y":["FAKE-\u0056ALUE"]}`},
	})
	root := conv(t, state(ledger, `"secrets_manager":{"a":"FAKE-VALUE"}`), []event{answer("a", "r")})
	put(t, filepath.Join(root, "c1", "base_state.json"), `{"id":"c1","agent":{"llm":{"model":"FAKE-VALUE"},"condenser":{"llm":{"model":"FAKE-VAL\u0055E"}}},`+ledger+`,"secrets_manager":{"a":"FAKE-VALUE"}}`)
	m := convertMade(t, loadRegistry(t), func(o *Options) { o.NewCheck = NewStage }, root)
	checkWhole(t, root, m)
	if models := string(last(m.only(t)).RequestedModels); models != `["<secret-omitted>"]` {
		t.Errorf("got requested models %s, want the mark once", models)
	}
	if text := allText(t, m); strings.Contains(text, "FAKE-") {
		t.Errorf("got a secret in\n%s", text)
	}
	odd := stats("usage_to_metrics", account{name: "secret_registry", rows: []string{tokens("r", 5)}}, account{name: "b", rows: []string{tokens("r", 7)}})
	put(t, filepath.Join(root, "c2", "base_state.json"), `{"id":"c2","agent":{},`+odd+`}`)
	put(t, filepath.Join(root, "c2", "events", "event-00000-a.json"), answer("a", "r").text(0))
	two := convertMade(t, loadRegistry(t), func(o *Options) { o.NewCheck = NewStage }, root).streams[1]
	for _, r := range two {
		if r.Bucket == "secret_registry" || strings.Contains(string(r.Usage), "5") {
			t.Errorf("got %s %s %s, want nothing of a member that is retained nowhere", r.ID, r.Bucket, r.Usage)
		}
	}
	for _, r := range m.only(t) {
		if r.Type == "inference" && !strings.Contains(string(r.Meta["dev.all-hands.openhands/metrics"]), `"token_usage":{"model":"<secret-omitted>","prompt_tokens":1,"response_id":"r","y":["<secret-omitted>"]}`) {
			t.Errorf("got metrics %s, want all but the secrets", r.Meta["dev.all-hands.openhands/metrics"])
		}
	}
}
