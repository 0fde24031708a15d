package registry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
)

// Each row is one OpenHands event as its writer spells it, and its records.
func TestShippedKinds(t *testing.T) {
	const (
		head  = `"id":"e","timestamp":"2026-10-27T10:00:00.000001","parent_id":"p",`
		agent = head + `"source":"agent",`
		env   = head + `"source":"environment",`
		user  = head + `"source":"user",`
		call  = agent + `"tool_name":"terminal","tool_call_id":"c1",`
	)
	child := entry.SessionFacts{Child: true}
	later := entry.SessionFacts{Later: true}
	none := entry.SessionFacts{}
	tests := []struct {
		name  string
		want  []string
		doc   string
		facts entry.SessionFacts
	}{
		{
			"SystemPromptEvent",
			[]string{`instructions i content=[{"type":"text","text":"You are"}] dynamicContent=[{"type":"text","text":"Repo"}] ` +
				`tools=[{"name":"terminal","description":"Runs"},{"name":"search"},{"name":"ask"},{"name":"think","description":"Thinks"}]`},
			`{` + agent + `"kind":"SystemPromptEvent","system_prompt":{"type":"text","text":"You are","cache_prompt":false},"dynamic_context":{"type":"text","text":"Repo"},
				"tools":[{"type":"function","function":{"name":"terminal","description":"Runs"}},{"kind":"MCPToolDefinition","mcp_tool":{"name":"search"},"title":"Search"},
				{"client_tool_name":"ask","title":"Ask"},{"title":"think","description":"Thinks"},{"kind":"NamelessTool"}]}`, none,
		},
		{
			"MessageEvent of the user",
			[]string{`message i role="user" origin="user" content=[{"type":"text","text":"Hello"}] extendedContent=[{"type":"text","text":"skill"}] sender="s"`},
			`{` + user + `"kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"Hello"}],"thinking_blocks":[]},
				"extended_content":[{"type":"text","text":"skill"}],"sender":"s","activated_skills":["x"],"critic_result":null}`, none,
		},
		{
			"MessageEvent of the agent",
			[]string{`message i role="assistant" origin="agent" content=[{"type":"text","text":"Done"}] extendedContent=[]`},
			`{` + agent + `"kind":"MessageEvent","llm_message":{"role":"assistant","content":[{"type":"text","text":"Done"}],"reasoning_content":null},"llm_response_id":"r","extended_content":[]}`, none,
		},
		{
			"MessageEvent with reasoning",
			[]string{
				`reasoning i#reasoning content=[{"type":"text","text":"Hm","signature":"S"},{"type":"text","redacted":"R"}] encrypted="E"`,
				`message i role="assistant" origin="agent" content=[]`,
			},
			`{` + agent + `"kind":"MessageEvent","llm_message":{"role":"assistant","content":[],"reasoning_content":"Hm",
				"thinking_blocks":[{"type":"thinking","thinking":"Hm","signature":"S"},{"type":"redacted_thinking","data":"R"}],
				"responses_reasoning_item":{"summary":["s"],"encrypted_content":"E"}}}`, none,
		},
		{
			"MessageEvent with a reasoning item",
			[]string{
				`reasoning i#reasoning content=[{"type":"text","text":"one"},{"type":"text","text":"two"}]`,
				`message i role="assistant" origin="agent" content=[]`,
			},
			`{` + agent + `"kind":"MessageEvent","llm_message":{"role":"assistant","content":[],"responses_reasoning_item":{"summary":["one","two"],"encrypted_content":null}}}`, none,
		},
		{
			"MessageEvent that nudges",
			[]string{`message i role="user" origin="environment" content=[{"type":"text","text":"Your last response did not include a function call or a message."}]`},
			`{` + user + `"kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"Your last response did not include a function call or a message."}]}}`, none,
		},
		{
			"MessageEvent of a parent",
			[]string{`message i role="user" origin="agent" content=[{"type":"text","text":"Your last response did not include a function call"}]`},
			`{` + user + `"kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"Your last response did not include a function call"}]}}`, child,
		},
		{
			"MessageEvent of an unknown source and role",
			[]string{`message i role="unknown" origin="unknown" content=[{"type":"other","pointer":"/llm_message/content/0"}]`},
			`{` + head + `"source":"critic","kind":"MessageEvent","llm_message":{"role":"developer","content":[{"type":"audio","data":"x"}]}}`, none,
		},
		{
			"MessageEvent with an image",
			[]string{`message i role="user" origin="user" content=[{"type":"text","text":"See"},{"type":"image","url":"https://h/i.png"}]`},
			`{` + user + `"kind":"MessageEvent","llm_message":{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","image_urls":["https://h/i.png"]}]}}`, none,
		},
		{
			"ActionEvent",
			[]string{
				`reasoning i#reasoning content=[{"type":"text","text":"Hm"}]`,
				`message i#thought role="assistant" origin="agent" content=[{"type":"text","text":"I list"}]`,
				`tool_call i callId="c1" name="terminal" arguments="{\"command\":\"ls\"}" title="List" risk="LOW"`,
			},
			`{` + call + `"kind":"ActionEvent","thought":[{"type":"text","text":"I list"}],"reasoning_content":"Hm","thinking_blocks":[],"responses_reasoning_item":null,
				"action":{"kind":"TerminalAction","command":"ls"},"tool_call":{"id":"c1","name":"terminal","arguments":"{\"command\":\"ls\"}","origin":"completion"},
				"llm_response_id":"r","security_risk":"LOW","summary":"List","critic_result":null}`, none,
		},
		{
			"ActionEvent that cannot run",
			[]string{`tool_call i callId="c1" name="nope" arguments="{\"a\": " executable=false`},
			`{` + agent + `"tool_name":"nope","tool_call_id":"c1","kind":"ActionEvent","thought":[],"tool_call":{"arguments":"{\"a\": "},"security_risk":"UNKNOWN"}`, none,
		},
		{
			"ActionEvent before 1.0.0",
			[]string{`tool_call i callId="c1" name="terminal" arguments="{}"`},
			`{` + call + `"kind":"ActionEvent","thought":[],"action":{"kind":"ExecuteBashAction"},"tool_call":{"index":1,"type":"function","id":"c1","function":{"name":"terminal","arguments":"{}"}}}`, none,
		},
		{
			"ActionEvent of an unknown action",
			[]string{`tool_call i callId="c1" name="terminal" risk="WEIRD"`},
			`{` + call + `"kind":"ActionEvent","action":{"kind":"CanvasAction","x":[1]},"tool_call":{},"security_risk":"WEIRD"}`, none,
		},
		{
			"Condensation",
			[]string{`compaction i phase="applied" offset=2`},
			`{` + env + `"kind":"Condensation","forgotten_event_ids":["a","b"],"summary":"S","summary_offset":2,"llm_response_id":"r"}`, none,
		},
		{
			"Condensation without offset",
			[]string{`compaction i phase="applied"`},
			`{` + env + `"kind":"Condensation","forgotten_event_ids":[],"summary":null,"summary_offset":null}`, none,
		},
		{"CondensationRequest", []string{`compaction i phase="requested"`}, `{` + env + `"kind":"CondensationRequest"}`, none},
		{
			"CondensationSummaryEvent",
			[]string{`message i role="user" origin="summary" content=[{"type":"text","text":"S"}]`},
			`{` + env + `"kind":"CondensationSummaryEvent","summary":"S"}`, none,
		},
		{
			"UserRejectObservation",
			[]string{
				`tool_result i name="terminal" status="rejected" content=[{"type":"text","text":"no"}] rendering="not-persisted" -model-rendering`,
				`decision i#decision decision="rejected" by="user" reason="no" call="call-a"`,
			},
			`{` + call + `"kind":"UserRejectObservation","action_id":"a","rejection_reason":"no","rejection_source":"user"}`, none,
		},
		{
			"UserRejectObservation of a hook",
			[]string{
				`tool_result i name="terminal" status="rejected" content=[{"type":"text","text":"no"}] rendering="not-persisted" -model-rendering`,
				`decision i#decision decision="rejected" by="hook" reason="no"`,
			},
			`{` + call + `"kind":"UserRejectObservation","action_id":"nowhere","rejection_reason":"no","rejection_source":"hook"}`, none,
		},
		{
			"UserRejectObservation without a source",
			[]string{
				`tool_result i name="terminal" status="rejected" content=[{"type":"text","text":"no"}] rendering="not-persisted" -model-rendering`,
				`decision i#decision decision="rejected" by="user" reason="no" call="call-a"`,
			},
			`{` + call + `"kind":"UserRejectObservation","action_id":"a","rejection_reason":"no"}`, none,
		},
		{
			"UserRejectObservation that a message made",
			[]string{
				`tool_result i name="terminal" status="rejected" content=[{"type":"text","text":"Superseded by a new user message"}] rendering="not-persisted" -model-rendering`,
				`decision i#decision decision="superseded" by="unknown" reason="Superseded by a new user message" call="call-a"`,
			},
			`{` + call + `"kind":"UserRejectObservation","action_id":"a","rejection_reason":"Superseded by a new user message","rejection_source":"user"}`, none,
		},
		{
			"AgentErrorEvent",
			[]string{`tool_result i name="terminal" status="error" content=[{"type":"text","text":"Unknown tool"}] rendering="persisted"`},
			`{` + call + `"kind":"AgentErrorEvent","error":"Unknown tool","classification":{"retryable":false}}`, none,
		},
		{
			"HookExecutionEvent",
			[]string{`hook i event="PreToolUse" command="./guard" success=false blocked=true exitCode=2 output="no" call="call-a"`},
			`{` + env + `"kind":"HookExecutionEvent","hook_event_type":"PreToolUse","hook_command":"./guard","success":false,"blocked":true,"exit_code":2,"stdout":"","stderr":"no",
				"reason":"r","tool_name":"terminal","action_id":"a","message_id":null,"error":null,"additional_context":null,"hook_input":{}}`, none,
		},
		{
			"HookExecutionEvent about a message",
			[]string{`hook i event="UserPromptSubmit" success=true blocked=false exitCode=0 output="ok" message="message-m"`},
			`{` + env + `"kind":"HookExecutionEvent","hook_event_type":"UserPromptSubmit","success":true,"blocked":false,"exit_code":0,"stdout":"ok","stderr":"","message_id":"m"}`, none,
		},
		{
			"HookExecutionEvent of an unknown type",
			[]string{`vendor i name="HookExecutionEvent"`},
			`{` + env + `"kind":"HookExecutionEvent","hook_event_type":"OnFullMoon"}`, none,
		},
		{
			"SecurityAnalysisEvent",
			[]string{`assessment i analyzer="LLMSecurityAnalyzer" policy="ConfirmRisky" risks=[{"call":"call-a","risk":"HIGH"},{"nativeCallId":"nowhere","risk":"LOW"}]`},
			`{` + env + `"kind":"SecurityAnalysisEvent","analyzer":"LLMSecurityAnalyzer","policy":"ConfirmRisky","risks":{"a":"HIGH","nowhere":"LOW"},"details":{}}`, none,
		},
		{"PauseEvent", []string{`lifecycle i event="paused"`}, `{` + user + `"kind":"PauseEvent"}`, none},
		{"InterruptEvent", []string{`lifecycle i event="interrupted"`}, `{` + user + `"kind":"InterruptEvent"}`, none},
		{
			"ConversationStateUpdateEvent",
			[]string{`state_change i key="execution_status" value="running"`},
			`{` + env + `"kind":"ConversationStateUpdateEvent","key":"execution_status","value":"running"}`, none,
		},
		{
			"ConversationStateUpdateEvent of a whole state",
			[]string{`state_change i key="full_state" valuePointer="/value"`},
			`{` + env + `"kind":"ConversationStateUpdateEvent","key":"full_state","value":{"agent":{}}}`, none,
		},
		{
			"ConversationErrorEvent",
			[]string{`error i code="LLMError" detail="rate limit" retryable=true`},
			`{` + env + `"kind":"ConversationErrorEvent","code":"LLMError","detail":"rate limit","classification":{"retryable":true}}`, none,
		},
		{"ServerErrorEvent", []string{`error i code="500" detail="x"`}, `{` + env + `"kind":"ServerErrorEvent","code":"500","detail":"x"}`, none},
		{
			"ACPToolCallEvent that begins",
			[]string{`tool_call i callId="c1" name="execute" arguments="{ \"command\" : \"ls\" }" title="Run ls"`},
			`{` + agent + `"kind":"ACPToolCallEvent","tool_call_id":"c1","title":"Run ls","tool_kind":"execute","status":"pending","raw_input":{ "command" : "ls" }}`, none,
		},
		{
			"ACPToolCallEvent that is done at once",
			[]string{
				`tool_call i callId="c1" name="Run ls" title="Run ls"`,
				`tool_result i#result status="ok" rendering="not-persisted" -model-rendering`,
			},
			`{` + agent + `"kind":"ACPToolCallEvent","tool_call_id":"c1","title":"Run ls","status":"completed","raw_input":null,"raw_output":"x"}`, none,
		},
		{
			"ACPToolCallEvent that fails later",
			[]string{`tool_result i status="error" rendering="not-persisted" -model-rendering`},
			`{` + agent + `"kind":"ACPToolCallEvent","tool_call_id":"c1","title":"Run ls","status":"failed","raw_output":"x"}`, later,
		},
		{
			"ACPToolCallEvent in between",
			[]string{`vendor i name="ACPToolCallEvent"`},
			`{` + agent + `"kind":"ACPToolCallEvent","tool_call_id":"c1","title":"Run ls","status":"in_progress"}`, later,
		},
		{"LLMCompletionLogEvent", []string{`vendor i name="LLMCompletionLogEvent"`}, `{` + env + `"kind":"LLMCompletionLogEvent","filename":"f","log_data":"{}"}`, none},
		{"TokenEvent", []string{`vendor i name="TokenEvent"`}, `{` + agent + `"kind":"TokenEvent","prompt_token_ids":[1]}`, none},
		{"StreamingDeltaEvent", []string{`vendor i name="StreamingDeltaEvent"`}, `{` + agent + `"kind":"StreamingDeltaEvent"}`, none},
		{"a kind that nobody knows", []string{`vendor i name="SystemPromptUpdateEvent"`}, `{` + agent + `"kind":"SystemPromptUpdateEvent","new":{}}`, none},
		{"no kind", []string{`vendor i name=""`}, `{` + agent + `"action":"run"}`, none},
	}
	m := shipped(t)
	refs := known{"a": "call-a", "m": "message-m"}
	set := schemaSet(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := mapped(t, m, tt.doc, tt.facts, refs)
			if d := cmp.Diff(tt.want, lines(out)); d != "" {
				t.Errorf("records (-want +got):\n%s", d)
			}
			if len(out.Unmapped) > 0 || len(out.Notices) > 0 || out.Ambiguous {
				t.Errorf("got unmapped %q, notices %v, ambiguous %v, want none", out.Unmapped, out.Notices, out.Ambiguous)
			}
			sound(t, set, tt.name, out)
		})
	}
}

