package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// oddValue is a value that hardly anybody expects.
func (m *mutator) oddValue(raw string) string {
	return one(m, []string{
		"null", "true", "false", "0", "-0", "-1", "7", "1.5", "1e999", "1E400", "-1e-999", "NaN", "Infinity", "-Infinity", "9007199254740993", "123456789012345678901234567890", "1.0e2",
		"0.1234567890123456789012345", `""`, `" "`, `"x"`, `"\ud800"`, `"\u0000"`, `"__root__"`, "[]", "{}", "[null]", "[[]]", `{"":{}}`, `[{"type":"text","text":7}]`, `{"kind":[]}`,
		`["a","a"]`, strings.Repeat("[", 50) + strings.Repeat("]", 50), `"data:image/png;base64,iVBORw0KGgo="`, `"data:image/png;base64,!!"`, m.some(raw), m.some(raw),
	})
}

// parent is a value for a parent's id, quoted.
func (m *mutator) parent() string {
	_, _, id, ok := cutEvent(m.event())
	if !ok || (!utf8.ValidString(id) || strings.ContainsAny(id, "\"\\\n")) {
		id = "nobody"
	}
	return one(m, []string{`"` + id + `"`, `"` + id + `"`, `"` + id + `"`, `"` + id + `-summary"`, `"__root__"`, `null`, `"nobody"`, `""`, `7`})
}

func (m *mutator) time() string {
	return one(m, []string{
		`"2001-01-01T00:00:00"`, `"2999-12-31T23:59:59.999999"`, `"2026-11-30T10:00:00Z"`, `"2026-11-30T10:00:00+05:30"`, `"2026-11-30"`, `"2026-11-30 10:00:00"`, `"yesterday"`, `1700000000`, `""`,
		`"2026-02-30T10:00:00"`, `"2026-11-30T24:00:00"`, `"2026-11-30T23:59:60"`, `"0000-01-01T00:00:00"`, `"2026-11-30T10:00:00.1234567890123"`, `"99999-01-01T00:00:00"`,
	})
}

// condensed makes an applied compaction of an event.
func (m *mutator) condensed(raw string) string {
	var ids []string
	for range m.IntN(6) {
		ids = append(ids, m.parent())
	}
	raw = m.add(m.add(raw, `"kind":"Condensation"`), `"forgotten_event_ids":[`+strings.Join(ids, ",")+`]`)
	if m.IntN(4) > 0 {
		raw = m.add(raw, `"summary":"s"`)
	}
	if m.IntN(4) > 0 {
		raw = m.add(raw, fmt.Sprintf(`"summary_offset":%d`, m.IntN(9)-1))
	}
	return raw
}

// kind is the kind of an event, quoted.
func (m *mutator) kind() string {
	return `"` + one(m, []string{
		"SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "UserRejectObservation", "AgentErrorEvent", "HookExecutionEvent", "SecurityAnalysisEvent", "Condensation",
		"CondensationRequest", "CondensationSummaryEvent", "PauseEvent", "ConversationStateUpdateEvent", "ConversationErrorEvent", "ACPToolCallEvent", "LLMCompletionLogEvent", "Unheard",
	}) + `"`
}

// state is the path of a snapshot, "" without one.
func (m *mutator) state() string {
	var list []string
	for _, p := range m.tree.files() {
		if strings.HasSuffix(p, "base_state.json") && (m.keep == nil || !m.keep(p)) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return one(m, list)
}

// large makes a state too large for a line of a stream: by a long text, by many values, or by white space.
func (m *mutator) large(raw string) string {
	switch m.IntN(3) {
	case 0:
		return m.add(raw, `"pad":"`+strings.Repeat("p", 1<<20)+`"`)
	case 1:
		return m.add(raw, `"pad":[`+strings.Repeat(`{"a":1},`, 1<<17)+`0]`)
	}
	return m.add(raw, `"pad":`+strings.Repeat(" \n", 1<<19)+`1`)
}

// ledger adds buckets and rows: equal ones, ones of zeros, negative counters.
func (m *mutator) ledger(raw string) string {
	var responses []string
	for range 3 {
		responses = append(responses, orNull(m.text(m.event())))
	}
	row := func() string {
		n := one(m, []string{"0", "1", "2", "-4", "1.5", "null", `"7"`, "9007199254740993"})
		return fmt.Sprintf(`{"model":"m","prompt_tokens":%s,"completion_tokens":%d,"response_id":%s}`, n, m.IntN(2), one(m, append(responses, `""`, `"r"`)))
	}
	var buckets []string
	rows := []string{row(), row()}
	for b := range 1 + m.IntN(3) {
		var list []string
		for range m.IntN(4) {
			list = append(list, one(m, append(rows, row())))
		}
		buckets = append(buckets, fmt.Sprintf(`"b%d":{"accumulated_cost":%s,"token_usages":[%s]}`, b, one(m, []string{"0", "0.5", "-1", "1e999", `"x"`}), strings.Join(list, ",")))
	}
	return m.add(raw, `"stats":{"usage_to_metrics":{`+strings.Join(buckets, ",")+`}}`)
}
