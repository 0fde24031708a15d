package registry

import (
	"testing"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/schemas"
)

// FuzzMap holds that any JSON value maps to exactly one primary record, and that all its records are sound by their schemas.
func FuzzMap(f *testing.F) {
	for _, doc := range typical() {
		f.Add([]byte(doc), false, false)
	}
	f.Add([]byte(`{"kind":"ACPToolCallEvent","tool_call_id":"c","status":"failed","title":"t","raw_input":{"a":1e400}}`), true, false)
	f.Add([]byte(`{"kind":"MessageEvent","source":"user","llm_message":{"role":"user","content":[{"type":"image","image_urls":["data:image/png;base64,AAAA",""]},7]}}`), false, true)
	f.Add([]byte(`{"kind":"SecurityAnalysisEvent","risks":{"\ud800":"HIGH","a":null,"a":"LOW"},"analyzer":"","policy":5}`), false, false)
	f.Add([]byte(`{"kind":"ConversationStateUpdateEvent","key":"","value":12345678901234567890}`), false, false)
	f.Add([]byte(`{"kind":"SystemPromptEvent","system_prompt":["a"],"tools":{"x":{"title":""},"y":{"function":{"name":"n","description":""}}}}`), false, false)
	f.Add([]byte(`{"kind":"HookExecutionEvent","hook_event_type":"Stop","exit_code":-0,"success":1,"stdout":[],"action_id":"\ud800"}`), false, false)
	f.Add([]byte(`[null,NaN]`), false, false)
	m := shipped(f)
	set, err := schemas.Compile()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte, later, child bool) {
		d, err := jsonscan.Scan(raw, nil, jsonscan.Options{NonFinite: true, MaxDepth: 500})
		if err != nil {
			return
		}
		facts := entry.SessionFacts{Later: later, Child: child}
		out := &Out{}
		m.Map(&Item{Doc: &d, ID: "i", Projection: m.Match(&d, facts), Facts: facts, Refs: known{"a": "call-a", "m": "message-m", "?": "?"}}, out)
		sound(t, set, string(raw), out)
		for _, n := range out.Notices {
			if d.At(n.Pointer) < 0 {
				t.Errorf("%s: got a notice at %q, where nothing is", raw, n.Pointer)
			}
		}
	})
}