// Each row is one observation, and its status, content and rendering.
func TestShippedObservations(t *testing.T) {
	long := strings.Repeat("x", 50_001)
	const hello = `[{"type":"text","text":"hello"}]`
	tests := []struct{ status, content, rendering, observation string }{
		{"ok", hello, "persisted", `{"kind":"FileEditorObservation","content":[{"type":"text","text":"hello"}],"is_error":false}`},
		{"error", hello, "not-persisted", `{"kind":"FileEditorObservation","content":[{"type":"text","text":"hello"}],"is_error":true}`},
		{"ok", hello, "not-persisted", `{"kind":"TerminalObservation","content":[{"type":"text","text":"hello"}],"is_error":false,"exit_code":1}`},
		{"ok", hello, "not-persisted", `{"kind":"ExecuteBashObservation","output":"hello","error":false,"metadata":{"exit_code":2}}`},
		{"ok", hello, "not-persisted", `{"kind":"TaskObservation","content":"hello","is_error":false}`},
		{"ok", hello, "not-persisted", `{"kind":"BrowserObservation","content":"hello","is_error":false}`},
		{"error", hello, "not-persisted", `{"kind":"StrReplaceEditorObservation","output":"hello","error":true}`},
		{"error", hello, "not-persisted", `{"kind":"StrReplaceEditorObservation","output":"hello","error":"no such file"}`},
		{"ok", hello, "persisted", `{"kind":"StrReplaceEditorObservation","output":"hello","error":""}`},
		{"unknown", hello, "persisted", `{"kind":"StrReplaceEditorObservation","output":"hello","error":null}`},
		{"unknown", hello, "persisted", `{"kind":"FinishObservation","message":"hello"}`},
		{"unknown", hello, "persisted", `{"kind":"MCPToolObservation","content":[],"output":"","message":"hello"}`},
		{"unknown", `[]`, "persisted", `{"kind":"ThinkObservation","content":[]}`},
		{"unknown", `[{"type":"text","text":""}]`, "persisted", `{"kind":"ThinkObservation","content":""}`},
		{"unknown", ``, "persisted", `{"kind":"CanvasUIObservation","shape":{"x":1}}`},
		{"unknown", `[{"type":"other","pointer":"/observation/content/0"}]`, "persisted", `{"kind":"CanvasUIObservation","content":[{"type":"svg"}]}`},
		{"unknown", `[{"type":"text","text":"` + long + `"}]`, "not-persisted", `{"kind":"GlobObservation","content":"` + long + `"}`},
		{"unknown", `[{"type":"text","text":"` + long + `"}]`, "not-persisted", `{"kind":"GlobObservation","content":[{"type":"text","text":"` + long + `"}]}`},
		{"unknown", `[{"type":"text","text":"` + long + `"}]`, "not-persisted", `{"kind":"GlobObservation","output":"` + long + `"}`},
		{"unknown", `[{"type":"text","text":"` + long[1:] + `"}]`, "persisted", `{"kind":"GlobObservation","content":"` + long[1:] + `"}`},
		{"unknown", ``, "persisted", `"no object"`},
	}
	m := shipped(t)
	for _, tt := range tests {
		t.Run(tt.observation[:min(len(tt.observation), 80)], func(t *testing.T) {
			out := mapped(t, m, `{"id":"e","kind":"ObservationEvent","source":"environment","tool_name":"t","tool_call_id":"c","action_id":"a","observation":`+tt.observation+`}`, entry.SessionFacts{}, nil)
			want := `tool_result i name="t" status="` + tt.status + `"`
			if tt.content != "" {
				want += " content=" + tt.content
			}
			want += ` rendering="` + tt.rendering + `"`
			if tt.rendering == "not-persisted" {
				want += " -model-rendering"
			}
			if d := cmp.Diff([]string{want}, lines(out)); d != "" {
				t.Errorf("records (-want +got):\n%s", d)
			}
		})
	}
}

