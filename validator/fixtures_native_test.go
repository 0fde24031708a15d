package validator

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
)

// nativeEntry says what the native items of a bundle mean, so that records can be held against them.
const nativeEntry = `{"name":"dev.agent","aliases":["agent"],"version":"1.2.0","evidence":[{"label":"made"},{"label":"made"}],` +
	`"destinations":{"state":{"schema":{"type":"object"},"evidence":[0]},"metrics":{"schema":{"type":"object"},"evidence":[0]},"totals":{"schema":{"type":"object"},"evidence":[0]}},` +
	`"formats":[{"id":"agent-events","detect":{"items":true},"layouts":[{"name":"plain","items":"events","snapshot":"state.json","key":"."}],` +
	`"streams":[{"family":"transcript","reader":"json-directory","boundary":"document","name":"{ordinal:1+}-{id}.json"},{"family":"current-state","reader":"json-document","boundary":"document"}]}],` +
	`"session":{"id":[{"folder":"key"}]},` +
	`"tree":{"id":{"name":"id","body":"id"},"parent":"up","root":"top","missing":"previous","head":{"is":"leaf"}},` +
	`"groups":{"key":"response","of":{"kind":["Action","Message"]}},` +
	`"pairs":[{"calls":{"kind":"Action"},"key":"callId","results":[{"when":{"kind":"Observation"},"by":[{"id":"action"},{"key":"callId"}]}]}],` +
	`"context":{"kinds":["System","Message","Action","Observation"],"compaction":{"when":{"kind":"Condensation"},"forgotten":"gone","summary":"text","summaryId":"{id}-summary","offset":"offset","offsetCounts":"view-after-forgetting","beyond":"end","withoutOffset":"not-inserted"}},` +
	`"usage":{"ledger":{"first":["buckets.*"]},"reports":{"each":"rows","join":"response","requestedModel":"model"},"fields":{"inputTokens":"in"},"destination":"metrics","zero":"not-a-report"},` +
	`"secrets":{"omit":[{"in":"transcript","paths":["key"]},{"in":"snapshot","paths":["key"]}],"masked":["***"]}}`

