package registry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// Each row is one source for one member of one type of record, and the value that comes out: "" for none.
func TestOperators(t *testing.T) {
	const (
		name    = "vendor name"
		args    = "tool_call arguments"
		content = "message content"
		thought = "reasoning content"
		tools   = "instructions tools"
		risks   = "assessment risks"
		target  = "session_link target"
		exit    = "hook exitCode"
		success = "hook success"
		exec    = "tool_call executable"
		value   = "lifecycle value"
		event   = "lifecycle event"
		role    = "message role"
		call    = "hook call"
	)
	const png = "iVBORw0KGgo="
	tests := []struct{ want, member, from, doc string }{
		// a path
		{`"A"`, args, `"a"`, `{"a":"A"}`},
		{`"B"`, args, `"a.b.1.c"`, `{"a":{"b":[0,{"c":"B"}]}}`},
		{`"B"`, args, `"a.#.c"`, `{"a":[{},{"c":"B"},{"c":"C"}]}`},
		{`"a\/\u0041"`, args, `"a"`, `{"a":"a\/\u0041"}`},
		{`""`, args, `"a"`, `{"a":""}`},
		{`""`, name, `"a"`, `{"a":null}`}, // required
		{``, args, `"a"`, `{"a":null}`},
		{``, args, `"a"`, `{"a":5}`},
		{``, args, `"a"`, `{"a":["x"]}`},
		{``, args, `"a"`, `{}`},
		{`"2"`, args, `"a"`, `{"a":"1","a":"2"}`},

		// the forms of members
		{`5`, exit, `"a"`, `{"a":5}`},
		{`-5`, exit, `"a"`, `{"a":-5}`},
		{`1098`, exit, `"a"`, `{"a":1098}`},
		{``, exit, `"a"`, `{"a":5.0}`},
		{``, exit, `"a"`, `{"a":5e0}`},
		{``, exit, `"a"`, `{"a":"5"}`},
		{``, exit, `"a"`, `{"a":9007199254740993}`},
		{`false`, success, `"a"`, `{"a":false}`},
		{`true`, success, `"a"`, `{"a":true}`},
		{``, success, `"a"`, `{"a":0}`},
		{``, success, `"a"`, `{"a":"true"}`},
		{`false`, exec, `"a"`, `{"a":false}`},
		{``, exec, `"a"`, `{"a":true}`},
		{`1.50`, value, `"a"`, `{"a":1.50}`},
		{`true`, value, `"a"`, `{"a":true}`},
		{``, value, `"a"`, `{"a":{}}`},

		// const
		{`"c"`, args, `{"const":"c"}`, `{}`},
		{`false`, exec, `{"const":false}`, `{}`},
		{`3`, exit, `{"const":3}`, `{}`},

		// first: the first that is not empty, else the first that is there
		{`"B"`, args, `{"first":["a","b"]}`, `{"a":"","b":"B"}`},
		{`"B"`, args, `{"first":["a","b"]}`, `{"a":null,"b":"B","c":1}`},
		{`""`, args, `{"first":["a","b"]}`, `{"a":"","b":null}`},
		{`"x"`, args, `{"first":["a",{"const":"x"}]}`, `{}`},
		{`[{"type":"text","text":"T"}]`, content, `{"first":[{"parts":"a"},{"text":"b"}]}`, `{"a":[],"b":"T"}`},
		{`[{"type":"text","text":"T"}]`, content, `{"first":[{"parts":"a"},{"text":"b"}]}`, `{"a":[{"type":"text","text":""}],"b":"T"}`},
		{`[]`, content, `{"first":[{"parts":"a"},{"text":"b"}]}`, `{"a":[]}`},

		// map
		{`"one"`, args, `{"map":"a","to":{"1":"one"}}`, `{"a":1}`},
		{`"one"`, args, `{"map":"a","to":{"x":"one"}}`, `{"a":"\u0078"}`},
		{`"yes"`, args, `{"map":"a","to":{"true":"yes"}}`, `{"a":true}`},
		{`"none"`, args, `{"map":"a","to":{"":"none"},"else":"$value"}`, `{"a":""}`},
		{`true`, success, `{"map":"a","to":{"done":true,"failed":false}}`, `{"a":"done"}`},
		{``, args, `{"map":"a","to":{"1":"one"}}`, `{"a":2}`},
		{`"z"`, args, `{"map":"a","to":{"1":"one"},"else":"z"}`, `{"a":2}`},
		{`"z"`, args, `{"map":"a","else":"z"}`, `{}`},
		{`"q"`, args, `{"map":"a","to":{"1":"one"},"else":"$value"}`, `{"a":"q"}`},
		{``, args, `{"map":"a","else":"$value"}`, `{}`},
		{``, args, `{"map":"a","drop":["q"],"else":"$value"}`, `{"a":"q"}`},
		{``, args, `{"map":"a","drop":["q"],"to":{"q":"r"},"else":"z"}`, `{"a":"q"}`},
		{``, exit, `{"map":"a","drop":[5],"else":"$value"}`, `{"a":5}`},
		{`6`, exit, `{"map":"a","drop":[5],"else":"$value"}`, `{"a":6}`},
		{`"one"`, args, `{"map":{"first":["a","b"]},"to":{"1":"one"}}`, `{"b":1}`},

		// parts
		{`[{"type":"text","text":"T"}]`, content, `{"parts":"a"}`, `{"a":"T"}`},
		{`[{"type":"text","text":""}]`, content, `{"parts":"a"}`, `{"a":""}`},
		{`[{"type":"text","text":"T"}]`, content, `{"parts":"a"}`, `{"a":{"type":"text","text":"T","more":1}}`},
		{`[{"type":"text","text":"T"},{"type":"text","text":"U"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"text","text":"T"},"U"]}`},
		{`[{"type":"other","pointer":"/a/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"video","text":"T"}]}`},
		{`[{"type":"other","pointer":"/a/0"},{"type":"other","pointer":"/a/1"}]`, content, `{"parts":"a"}`, `{"a":[5,null]}`},
		{`[{"type":"other","pointer":"/a/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"text","text":7}]}`},
		{`[{"type":"image","url":"https:\/\/h/i.png"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":["https:\/\/h/i.png"]}]}`},
		{`[{"type":"image","url":"u"},{"type":"image","url":"v"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":["u","v"]}]}`},
		{`[{"type":"image","url":"u"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":"u"}]}`},
		{`[{"type":"other","pointer":"/a/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":[]}]}`},
		{`[{"type":"other","pointer":"/a/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image"}]}`},
		{`[{"type":"other","pointer":"/a/0/urls/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":[""]}]}`},
		{`[{"type":"other","pointer":"/a/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":{"0":"u"}}]}`},
		{
			`[{"type":"image","mediaType":"image/png","sha256":"4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6","bytes":8,"pointer":"/a/0/urls/0"}]`,
			content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":["data:image\/png;base64,` + png + `"]}]}`,
		},
		{`[{"type":"other","pointer":"/a/0/urls/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":["data:image/png;base64,!"]}]}`},
		{`[{"type":"other","pointer":"/a/0/urls/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":["data:;base64,AAAA"]}]}`},
		{`[{"type":"other","pointer":"/a/0/urls/0"}]`, content, `{"parts":"a"}`, `{"a":[{"type":"image","urls":["data:text/plain,hello"]}]}`},
		{`[]`, content, `{"parts":"a"}`, `{"a":5}`},
		{`[]`, content, `{"parts":"a"}`, `{}`},

		// text
		{`[{"type":"text","text":"T"}]`, content, `{"text":"a"}`, `{"a":"T"}`},
		{``, thought, `{"text":"a"}`, `{"a":["T"]}`},
		{``, thought, `{"text":"a"}`, `{}`},

		// a list
		{`[{"type":"text","text":"T"},{"type":"text","text":"U"},{"type":"text","text":"V"}]`, content, `[{"text":"a"},{"parts":"b"}]`, `{"a":"T","b":["U","V"]}`},
		{`[{"type":"text","text":"U"}]`, content, `[{"text":"a"},{"parts":"b"},{"parts":"c"}]`, `{"b":"U","c":[]}`},
		{`[]`, content, `[{"text":"a"}]`, `{}`},
		{`[{"type":"image","url":"u"},{"type":"text","text":"T"}]`, content, `[{"members":{"type":{"const":"image"},"url":"i"}},{"text":"a"}]`, `{"a":"T","i":"u"}`},

		// pointer and raw
		{`"/a/x~1y/0"`, args, `{"pointer":"a.x/y.0"}`, `{"a":{"x/y":["T"]}}`},
		{``, args, `{"pointer":"a"}`, `{"a":null}`},
		{`"{ \"b\" : 1.0 }"`, args, `{"raw":"a"}`, `{"a":{ "b" : 1.0 }}`},
		{`"\"T\""`, args, `{"raw":"a"}`, `{"a":"T"}`},
		{`"false"`, args, `{"raw":"a"}`, `{"a":false}`},
		{``, args, `{"raw":"a"}`, `{"a":null}`},
		{`"NaN"`, args, `{"raw":"a"}`, `{"a":NaN}`},

		// members: an object of which something came from the source
		{`{"agent":"org.acme","sessionId":"S"}`, target, `{"members":{"agent":{"const":"org.acme"},"sessionId":"a"}}`, `{"a":"S"}`},
		{``, target, `{"members":{"agent":{"const":"org.acme"},"sessionId":"a"}}`, `{"a":""}`},
		{``, target, `{"members":{"agent":{"const":"org.acme"},"sessionId":"a"}}`, `{"a":5}`},
		{`[{"type":"text","text":"T"}]`, content, `{"members":{"type":{"const":"text"},"text":"a"}}`, `{"a":"T"}`},

		// case
		{`"1"`, args, `{"case":[{"when":{"a":1},"is":{"const":"1"}},{"when":{"a":{"present":true}},"is":{"const":"2"}}]}`, `{"a":1}`},
		{`"2"`, args, `{"case":[{"when":{"a":1},"is":{"const":"1"}},{"when":{"a":{"present":true}},"is":{"const":"2"}}]}`, `{"a":2}`},
		{``, args, `{"case":[{"when":{"a":1},"is":{"const":"1"}},{"when":{"a":{"present":true}},"is":{"const":"2"}}]}`, `{}`},
		{`"A"`, args, `{"case":[{"when":{"use":"isX"},"is":"a"},{"is":{"const":"z"}}]}`, `{"a":"A","x":true}`},
		{`"z"`, args, `{"case":[{"when":{"use":"isX"},"is":"a"},{"is":{"const":"z"}}]}`, `{"a":"A"}`},
		{``, args, `{"case":[{"when":{"use":"isX"},"is":"a"},{"is":{"const":"z"}}]}`, `{"a":null,"x":true}`},

		// each
		{`[{"name":"p"},{"name":"q","description":"d"}]`, tools, `{"each":"a","as":{"name":"n","description":"d"}}`, `{"a":[{"n":"p"},{"n":"q","d":"d"}]}`},
		{`[{"name":"q"}]`, tools, `{"each":"a","as":{"name":"n"}}`, `{"a":[{"m":1},5,{"n":"q"}]}`},
		{`[]`, tools, `{"each":"a","as":{"name":"n"}}`, `{"a":[]}`},
		{`[{"name":"k","description":"x"},{"name":"a"}]`, tools, `{"each":"$value","as":{"name":"$key","description":"$value"}}`, `{"a":5}`},
		{``, tools, `{"each":"a","as":{"name":"n"}}`, `{"a":"x"}`},
		{`[{"name":"k","description":"v"},{"name":"\"l"}]`, tools, `{"each":"a","as":{"name":"$key","description":"$value"}}`, `{"a":{"k":"v","\u0022l":5}}`},
		{`[{"name":"k","description":"2"}]`, tools, `{"each":"a","as":{"name":"$key","description":"$value"}}`, `{"a":{"k":"1","k":"2"}}`},
		{`[{"description":"v"}]`, tools, `{"each":"a","as":{"name":"$key","description":"$value"}}`, `{"a":["v"]}`},
		{`[{"name":"x"}]`, tools, `{"each":"a","as":{"name":"$value.0"}}`, `{"a":[["x"]]}`},
		{`[{"type":"text","text":"T"},{"type":"other","pointer":"/a/1"}]`, content, `{"each":"a","as":{"type":{"const":"text"},"text":"t"}}`, `{"a":[{"t":"T"},{"u":1}]}`},
		{`[{"type":"text","text":"","signature":"s"}]`, thought, `{"each":"a","as":{"type":{"const":"text"},"text":"t","signature":"s"}}`, `{"a":[{"t":"","s":"s"}]}`},

		// ref
		{`"call-1"`, call, `{"ref":"a"}`, `{"a":"1"}`},
		{`"call-1"`, call, `{"ref":"a"}`, `{"a":"\u0031"}`},
		{``, call, `{"ref":"a"}`, `{"a":"9"}`},
		{``, call, `{"ref":"a"}`, `{"a":"two"}`},
		{``, call, `{"ref":"a"}`, `{"a":""}`},
		{``, call, `{"ref":"a"}`, `{"a":1}`},
		{``, call, `{"ref":"a"}`, `{}`},
		{`[{"call":"call-1","risk":"high"},{"nativeCallId":"9","risk":"low"}]`, risks, `{"each":"a","as":{"call":{"ref":"$key"},"risk":"$value"}}`, `{"a":{"1":"high","9":"low"}}`},
		{`[{"nativeCallId":"9","risk":"low"}]`, risks, `{"each":"a","as":{"call":{"ref":"id"},"risk":{"const":"low"}}}`, `{"a":[{"id":"9"}]}`},

		// words: another word stands for unknown, or is left out where the type has no such word
		{`"user"`, role, `"a"`, `{"a":"user"}`},
		{`"unknown"`, role, `"a"`, `{"a":"developer"}`},
		{`"unknown"`, role, `"a"`, `{"a":5}`},
		{`"user"`, role, `"a"`, `{"a":"us\u0065r"}`},
		{`"paused"`, event, `"a"`, `{"a":"paused"}`},
		{``, event, `"a"`, `{"a":"sleeping"}`},
	}
	refs := known{"1": "call-1", "2": "call-2", "two": "?"}
	for _, tt := range tests {
		t.Run(tt.member+" "+tt.from+" "+tt.doc, func(t *testing.T) {
			kind, member, _ := strings.Cut(tt.member, " ")
			m := mapperOf(t, acme(fmt.Sprintf(`{"when":{"k":"x"},"emit":[{"type":%q,"members":{%q:%s}}]}`, kind, member, tt.from)))
			out := mapped(t, m, strings.Replace(`{"k":"x",`+tt.doc[1:], ",}", "}", 1), entry.SessionFacts{}, refs)
			if len(out.Records) != 1 {
				t.Fatalf("got %d records, want one", len(out.Records))
			}
			if got := string(out.Records[0].Get(member)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAmbiguousRef(t *testing.T) {
	m := mapperOf(t, acme(`{"when":{"k":"x"},"emit":[{"type":"hook","members":{"call":{"ref":"a"}}}]}`))
	for id, want := range map[string]bool{"two": true, "1": false, "9": false} {
		out := mapped(t, m, `{"k":"x","a":"`+id+`"}`, entry.SessionFacts{}, known{"1": "call-1", "two": "?"})
		if out.Ambiguous != want {
			t.Errorf("%s: got ambiguous %v, want %v", id, out.Ambiguous, want)
		}
	}
}

func TestRefWants(t *testing.T) {
	m := mapperOf(t, acme(`{"when":{"k":"x"},"emit":[{"type":"hook","members":{"call":{"ref":"a"},"message":{"ref":"b"}}}]}`))
	got := wants{}
	mapped(t, m, `{"k":"x","a":"1","b":"2"}`, entry.SessionFacts{}, got)
	if d := cmp.Diff(wants{"1": record.ToolCall, "2": record.Message}, got); d != "" {
		t.Errorf("wanted types (-want +got):\n%s", d)
	}
}

// wants notes what each id was asked for as.
type wants map[string]record.Type

func (w wants) Ref(native []byte, want record.Type) (string, RefState) {
	w[string(native)] = want
	return "", RefUnknown
}

// Without a session every id is unknown.
func TestNoRefs(t *testing.T) {
	m := mapperOf(t, acme(`{"when":{"k":"x"},"emit":[{"type":"assessment","members":{"risks":{"each":"a","as":{"call":{"ref":"$key"}}}}}]}`))
	want := []string{`assessment i risks=[{"nativeCallId":"1"}]`}
	if d := cmp.Diff(want, lines(mapped(t, m, `{"k":"x","a":{"1":"low"}}`, entry.SessionFacts{}, nil))); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}

func TestDecisionAndCompaction(t *testing.T) {
	m := mapperOf(t, acme(`{"when":{"k":"x"},"emit":[{"type":"decision","members":{"decision":{"const":"approved"},"calls":[{"ref":"a"},{"ref":"b"},{"ref":"c"}]}},
		{"type":"compaction","id":"#c","members":{"phase":{"const":"requested"},"offset":"o"}}]}`))
	tests := []struct {
		want []string
		doc  string
	}{
		{[]string{`compaction i#c phase="requested" offset=7`, `decision i decision="approved" by="unknown" calls=["call-1","call-2"]`}, `{"k":"x","a":"1","b":"2","c":"9","o":7}`},
		{[]string{`compaction i#c phase="requested"`, `decision i decision="approved" by="unknown" calls=[]`}, `{"k":"x","o":-7}`},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, lines(mapped(t, m, tt.doc, entry.SessionFacts{}, known{"1": "call-1", "2": "call-2"}))); d != "" {
			t.Errorf("%s: records (-want +got):\n%s", tt.doc, d)
		}
	}
}
