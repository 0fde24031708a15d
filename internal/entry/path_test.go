package entry

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/jsonscan"
)

func scan(t testing.TB, raw string) *jsonscan.Doc {
	t.Helper()
	d, err := jsonscan.Scan([]byte(raw), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return &d
}

func parsed(t testing.TB, text string) Path {
	t.Helper()
	p, err := ParsePath(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

func TestParsePathFaults(t *testing.T) {
	tests := []struct{ want, path string }{
		{"got an empty part, want a name between the dots", ""},
		{"got an empty part, want a name between the dots", "a..b"},
		{"got an empty part, want a name between the dots", ".a"},
		{"got an empty part, want a name between the dots", "a."},
		{"got an unknown fact, want one of $key, $value, $seen, $child", "$other"},
		{"got an unknown fact, want one of $key, $value, $seen, $child", "a.$"},
		{"got $key inside a path, want it first", "a.$key"},
		{"got $value inside a path, want it first", "a.$value"},
		{"got a path below $key, want $key alone", "$key.a"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			if _, err := ParsePath(tt.path); err == nil || err.Error() != tt.want {
				t.Errorf("ParsePath: got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestPath(t *testing.T) {
	const doc = `{"a":{"b":[{"c":1},{"c":2,"d":{"c":3}},[4]],"7":"seven","x.y":{"z":true},".":8,"#":9,"$f.g":6},"list":["p","q"],"long":[0,1,2,3,4,5,6,7,8,9,10],"n":null,"s":"t"}`
	tests := []struct {
		want []string // of Each and EachSpelled, the first also of One
		path string
	}{
		{[]string{`"t"`}, "s"},
		{[]string{"null"}, "n"},
		{nil, "none"},
		{nil, "s.t"},
		{nil, "n.x"},
		{[]string{"1"}, "a.b.0.c"},
		{[]string{"4"}, "a.b.2.0"},
		{nil, "a.b.3"},
		{nil, "a.b.00"},
		{nil, "a.b.-1"},
		{nil, "a.b.c"},
		{nil, "a.b.9999999999"},
		{[]string{`"seven"`}, "a.7"},
		{[]string{`{"z":true}`}, `a.x\.y`},
		{[]string{"true"}, `a.x\.y.z`},
		{nil, "a.x.y"},
		{[]string{"8"}, `a.\.`},
		{[]string{"true"}, `a.x\.y.*`},
		{[]string{"6"}, `a.$f\.g`},
		{[]string{`"p"`, `"q"`}, "list.#"},
		{nil, "list.*"},
		{[]string{"10"}, "long.10"},
		{nil, "long.:"},
		{nil, "long.1x"},
		{nil, "a.#"},
		{[]string{"1", "2"}, "a.b.#.c"},
		{[]string{"3"}, "a.b.#.d.c"},
		{[]string{"4"}, "a.b.#.#"},
		{[]string{"1", "2"}, "*.b.#.c"},
		{[]string{"1", "2", "3"}, "**.c"},
		{[]string{"1", "2", "3"}, "a.**.c"},
		{[]string{"1", "2", "3"}, "a.b.**.c"},
		{[]string{`{"c":3}`, "3"}, "a.b.1.d.**"},
		{[]string{"1", "2", "3"}, "**.b.**.c"},
		{[]string{`{"c":1}`, "1"}, "a.b.0.**"},
		{[]string{`"t"`}, "s.**"},
		{[]string{`"t"`}, "$value.s"},
		{[]string{doc}, "$value"},
		{nil, "$key"},
	}
	d := scan(t, doc)
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			p := parsed(t, tt.path)
			var each, spelled []string
			p.Each(d, 0, func(n int) bool { each = append(each, string(d.Value(n))); return true })
			p.EachSpelled(d, 0, func(n int) bool { spelled = append(spelled, string(d.Value(n))); return true })
			if diff := cmp.Diff(tt.want, each); diff != "" {
				t.Errorf("Each (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, spelled); diff != "" {
				t.Errorf("EachSpelled (-want +got):\n%s", diff)
			}
			var first []string
			if n := p.One(d, 0); n >= 0 {
				first = []string{string(d.Value(n))}
			}
			if diff := cmp.Diff(tt.want[:min(len(tt.want), 1)], first); diff != "" {
				t.Errorf("One (-want +got):\n%s", diff)
			}
			if p.String() != tt.path {
				t.Errorf("String: got %s, want %s", p.String(), tt.path)
			}
		})
	}
}

func TestPathDuplicates(t *testing.T) {
	const doc = `{"a":{"k":1},"b":{"a":5},"\u0061":{"k":2,"k":3},"l":[{"a":6,"a":7}]}`
	tests := []struct {
		want, spelled []string
		path          string
	}{
		{[]string{"3"}, []string{"1", "2", "3"}, "a.k"},
		{[]string{"5"}, []string{"5"}, "b.a"},
		{[]string{"7"}, []string{"6", "7"}, "l.0.a"},
		{[]string{"7"}, []string{"6", "7"}, "l.#.a"},
		{[]string{`{"a":5}`, `{"k":2,"k":3}`, `[{"a":6,"a":7}]`}, []string{`{"k":1}`, `{"a":5}`, `{"k":2,"k":3}`, `[{"a":6,"a":7}]`}, "*"},
		{[]string{"3"}, []string{"1", "2", "3"}, "*.k"},
		{[]string{"1", "3"}, []string{"1", "2", "3"}, "**.k"},
	}
	d := scan(t, doc)
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			p := parsed(t, tt.path)
			var each, spelled []string
			p.Each(d, 0, func(n int) bool { each = append(each, string(d.Value(n))); return true })
			p.EachSpelled(d, 0, func(n int) bool { spelled = append(spelled, string(d.Value(n))); return true })
			if diff := cmp.Diff(tt.want, each); diff != "" {
				t.Errorf("Each (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.spelled, spelled); diff != "" {
				t.Errorf("EachSpelled (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPathStops(t *testing.T) {
	d := scan(t, `{"a":[1,2,3],"b":{"c":[4,5]}}`)
	for _, text := range []string{"a.#", "**", "*.**", "b.c.#"} {
		p, calls := parsed(t, text), 0
		if p.Each(d, 0, func(int) bool { calls++; return false }) || calls != 1 {
			t.Errorf("%s: got %d calls after the first said stop, want 1", text, calls)
		}
	}
}

func TestZeroPath(t *testing.T) {
	d := scan(t, `{"a":1}`)
	var p Path
	if p.Stated() || p.One(d, 0) != -1 || p.Root() != "" || p.Single() != "" || p.IsKey() {
		t.Error("the zero path names something, want nothing")
	}
	count := func(int) bool { t.Error("got a node, want none"); return true }
	if !p.Each(d, 0, count) || !p.EachSpelled(scan(t, `{"a":1,"a":2}`), 0, count) {
		t.Error("the zero path was stopped")
	}
}

func TestPathRoot(t *testing.T) {
	tests := []struct{ root, single, path string }{
		{"a", "a", "a"},
		{"a", "", "a.b"},
		{"a.b", "a.b", `a\.b`},
		{"", "", "#.a"},
		{"", "", "**"},
		{"", "", "$key"},
		{"a", "", "$value.a"},
		{"", "", "$value"},
	}
	for _, tt := range tests {
		p := parsed(t, tt.path)
		if d := cmp.Diff([]string{tt.root, tt.single}, []string{p.Root(), p.Single()}); d != "" {
			t.Errorf("%s: root and single (-want +got):\n%s", tt.path, d)
		}
	}
}

func TestOverruled(t *testing.T) {
	tests := []struct {
		want []int // nodes
		doc  string
	}{
		{nil, `[1,2]`},
		{nil, `{"a":1,"b":2}`},
		{[]int{1}, `{"a":1,"b":2,"a":3}`},
		{[]int{1, 2}, `{"a":1,"\u0061":2,"a":3}`},
		{nil, `{"b":{"a":1,"a":2}}`},
		{nil, `[{"a":1,"a":2}]`},
		{nil, `"text"`},
	}
	for _, tt := range tests {
		over := Overruled(scan(t, tt.doc), 0)
		if diff := cmp.Diff(tt.want, slices.Sorted(maps.Keys(over))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.doc, diff)
		}
	}
}

// A document whose members repeat makes * look for the last of each name: once, not once a member.
func TestManyDuplicates(t *testing.T) {
	const members = 200_000
	d := scan(t, `{"a":0,`+strings.Repeat(`"a":1,"b":2,`, members/2)+`"c":3}`)
	p := parsed(t, "*")
	n := 0
	p.Each(d, 0, func(int) bool { n++; return true })
	if n != 3 {
		t.Errorf("got %d nodes, want 3", n)
	}
}

// A path walks a deep document without recursion over its levels.
func TestDeepDocument(t *testing.T) {
	const levels = 1_000_000
	d, err := jsonscan.Scan([]byte(strings.Repeat(`{"a":`, levels)+"1"+strings.Repeat("}", levels)), nil, jsonscan.Options{MaxDepth: levels + 1})
	if err != nil {
		t.Fatal(err)
	}
	p, n := parsed(t, "**.a"), 0
	p.Each(&d, 0, func(int) bool { n++; return true })
	if n != levels {
		t.Errorf("got %d nodes, want %d", n, levels)
	}
}

func TestOneAllocatesNothing(t *testing.T) {
	d := scan(t, `{"a":{"b":["x",{"c":1}]}}`)
	p := parsed(t, "a.b.1.c")
	if n := testing.AllocsPerRun(100, func() { p.One(d, 0) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
