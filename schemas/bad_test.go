package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const closed = `got this value, want none here`

func unknown(name string) string { return `got member "` + name + `", want none by that name` }
func missing(name string) string { return `got no member "` + name + `", want it` }

func TestBadRecords(t *testing.T) {
	tests := []struct {
		want           string // of the only problem
		at             string // its pointer; "" the place of the edit, "-" the document
		record         string
		pointer, value string
	}{
		{`got "tool_cal", want "tool_call"`, "", "tool_call", "/type", `"tool_cal"`},
		{`got 0 characters, want at least 1`, "", "message", "/id", `""`},
		{`got number, want string`, "", "message", "/id", `7`},
		{`got null, want string`, "", "message", "/parent", `null`},
		{unknown("extra"), "", "message", "/extra", `1`},
		{unknown("native"), "", "inference", "/native", `{"record":{}}`},
		{unknown("parent"), "", "inference", "/parent", `"a"`},
		{unknown("context"), "", "vendor", "/context", `false`},
		{`got true, want false`, "", "message", "/context", `true`},
		{`got "head", want one of "transcript", "current-state"`, "", "message", "/position/family", `"head"`},
		{closed, "", "session_info", "/position/ordinal", `1`},
		{`got number, want integer`, "", "message", "/position/ordinal", `1.5`},
		{`got -1, want at least 0`, "", "message", "/position/ordinal", `-1`},
		{unknown("through"), "", "message", "/position/through", `4`},
		{missing("family"), "/position", "message", "/position", `{}`},
		{`got "yesterday", want ISO 8601 as the source spells it`, "", "message", "/time", `"yesterday"`},
		{`got a string of 27 bytes, want ISO 8601 as the source spells it`, "", "message", "/time", `"2026-10-27T09:15:00 +02:00 "`},
		{`got "2026-13-27T09:15:00", want ISO 8601 as the source spells it`, "", "message", "/time", `"2026-13-27T09:15:00"`},

		{`got 0 elements, want at least 1`, "", "message", "/losses", `[]`},
		{`got equal elements 0 and 1, want different ones`, "", "message", "/losses", `["lineage","lineage"]`},
		{`got "no-such", want a core loss code, or <agent name>/<code>`, "/losses/0", "message", "/losses", `["no-such"]`},
		{closed, "/losses/0", "message", "/losses", `["rs.ctx/odd"]`},
		{unknown("metrics"), "/_meta/metrics", "message", "/_meta", `{"metrics":1}`},
		{unknown("rs.ctx/other"), "/_meta/rs.ctx~1other", "message", "/_meta", `{"rs.ctx/other":1}`},
		{unknown("dev/x"), "/_meta/dev~1x", "message", "/_meta", `{"dev/x":1}`},
		{`got array, want object`, "", "message", "/_meta", `[]`},

		{closed, "/native/reason", "message", "/native", `{"record":{},"reason":"size"}`},
		{missing("reason"), "/native", "message", "/native", `{"blob":` + someBlob + `}`},
		{`got "empty", want one of "size", "depth", "whitespace", "duplicate-key", "surrogate", "non-finite", "unsafe-number"`, "/native/reason", "message", "/native", `{"blob":` + someBlob + `,"reason":"empty"}`},
		{`got array, want object`, "/native/record", "message", "/native", `{"record":[1e2000000]}`},
		{unknown("meta"), "/native/meta", "message", "/native", `{"record":{},"meta":"dev.example.agent/state"}`},
		{missing("meta"), "/native", "session_info", "/native", `{"redacted":[{"pointer":"/a","kind":"empty"}]}`},
		{unknown("record"), "/native/record", "session_info", "/native", `{"meta":"dev.example.agent/state","record":{}}`},
		{`got member "blob" without "reason", want both`, "/native", "session_info", "/native", `{"meta":"dev.example.agent/state","blob":` + someBlob + `}`},
		{`got "size", want one of "invalid-json", "not-utf8", "empty"`, "", "gap", "/native/reason", `"size"`},
		{closed, "/native", "gap", "/reason", `"unreadable"`},
		{missing("mediaType"), "/native/blob", "gap", "/native/blob/mediaType", ``},
		{`got "XYZ", want SHA-256 in lower-case hex`, "", "gap", "/native/blob/sha256", `"XYZ"`},
		{`got 9007199254740992, want at most 9007199254740991`, "", "gap", "/native/blob/bytes", `9007199254740992.0`},
		{`got "clear", want one of "secret", "masked", "empty"`, "", "message", "/native/redacted/0/kind", `"clear"`},
		{`got "a", want JSON pointer into the native value`, "", "message", "/native/redacted/0/pointer", `"a"`},
		{`got "/~2", want JSON pointer into the native value`, "", "message", "/native/redacted/0/pointer", `"/~2"`},

		{closed, "/title", "session_info", "/title", `"x"`},
		{`got "0", want id of the source in the manifest`, "", "session_info", "/source", `"0"`},
		{`got "+02:60", want only when the source proves it`, "", "session_info", "/clock/offset", `"+02:60"`},
		{missing("basis"), "/clock", "session_info", "/clock", `{}`},
		{missing("complete"), "/usageCoverage", "session_info", "/usageCoverage/complete", ``},
		{`got "openhands", want an agent's reverse-DNS name`, "", "session_info", "/agent", `"openhands"`},
		{`got 0 elements, want at least 1`, "", "session_info", "/requestedModels", `[]`},

		{`got "human", want one of "user", "assistant", "system", "tool", "unknown"`, "", "message", "/role", `"human"`},
		{`got string, want array`, "", "message", "/content", `"text"`},
		{`got "video", want one of "text", "image", "other"`, "", "message", "/content/0/type", `"video"`},
		{missing("type"), "/content/0", "message", "/content/0", `{"text":"a"}`},
		{missing("text"), "/content/0", "message", "/content/0/text", ``},
		{unknown("signature"), "", "message", "/content/0/signature", `"x"`},
		{missing("pointer"), "/content/1", "message", "/content/1/pointer", ``},
		{closed, "", "message", "/content/2/mediaType", `"image/png"`},
		{unknown("text"), "", "message", "/content/3/text", `"x"`},
		{`got number, want string`, "", "reasoning", "/content/0/signature", `1`},
		{unknown("value"), "/tools/0/value", "instructions", "/tools/0/value", `1`},

		{`got 0 members, want at least 1`, "", "inference", "/usage", `{}`},
		{`got string, want integer`, "", "inference", "/usage/inputTokens", `"1"`},
		{`got string, want number`, "", "inference", "/latencySeconds", `"1"`},
		{`got true, want false`, "", "tool_call", "/executable", `true`},
		{`got object, want string`, "", "tool_call", "/arguments", `{}`},
		{closed, "", "tool_result", "/nativeCallId", `"c1"`},
		{closed, "", "decision", "/call", `"e1"`},
		{`got member "group" without "calls", want both`, "-", "decision", "/calls", ``},
		{closed, "", "assessment", "/risks/0/nativeCallId", `"c1"`},
		{missing("extent"), "-", "compaction", "/extent", ``},
		{closed, "/extent", "compaction", "/phase", `"requested"`},
		{closed, "", "compaction", "/boundary/atStart", `true`},
		{missing("atStart"), "/boundary", "compaction", "/boundary", `{}`},
		{`got equal elements 0 and 2, want different ones`, "", "compaction", "/forgotten", `["a","b","a"]`},
		{`got number, want string`, "", "plan", "/items/0/status", `1`},
		{`got string, want number`, "", "hook", "/exitCode", `"0"`},
		{`got "stopped", want one of "paused", "interrupted", "resumed", "status_changed", "started", "finished", "outcome_unknown"`, "", "lifecycle", "/event", `"stopped"`},
		{`got 1025 characters, want at most 1024`, "", "state_change", "/value", `"` + strings.Repeat("é", 1025) + `"`},
		{`got object, want boolean or number or string`, "", "state_change", "/value", `{}`},
		{closed, "", "state_change", "/valuePointer", `"/value"`},
		{missing("basis"), "/cost", "usage_summary", "/cost", `{"amount":1}`},
		{`got "included", want "unknown"`, "", "usage_summary", "/childInclusion", `"included"`},
		{unknown("name"), "", "session_link", "/target/name", `1`},
		{`got "transcript", want "current-state"`, "", "attachment", "/position/family", `"transcript"`},
		{`got number, want string`, "", "vendor", "/name", `1`},
	}
	s := set(t)
	for _, tt := range tests {
		name := "record/" + tt.record
		kind := "full"
		if tt.record == "session_info" && tt.pointer == "/title" {
			kind = "least" // the head
		}
		raw := edited(t, good(t, kind, name), tt.pointer, tt.value)
		want := []Problem{{Pointer: tt.at, Message: tt.want}}
		switch tt.at {
		case "":
			want[0].Pointer = tt.pointer
		case "-":
			want[0].Pointer = ""
		}
		if d := cmp.Diff(want, check(t, s, name, raw)); d != "" {
			t.Errorf("%s %s %s (-want +got):\n%s", name, tt.pointer, tt.value, d)
		}
		if s.Accept(name, scanned(t, raw)) {
			t.Errorf("%s %s %s: accepted", name, tt.pointer, tt.value)
		}
	}
}

const someBlob = `{"sha256":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","bytes":1,"mediaType":"a/b"}`
