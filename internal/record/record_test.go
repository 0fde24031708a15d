package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestAppendString(t *testing.T) {
	for _, c := range []struct{ want, in string }{
		{`""`, ""},
		{`"plain text, ünïcode 😀 / <b>&"`, "plain text, ünïcode 😀 / <b>&"},
		{`"a\"b\\c"`, `a"b\c`},
		{`"\n\r\t\b\f"`, "\n\r\t\b\f"},
		{"\"\\u0000\\u001f\x7f\"", "\x00\x1f\x7f"},
		{"\"a\uFFFDb\uFFFD\"", "a\xffb\xc3"},
		{"\"\u2028\"", "\u2028"},
	} {
		if d := cmp.Diff(c.want, string(AppendString(nil, c.in))); d != "" {
			t.Errorf("AppendString(%q) (-want +got):\n%s", c.in, d)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\\n\x00", "\xff", "é\u2028", strings.Repeat("x", 300) + "\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out := AppendString([]byte("kept"), in)
		var back string
		if err := json.Unmarshal(out[4:], &back); err != nil {
			t.Fatalf("got %q, which is no JSON string: %v", out[4:], err)
		}
		if want := strings.ToValidUTF8(in, "\uFFFD"); utf8.ValidString(in) && back != want {
			t.Errorf("got %q back, want %q", back, want)
		}
	})
}

func TestTypes(t *testing.T) {
	all := Types()
	if len(all) != 20 {
		t.Fatalf("got %d types, want 20", len(all))
	}
	for _, typ := range all {
		if got := TypeOf(typ.String()); got != typ {
			t.Errorf("TypeOf(%q) = %v, want %v", typ, got, typ)
		}
		if n := len(Members(typ)); n == 0 || n > MaxMembers {
			t.Errorf("%s has %d members, want 1 to %d", typ, n, MaxMembers)
		}
		for i, m := range Members(typ) {
			if got := MemberIndex(typ, m); got != i {
				t.Errorf("MemberIndex(%s, %s) = %d, want %d", typ, m, got, i)
			}
		}
	}
	if TypeOf("tool_cal") != 0 || MemberIndex(Message, "nothing") != -1 || Type(0).String() != "" || Type(99).String() != "" {
		t.Error("got a type or member for a name that there is none of")
	}
}

func TestAppendLine(t *testing.T) {
	want := `{"type":"tool_result","id":"a#result","position":{"family":"transcript","ordinal":3,"id":"a","path":"p/\"q"},` +
		`"time":"2026-01-01T00:00:00","parent":"b","inference":"inference:r","context":false,"call":"c","status":"ok",` +
		`"native":{"record":{"k":1},"redacted":[{"pointer":"/x","kind":"masked"}]},"losses":["model-rendering"],` +
		`"_meta":{"rs.ctx/unmapped":["u"]}}` + "\n"
	r := Record{
		Type: ToolResult, ID: "a#result", Position: Position{Transcript, 3, "a", `p/"q`, -1}, Time: []byte(`"2026-01-01T00:00:00"`),
		Parent: "b", Inference: "inference:r", OutOfContext: true,
		Native: Native{Record: []byte(`{"k":1}`), Redacted: []Redaction{{"/x", "masked"}}},
		Meta:   []Meta{{"rs.ctx/unmapped", []byte(`["u"]`)}},
	}
	r.Set("status", []byte(`"ok"`))
	r.Set("call", []byte(`"c"`))
	r.Set("nothing", []byte(`1`))
	r.Lose(LossModelRendering)
	r.Lose(LossModelRendering)
	if d := cmp.Diff(want, string(AppendLine(nil, &r))); d != "" {
		t.Errorf("line (-want +got):\n%s", d)
	}
	gap := Record{Type: Gap, ID: "gap:1-4", Position: Position{Transcript, 1, "", "", 4}}
	gap.Native = Native{Blob: strings.Repeat("0", 64), BlobBytes: 7, MediaType: "application/octet-stream", Reason: "empty"}
	want = `{"type":"gap","id":"gap:1-4","position":{"family":"transcript","ordinal":1,"through":4},"native":{"blob":{"sha256":"` +
		strings.Repeat("0", 64) + `","bytes":7,"mediaType":"application/octet-stream"},"reason":"empty"}}` + "\n"
	if d := cmp.Diff(want, string(AppendLine(nil, &gap))); d != "" {
		t.Errorf("gap (-want +got):\n%s", d)
	}
}

