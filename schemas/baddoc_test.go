package schemas

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBadDocuments(t *testing.T) {
	tests := []struct {
		want           string // of the only problem
		at             string // its pointer; "" the place of the edit
		name           string
		pointer, value string
	}{
		{`got "bundle", want "ctx-bundle"`, "", "manifest", "/format", `"bundle"`},
		{`got 2, want 1`, "", "manifest", "/version", `2`},
		{unknown("createdAt"), "", "manifest", "/createdAt", `"2026"`},
		{missing("evidence"), "/streams/0", "manifest", "/streams/0/evidence", ``},
		{`got "streams/../x.jsonl", want a match of ^streams/[A-Za-z0-9._-]+\.jsonl(\.zst)?$`, "", "manifest", "/streams/0/file", `"streams/../x.jsonl"`},
		{`got "gzip", want one of "none", "zstd"`, "", "manifest", "/streams/0/compression", `"gzip"`},
		{unknown("note"), "/streams/0/types/note", "manifest", "/streams/0/types", `{"note":1}`},
		{`got 0, want at least 1`, "", "manifest", "/streams/0/types/message", `0`},
		{missing("first"), "/streams/0/losses/time-zone", "manifest", "/streams/0/losses", `{"time-zone":{"count":1}}`},
		{unknown("time"), "/streams/0/losses/time", "manifest", "/streams/0/losses", `{"time":{"count":1,"first":"a"}}`},
		{`got "tail", want one of "transcript", "current-state"`, "/sources/0/positions/0", "manifest", "/sources/0/positions", `["tail"]`},
		{`got "lost", want one of "no-entry-matches", "ambiguous", "unqualified-format", "unreadable", "symlink-outside", "not-opened"`, "", "manifest", "/unidentifiedSources/0/reason", `"lost"`},
		{unknown("sessions"), "/selection/sessions", "manifest", "/selection", `{"policy":"all","sessions":[]}`},
		{missing("text"), "/selection", "manifest", "/selection/text", ``},
		{`got object, want array`, "", "manifest", "/blobs", `{}`},

		{`got "ctx-bundle", want "ctx-baseline"`, "", "baseline", "/format", `"ctx-bundle"`},
		{`got 2, want 1`, "", "baseline", "/version", `2`},
		{missing("count"), "/findings/0", "baseline", "/findings/0/count", ``},
		{`got 0, want at least 1`, "", "baseline", "/findings/0/count", `0`},
		{unknown("line"), "", "baseline", "/findings/0/line", `7`},
		{unknown("message"), "", "baseline", "/findings/0/message", `"x"`},

		{missing("bundle"), "/0", "report", "/0/bundle", ``},
		{`got "warning", want one of "error", "notice"`, "", "report", "/0/findings/0/severity", `"warning"`},
		{`got 0, want at least 1`, "", "report", "/0/findings/0/line", `0`},
		{`got "validator-1", want a match of ^validator-v[0-9]+\.[0-9]+\.[0-9]+$`, "", "report", "/1/validator", `"validator-1"`},
		{unknown("warnings"), "", "report", "/1/warnings", `0`},

		{unknown("$schema"), "", "registry-entry", "/$schema", `""`},
		{missing("label"), "/evidence/0", "registry-entry", "/evidence/0/label", ``},
		{unknown("qualifies"), "", "registry-entry", "/formats/0/qualifies", `true`},
		{`got none of "file", "name", "items", "first", "all", "any", "not", want exactly one`, "/formats/0/detect", "registry-entry", "/formats/0/detect", `{}`},
		{`got several members that exclude each other, want exactly one`, "/formats/0/detect", "registry-entry", "/formats/0/detect", `{"items":true,"name":"a"}`},
		{`got "sqlite", want one of "json-directory", "json-document", "json-lines", "json-marked", "json-elements", "json-around"`, "", "registry-entry", "/formats/0/streams/0/reader", `"sqlite"`},
		{`got 0 members, want at least 1`, "/records/0/when/kind", "registry-entry", "/records/0/when/kind", `{}`},
		{unknown("matches"), "/records/0/when/kind/matches", "registry-entry", "/records/0/when/kind", `{"matches":"a"}`},
		{`got 2 members, want at most 1`, "", "registry-entry", "/records/0/when/kind", `{"present":true,"longer":1}`},
		{`got false, want true`, "/records/0/when/kind/present", "registry-entry", "/records/0/when/kind", `{"present":false}`},
		{`got null, want boolean or number or string or array or object`, "", "registry-entry", "/records/0/when/kind", `null`},
		{`got 0 elements, want at least 1`, "", "registry-entry", "/records/0/when/kind", `[]`},
		{`got "note", want one of ` + emitted, "", "registry-entry", "/records/0/emit/0/type", `"note"`},
		{`got "suffix", want suffix`, "", "registry-entry", "/records/0/emit/1/id", `"suffix"`},
		{unknown("upper"), "", "registry-entry", "/records/0/emit/0/members/role/upper", `"a"`},
		{`got member "as" without "each", want both`, "/records/0/emit/0/members/role", "registry-entry", "/records/0/emit/0/members/role/as", `{"a":"b"}`},
		{`got member "each" without "as", want both`, "/records/0/emit/0/members/role", "registry-entry", "/records/0/emit/0/members/role", `{"each":"a"}`},
		{`got number, want string or array or object`, "", "registry-entry", "/records/0/emit/0/members/role", `1`},
		{closed, "/secrets/omit/0/set", "registry-entry", "/secrets/omit/0/set", `"agent"`},
		{missing("set"), "/secrets/omit/0", "registry-entry", "/secrets/omit/0/paths", ``},
		{`got member "attachment" without "path", want both`, "/session/id/1", "registry-entry", "/session/id/1/path", ``},
	}
	s := set(t)
	for _, tt := range tests {
		raw := edited(t, good(t, "full", tt.name), tt.pointer, tt.value)
		want := []Problem{{Pointer: tt.at, Message: tt.want}}
		if tt.at == "" {
			want[0].Pointer = tt.pointer
		}
		if d := cmp.Diff(want, check(t, s, tt.name, raw)); d != "" {
			t.Errorf("%s %s %s (-want +got):\n%s", tt.name, tt.pointer, tt.value, d)
		}
		if s.Accept(tt.name, scanned(t, raw)) {
			t.Errorf("%s %s %s: accepted", tt.name, tt.pointer, tt.value)
		}
	}
}

