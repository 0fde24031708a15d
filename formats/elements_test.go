package formats

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestCutElements(t *testing.T) {
	deep := strings.Repeat("[", 70_000) + strings.Repeat("]", 70_000)
	for _, tt := range []struct {
		name    string
		want    []string
		tangled bool
		in      string
	}{
		{"nothing", nil, false, ""},
		{"no array", nil, false, "{}"},
		{"an empty array", nil, false, "[]"},
		{"the document", []string{"{}", `{"a":[1,{}]}`}, false, `[{},{"a":[1,{}]}]`},
		{"a member", []string{"{}"}, false, `{"id":"x","events":[{}],"n":1}`},
		{"another member", nil, true, `{"id":"x","rows":[{}]}`},
		{"a member of a member", nil, true, `{"a":{"events":[{}]}}`},
		{"a name that is a value", nil, true, `{"a":"events","b":[{}]}`},
		{"white space", []string{"{\n}", "{}"}, false, "\ufeff [ {\n} ,\r\n\t{} ]\n"},
		{"what is no object", []string{"1", `"a,]\"["`, "true", "[[]]", "-2e3"}, false, `[1,"a,]\"[",true , [[]],-2e3]`},
		{"brackets in strings", []string{`{"a":"}],\"{"}`, "{}"}, false, `[{"a":"}],\"{"},{}]`},
		{"a bracket that does not fit", []string{`{"a":]}`, "{}"}, false, `[{"a":]},{}]`},
		{"a comma twice", []string{"{}", "{}"}, false, `[{},,{}]`},
		{"no comma", []string{"{}", "{}"}, false, `[{}{}]`},
		{"cut off in an element", []string{"{}", `{"a":…`}, false, `[{},{"a":`},
		{"cut off in a string", []string{`"a…`}, false, `["a`},
		{"cut off in a word", []string{"{}", "nul…"}, false, `[{},nul`},
		{"cut off between elements", []string{"{}", "…"}, false, `[{},`},
		{"cut off behind the array", []string{"{}", "…"}, false, `{"events":[{}],"x"`},
		{"cut off before an array", nil, false, `{"events":`},
		{"other nested values before", []string{"{}"}, true, `{"a":{},"events":[{}]}`},
		{"other nested values behind", []string{"{}"}, true, `{"events":[{}],"a":[]}`},
		{"a second array of items", []string{"{}"}, true, `{"events":[{}],"events":[{}]}`},
		{"something behind", []string{"{}"}, true, `[{}] x`},
		{"a name with an escape", nil, true, `{"event\u0073":[{}]}`},
		{"a long name", nil, true, `{"` + strings.Repeat("events", 20) + `":[{}]}`},
		{"deep", []string{deep, "{}"}, false, "[" + deep + ",{}]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				got, tangled := elements(t, r, tt.in)
				if d := cmp.Diff(tt.want, got); d != "" || tangled != tt.tangled {
					t.Errorf("got tangled %v, %s", tangled, d)
				}
			}
		})
	}
}

// elements is pieces for the array that is the document or its member "events".
func elements(t testing.TB, r io.Reader, text string) (list []string, tangled bool) {
	t.Helper()
	p, err := Cutter{Arrays: []string{".", "events"}}.Cut(r)
	if err != nil {
		t.Fatal(err)
	}
	return p.texts(t, text), p.Tangled
}

// FuzzCutElements compares arrays of sound JSON with what encoding/json finds, and chunks of any text with the whole.
func FuzzCutElements(f *testing.F) {
	for _, seed := range []string{`[{"a":1},"x",[2]]`, `{"events":[{},{}],"a":null}`, `[{},`, `{"events":[{"a":"\\"}]} `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, tangled := elements(t, bytes.NewReader(in), string(in))
		again, other := elements(t, iotest.OneByteReader(bytes.NewReader(in)), string(in))
		if d := cmp.Diff(got, again); d != "" || tangled != other {
			t.Errorf("chunks make a difference: %s", d)
		}
		var list []json.RawMessage
		if json.Unmarshal(in, &list) != nil || list == nil {
			return
		}
		var want []string
		for _, one := range list {
			want = append(want, string(one))
		}
		if d := cmp.Diff(want, got); d != "" || tangled {
			t.Errorf("got tangled %v, elements (-json +got): %s", tangled, d)
		}
	})
}

// Where what stands around an array counts, the array ends before an element that is the name of a member.
func TestCutAround(t *testing.T) {
	for _, tt := range []struct {
		name, in    string
		want        []string
		open, close int64
	}{
		{"sound", `{"a":1,"events":[{},{}],"b":{}}`, []string{"{}", "{}"}, 17, 22},
		{"no end", `{"events":[{},{},"b":{"c":[{}]}}`, []string{"{}", "{}", "…"}, 11, 17},
		{"no end of an empty one", `{"events":["b":{"c":[{}]}}`, []string{"…"}, 11, 11},
		{"no end and white space", `{"events":[{} , "b" : 1}`, []string{"{}", "…"}, 11, 16},
		{"a colon behind something else", `{"events":[{}:1]}`, []string{"{}", ":1"}, 11, 15},
		{"a colon behind a number", `{"events":[1:{}]}`, []string{"1:{}"}, 11, 15},
		{"a text with a colon", `{"events":["a:b"]}`, []string{`"a:b"`}, 11, 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Cutter{Arrays: []string{"events"}, Around: true}.Cut(iotest.OneByteReader(strings.NewReader(tt.in)))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, p.texts(t, tt.in)); d != "" || p.Open != tt.open || p.Close != tt.close {
				t.Errorf("got %d to %d, elements (-want +got): %s", p.Open, p.Close, d)
			}
		})
	}
}