func TestFindingsAreCappedAndCounted(t *testing.T) {
	var all Findings
	for s := range 3 {
		var one Findings
		for i := range 150 {
			one.Add(Finding{Rule: "r", Severity: NoticeSeverity, Line: i + 1, Message: "m"})
		}
		one.Add(Finding{Rule: "e", Severity: ErrorSeverity, Count: 5, Message: "five"})
		one.InStream(fmt.Sprintf("s%d", s))
		all.Merge(&one)
	}
	if got := all.Total(NoticeSeverity); got != 450 {
		t.Errorf("got %d notices, want 450", got)
	}
	if got := all.Total(ErrorSeverity); got != 15 {
		t.Errorf("got %d errors, want 15", got)
	}
	list := all.Sorted()
	if len(list) != 103 {
		t.Fatalf("got %d findings listed, want 100 of one rule and 3 of the other", len(list))
	}
	var sum int64
	for i, f := range list {
		if i > 0 && compareFindings(list[i-1], f) > 0 {
			t.Errorf("got %v before %v", list[i-1], f)
		}
		if f.Rule == "r" {
			sum += f.Count
		}
	}
	if last := list[102]; sum != 450 || last.Count != 351 || last.Message != "m (and 350 more of this rule)" {
		t.Errorf("got a last finding %+v and a sum of %d, want it to count for 351 and the sum 450", last, sum)
	}
	if d := cmp.Diff(map[string]int64{"r": 450, "e": 15}, all.Rules()); d != "" {
		t.Errorf("rules (-want +got):\n%s", d)
	}
}

func TestFindingsOfAStreamKeepTheirNames(t *testing.T) {
	var fs Findings
	fs.Add(Finding{Rule: "a", Severity: NoticeSeverity})
	fs.Add(Finding{Rule: "a", Severity: NoticeSeverity, Stream: "x"})
	fs.InStream("x")
	fs.InStream("y")
	for _, f := range fs.Sorted() {
		if f.Stream != "x" {
			t.Errorf("got stream %q, want x", f.Stream)
		}
	}
	if fs.Total(NoticeSeverity) != 2 {
		t.Errorf("got %d notices, want 2", fs.Total(NoticeSeverity))
	}
}

func TestAppendReport(t *testing.T) {
	r := Report{Streams: 1, Records: 2, Gaps: 3, UnidentifiedSources: 4, Items: 5, Losses: map[string]int64{"b": 1, "a": 2}}
	r.Findings.Add(Finding{Rule: "x", Severity: ErrorSeverity, Stream: "s", Line: 7, Record: "id", Pointer: "/p", Message: "m"})
	want := `{"validator":"validator-v1.0.0","streams":1,"records":2,"errors":1,"notices":0,"gaps":3,"unidentifiedSources":4,"items":5,` +
		`"losses":{"a":2,"b":1},"selection":{"policy":"all"},"findings":[{"rule":"x","severity":"error","stream":"s","line":7,"record":"id",` +
		`"pointer":"/p","message":"m","count":1}]}`
	if d := cmp.Diff(want, string(AppendReport(nil, &r))); d != "" {
		t.Errorf("report (-want +got):\n%s", d)
	}
	r.Bundle = "b"
	if got := string(AppendReport(nil, &r)); !strings.HasPrefix(got, `{"bundle":"b","validator":`) {
		t.Errorf("got %s, want the bundle first", got)
	}
	want = `{"streams":1,"records":2,"errors":1,"notices":0,"gaps":3,"unidentifiedSources":4}`
	if d := cmp.Diff(want, string(AppendEvidence(nil, &r))); d != "" {
		t.Errorf("evidence (-want +got):\n%s", d)
	}
}