const emitted = `"session_info", "instructions", "message", "reasoning", "inference", "tool_call", "tool_result", "decision", "assessment", "compaction", ` +
	`"plan", "hook", "lifecycle", "state_change", "error", "usage_summary", "session_link", "attachment", "gap", "vendor"`

// TestManyProblems: all of them, in an order of their own, the same at every call.
func TestManyProblems(t *testing.T) {
	s := set(t)
	raw := []byte(`{"type":"message","z":1,"a":2,"id":"","position":{"ordinal":1e2000000},"role":"x","content":[{"type":"text"},7],"_meta":{"b":1,"a":1},"time":"t"}`)
	want := []Problem{
		{"", missing("origin")},
		{"/_meta/a", unknown("a")},
		{"/_meta/b", unknown("b")},
		{"/a", unknown("a")},
		{"/content/0", missing("text")},
		{"/content/1", `got number, want object`},
		{"/id", `got 0 characters, want at least 1`},
		{"/position", missing("family")},
		{"/position/ordinal", `got a number that no double holds exactly, want a safe one`},
		{"/role", `got "x", want one of "user", "assistant", "system", "tool", "unknown"`},
		{"/time", `got "t", want ISO 8601 as the source spells it`},
		{"/z", unknown("z")},
	}
	for range 20 {
		if d := cmp.Diff(want, check(t, s, "record/message", raw)); d != "" {
			t.Fatalf("problems (-want +got):\n%s", d)
		}
	}
}

