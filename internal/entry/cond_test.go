package entry

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// least is the smallest entry, with more members.
func least(more string) []byte {
	if more != "" {
		more = "," + more
	}
	return []byte(`{"name":"a.b","aliases":["b"],"formats":[]` + more + `}`)
}

// compiled is a condition as an entry would hold it, with two named conditions beside it.
func compiled(t *testing.T, cond string) *Cond {
	t.Helper()
	e, err := Load(least(`"conditions":{"it":` + cond + `,"isUser":{"source":"user"},"isLong":{"text":{"longer":3}}}`))
	if err != nil {
		t.Fatalf("%s: %v", cond, err)
	}
	return e.Conditions["it"]
}

func TestCond(t *testing.T) {
	const doc = `{"kind":"A","source":"user","n":1,"n1":1.0,"big":12345678901234567890,"t":true,"f":false,"z":null,"nan":NaN,
		"e":"","text":"äöü","cut":"a\ud800b","esc":"a\/b\u0041","none":[],"nothing":{},"one":[null],"list":[{"t":"x"},{"t":"yes"},{}],"o":{"a":{"b":"c"}},"a.b":1}`
	tests := []struct {
		want bool
		cond string
	}{
		{true, `{}`},
		{true, `{"kind":"A"}`},
		{false, `{"kind":"a"}`},
		{true, `{"kind":"A","source":"user"}`},
		{false, `{"kind":"A","source":"agent"}`},
		{true, `{"kind":["B","A"]}`},
		{false, `{"kind":["B","C"]}`},
		{true, `{"n":1}`},
		{false, `{"n":"1"}`},
		{false, `{"n":true}`},
		{false, `{"n1":1}`}, // a number equals by its spelling
		{true, `{"n1":1.0}`},
		{true, `{"n":[1,"1"]}`},
		{true, `{"t":true}`},
		{false, `{"t":false}`},
		{true, `{"f":false}`},
		{false, `{"t":"true"}`},
		{false, `{"t":1}`},
		{false, `{"f":0}`},
		{false, `{"z":false}`},
		{false, `{"z":""}`},
		{false, `{"o":"c"}`},
		{true, `{"e":""}`},
		{true, `{"esc":"a/bA"}`},
		{true, `{"o.a.b":"c"}`},
		{true, `{"a\\.b":1}`},
		{false, `{"missing":"x"}`},

		{true, `{"kind":{"present":true}}`},
		{true, `{"e":{"present":true}}`},
		{true, `{"f":{"present":true}}`},
		{true, `{"none":{"present":true}}`},
		{false, `{"z":{"present":true}}`},
		{false, `{"nan":{"present":true}}`},
		{false, `{"missing":{"present":true}}`},
		{true, `{"z":{"absent":true}}`},
		{true, `{"nan":{"absent":true}}`},
		{true, `{"missing":{"absent":true}}`},
		{false, `{"e":{"absent":true}}`},
		{false, `{"one.#":{"present":true}}`},
		{true, `{"one.#":{"absent":true}}`},
		{true, `{"list.#.t":{"present":true}}`},
		{true, `{"none.#":{"absent":true}}`},

		{true, `{"kind":{"nonEmpty":true}}`},
		{true, `{"one":{"nonEmpty":true}}`},
		{true, `{"o":{"nonEmpty":true}}`},
		{false, `{"e":{"nonEmpty":true}}`},
		{false, `{"none":{"nonEmpty":true}}`},
		{false, `{"nothing":{"nonEmpty":true}}`},
		{false, `{"z":{"nonEmpty":true}}`},
		{false, `{"n":{"nonEmpty":true}}`},
		{false, `{"t":{"nonEmpty":true}}`},
		{false, `{"missing":{"nonEmpty":true}}`},

		{true, `{"source":{"prefix":"us"}}`},
		{true, `{"source":{"prefix":["x","user"]}}`},
		{true, `{"source":{"prefix":""}}`},
		{false, `{"source":{"prefix":"users"}}`},
		{false, `{"source":{"prefix":["x","y"]}}`},
		{true, `{"esc":{"prefix":"a/b"}}`},
		{false, `{"esc":{"prefix":"a\\/b"}}`},
		{false, `{"n":{"prefix":"1"}}`},
		{true, `{"text":{"prefix":"ä"}}`},

		{true, `{"text":{"longer":2}}`},
		{false, `{"text":{"longer":3}}`}, // three characters in six bytes
		{true, `{"cut":{"longer":2}}`},
		{false, `{"cut":{"longer":3}}`},
		{false, `{"e":{"longer":0}}`},
		{false, `{"big":{"longer":3}}`},
		{true, `{"list.#.t":{"longer":2}}`},

		{true, `{"list.#.t":"yes"}`},
		{false, `{"list.#.t":"no"}`},
		{true, `{"**.b":"c"}`},

		{true, `{"any":[{"kind":"B"},{"kind":"A"}]}`},
		{false, `{"any":[{"kind":"B"},{"kind":"C"}]}`},
		{true, `{"any":[{"kind":"B"},{"any":[{"n":2},{"n":1}]}]}`},
		{false, `{"n":2,"any":[{"kind":"A"}]}`},
		{true, `{"use":"isUser"}`},
		{false, `{"use":"isLong"}`},
		{true, `{"any":[{"use":"isLong"},{"use":"isUser"}]}`},
		{false, `{"use":"isUser","kind":"B"}`},

		{true, `{"$seen":"first"}`},
		{false, `{"$seen":"later"}`},
		{true, `{"$child":false}`},
		{false, `{"$child":true}`},
	}
	d := scan(t, doc)
	for _, tt := range tests {
		t.Run(tt.cond, func(t *testing.T) {
			if got := compiled(t, tt.cond).Holds(d, 0, SessionFacts{}); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCondSessionFacts(t *testing.T) {
	tests := []struct {
		want  bool
		facts SessionFacts
		cond  string
	}{
		{true, SessionFacts{Later: true}, `{"$seen":"later"}`},
		{false, SessionFacts{Later: true}, `{"$seen":"first"}`},
		{true, SessionFacts{Child: true}, `{"$child":true}`},
		{false, SessionFacts{Child: true}, `{"$child":false}`},
		{false, SessionFacts{Child: true}, `{"$child":true,"$seen":"later"}`},
		{true, SessionFacts{Child: true}, `{"any":[{"$child":true},{"$seen":"later"}]}`},
	}
	for _, tt := range tests {
		if got := compiled(t, tt.cond).Holds(scan(t, `{}`), 0, tt.facts); got != tt.want {
			t.Errorf("%s with %+v: got %v, want %v", tt.cond, tt.facts, got, tt.want)
		}
	}
}

// The last member of a name decides, as in the agents' own readers.
func TestCondDuplicates(t *testing.T) {
	d := scan(t, `{"kind":"A","kind":"B"}`)
	if compiled(t, `{"kind":"A"}`).Holds(d, 0, SessionFacts{}) || !compiled(t, `{"kind":"B"}`).Holds(d, 0, SessionFacts{}) {
		t.Error("got the first of two members, want the last")
	}
}

func TestCondRoots(t *testing.T) {
	want := []string{"a", "b", "c.d", "source", "x"}
	var got []string
	compiled(t, `{"a.b":1,"$seen":"first","b":{"absent":true},"**.y":1,"use":"isUser","any":[{"x.#.y":1},{"c\\.d":2}]}`).Roots(func(name string) {
		got = append(got, name)
	})
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("roots (-want +got):\n%s", d)
	}
}

func TestCondTexts(t *testing.T) {
	tests := []struct {
		want []string
		ok   bool
		cond string
	}{
		{[]string{"A"}, true, `{"kind":"A","x":1}`},
		{[]string{"A", "B"}, true, `{"kind":["A","B"]}`},
		{nil, false, `{"kind":["A",1]}`},
		{nil, false, `{"kind":{"present":true}}`},
		{nil, false, `{"any":[{"kind":"A"}]}`},
		{nil, false, `{"other.kind":"A"}`},
		{nil, false, `{}`},
	}
	for _, tt := range tests {
		got, ok := compiled(t, tt.cond).Texts("kind")
		if d := cmp.Diff(tt.want, got); d != "" || ok != tt.ok {
			t.Errorf("%s: got %v, want %v (-want +got):\n%s", tt.cond, ok, tt.ok, d)
		}
	}
}

func TestEmpty(t *testing.T) {
	tests := []struct {
		want bool
		doc  string
	}{
		{true, `null`},
		{true, `NaN`},
		{true, `""`},
		{true, `[ ]`},
		{true, `{}`},
		{false, `0`},
		{false, `false`},
		{false, `" "`},
		{false, `[null]`},
		{false, `{"a":null}`},
	}
	for _, tt := range tests {
		if got := Empty(scan(t, tt.doc), 0); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.doc, got, tt.want)
		}
	}
	if !Empty(scan(t, `1`), -1) {
		t.Error("got a missing value that is not empty")
	}
}

// Conditions that use each other twice would double the tests with each of them.
func TestCondBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString(`"conditions":{"c0":{"x":1}`)
	for i := range 60 {
		prev, next := string(rune('a'+(i-1)%26))+strings.Repeat("x", i), string(rune('a'+i%26))+strings.Repeat("x", i+1)
		if i == 0 {
			prev = "c0"
		}
		b.WriteString(`,"` + next + `":{"any":[{"use":"` + prev + `"},{"use":"` + prev + `"}]}`)
	}
	b.WriteString(`}`)
	_, err := Load(least(b.String()))
	var faults Faults
	if !errors.As(err, &faults) || !strings.Contains(faults[0].Message, "want at most 1000") {
		t.Errorf("got %v, want a fault", err)
	}
}

func TestCondAllocatesNothing(t *testing.T) {
	d := scan(t, `{"kind":"A","o":{"kind":"T","content":"some text"},"list":[{"t":"x"}]}`)
	c := compiled(t, `{"kind":["B","A"],"o.kind":"T","o.content":{"longer":500},"any":[{"o":{"absent":true}},{"o.kind":{"prefix":"T"}}]}`)
	if n := testing.AllocsPerRun(100, func() { c.Holds(d, 0, SessionFacts{}) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
