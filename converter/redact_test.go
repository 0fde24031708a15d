package converter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// openHands is the shipped entry whose secrets the tests cut.
func openHands(t testing.TB) *entry.Entry {
	t.Helper()
	e, err := loadRegistry(t).Entry("openhands")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func scanDoc(t testing.TB, raw string) *jsonscan.Doc {
	t.Helper()
	d, err := jsonscan.Scan([]byte(raw), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return &d
}

// cuts spells redactions as "pointer kind".
func cuts(list []record.Redaction) string {
	var parts []string
	for _, r := range list {
		parts = append(parts, r.Pointer+" "+r.Kind)
	}
	return strings.Join(parts, ", ")
}

func TestRedactMembers(t *testing.T) {
	tests := []struct{ name, doc, want, list string }{
		{"only", `{"agent":{"api_key":"x"}}`, `{"agent":{}}`, "/agent/api_key secret"},
		{"first", `{"agent":{"api_key":"x","b":1}}`, `{"agent":{"b":1}}`, "/agent/api_key secret"},
		{"middle", `{"agent":{"a":1,"api_key":"x","b":1}}`, `{"agent":{"a":1,"b":1}}`, "/agent/api_key secret"},
		{"last", `{"agent":{"a":1,"api_key":"x"}}`, `{"agent":{"a":1}}`, "/agent/api_key secret"},
		{"first, spaced", `{ "agent" : { "api_key" : "x" , "b" : 1 } }`, `{ "agent" : {  "b" : 1 } }`, "/agent/api_key secret"},
		{"middle, spaced", `{"agent":{ "a" : 1 , "api_key" : "x" , "b" : 1 }}`, `{"agent":{ "a" : 1 ,  "b" : 1 }}`, "/agent/api_key secret"},
		{"last, spaced", `{"agent":{ "a" : 1 , "api_key" : "x" }}`, `{"agent":{ "a" : 1  }}`, "/agent/api_key secret"},
		{"only, spaced", "{\"agent\":{\n  \"api_key\": \"x\"\n}}", "{\"agent\":{\n  \n}}", "/agent/api_key secret"},
		{"two neighbours", `{"agent":{"api_key":"x","acp_env":{"A":"b"}}}`, `{"agent":{}}`, "/agent/api_key secret, /agent/acp_env secret"},
		{"two neighbours, then one", `{"agent":{"api_key":"x","acp_env":{"A":"b"},"c":1}}`, `{"agent":{"c":1}}`, "/agent/api_key secret, /agent/acp_env secret"},
		{"one, then two neighbours", `{"agent":{"c":1, "api_key":"x", "acp_env":{"A":"b"} }}`, `{"agent":{"c":1 }}`, "/agent/api_key secret, /agent/acp_env secret"},
		{
			"every other", `{"agent":{"api_key":"x","a":1,"acp_env":2,"b":3,"extra_headers":4}}`, `{"agent":{"a":1,"b":3}}`,
			"/agent/api_key secret, /agent/acp_env secret, /agent/extra_headers secret",
		},
		{"nested deep", `{"agent":{"x":[{"y":{"api_key":"k","z":[]}}]}}`, `{"agent":{"x":[{"y":{"z":[]}}]}}`, "/agent/x/0/y/api_key secret"},
		{
			"inside a removed one", `{"agent":{"mcp_config":{"s":{"env":{"api_key":"k"},"url":"u","n":1}}}}`,
			`{"agent":{"mcp_config":{"s":{"n":1}}}}`, "/agent/mcp_config/s/env secret, /agent/mcp_config/s/url secret",
		},
		{"twice in one object", `{"agent":{"api_key":"x","a":1,"api_key":"y"}}`, `{"agent":{"a":1}}`, "/agent/api_key secret"},
		{"escaped name", `{"agent":{"\u0061pi_key":"x"}}`, `{"agent":{}}`, "/agent/api_key secret"},
		{"the agent twice", `{"agent":{"api_key":"x"},"agent":{"api_key":"y"}}`, `{"agent":{},"agent":{}}`, "/agent/api_key secret"},
		{"elsewhere", `{"api_key":"x","other":{"api_key":"y"}}`, `{"api_key":"x","other":{"api_key":"y"}}`, ""},
		{"elements stay", `{"agent":{"tools":["api_key",{"params":{"launch_url":"u"}}]}}`, `{"agent":{"tools":["api_key",{"params":{}}]}}`, "/agent/tools/1/params/launch_url secret"},
		{"null stays", `{"agent":{"api_key":null,"acp_env":"","extra_headers":[]}}`, `{"agent":{"api_key":null,"acp_env":"","extra_headers":[]}}`, ""},
		{"empty object goes", `{"agent":{"extra_headers":{},"a":1}}`, `{"agent":{"a":1}}`, "/agent/extra_headers empty"},
		{"only empty texts", `{"agent":{"extra_headers":{"a":"","b":[null,""]}}}`, `{"agent":{}}`, "/agent/extra_headers empty"},
		{"masked", `{"agent":{"api_key":"**********"}}`, `{"agent":{}}`, "/agent/api_key masked"},
		{"enciphered", `{"agent":{"api_key":"gAAAAABxyz"}}`, `{"agent":{}}`, "/agent/api_key masked"},
		{"masked by words", `{"agent":{"extra_headers":{"a":"<redacted>","b":"<secret-hidden>","c":""}}}`, `{"agent":{}}`, "/agent/extra_headers masked"},
		{"masked and clear", `{"agent":{"extra_headers":{"a":"**********","b":"x"}}}`, `{"agent":{}}`, "/agent/extra_headers secret"},
		{"almost masked", `{"agent":{"api_key":"***********"}}`, `{"agent":{}}`, "/agent/api_key secret"},
		{"a number", `{"agent":{"extra_headers":{"n":0}}}`, `{"agent":{}}`, "/agent/extra_headers secret"},
		{"a flag", `{"agent":{"extra_headers":{"n":false}}}`, `{"agent":{}}`, "/agent/extra_headers secret"},
		{"registry null", `{"secret_registry":null,"a":1}`, `{"a":1}`, "/secret_registry empty"},
		{"registry empty text", `{"a":1,"secret_registry":""}`, `{"a":1}`, "/secret_registry empty"},
		{"registry empty list", `{"secrets_manager":[]}`, `{}`, "/secrets_manager empty"},
		{"registry without values", `{"secret_registry":{"secret_sources":{}},"a":1}`, `{"a":1}`, "/secret_registry empty"},
		{"registry described", `{"secret_registry":{"secret_sources":{"A":{"kind":"StaticSecret","description":"the key","value":"**********"}}}}`, `{}`, "/secret_registry masked"},
		{"registry in clear", `{"secret_registry":{"secret_sources":{"A":{"kind":"StaticSecret","value":"open"}}}}`, `{}`, "/secret_registry secret"},
		{"user of an address", `{"agent":{"llm":{"base_url":"https://u:p@h/x"}}}`, `{"agent":{"llm":{"base_url":"https://<secret-omitted>@h/x"}}}`, "/agent/llm/base_url secret"},
		{"masked user", `{"agent":{"base_url":"https://**********@h"}}`, `{"agent":{"base_url":"https://<secret-omitted>@h"}}`, "/agent/base_url masked"},
		{"no user", `{"agent":{"base_url":"https://h/x@y"}}`, `{"agent":{"base_url":"https://h/x@y"}}`, ""},
		{"no text", `{"agent":{"base_url":1}}`, `{"agent":{"base_url":1}}`, ""},
	}
	r := redactor{secrets: &openHands(t).Secrets}
	for _, tt := range tests {
		got, list := r.redact(entry.InSnapshot, scanDoc(t, tt.doc))
		if d := cmp.Diff([]string{tt.want, tt.list}, []string{string(got), cuts(list)}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestRedactStable cuts every fixture-like document twice: nothing is left for the second time, and the rest parses.
func TestRedactStable(t *testing.T) {
	r := redactor{secrets: &openHands(t).Secrets}
	for _, doc := range []string{
		`{"agent":{"api_key":"x","llm":{"api_key":"y","base_url":"http://a@b"}},"secret_registry":{"secret_sources":{"A":{"value":"v"}}}}`,
		` { "agent" : { "a" : [ { "api_key" : 1 } ] , "acp_env" : { } } , "secrets_manager" : 7 } `,
		`{"secret_registry":1,"secret_registry":2,"secrets_manager":3,"agent":{"api_key":1,"api_key":2}}`,
	} {
		once, list := r.redact(entry.InSnapshot, scanDoc(t, doc))
		if list == nil {
			t.Errorf("%s: got nothing to cut", doc)
		}
		twice, again := r.redact(entry.InSnapshot, scanDoc(t, string(once)))
		if again != nil || string(twice) != string(once) {
			t.Errorf("%s: got %s and then %s, %v", doc, once, twice, again)
		}
	}
}

func TestRedactItems(t *testing.T) {
	log := func(inner string) string { return `{"kind":"LLMCompletionLogEvent","log_data":` + inner + `}` }
	tests := []struct{ name, doc, want, list string }{
		{
			"agent update", `{"kind":"ConversationStateUpdateEvent","key":"agent","value":{"api_key":"x","a":1}}`,
			`{"kind":"ConversationStateUpdateEvent","key":"agent","value":{"a":1}}`, "/value/api_key secret",
		},
		{
			"another update", `{"kind":"ConversationStateUpdateEvent","key":"other","value":{"api_key":"x"}}`,
			`{"kind":"ConversationStateUpdateEvent","key":"other","value":{"api_key":"x"}}`, "",
		},
		{
			"whole state", `{"kind":"ConversationStateUpdateEvent","key":"full_state","value":{"secret_registry":{},"agent":{"llm":{"api_key":"x"}}}}`,
			`{"kind":"ConversationStateUpdateEvent","key":"full_state","value":{"agent":{"llm":{}}}}`, "/value/secret_registry empty, /value/agent/llm/api_key secret",
		},
		{
			"log", log(`"{\"a\":1,\"api_key\":\"open\",\"b\":[{\"aws_session_token\":\"to\\u006ben\"}]}"`),
			log(`"{\"a\":1,\"api_key\":\"<secret-omitted>\",\"b\":[{\"aws_session_token\":\"<secret-omitted>\"}]}"`), "/log_data secret",
		},
		{"log behind wide characters", log(`"{\"ß\":\"\u00e9\ud83d\ude00\ud83d\",\"api_key\":\"open\"}"`), log(`"{\"ß\":\"\u00e9\ud83d\ude00\ud83d\",\"api_key\":\"<secret-omitted>\"}"`), "/log_data secret"},
		{"log with an object", log(`"{\"extra_headers\":{\"A\":\"b\"},\"c\":1}"`), log(`"{\"extra_headers\":\"<secret-omitted>\",\"c\":1}"`), "/log_data secret"},
		{"log with a mask", log(`"{\"api_key\":\"<redacted>\"}"`), log(`"{\"api_key\":\"<redacted>\"}"`), ""},
		{"log that is no JSON", log(`"api_key=x"`), log(`"<secret-omitted>"`), "/log_data secret"},
		{"log that is no JSON and names nothing", log(`"key=x"`), log(`"key=x"`), ""},
		{"log that is no text", log(`{"api_key":"x"}`), log(`{"api_key":"x"}`), ""},
	}
	r := redactor{secrets: &openHands(t).Secrets}
	for _, tt := range tests {
		got, list := r.redact(entry.InTranscript, scanDoc(t, tt.doc))
		if d := cmp.Diff([]string{tt.want, tt.list}, []string{string(got), cuts(list)}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestUserPart(t *testing.T) {
	tests := []struct{ raw, want string }{
		{`"https://u:p@host/x"`, "u:p"},
		{`"https://u@host"`, "u"},
		{`"https://a@b@host"`, "a@b"},
		{`"https:\/\/u:p@host\/x"`, "u:p"},
		{`"https\u003a\u002F\/u\u003ap\u0040host\/x"`, `u\u003ap`},
		{`"\u0068ttps://\u00e9\"@host"`, `\u00e9\"`},
		{`"https://host\u003fq=a@b"`, ""},
		{`"https://host/x@y"`, ""},
		{`"https://host?q=a@b"`, ""},
		{`"https://host#a@b"`, ""},
		{`"https://@host"`, ""},
		{`"u@host"`, ""},
		{`""`, ""},
		{`"https://"`, ""},
	}
	for _, tt := range tests {
		start, end := userPart([]byte(tt.raw))
		got := ""
		if end > start {
			got = tt.raw[start:end]
		}
		if got != tt.want {
			t.Errorf("userPart(%s) = %q, want %q", tt.raw, got, tt.want)
		}
	}
}

func TestSpelledAt(t *testing.T) {
	tests := []struct {
		raw  string // between the quotes of the outer string
		path string
		want string // the raw spelling of the inner value
	}{
		{`{\"a\":\"b\"}`, "/a", `\"b\"`},
		{`{\"a\":1,\"b\":22}`, "/b", `22`},
		{`{\"\u00e9\":\"\\u00e9\",\"b\":[3]}`, "/b", `[3]`},
		{`{\"\ud83d\ude00\":1,\"b\":\"\ud83d\ude00\"}`, "/b", `\"\ud83d\ude00\"`},
		{`\n {\t\"b\" : true}`, "/b", `true`},
		{`{\"x\":\"\\\\\",\"b\":null}`, "/b", `null`},
	}
	for _, tt := range tests {
		outer := scanDoc(t, `"`+tt.raw+`"`)
		inner := scanDoc(t, outer.Text(0))
		at := spelledAt([]byte(tt.raw), inner, []int{inner.At(tt.path)})
		if got := tt.raw[at[0][0]:at[0][1]]; got != tt.want {
			t.Errorf("spelledAt(%s, %s) = %s, want %s", tt.raw, tt.path, got, tt.want)
		}
	}
}

// TestRetainedNowhere holds that a registry of secrets goes wherever it stands, whatever document it is in.
func TestRetainedNowhere(t *testing.T) {
	const inner = `{"x":[{"secret_registry":{"secret_sources":{"A":{"value":"FAKE-OPEN"}}},"y":1}],"secrets\u005fmanager":null}`
	const left = `{"x":[{"y":1}]}`
	m := convertMade(t, loadRegistry(t), nil, conv(t, state(`"deep":`+inner),
		[]event{user("a").with(`"deep":` + inner), ev("NewEvent", "n", `"deep":`+inner), user("b")},
		file{"observations/o.png", inner}, file{"TASKS.json", "[" + inner + "]"}, file{"meta.json", `{"deep":` + inner + `}`},
		file{"events/.event-00003-x.json.tmp", `{"deep":` + inner + `}`}))
	text := allText(t, m)
	for _, name := range []string{"FAKE-OPEN", `"secret_registry":`, `secrets\u005fmanager`, `"secrets_manager":`} {
		if strings.Contains(text, name) {
			t.Errorf("got %s in the bundle, want it nowhere", name)
		}
	}
	records := byID(t, m.only(t))
	for _, id := range []string{"a", "n", "file:TASKS.json", "file:meta.json", "file:observations/o.png", "state"} {
		r := records[id]
		kept := string(r.Native.Record)
		if r.Native.Blob != nil {
			kept = m.blob(r.Native.Blob.SHA256)
		}
		if r.Native.Meta != "" {
			kept = string(r.Meta[r.Native.Meta])
		}
		if len(r.Native.Redacted) != 2 || !r.lost("secret-omitted") || !strings.Contains(kept, left) {
			t.Errorf("%s: got %s, redacted %v, losses %v", id, kept, r.Native.Redacted, r.Losses)
		}
	}
}

// TestRetainedNowhereInText cuts what looks like a registry of secrets out of bytes that are no JSON object.
func TestRetainedNowhereInText(t *testing.T) {
	tests := []struct{ name, raw, want, list string }{
		{"torn in the value", `{"a":1,"secret_registry":{"x":"FAKE`, `{"a":1,<secret-omitted>`, " secret"},
		{"torn behind it", `{"secret_registry":{"x":"}"},"b":[1`, `{<secret-omitted>,"b":[1`, " secret"},
		{"spaced", "{\"secret_registry\" :\n [1, 2] , \"b\"", `{<secret-omitted>, "b"`, " secret"},
		{"both names", `"secrets_manager":null,"secret_registry":"x"!`, `<secret-omitted>,<secret-omitted>!`, " secret"},
		{"one inside the other", `{"secret_registry":{"secrets_manager":{"a":1}},"b"`, `{<secret-omitted>,"b"`, " secret"},
		{"one torn inside the other", `{"secret_registry":{"secrets_manager":{"a":1`, `{<secret-omitted>`, " secret"},
		{"in words", `the "secret_registry" is a member`, `the "secret_registry" is a member`, ""},
		{"as a text", `{"a":"secret_registry`, `{"a":"secret_registry`, ""},
		{"in an array", `[{"secret_registry":{"x":"FAKE"},"b":1}]`, `[{"b":1}]`, "/0/secret_registry secret"},
		{"in an array, escaped", `[{"secret\u005fregistry":null}]`, `[{}]`, "/0/secret_registry empty"},
		{"in an array, and a learnt value", `[{"secrets_manager":{}},"tell FAKE-LEARNT"]`, `[{},"tell <secret-omitted>"]`, "/0/secrets_manager empty, /1 secret"},
		{"beside a learnt value", `FAKE-LEARNT {"secret_registry":7`, `<secret-omitted> {<secret-omitted>`, " secret"},
	}
	r := redactor{secrets: &openHands(t).Secrets}
	r.learnt.add("FAKE-LEARNT")
	for _, tt := range tests {
		got, list := r.redactText([]byte(tt.raw))
		if d := cmp.Diff([]string{tt.want, tt.list}, []string{string(got), cuts(list)}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestRedactTorn cuts what the entry names for items out of the beginning of one, wherever it ends.
func TestRedactTorn(t *testing.T) {
	const in = `{"key":"agent","value":{`
	tests := []struct{ name, raw, want, list string }{
		{"behind it", in + `"llm":{"api_key":"FAKE"},"kind":"A`, in + `"llm":{<secret-omitted>},"kind":"A`, " secret"},
		{"in the value", in + `"api_key":"FA`, in + `<secret-omitted>`, " secret"},
		{"in an escape", in + `"api_key":"FA\u00`, in + `<secret-omitted>`, " secret"},
		{"in a rune", in + `"api_key":"FA` + "\xc3", in + `<secret-omitted>`, " secret"},
		{"in a number", in + `"extra_headers":{"a":1`, in + `<secret-omitted>`, " secret"},
		{"in a list", in + `"mcp_config":{"n":{"args":["-t","FAKE",`, in + `"mcp_config":{"n":{<secret-omitted>`, " secret"},
		{"in a word", in + `"api_key":"FAKE","a":tr`, in + `<secret-omitted>,"a":tr`, " secret"},
		{"in a name", in + `"api_key":"FAKE","a`, in + `<secret-omitted>,"a`, " secret"},
		{"behind a name", in + `"api_key":"FAKE","a"`, in + `<secret-omitted>,"a"`, " secret"},
		{"behind a colon", in + `"api_key":"FAKE","a":`, in + `<secret-omitted>,"a":`, " secret"},
		{"behind a comma", in + `"api_key":"FAKE",`, in + `<secret-omitted>,`, " secret"},
		{"bytes that are no UTF-8", in + `"a":"` + "\xff" + `","api_key":"FAKE"}}`, in + `"a":"` + "\xff" + `",<secret-omitted>}}`, " secret"},
		{"a bad escape", in + `"api_key":"FA\x","b":1}`, in + `<secret-omitted>,"b":1}`, " secret"},
		{"a bad escape in hex", in + `"api_key":"FA\u00x","b":1}`, in + `<secret-omitted>,"b":1}`, " secret"},
		{"a line feed in a string", in + `"api_key":"FA` + "\n" + `KE","b":1}`, in + `<secret-omitted>,"b":1}`, " secret"},
		{"filled up", in + `"api_key":"FAKE"` + "\x00\x00", in + "<secret-omitted>\x00\x00", " secret"},
		{"bytes behind the value", in + `"api_key":"FAKE"}}}`, in + `<secret-omitted>}}}`, " secret"},
		{"masked", in + `"api_key":"**********","a`, in + `"api_key":"**********","a`, ""},
		{"the user of an address", in + `"base_url":"https://FAKE@h/","a`, in + `"base_url":"https://<secret-omitted>@h/","a`, " secret"},
		{"elsewhere", `{"api_key":"x","a`, `{"api_key":"x","a`, ""},
		{"no JSON", `api_key: "x"`, `api_key: "x"`, ""},
		{"nothing", ``, ``, ""},
	}
	r := redactor{secrets: &openHands(t).Secrets}
	for _, tt := range tests {
		got, list, _ := r.redactTorn([]byte(tt.raw))
		if d := cmp.Diff([]string{tt.want, tt.list}, []string{string(got), cuts(list)}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
	whole := in + `"llm":{"api_key":"FAKE-1","a":[1,true,"\u00e9\\"]},"mcp_config":{"n":{"args":["FAKE-2"]}}},"kind":"A"}`
	for n := range whole {
		if got, _, _ := r.redactTorn([]byte(whole[:n])); strings.Contains(string(got), "FAKE") {
			t.Errorf("got %s", got)
		}
	}
}

// What is spelled like members behind a break is found in one pass, however it nests and whether it ends.
func TestBrokenSpans(t *testing.T) {
	r := redactor{secrets: &openHands(t).Secrets}
	const n = 200_000
	for name, raw := range map[string]string{
		"nested objects": strings.Repeat(`{"url":`, n), "nested arrays": strings.Repeat(`"env":[`, n), "in strings": strings.Repeat(`\"api_key\":`, n),
		"names alone": strings.Repeat(`"api_key"`, n), "colons": strings.Repeat(`"api_key":`, n), "addresses": strings.Repeat(`"base_url":"https://`, n),
		"values of nothing": strings.Repeat(`"api_key":null,`, n), "escapes": `"api_key":"` + strings.Repeat(`\\\"`, n),
	} {
		t.Run(name, func(t *testing.T) {
			kept, _, _ := r.redactTorn([]byte("x" + raw))
			if got := strings.HasPrefix(string(kept), "x"); !got {
				t.Errorf("got %.40q, want what stands before kept", kept)
			}
		})
	}
	for _, tt := range []struct{ in, want string }{
		{`}"api_key":"s","a":1`, `}<secret-omitted>,"a":1`},
		{`} "api_key" : {"a":"s"} ,"a":1`, `} <secret-omitted> ,"a":1`},
		{`}"api_key":"s`, `}<secret-omitted>`},
		{`}"api_key":"**********","a":null`, `}"api_key":"**********","a":null`},
		{`}"api_key":null`, `}"api_key":null`},
		{`}"my_api_key":"s"`, `}"my_api_key":"s"`},
		{`}"api_key","s"`, `}"api_key","s"`},
		{`}"log":"{\"api_key\":\"s\\\"t\",\"a\":1}"`, `}"log":"{<secret-omitted>,\"a\":1}"`},
		{`}"log":"{\"env\":{\"A\":\"s\"},\"a\":1}","b":2`, `}"log":"{<secret-omitted>","b":2`},
		{`}"log":"{\"api_key\":\"**********\"}"`, `}"log":"{\"api_key\":\"**********\"}"`},
		{`}"base_url":"https://u:s@h/p?q"`, `}"base_url":"https://<secret-omitted>@h/p?q"`},
		{`}"base_url":"https://h/p"`, `}"base_url":"https://h/p"`},
		{`}"base_url":"https://u:s`, `}"base_url":"https://<secret-omitted>`},
	} {
		if kept, _, _ := r.redactTorn([]byte(tt.in)); string(kept) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, kept, tt.want)
		}
	}
}