// TestNoContent: no message or pointer repeats text of the document or more than 64 bytes of a name.
func TestNoContent(t *testing.T) {
	const secret = "my secret sentence"
	long := strings.Repeat("n", 1000)
	s := set(t)
	for _, edit := range [][2]string{
		{"/role", `"` + secret + `"`},
		{"/type", `"` + secret + `"`},
		{"/time", `"` + secret + `"`},
		{"/id", `["` + secret + `"]`},
		{"/losses/0", `"` + secret + `"`},
		{"/native/redacted/0/pointer", `"` + secret + `"`},
		{"/role", `"` + long + `"`},
		{"/content/0/" + long, `1`},
		{"/position", `{"` + long + `":"` + secret + `"}`},
	} {
		found := check(t, s, "record/message", edited(t, good(t, "full", "record/message"), edit[0], edit[1]))
		if len(found) == 0 {
			t.Errorf("%.40s %.40s: no problem", edit[0], edit[1])
		}
		for _, p := range found {
			if strings.Contains(p.Message+p.Pointer, secret) || strings.Contains(p.Message+p.Pointer, strings.Repeat("n", 65)) {
				t.Errorf("%.40s: content in %q", edit[0], p)
			}
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	raw := []byte(`{"type":"instructions","id":"a","position":{"family":"transcript"},"content":[` + strings.Repeat("1,", 5000) + `1]}`)
	if want, got := 1000, len(check(t, set(t), "record/instructions", raw)); want != got {
		t.Errorf("want %d problems, got %d", want, got)
	}
}

func TestCheckRefuses(t *testing.T) {
	s := set(t)
	for _, tt := range []struct{ want, name, doc string }{
		{`no schema "record/none"`, "record/none", `{}`},
		{`not a JSON document`, "manifest", ``},
		{`not a JSON document`, "manifest", `{}{}`},
		{`not a JSON document`, "manifest", `{"a":NaN}`},
		{`not a JSON document`, "manifest", strings.Repeat("[", 20000)},
	} {
		if _, err := s.Check(tt.name, []byte(tt.doc)); err == nil || err.Error() != tt.want {
			t.Errorf("%s %.20s: want error %q, got %v", tt.name, tt.doc, tt.want, err)
		}
	}
	for _, doc := range []string{`[]`, `1`, `null`, `"a"`} {
		for _, name := range Names() {
			if found := check(t, s, name, []byte(doc)); len(found) == 0 && (name != "report" || doc != "[]") {
				t.Errorf("%s %s: no problem", name, doc)
			}
		}
	}
}

// TestHollow: what a record carries of others is not looked into, whatever it holds.
func TestHollow(t *testing.T) {
	s := set(t)
	raw := edited(t, good(t, "full", "record/message"), "/native/record", `{"type":[1e2000000,{"position":null}]}`)
	raw = edited(t, raw, "/_meta", `{"dev.example.agent/state":1e2000000,"rs.ctx/file":{"x":"y"}}`)
	if d := cmp.Diff([]Problem(nil), check(t, s, "record/message", raw)); d != "" {
		t.Errorf("problems (-want +got):\n%s", d)
	}
}

// TestVendorKeys: any reverse-DNS name but our own takes any destination.
func TestVendorKeys(t *testing.T) {
	s := set(t)
	tests := []struct {
		want bool
		key  string
	}{
		{true, "rs.ctx/derivedFrom"},
		{false, "rs.ctx/derived"},
		{false, "rs.ctx/"},
		{false, "rs.ctx"},
		{false, "/x"},
		{false, ""},
		{false, "agent/x"},
		{false, "a..b/x"},
		{false, "a.b/c/d"},
		{true, "rs.ctx.sub/x"},
		{true, "rs.ctxx/x"},
		{true, "rs.ct/x"},
		{true, "rs.other/x"},
		{true, "rsx.ctx/x"},
		{true, "rs-ctx.a/x"},
		{true, "r.ctx/x"},
		{true, "ru.ctx/x"},
		{true, "dev.all-hands.openhands/accumulatedMetrics"},
	}
	for _, tt := range tests {
		raw := edited(t, good(t, "least", "record/vendor"), "/_meta", `{"`+tt.key+`":1}`)
		if got := len(check(t, s, "record/vendor", raw)) == 0; tt.want != got {
			t.Errorf("%q: want sound %v, got %v", tt.key, tt.want, got)
		}
		if got := s.Accept("record/vendor", scanned(t, raw)); tt.want != got {
			t.Errorf("%q: want accepted %v, got %v", tt.key, tt.want, got)
		}
	}
}

// TestConcurrent: one Set serves many goroutines (a race detector sees the rest).
func TestConcurrent(t *testing.T) {
	s := set(t)
	docs := map[string][]byte{}
	for _, name := range Names() {
		docs[name] = good(t, "full", name)
	}
	done := make(chan bool)
	for g := range 4 {
		go func() {
			names := Names()
			r := rand.New(rand.NewPCG(1, uint64(g)))
			ok := true
			for range 50 {
				name := names[r.IntN(len(names))]
				found, err := s.Check(name, docs[name])
				ok = ok && err == nil && len(found) == 0
			}
			done <- ok
		}()
	}
	for range 4 {
		if !<-done {
			t.Error("a sound document was refused")
		}
	}
}
