package validator_test

import (
	"strings"
)

// linkViolations break calls, compactions, usage, losses, gaps and the head.
func linkViolations() []violation {
	return []violation{
		{"call-unresolved", "basic", set("tool_result", "/call", `"nobody"`)},
		{"call-unresolved", "basic", set("tool_result", "/call", `"4eaf5a92-1958-4310-ad8f-b8cdd2475434"`)},
		{"call-unresolved", "basic", set("tool_result", "/call", `"addbce55-99ec-425d-809b-796692ec99ad#thought"`)},
		{"pair", "parallel-calls", set("tool_result", "/call", `"ce38d75e-627d-4975-b474-516891784042"`)},
		{"pair", "basic", then(del("tool_result", "/call"), set("tool_result", "/nativeCallId", `"call_x"`))},
		{"pair", "basic", del("tool_result", "/call")},
		{"schema", "basic", set("tool_result", "/nativeCallId", `"call_x"`)},
		{"call-unresolved", "reject", set("decision", "/call", `"nobody"`)},
		{"pair", "reject", set("decision", "/call", `"fb83cad1-4f1f-428e-adc6-e4bf5a494a0b"`)},
		{"call-unresolved", "hooks", set("hook:2", "/call", `"nobody"`)},
		{"call-unresolved", "hooks", set("hook:2", "/call", `"d274261d-cfd0-416a-b594-9854025b688c"`)},
		{"pair", "hooks", del("hook:2", "/call")},
		{"call-unresolved", "security-analysis", set("assessment", "/risks/0/call", `"nobody"`)},
		{"projection", "security-analysis", set("assessment", "/risks/0/risk", `"OTHER"`)},
		{"message-unresolved", "hooks", set("hook:1", "/message", `"nobody"`)},
		{"message-unresolved", "hooks", set("hook:1", "/message", `"92537d1d-fb07-4b55-a926-23940d0bbc09"`)},
		{"call-unresolved", "child-conversation", set("2/session_link", "/call", `"nobody"`)},
		{"projection", "child-conversation", set("2/session_link", "/rel", `"fork"`)},
		{"projection", "child-conversation", set("2/session_link", "/target/sessionId", `"x"`)},
		{"projection", "child-conversation", drop("2/session_link")},
		// compaction
		{"compaction", "condensation-twice", set("compaction", "/forgotten/0", `"nobody"`)},
		{"schema", "condensation-twice", sub("compaction", `"forgotten":[`, `"forgotten":["b9d11da0-8ec4-48a7-af75-df016f765e11","b9d11da0-8ec4-48a7-af75-df016f765e11",`)},
		{"compaction", "condensation-twice", set("compaction", "/forgottenUnknown", `["x"]`)},
		{"schema", "condensation-twice", set("compaction", "/forgottenUnknown", `[]`)},
		{"compaction", "condensation-twice", set("compaction", "/extent", `"unknown"`)},
		{"schema", "condensation-twice", del("compaction", "/extent")},
		{"compaction", "condensation-twice", set("compaction", "/offset", `7`)},
		{"compaction-view", "condensation-twice", set("compaction", "/boundary", `{"atStart":true}`)},
		{"boundary-unresolved", "condensation-twice", set("compaction", "/boundary", `{"after":"439c9ffb-ec8e-4958-bc00-3c933540178b"}`)},
		{"boundary-unresolved", "condensation-twice", set("compaction", "/boundary", `{"after":"nobody"}`)},
		{"schema", "condensation-twice", set("compaction", "/boundary", `{"after":"x","atStart":true}`)},
		{"schema", "condensation-twice", set("compaction", "/boundary", `{"atStart":false}`)},
		{"compaction-view", "condensation-twice", then(del("compaction", "/boundary"), set("compaction", "/losses", `["context-boundary"]`))},
		{"loss-undeclared", "condensation-twice", del("compaction", "/boundary")},
		{"compaction", "condensation-twice", del("compaction", "/forgotten/0")},
		{"compaction-summary", "condensation-twice", drop("message:1")},
		{"compaction-summary", "condensation-twice", set("compaction", "/summary", `"other"`)},
		{"compaction-summary", "condensation-twice", set("message:1", "/origin", `"user"`)},
		{"compaction-summary", "condensation-twice", set("message:1", "/parent", `"84823597-78de-42c0-b476-cc97e1b5af3f"`)},
		{"compaction-summary", "condensation-twice", set("message:1", "/context", `false`)},
		{"usage-place", "basic", set("inference", "/usage/cacheReadTokens", `0`)},
		{"schema", "basic", set("inference", "/usage/cacheReadTokens", `-1`)},
		{"schema", "basic", set("inference", "/usage", `{}`)},
		{"schema", "basic", set("inference", "/usage/totalTokens", `5`)},
		{"schema", "basic", set("inference", "/usage/inputTokens", `1.5`)},
		{"usage-row", "basic", set("inference", "/usage/inputTokens", `1`)},
		{"usage-row", "basic", set("inference", "/usage/reasoningTokens", `1`)},
		{"usage-row", "basic", set("inference", "/requestedModel", `"x"`)},
		{"usage-row", "basic", set("inference", "/latencySeconds", `1`)},
		{"usage-row", "basic", del("inference", "/usage/inputTokens")},
		{"usage-place", "basic", set("message", "/usage", `{"inputTokens":1}`)},
		{"usage-row", "basic", set("usage_summary", "/usage/inputTokens", `1`)},
		{"usage-row", "basic", set("usage_summary", "/cost/amount", `1`)},
		{"usage-row", "basic", del("usage_summary", "/cost")},
		{"usage-row", "basic", set("usage_summary", "/cost/amount", `0`)},
		{"schema", "basic", set("usage_summary", "/cost/basis", `"estimated"`)},
		{"schema", "basic", set("usage_summary", "/childInclusion", `"included"`)},
		{"usage-row", "basic", drop("usage_summary")},
		{"usage-coverage-counts", "basic", set(lastInfo, "/usageCoverage/responses", `3`)},
		{"usage-coverage-counts", "basic", set(lastInfo, "/usageCoverage/withUsage", `1`)},
		{"usage-coverage-counts", "basic", set(lastInfo, "/usageCoverage/complete", `false`)},
		{"loss-undeclared usage-coverage-counts", "basic", set(lastInfo, "/usageCoverage/leftOver", `1`)},
		{"usage-coverage-counts", "basic", del(lastInfo, "/usageCoverage")},
		{"loss-unfounded", "basic", set("usage_summary", "/losses", `["accounting-join"]`)},
		{"loss-undeclared", "usage-left-over", del("usage_summary", "/losses")},
		{"usage-coverage-counts", "usage-left-over", set(lastInfo, "/usageCoverage/leftOver", `2`)},
		{"loss-undeclared", "tail-torn", sub("last", `,"usage-coverage"`, "")},
		{"loss-unknown", "basic", set("message", "/losses", `["made-up"]`)},
		{"loss-unknown", "basic", set("message", "/losses", `["dev.other.agent/x"]`)},
		{"loss-unknown", "basic", set("message", "/losses", `["rs.ctx/x"]`)},
		{"schema", "basic", set("message", "/losses", `[]`)},
		{"schema", "basic", set("tool_result", "/losses", `["model-rendering","model-rendering"]`)},
		{"loss-unfounded", "basic", set("message", "/losses", `["model-rendering"]`)},
		{"loss-unfounded", "basic", set("message", "/losses", `["native-unreadable"]`)},
		{"loss-unfounded", "basic", set("message", "/losses", `["time-zone"]`)},
		{"loss-unfounded", "basic", set("message", "/losses", `["usage-coverage"]`)},
		{"loss-unfounded", "basic", set("message", "/losses", `["context-boundary"]`)},
		{"loss-unfounded", "basic", set("message", "/losses", `["lineage"]`)},
		{"loss-unfounded", "basic", set("inference", "/losses", `["accounting-join"]`)},
		{"loss-unfounded", "basic", set(lastInfo, "/losses", `["native-unreadable"]`)},
		{"loss-unfounded", "basic", set(lastInfo, "/losses", `["secret-omitted"]`)},
		{"loss-undeclared", "basic", del("tool_result", "/losses")},
		{"loss-undeclared", "gap-unreadable", del("gap", "/losses")},
		{"loss-undeclared", "no-clock-offset", del(lastInfo, "/losses")},
		{"meta-key", "basic", set("message", "/_meta", `{"dev.all-hands.openhands/odd":1}`)},
		{"meta-key", "basic", set("message", "/_meta", `{"dev.other.agent/state":1}`)},
		{"meta-key", "basic", set("message", "/_meta", `{"rs.ctx/odd":1}`)},
		{"meta-key", "basic", set("message", "/_meta", `{"odd":1}`)},
		{"schema", "basic", set("message", "/_meta", `[]`)},
		// gaps and the tail
		{"gap-cover", "gap", drop("gap")},
		{"gap-cover", "gap", drop("gap:1")},
		{"gap-cover", "gap", then(set("gap", "/position/through", `4`), set("gap", "/id", `"gap:3-4"`))},
		{"gap-cover", "gap", then(set("gap", "/position/ordinal", `4`), set("gap", "/id", `"gap:4-5"`))},
		{"gap-cover", "gap", then(set("gap", "/position/through", `6`), set("gap", "/id", `"gap:3-6"`))},
		{"gap-cover", "gap", then(set("gap", "/position/ordinal", `2`), set("gap", "/id", `"gap:2-5"`))},
		{"gap-cover", "gap", then(set("gap", "/position/through", `4`), set("gap", "/id", `"gap:3-4"`), after("gap", "gap", set("gap", "/id", `"gap:5-5"`), set("gap", "/position", `{"family":"transcript","ordinal":5}`)))},
		{"gap-cover", "basic", then(after("message:2", "tool_result", edit{"gap", func(b *broken) {
			b.lines[0][0] = `{"type":"gap","id":"gap:5-5","position":{"family":"transcript","ordinal":5},"reason":"missing"}`
		}}))},
		{"gap-cover", "markers", edit{"no evidence", func(b *broken) {
			for i := range b.lines {
				for j, l := range b.lines[i] {
					if strings.Contains(l, `"rs.ctx/gapEvidence"`) {
						b.lines[i][j] = delIn(l, "/_meta")
					}
				}
			}
		}}},
		{"position schema", "gap", set("gap", "/reason", `"lost"`)},
		{"native-missing", "gap", then(set("gap:1", "/reason", `"empty"`), set("gap:1", "/id", `"gap:7:x"`), set("gap:1", "/position/id", `"x"`), set("gap:1", "/path", `"events/x"`), set("gap:1", "/losses", `["native-unreadable"]`))},
		{"blob-missing", "tail-torn", edit{"torn blob", func(b *broken) {
			p := b.at("last")
			at := strings.Index(*p, `"rs.ctx/uncommitted"`)
			at += strings.Index((*p)[at:], `"sha256":"`) + 10
			*p = (*p)[:at] + strings.Repeat("0", 64) + (*p)[at+64:]
		}}},
		// head
		{"head-unresolved", "basic", set(lastInfo, "/head", `"nobody"`)},
		{"head-unresolved", "basic", set(lastInfo, "/head", `"addbce55-99ec-425d-809b-796692ec99ad#thought"`)},
		{"head-unresolved", "basic", set(lastInfo, "/head", `"4eaf5a92-1958-4310-ad8f-b8cdd2475434"`)},
		{"head-unresolved", "basic", set(lastInfo, "/headNativeId", `"x"`)},
		{"session-info", "basic", set(lastInfo, "/sessionId", `"x"`)},
		{"session-info", "basic", set("session_info", "/format", `"x"`)},
		{"session-info", "basic", set("session_info", "/agent", `"dev.other.agent"`)},
		{"session-info", "basic", set("session_info", "/source", `"s2"`)},
		{"schema", "basic", set("session_info", "/title", `"x"`)},
		{"schema", "basic", set("session_info", "/phase", `"middle"`)},
	}
}
