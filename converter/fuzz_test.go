package converter

import (
	"path/filepath"
	"testing"

	"github.com/session-trace/ctx/internal/laws"
)

// FuzzConvert takes any bytes for the second of three events and for the state: the conversion must not fail, every byte
// must be kept or declared, and a second run must give the same bundle.
func FuzzConvert(f *testing.F) {
	base := state(`"leaf_event_id":"b"`, stats("usage_to_metrics", account{name: "agent", rows: []string{tokens("r", 5)}}),
		`"secret_registry":{"secret_sources":{"A":{"value":"FAKE-SECRET"}}}`)
	for _, raw := range []string{
		"", "{}", "[", "\x00", "\uFEFF{}", "{\"a\":\"\xff\"}", `{"a":1,"a":NaN}`, `{"a":"\ud83d"}`, nested(1001),
		user("x").text(1) + "\r\n", action("x", "k", "r").text(1), observed("x", "a", "k").parent("x").text(1), agentError("x", "k").text(1),
		condense("x", []string{"a", "x", "zz", "x-summary"}, `"summary":"s"`, `"summary_offset":3`).text(1), hook("x").text(1),
		user("a").with(`"text":"FAKE\u002dSECRET"`).text(1), ev("LLMCompletionLogEvent", "x", `"log_data":"{\"api_key\":\"FAKE-KEY\"}"`).text(1),
		ev("SecurityAnalysisEvent", "x", `"risks":{"a":"HIGH"}`).text(1), ev("ACPToolCallEvent", "x", `"tool_call_id":"k","status":"failed"`).text(1),
		update("x").with(`"key":"full_state","value":{"secret_registry":{"a":"b"}}`).text(1),
	} {
		f.Add([]byte(raw), []byte(base))
		f.Add([]byte(action("x", "k", "r").text(1)), []byte(raw))
	}
	f.Add([]byte("{}"), []byte(`{"id":"..","agent":{}}`))
	f.Add([]byte("{}"), []byte(`{"id":"a/b","agent":{"kind":"ACPAgent","api_key":{}},"stats":{"usage_to_metrics":{"a":[],"b":{"token_usages":[1,{"response_id":"r"}]}}}}`))
	reg := loadRegistry(f)
	f.Fuzz(func(t *testing.T, second, snapshot []byte) {
		root := conv(t, string(snapshot), []event{user("a"), user("x").bytes(string(second)), action("b", "k", "r")})
		if len(snapshot) == 0 {
			put(t, filepath.Join(root, "c1", "base_state.json"), "")
		}
		m := convertMade(t, reg, nil, root)
		checkWhole(t, root, m)
		if again := convertMade(t, reg, func(o *Options) { o.Jobs = 1 }, root); whole(t, again.out) != whole(t, m.out) {
			t.Errorf("a second run gave another bundle: %s", laws.Difference(whole(t, m.out), whole(t, again.out)))
		}
	})
}

// FuzzConvertLines takes any bytes between events of one file, marked or not: as above, every byte must be kept or declared.
func FuzzConvertLines(f *testing.F) {
	for _, raw := range []string{
		"", "\n", "{}\n", "{\"a\n", "\r\n \n", "\xff\n", "FAKE-SECRET", "--JSON Event--\n{\n--JSON Event--\n", "--JSON Event--\n{\"id\":\"a\"}", "\x00",
		"{\"secret_registry\":{\"a\":\"b\"}}\n", "{\"secret_registry\":",
	} {
		f.Add([]byte(raw), []byte("\n"))
		f.Add([]byte("\n"), []byte(raw))
	}
	reg := loadRegistry(f)
	f.Fuzz(func(t *testing.T, between, end []byte) {
		root, path := lined(t, "", nil, file{"base_state.json", state(`"secret_registry":{"secret_sources":{"A":{"value":"FAKE-SECRET"}}}`)})
		put(t, path, user("a").text(0)+"\n"+string(between)+user("b").text(1)+string(end))
		mark := "--JSON Event--\n"
		put(t, filepath.Join(root, "logs", "a.log"), mark+user("a").text(0)+"\n"+string(between)+mark+user("b").text(1)+string(end))
		put(t, filepath.Join(root, "logs", "a.json"), "["+user("a").text(0)+","+string(between)+user("b").text(1)+string(end)+"]")
		m := convertMade(t, reg, nil, root)
		checkWhole(t, root, m)
		if again := convertMade(t, reg, func(o *Options) { o.Jobs = 1 }, root); whole(t, again.out) != whole(t, m.out) {
			t.Errorf("a second run gave another bundle: %s", laws.Difference(whole(t, m.out), whole(t, again.out)))
		}
	})
}