func TestNativeEntry(t *testing.T) {
	for _, text := range []string{nativeEntry, strings.TrimSuffix(nativeEntry, "}") + projections} {
		e, err := entry.Load([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if e.Records >= 0 && newPlan(e) == nil {
			t.Error("got no plan of an entry with projections")
		}
	}
}

// native gives the items of a bundle values that state what the records do.
func native(m *made) {
	m.entry = nativeEntry
	m.edit("e0", `{"kind":"System","n":1.50}`, `{"id":"e0","kind":"System","up":"top"}`)
	m.edit("e1", `{"kind":"Message"}`, `{"id":"e1","kind":"Message"}`)
	m.edit("e2", `{"kind":"Action"}`, `{"id":"e2","kind":"Action","response":"r1","callId":"c1"}`)
	m.edit("e3", `{"kind":"Observation"}`, `{"id":"e3","kind":"Observation","action":"e2","callId":"c1"}`)
	m.edit("e5", `{"kind":"Message"}`, `{"id":"e5","kind":"Message","up":"e3"}`)
	m.edit("inference:r1", `{"bucket":"main"}`, `{"bucket":"main","row":{"response":"r1","in":5}}`)
	m.edit("state", `{"id":"s-1"}`, `{"id":"s-1","leaf":"e5","buckets":{"main":{"rows":[{"response":"r1","in":5}]}}}`)
}

// projections says what the records of nativeEntry's items state.
const projections = `,"records":[` +
	`{"when":{"kind":"System"},"emit":[{"type":"instructions","members":{"content":{"text":"text"}}}]},` +
	`{"when":{"kind":"Message"},"emit":[{"type":"message","members":{"role":"role","origin":{"map":"role","to":{"user":"user","assistant":"agent"}},"content":{"text":"say"}}}]},` +
	`{"when":{"kind":"Action"},"emit":[{"type":"tool_call","members":{"callId":"callId","name":"name","arguments":"arguments"}}]},` +
	`{"when":{"kind":"Observation"},"emit":[{"type":"tool_result","members":{"status":"status","content":{"parts":"content"},"rendering":{"const":"not-persisted"}}}]},` +
	`{"when":{},"emit":[{"type":"vendor","members":{"name":"kind"}}]}]}`

// projected gives the items values from which their records can be worked out again.
func projected(m *made) {
	native(m)
	m.entry = strings.TrimSuffix(nativeEntry, "}") + projections
	m.edit("e0", `"up":"top"`, `"up":"top","text":"be brief"`)
	m.edit("e1", `"kind":"Message"`, `"kind":"Message","role":"user"`)
	m.edit("e2", `"kind":"Action"`, `"kind":"Action","name":"ls","arguments":"{}"`)
	m.edit("e3", `"kind":"Observation"`, `"kind":"Observation","status":"ok","content":[]`)
	m.edit("e5", `"kind":"Message"`, `"kind":"Message","role":"assistant","say":"done"`)
}

// ofFiles says of how many files the source is.
func ofFiles(m *made, n int64) {
	m.manifest = func(b *bundle.Manifest) { b.Sources[0].Files = n }
}

// condensed adds a compaction with its summary behind e5, both with native values.
func condensed(m *made) {
	native(m)
	compacted(m)
	ofFiles(m, 8)
	m.edit("e6", `{"kind":"Condensation"}`, `{"id":"e6","kind":"Condensation","up":"e5","gone":["e1","e2","e3"],"text":"so far","offset":1}`)
}

// split adds an item of the response of the call behind a message of the user.
func split(inference, members string) func(m *made) {
	return func(m *made) {
		native(m)
		ofFiles(m, 9)
		m.insert(8, transcript("message", 6, "e6", "e6", `,"parent":"e5","role":"user","origin":"user","content":[],"native":{"record":{"id":"e6","kind":"Message"}}`))
		m.insert(9, transcript("message", 7, "e7", "e7", `,"parent":"e6"`+inference+`,"role":"assistant","origin":"agent","content":[],"native":{"record":{"id":"e7","kind":"Message"`+members+`}}`))
	}
}

// pictured adds a message with an image.
func pictured(sha string) func(m *made) {
	return func(m *made) {
		url := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("a picture"))
		m.insert(8, transcript("message", 6, "e6", "e6", `,"parent":"e5","role":"user","origin":"user","content":[{"type":"image","mediaType":"image/png","sha256":"`+sha+`","bytes":9,"pointer":"/urls/0"}],"native":{"record":{"urls":["`+url+`"]}}`))
	}
}

// blobbed keeps the bytes of e1 in a blob.
func blobbed(blob, reason string) func(m *made) {
	return func(m *made) {
		m.blobs, m.media[blob] = append(m.blobs, blob), mediaJSON
		m.edit("e1", `{"record":{"kind":"Message"}}`, `{"blob":{"sha256":"`+hashOf(blob)+`","bytes":`+number(int64(len(blob)))+`,"mediaType":"application/json"},"reason":"`+reason+`"}`)
	}
}

// nativeFixtures are the bundles of rules that hold records against native values.
func nativeFixtures() []ruleFixture {
	clock := func(clock string) func(m *made) {
		return edit("state", `"phase":"snapshot"`, `"phase":"snapshot","clock":`+clock)
	}
	loss := edit("state", `"native"`, `"losses":["time-zone"],"native"`)
	redacted := func(value string) func(m *made) {
		return then(edit("e1", `{"record":{"kind":"Message"}}`, `{"record":`+value+`,"redacted":[{"pointer":"/key","kind":"secret"}]},"losses":["secret-omitted"]`))
	}
	key := func(value string) func(m *made) {
		return then(native, edit("e1", `"kind":"Message"`, `"kind":"Message","key":`+value))
	}
	return []ruleFixture{
		{ruleProjection, projected, then(projected, edit("e2", `"name":"ls","arguments":"{}","native"`, `"name":"cat","arguments":"{}","native"`))},
		{ruleTree, native, then(native, edit("e5", `"parent":"e3"`, `"parent":"e2"`))},
		{rulePair, native, then(native, edit("e3", `"action":"e2","callId":"c1"`, `"callId":"c9"`))},
		{ruleSplit, split("", ""), split(`,"inference":"inference:r1"`, `,"response":"r1"`)},
		{ruleView, condensed, then(condensed, edit("e6", `{"after":"e0"}`, `{"after":"e5"}`))},
		{ruleUsageRow, native, then(native, edit("inference:r1", `"inputTokens":5`, `"inputTokens":6`))},
		{ruleRetained, key(`""`), key(`"in clear"`)},
		{ruleClock, then(clock(`{"basis":"naive-local"}`), loss), clock(`{"basis":"utc"}`)},
		{ruleRedaction, redacted(`{"kind":"Message"}`), redacted(`{"kind":"Message","key":"in clear"}`)},
		{rulePointer, pictured(hashOf("a picture")), pictured(hashOf("another"))},
		{ruleNativeReason, blobbed(`{"a":1,"a":2}`, "duplicate-key"), blobbed(`{"a":1}`, "duplicate-key")},
	}
}
