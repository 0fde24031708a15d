package registry

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Each row is one projection, an item, and its records.
func TestProjections(t *testing.T) {
	tests := []struct {
		name       string
		want       []string
		projection string
		doc        string
		facts      entry.SessionFacts
	}{
		{
			"required members stand for what the source does not say",
			[]string{`message i role="unknown" origin="unknown" content=[]`},
			`{"when":{"k":"x"},"emit":[{"type":"message"}]}`, `{"k":"x"}`,
			entry.SessionFacts{},
		},
		{
			"a result whose rendering nobody states is not persisted, which is a loss",
			[]string{`tool_result i status="unknown" rendering="not-persisted" -model-rendering`},
			`{"when":{"k":"x"},"emit":[{"type":"tool_result"}]}`, `{"k":"x"}`,
			entry.SessionFacts{},
		},
		{
			"a loss that an entry and the format both state stands once",
			[]string{`tool_result i status="ok" rendering="not-persisted" -model-rendering`},
			`{"when":{"k":"x"},"emit":[{"type":"tool_result","members":{"status":{"const":"ok"},"rendering":{"const":"not-persisted"}},"losses":[{"code":"model-rendering"}]}]}`,
			`{"k":"x"}`,
			entry.SessionFacts{},
		},
		{
			"losses with and without a condition",
			[]string{`tool_result i status="unknown" rendering="persisted" -org.acme/always -org.acme/x`},
			`{"when":{"k":"x"},"emit":[{"type":"tool_result","members":{"rendering":{"const":"persisted"}},
				"losses":[{"code":"org.acme/always"},{"code":"org.acme/x","when":{"use":"isX"}},{"code":"org.acme/y","when":{"y":1}}]}]}`,
			`{"k":"x","x":true}`,
			entry.SessionFacts{},
		},
		{
			"who decided may be unknown",
			[]string{`decision i decision="rejected" by="unknown"`},
			`{"when":{"k":"x"},"emit":[{"type":"decision","members":{"decision":{"map":"d","to":{"yes":"approved"},"else":"rejected"},"by":"b"}}]}`,
			`{"k":"x","d":"maybe","b":"a cat"}`,
			entry.SessionFacts{},
		},
		{
			"records of an item stand in the order of the format, the primary anywhere",
			[]string{
				`reasoning i#r`, `message i#m role="assistant" origin="unknown" content=[]`, `tool_call i`, `tool_result i#t status="unknown" rendering="persisted"`,
				`decision i#d decision="approved" by="unknown"`, `session_link i#l`, `hook i#h`, `error i#e`,
			},
			`{"when":{"k":"x"},"emit":[{"type":"error","id":"#e"},{"type":"hook","id":"#h"},{"type":"session_link","id":"#l"},
				{"type":"decision","id":"#d","members":{"decision":{"const":"approved"}}},
				{"type":"tool_result","id":"#t","members":{"rendering":{"const":"persisted"}}},{"type":"tool_call"},
				{"type":"message","id":"#m","members":{"role":{"const":"assistant"}}},{"type":"reasoning","id":"#r"}]}`,
			`{"k":"x"}`,
			entry.SessionFacts{},
		},
		{
			"records of one type stand in the order of the entry",
			[]string{`vendor i#b name="B"`, `vendor i name="A"`, `vendor i#c name="C"`},
			`{"when":{"k":"x"},"emit":[{"type":"vendor","id":"#b","members":{"name":{"const":"B"}}},{"type":"vendor","members":{"name":{"const":"A"}}},
				{"type":"vendor","id":"#c","members":{"name":{"const":"C"}}}]}`,
			`{"k":"x"}`,
			entry.SessionFacts{},
		},
		{
			"a record whose condition does not hold is not there",
			[]string{`vendor i name=""`, `vendor i#y name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"vendor"},{"type":"vendor","id":"#n","if":{"y":2}},{"type":"vendor","id":"#y","if":{"y":1}}]}`,
			`{"k":"x","y":1}`,
			entry.SessionFacts{},
		},
		{
			"each makes a record for every element, numbered from 1",
			[]string{`tool_call i#c-1 callId="1" name="f"`, `tool_call i#c-2`, `tool_call i#c-3 callId="3"`, `vendor i name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"vendor"},{"type":"tool_call","id":"#c","each":"a","members":{"callId":"id","name":"fn"}}]}`,
			`{"k":"x","a":[{"id":"1","fn":"f"},5,{"id":"3"}]}`,
			entry.SessionFacts{},
		},
		{
			"each over an object knows the names, over an array there are none",
			[]string{`tool_call i#c-1 callId="p" name="f"`, `tool_call i#d-1 name="g"`, `vendor i name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"vendor"},{"type":"tool_call","id":"#c","each":"a","members":{"callId":"$key","name":"$value"}},
				{"type":"tool_call","id":"#d","each":"b","members":{"callId":"$key","name":"$value"}}]}`,
			`{"k":"x","a":{"p":"f"},"b":["g"]}`,
			entry.SessionFacts{},
		},
		{
			"each over the item itself",
			[]string{`tool_call i#c-1 callId="k" name="x"`, `tool_call i#c-2 callId="n"`, `vendor i name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"vendor"},{"type":"tool_call","id":"#c","each":"$value","members":{"callId":"$key","name":"$value"}}]}`,
			`{"k":"x","n":5}`,
			entry.SessionFacts{},
		},
		{
			"each over anything else makes none",
			[]string{`vendor i name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"vendor"},{"type":"tool_call","id":"#c","each":"a"},{"type":"tool_call","id":"#d","each":"b"}]}`,
			`{"k":"x","a":"text"}`,
			entry.SessionFacts{},
		},
		{
			"what the session knows",
			[]string{`vendor i name="later child"`},
			`{"when":{"$seen":"later","$child":true},"emit":[{"type":"vendor","members":{"name":{"const":"later child"}}}]}`,
			`{}`,
			entry.SessionFacts{Later: true, Child: true},
		},
		{
			"a state change holds a small value itself",
			[]string{`state_change i key="a" value="short"`},
			`{"when":{"k":"x"},"emit":[{"type":"state_change","members":{"key":"n","value":"v"}}]}`, `{"k":"x","n":"a","v":"short"}`,
			entry.SessionFacts{},
		},
		{
			"and points to an object",
			[]string{`state_change i key="a" valuePointer="/v"`},
			`{"when":{"k":"x"},"emit":[{"type":"state_change","members":{"key":"n","value":"v"}}]}`, `{"k":"x","n":"a","v":{}}`,
			entry.SessionFacts{},
		},
		{
			"and to a long text",
			[]string{`state_change i valuePointer="/v"`},
			`{"when":{"k":"x"},"emit":[{"type":"state_change","members":{"value":"v"}}]}`, `{"k":"x","v":"` + strings.Repeat("x", 1025) + `"}`,
			entry.SessionFacts{},
		},
		{
			"and to a number that a double cannot hold",
			[]string{`state_change i valuePointer="/v"`},
			`{"when":{"k":"x"},"emit":[{"type":"state_change","members":{"value":"v"}}]}`, `{"k":"x","v":9007199254740993}`,
			entry.SessionFacts{},
		},
		{
			"a value that the entry makes is small or left out",
			[]string{`state_change i key="a"`, `state_change i#s value="short"`},
			`{"when":{"k":"x"},"emit":[{"type":"state_change","members":{"key":"n","value":{"first":["v","w"]}}},
				{"type":"state_change","id":"#s","members":{"value":{"first":["s"]}}}]}`,
			`{"k":"x","n":"a","s":"short","v":"` + strings.Repeat("x", 1025) + `"}`,
			entry.SessionFacts{},
		},
		{
			"null is no value",
			[]string{`state_change i`},
			`{"when":{"k":"x"},"emit":[{"type":"state_change","members":{"value":"v"}}]}`, `{"k":"x","v":null}`,
			entry.SessionFacts{},
		},
		{
			"an item that no other projection is for",
			[]string{`vendor i name="y"`},
			`{"when":{"k":"x"},"emit":[{"type":"error"}]}`, `{"kind":"y"}`,
			entry.SessionFacts{},
		},
		{
			"a kind that is no text",
			[]string{`vendor i name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"error"}]}`, `{"kind":["y"]}`,
			entry.SessionFacts{},
		},
		{
			"an item that is no object",
			[]string{`vendor i name=""`},
			`{"when":{"k":"x"},"emit":[{"type":"error"}]}`, `[{"k":"x"}]`,
			entry.SessionFacts{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mapperOf(t, acme(tt.projection))
			out := mapped(t, m, tt.doc, tt.facts, nil)
			if d := cmp.Diff(tt.want, lines(out)); d != "" {
				t.Errorf("records (-want +got):\n%s", d)
			}
			if out.Records[out.Primary].ID != "i" {
				t.Errorf("primary: got %s, want i", out.Records[out.Primary].ID)
			}
		})
	}
}

// The first projection whose condition holds is taken, also where kinds are looked up before conditions.
func TestMatch(t *testing.T) {
	m := mapperOf(t, acme(
		`{"when":{"kind":"A","x":1},"emit":[{"type":"error"}]}`,
		`{"when":{"y":1},"emit":[{"type":"hook"}]}`,
		`{"when":{"kind":["A","B"]},"emit":[{"type":"plan"}]}`,
		`{"when":{"kind":"A"},"emit":[{"type":"message"}]}`,
		`{"when":{"any":[{"kind":"C"}]},"emit":[{"type":"lifecycle"}]}`,
	))
	tests := []struct {
		want record.Type
		doc  string
	}{
		{record.Error, `{"kind":"A","x":1,"y":1}`},
		{record.Hook, `{"kind":"A","y":1}`},
		{record.Plan, `{"kind":"A"}`},
		{record.Plan, `{"kind":"B"}`},
		{record.Plan, `{"kind":"\u0042"}`},
		{record.Plan, `{"kind":"C","kind":"B"}`},
		{record.Lifecycle, `{"kind":"C"}`},
		{record.Hook, `{"kind":"D","y":1}`},
		{record.Vendor, `{"kind":"D"}`},
		{record.Vendor, `{"kind":1}`},
		{record.Vendor, `{}`},
		{record.Vendor, `[]`},
		{record.Vendor, `null`},
	}
	for _, tt := range tests {
		if got := m.Primary(m.Match(scan(t, tt.doc), entry.SessionFacts{})); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.doc, got, tt.want)
		}
	}
}

func TestNoProjection(t *testing.T) {
	m := mapperOf(t, []byte(base+"}"))
	d := scan(t, `{}`)
	if n := m.Match(d, entry.SessionFacts{}); n != -1 {
		t.Errorf("Match: got %d, want -1", n)
	}
	out := &Out{Records: make([]record.Record, 3)}
	m.Map(&Item{Doc: d, ID: "i", Projection: -1}, out)
	if len(out.Records) != 0 {
		t.Errorf("Map: got %d records, want none", len(out.Records))
	}
}

func TestNotices(t *testing.T) {
	const projection = `{"when":{"k":"x"},"emit":[{"type":"hook","members":{"event":"e","exitCode":"n"}},
		{"type":"message","id":"#m","members":{"content":{"parts":"c"}}}]}`
	tests := []struct {
		want    []string
		notices []Notice
		doc     string
	}{
		{
			[]string{`message i#m role="unknown" origin="unknown" content=[]`, `hook i event="a�b"`},
			[]Notice{{record.TextSurrogate, "/e", "got half a surrogate pair, written as U+FFFD in the record"}},
			`{"k":"x","e":"a\ud800b"}`,
		},
		{
			[]string{`message i#m role="unknown" origin="unknown" content=[{"type":"text","text":"�"},{"type":"text","text":"\ud83d\ude00"}]`, `hook i`},
			[]Notice{{record.TextSurrogate, "/c/0", "got half a surrogate pair, written as U+FFFD in the record"}},
			`{"k":"x","c":["\udc00","\ud83d\ude00"]}`,
		},
		{
			[]string{`message i#m role="unknown" origin="unknown" content=[]`, `hook i`},
			[]Notice{{record.UnsafeNumber, "/n", "got a number that a double cannot hold, left out of the record"}},
			`{"k":"x","n":9007199254740993}`,
		},
		{ // only what a record carries is told
			[]string{`message i#m role="unknown" origin="unknown" content=[]`, `hook i exitCode=1`},
			nil,
			`{"k":"x","n":1,"other":[9007199254740993,"\ud800"]}`,
		},
	}
	m := mapperOf(t, acme(projection))
	for _, tt := range tests {
		out := mapped(t, m, tt.doc, entry.SessionFacts{}, nil)
		if d := cmp.Diff(tt.want, lines(out)); d != "" {
			t.Errorf("%s: records (-want +got):\n%s", tt.doc, d)
		}
		if d := cmp.Diff(tt.notices, out.Notices); d != "" {
			t.Errorf("%s: notices (-want +got):\n%s", tt.doc, d)
		}
	}
}

// A member counts as unmapped when neither a source, a condition, the session nor nativeOnly reads it.
func TestUnmapped(t *testing.T) {
	const projection = `{"when":{"kind":"A"},"emit":[{"type":"message","members":{"content":{"parts":"c.d"},"role":{"case":[{"when":{"r.s":1},"is":{"const":"user"}}]}}},
		{"type":"tool_call","id":"#c","if":{"iff":{"present":true}},"each":"calls","members":{"callId":"inner","arguments":{"raw":"args"}}},
		{"type":"tool_call","id":"#d","members":{"arguments":{"first":["f1",{"map":"f2","else":"$value"}]}},"losses":[{"code":"lineage","when":{"use":"isX"}}]}],"nativeOnly":["kept"]}`
	tests := []struct {
		want []string
		doc  string
	}{
		{nil, `{"kind":"A","c":1,"r":1,"iff":1,"calls":[],"f1":1,"f2":2,"x":true,"kept":1,"at":"t","id":"i","up":"u"}`},
		{[]string{"new"}, `{"kind":"A","new":1}`},
		{[]string{"inner", "args", "d"}, `{"kind":"A","inner":1,"args":1,"d":1}`},
		{nil, `{"kind":"A","new":null}`},
		{nil, `{"\u006bind":"A","c\u0061lls":1,"\u0061t":""}`},
		{[]string{"n\"w"}, `{"kind":"A","n\u0022w":1}`},
		{nil, `{"kind":"other","new":1}`}, // kept whole, nothing was left out
		{nil, `[1]`},
	}
	m := mapperOf(t, acme(projection))
	for _, tt := range tests {
		got := mapped(t, m, tt.doc, entry.SessionFacts{}, nil).Unmapped
		if d := cmp.Diff(tt.want, append([]string(nil), got...)); d != "" {
			t.Errorf("%s: unmapped (-want +got):\n%s", tt.doc, d)
		}
	}
}

// An Out is used again: nothing of the item before is left in it.
func TestReuse(t *testing.T) {
	m := mapperOf(t, acme(`{"when":{"k":"x"},"emit":[{"type":"tool_result","members":{"call":{"ref":"c"},"content":{"parts":"p"}},"losses":[{"code":"lineage","when":{"use":"isX"}}]}]}`))
	docs := []string{`{"k":"x","c":"?","p":"one","x":true,"extra":1,"s":"\ud800"}`, `{"k":"x","c":"1"}`, `{"kind":"y"}`, `{"k":"x","p":["\ud800"]}`}
	refs := known{"?": "?", "1": "call-1"}
	out := &Out{}
	for range 2 {
		for _, doc := range docs {
			want := mapped(t, m, doc, entry.SessionFacts{}, refs)
			d := scan(t, doc)
			m.Map(&Item{Doc: d, ID: "i", Projection: m.Match(d, entry.SessionFacts{}), Refs: refs}, out)
			if diff := cmp.Diff(lines(want), lines(out)); diff != "" {
				t.Errorf("%s: records (-want +got):\n%s", doc, diff)
			}
			if want.Ambiguous != out.Ambiguous || len(want.Notices) != len(out.Notices) || len(want.Unmapped) != len(out.Unmapped) {
				t.Errorf("%s: got ambiguous %v, %d notices, %d unmapped", doc, out.Ambiguous, len(out.Notices), len(out.Unmapped))
			}
		}
	}
}

func TestInfo(t *testing.T) {
	with := func(info string) *Mapper { return mapperOf(t, []byte(base+`,"snapshot":{"sessionInfo":`+info+`}}`)) }
	full := with(`{"title":{"first":["t","u"]},"workspace":"w.dir","executionStatus":"s","requestedModels":["m","n","o"]}`)
	tests := []struct {
		want []string // title, workspace, status, models
		m    *Mapper
		doc  string
	}{
		{[]string{`"T"`, `"/w"`, `"idle"`, `["a","b"]`}, full, `{"t":"T","w":{"dir":"/w"},"s":"idle","m":"a","n":"b","o":"a"}`},
		{[]string{`"U"`, "", "", ""}, full, `{"t":"","u":"U","w":{"dir":5},"s":"","m":null,"n":7}`},
		{[]string{"", "", "", ""}, full, `[]`},
		{[]string{"", "", "", `["a"]`}, with(`{"requestedModels":"m"}`), `{"m":"a"}`},
		{[]string{"", "", "", `["a/b"]`}, full, `{"m":"a/b","n":"\u0061\/b"}`},
		{[]string{"", "", "", `["b"]`}, with(`{"requestedModels":{"first":["m","n"]}}`), `{"n":"b"}`},
		{[]string{"", "", "", ""}, with(`{}`), `{"t":"T"}`},
	}
	for _, tt := range tests {
		i := tt.m.Info(scan(t, tt.doc))
		got := []string{string(i.Title), string(i.Workspace), string(i.ExecutionStatus), string(i.RequestedModels)}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: info (-want +got):\n%s", tt.doc, d)
		}
	}
	text := []byte(`{"t":"T","m":"a"}`)
	d, err := jsonscan.Scan(text, nil, jsonscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := full.Info(&d).Clone()
	clear(text)
	if string(kept.Title) != `"T"` || string(kept.RequestedModels) != `["a"]` || kept.Workspace != nil {
		t.Errorf("clone: got %q, %q, %q after the document changed", kept.Title, kept.RequestedModels, kept.Workspace)
	}
	want := []Notice{{record.TextSurrogate, "/t", "got half a surrogate pair, written as U+FFFD in the record"}}
	if d := cmp.Diff(want, full.Info(scan(t, `{"t":"\ud800"}`)).Notices); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
}

// Each row is one projection that cannot be, and where that is said.
func TestCompileFaults(t *testing.T) {
	at := func(members string) string {
		return `{"when":{"k":"x"},"emit":[{"type":"message","members":{` + members + `}}]}`
	}
	needs := func(phase string) string {
		return `{"when":{"k":"x"},"emit":[{"type":"compaction","members":{"phase":` + phase + `}}]}`
	}
	const missing = "got a value that may be missing, want one that is always there: a const, or a map, first or case that ends in one"
	tests := []struct{ want, projection string }{
		{"/records/0: got 0 records without id, want exactly one (the primary)", `{"when":{"k":"x"},"emit":[{"type":"message","id":"#m"}]}`},
		{"/records/0: got 2 records without id, want exactly one (the primary)", `{"when":{"k":"x"},"emit":[{"type":"message"},{"type":"error"}]}`},
		{"/records/0/emit/2/id: got an id twice, want one of its own for each record", `{"when":{"k":"x"},"emit":[{"type":"message"},{"type":"error","id":"#e"},{"type":"error","id":"#e"}]}`},
		{"/records/0/emit/0/if: got a condition on the primary record, want one that is always there", `{"when":{"k":"x"},"emit":[{"type":"message","if":{"a":1}}]}`},
		{"/records/0/emit/0/each: got each on the primary record, want an id", `{"when":{"k":"x"},"emit":[{"type":"message","each":"a"}]}`},
		{"/records/0/emit/0/type: got a type that the session makes itself, want one that an item can have", `{"when":{"k":"x"},"emit":[{"type":"inference"}]}`},
		{"/records/0/emit/0/type: got a type that the session makes itself, want one that an item can have", `{"when":{"k":"x"},"emit":[{"type":"gap"}]}`},
		{`/records/0/emit/0/members/colour: got a member that message does not have, want one of ["role" "origin" "content" "extendedContent" "sender"]`, at(`"colour":"a"`)},
		{"/records/0/emit/0/members/sender: got an empty part, want a name between the dots", at(`"sender":"a..b"`)},
		{"/records/0/emit/0/members/content: got a value that makes no content parts, want parts, text, members, each, first, case, or a list of them", at(`"content":"a"`)},
		{"/records/0/emit/0/members/content/first/1: got a value that makes no content parts, want parts, text, members, each, first, case, or a list of them", at(`"content":{"first":[{"text":"a"},{"const":[]}]}`)},
		{"/records/0/emit/0/members/content/case/0/is: got a value that makes no content parts, want parts, text, members, each, first, case, or a list of them", at(`"content":{"case":[{"is":{"raw":"a"}}]}`)},
		{"/records/0/emit/0/members/content/as: got a content part without type, want one", at(`"content":{"each":"a","as":{"text":"b"}}`)},
		{`/records/0/emit/0/members/content/as/signature: got a member that content does not have, want one of ["type" "text" "url"]`, at(`"content":{"each":"a","as":{"type":{"const":"text"},"signature":"b"}}`)},
		{`/records/0/emit/0/members/role/const: got a word that role cannot be, want one of ["unknown" "user" "assistant" "system" "tool"]`, at(`"role":{"const":"robot"}`)},
		{`/records/0/emit/0/members/role/to/a: got a word that role cannot be, want one of ["unknown" "user" "assistant" "system" "tool"]`, at(`"role":{"map":"r","to":{"a":"robot","b":"user"}}`)},
		{`/records/0/emit/0/members/role/else: got a word that role cannot be, want one of ["unknown" "user" "assistant" "system" "tool"]`, at(`"role":{"map":"r","else":"robot"}`)},
		{"/records/0/emit/0/members/sender/const: got a value of another kind than sender has", at(`"sender":{"const":5}`)},
		{"/records/0/emit/0: got decision without decision, want it", `{"when":{"k":"x"},"emit":[{"type":"decision"}]}`},
		{"/records/0/emit/0: got compaction without phase, want it", `{"when":{"k":"x"},"emit":[{"type":"compaction","members":{"offset":"o"}}]}`},
		{"/records/0/emit/0/members/phase: " + missing, needs(`"p"`)},
		{"/records/0/emit/0/members/phase: " + missing, needs(`{"map":"p","to":{"a":"applied"}}`)},
		{"/records/0/emit/0/members/phase: " + missing, needs(`{"map":"p","else":"$value"}`)},
		{"/records/0/emit/0/members/phase: " + missing, needs(`{"map":"p","drop":["x"],"else":"applied"}`)},
		{"/records/0/emit/0/members/phase: " + missing, needs(`{"first":["p","q"]}`)},
		{"/records/0/emit/0/members/phase: " + missing, needs(`{"case":[{"when":{"a":1},"is":{"const":"applied"}}]}`)},
		{"/records/0/emit/0/members/phase: " + missing, needs(`{"case":[{"when":{"a":1},"is":"p"},{"is":{"const":"applied"}}]}`)},
		{"", needs(`{"case":[{"when":{"a":1},"is":{"map":"p","else":"requested"}},{"is":{"first":["q",{"const":"applied"}]}}]}`)},
		{"/records/0/when/use: got an unknown condition \"no\", want one of the entry's conditions", `{"when":{"use":"no"},"emit":[{"type":"message"}]}`},
		{"/records/0/emit/0/losses/0/when/$seen: got something else, want \"later\" or \"first\"", `{"when":{"k":"x"},"emit":[{"type":"error","losses":[{"code":"lineage","when":{"$seen":1}}]}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			e, err := entry.Load(acme(tt.projection))
			if err != nil {
				t.Fatal(err)
			}
			_, err = newMapper(e)
			var faults entry.Faults
			if err != nil && !errors.As(err, &faults) {
				t.Fatalf("got %v, want faults", err)
			}
			if d := cmp.Diff(tt.want, faults.Error()); d != "" {
				t.Errorf("faults (-want +got):\n%s", d)
			}
		})
	}
}

// Every name pattern of a format is looked at.
func TestCompilePatterns(t *testing.T) {
	const stream = `"name":"{ordinal:1+}.json"`
	tests := []struct{ want, old, new string }{
		{"/formats/0/unfinished/1", `"id":"f",`, `"id":"f","unfinished":["a{any}","{b}"],`},
		{"/formats/0/streams/0/unfinished/0", stream, stream + `,"unfinished":["{b}"]`},
		{"/formats/0/streams/0/length", stream, stream + `,"length":"{b}"`},
		{"/formats/0/streams/0/name", stream, `"name":"{b}"`},
	}
	for _, tt := range tests {
		e, err := entry.Load([]byte(strings.Replace(base, tt.old, tt.new, 1) + "}"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = newMapper(e)
		var faults entry.Faults
		if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Pointer != tt.want {
			t.Errorf("got %v, want one fault at %s", err, tt.want)
		}
	}
}

func TestCompileFaultsOfEntry(t *testing.T) {
	tests := []struct{ want, doc string }{
		{
			"/records: got a last projection with conditions, want one with an empty when, so that no item is dropped",
			base + `,"records":[{"when":{"k":"x"},"emit":[{"type":"error"}]}]}`,
		},
		{
			`/formats/0/streams/0/name: pattern "{what}": "{what}": got an unknown field, want {ordinal:1+} to {ordinal:16+}, {id}, {count} or {any}`,
			strings.Replace(base, "{ordinal:1+}.json", "{what}", 1) + "}",
		},
		{
			`/formats/0/detect/all/1/not/name: pattern "{what}": "{what}": got an unknown field, want {ordinal:1+} to {ordinal:16+}, {id}, {count} or {any}`,
			strings.Replace(base, `"detect":{"items":true}`, `"detect":{"all":[{"items":true},{"not":{"name":"x/{what}"}}]}`, 1) + "}",
		},
		{
			`/formats/0/detect/any/0/name: pattern "{what}": "{what}": got an unknown field, want {ordinal:1+} to {ordinal:16+}, {id}, {count} or {any}`,
			strings.Replace(base, `"detect":{"items":true}`, `"detect":{"any":[{"name":"{what}"},{"items":true}]}`, 1) + "}",
		},
		{
			"/formats/0/streams/0/ignore/1: got a malformed pattern, want one of path.Match",
			strings.Replace(base, `"name":"{ordinal:1+}.json"`, `"name":"{ordinal:1+}.json","ignore":["*.lock","["]`, 1) + "}",
		},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			e, err := entry.Load([]byte(tt.doc))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = newMapper(e); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}
