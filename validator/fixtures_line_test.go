package validator

import (
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
)

// transcript is a record of the transcript as a line: type, id and place, then the members given.
func transcript(kind string, ordinal int, name, id, members string) string {
	n := strconv.Itoa(ordinal)
	return `{"type":"` + kind + `","id":"` + id + `","position":{"family":"transcript","ordinal":` + n + `,"id":"` + name +
		`"},"time":"2026-01-02T03:04:0` + n + `.000001"` + members + `}`
}

// compacted adds a compaction with its summary behind e5.
func compacted(m *made) {
	m.insert(8, transcript("compaction", 6, "e6", "e6", `,"parent":"e5","phase":"applied","forgotten":["e1","e2","e3"],"extent":"exact","summary":"e6-summary","offset":1,"boundary":{"after":"e0"},"native":{"record":{"kind":"Condensation"}}`))
	m.insert(9, transcript("message", 6, "e6", "e6-summary", `,"parent":"e6","role":"user","origin":"summary","content":[]`))
}

// hooked adds a hook about the call and a message.
func hooked(m *made) {
	m.insert(8, transcript("hook", 6, "e6", "e6", `,"parent":"e5","event":"PostToolUse","call":"e2","message":"e1","native":{"record":{"kind":"Hook"}}`))
}

// attached adds two attachments.
func attached(m *made) {
	for i, path := range []string{"a.json", "b.json"} {
		blob := `[` + strconv.Itoa(i) + `]`
		m.blobs, m.media[blob] = append(m.blobs, blob), mediaJSON
		m.insert(9+i, `{"type":"attachment","id":"file:`+path+`","position":{"family":"current-state","path":"`+path+`"},"path":"`+path+
			`","mediaType":"application/json","native":{"blob":{"sha256":"`+hashOf(blob)+`","bytes":3,"mediaType":"application/json"},"reason":"invalid-json"}}`)
	}
}

// then applies changes one after the other.
func then(changes ...func(m *made)) func(m *made) {
	return func(m *made) {
		for _, change := range changes {
			change(m)
		}
	}
}

func edit(id, old, text string) func(m *made) { return func(m *made) { m.edit(id, old, text) } }

func inManifest(change func(b *bundle.Manifest)) func(m *made) {
	return func(m *made) { m.manifest = change }
}

// lineFixtures are the bundles of the rules about the bytes of one line.
func lineFixtures() []ruleFixture {
	deep := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	inNative := func(value string) func(m *made) { return edit("e1", `{"kind":"Message"}`, value) }
	return []ruleFixture{
		{ruleJSON, same, func(m *made) { m.lines[2] += "\r" }},
		{ruleSchema, edit("e1", `"role":"user"`, `"role":"unknown"`), edit("e1", `"role":"user"`, `"role":"pilot"`)},
		{ruleUnsafe, inNative(`{"a":9007199254740991,"b":0.1,"c":"9007199254740993"}`), inNative(`{"a":9007199254740993}`)},
		{ruleNativeInline, inNative(deep(999)), inNative(deep(1000))},
		{ruleMetaKey, edit("e1", `"native"`, `"_meta":{"rs.ctx/unmapped":1},"native"`), edit("e1", `"native"`, `"_meta":{"dev.agent/other":1},"native"`)},
		{ruleSecretName, inNative(`{"a":"secret_registry"}`), inNative(`{"a":{"secret_registry":{}}}`)},
		{ruleSessionInfo, same, edit("state", `"sessionId":"s-1"`, `"sessionId":"s-2"`)},
	}
}

// recordFixtures are those of the rules about one record of a stream.
func recordFixtures() []ruleFixture {
	return []ruleFixture{
		{ruleHead, same, func(m *made) { m.lines = m.lines[1:] }},
		{ruleTail, same, func(m *made) { m.lines = m.lines[:len(m.lines)-1] }},
		{ruleDuplicate, attached, then(attached, func(m *made) { m.insert(10, m.lines[9]) })},
		{ruleRecordID, then(edit("e5", `"id":"e5","position"`, `"id":"e5~5","position"`), edit("state", `"head":"e5"`, `"head":"e5~5"`)), edit("usage:main", `"id":"usage:main"`, `"id":"usage:other"`)},
		{rulePosition, same, edit("state", `,"path":"state.json"`, ``)},
		{ruleOrder, attached, then(attached, func(m *made) { m.lines[9], m.lines[10] = m.lines[10], m.lines[9] })},
		{ruleContextMark, edit("e5", `"native"`, `"context":false,"native"`), then(hooked, edit("e6", `"native"`, `"context":false,"native"`))},
		{ruleUsagePlace, same, edit("usage:main", `"inputTokens":5`, `"inputTokens":5,"outputTokens":0`)},
		{ruleTime, edit("e1", `2026-01-02T03:04:01.000001`, `2026-01-02T03:04:01,5`), edit("e1", `2026-01-02T03:04:01.000001`, `2026-01-02T03:04:60:60`)},
		{ruleCoverage, same, edit("state", `"withUsage":1,"leftOver":0,"complete":true}`, `"withUsage":0,"leftOver":0,"complete":false},"losses":["usage-coverage"]`)},
		{ruleGapCover, same, func(m *made) { m.lines = append(m.lines[:6], m.lines[7:]...); m.blobs = nil }},
	}
}