func TestShippedChildLink(t *testing.T) {
	tests := []struct {
		want        []string
		observation string
	}{
		{
			[]string{`session_link i#child rel="child" target={"agent":"dev.all-hands.openhands","sessionId":"0f9e"} call="call-a"`},
			`{"kind":"StartChildConversationObservation","content":[],"conversation_id":"0f9e"}`,
		},
		{nil, `{"kind":"StartChildConversationObservation","content":[],"conversation_id":null}`},
		{nil, `{"kind":"TaskObservation","conversation_id":"0f9e"}`},
	}
	m := shipped(t)
	for _, tt := range tests {
		got := lines(mapped(t, m, `{"kind":"ObservationEvent","action_id":"a","tool_call_id":"c","observation":`+tt.observation+`}`, entry.SessionFacts{}, known{"a": "call-a"}))
		var links []string
		for _, l := range got {
			if strings.HasPrefix(l, "session_link") {
				links = append(links, l)
			}
		}
		if d := cmp.Diff(tt.want, links); d != "" || len(got) != len(links)+1 {
			t.Errorf("%s: %d records, links (-want +got):\n%s", tt.observation, len(got), d)
		}
	}
}

func TestShippedInfo(t *testing.T) {
	m := shipped(t)
	tests := []struct {
		want []string // title, workspace, status, models
		doc  string
	}{
		{
			[]string{`"Fix it"`, `"/repo"`, `"finished"`, `["m1","m2"]`},
			`{"tags":{"title":"Fix it"},"workspace":{"kind":"LocalWorkspace","working_dir":"/repo"},"execution_status":"finished","agent":{"llm":{"model":"m1"},"condenser":{"llm":{"model":"m2"}}}}`,
		},
		{[]string{"", "", `"idle"`, `["m1"]`}, `{"agent_status":"idle","agent":{"llm":{"model":"m1"},"condenser":{"llm":{"model":"m1"}}}}`},
		{[]string{"", "", "", ""}, `{"agent":{"kind":"ACPAgent"}}`},
	}
	for _, tt := range tests {
		i := m.Info(scan(t, tt.doc))
		got := []string{string(i.Title), string(i.Workspace), string(i.ExecutionStatus), string(i.RequestedModels)}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: info (-want +got):\n%s", tt.doc, d)
		}
	}
}
