package jsonscan

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKind(t *testing.T) {
	d := mustScan(t, `[{},[],"",0,-1,true,false,null,NaN,Infinity,-Infinity]`)
	want := []Kind{Object, Array, String, Number, Number, True, False, Null, NonFinite, NonFinite, NonFinite}
	var got []Kind
	for c := range d.Children(0) {
		got = append(got, d.Kind(c))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNothingThere(t *testing.T) {
	d := mustScan(t, `[0]`)
	for _, doc := range []*Doc{&d, {}} {
		for _, i := range []int{-1, 2, 1 << 30} {
			got := []any{
				doc.Kind(i), string(doc.Value(i)), string(doc.Name(i)), doc.Find(i, ""), doc.Len(i), doc.Elem(i, 0),
				doc.Text(i), doc.Pointer(i), doc.Equal(i, ""), len(slices.Collect(doc.Children(i))),
			}
			if d := cmp.Diff([]any{None, "", "", -1, 0, -1, "", "", false, 0}, got); d != "" {
				t.Errorf("node %d: %s", i, d)
			}
			if v, ok := doc.Int(i); ok || v != 0 {
				t.Errorf("Int(%d) = %d, %v", i, v, ok)
			}
		}
	}
	if got := new(Doc).At(""); got != -1 {
		t.Errorf("At of an empty document = %d, want -1", got)
	}
}

func TestMembers(t *testing.T) {
	d := mustScan(t, `{"a":1, "b" : {"a":[true,"x"]},"\u0063":null}`)
	tests := []struct {
		node       int
		name, text string
		length     int
	}{
		{0, "", `{"a":1, "b" : {"a":[true,"x"]},"\u0063":null}`, 3},
		{1, "a", "1", 0},
		{2, "b", `{"a":[true,"x"]}`, 1},
		{3, "a", `[true,"x"]`, 2},
		{4, "", "true", 0},
		{5, "", `"x"`, 0},
		{6, `\u0063`, "null", 0},
	}
	for _, tt := range tests {
		want := []any{tt.name, tt.text, tt.length}
		if d := cmp.Diff(want, []any{string(d.Name(tt.node)), string(d.Value(tt.node)), d.Len(tt.node)}); d != "" {
			t.Errorf("node %d: %s", tt.node, d)
		}
	}
	if d := cmp.Diff([]int{1, 2, 6}, slices.Collect(d.Children(0))); d != "" {
		t.Error("children:", d)
	}
	for n, want := range []int{1, 2, 6, -1} {
		if got := d.Elem(0, n); got != want {
			t.Errorf("Elem(0, %d) = %d, want %d", n, got, want)
		}
	}
	if got := d.Elem(3, -1); got != -1 {
		t.Errorf("Elem(3, -1) = %d, want -1", got)
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		raw, name string
		want      int
	}{
		{`{}`, "", -1},
		{`{"":1}`, "", 1},
		{`{"a":1,"b":2}`, "b", 2},
		{`{"a":1,"b":2}`, "c", -1},
		{`{"a":1,"b":2}`, "ab", -1},
		{`{"x":{"a":1}}`, "a", -1},
		{`["a"]`, "a", -1},
		{`"a"`, "a", -1},
		{`{"a":1,"a":2,"b":3}`, "a", 2},
		{`{"a":1,"\u0061":2,"b":3}`, "a", 2},
		{`{"\u0061":1,"b":3}`, "a", 1},
		{`{"\u0061\n":1}`, "a\n", 1},
		{`{"\ud83d\ude00":1}`, "😀", 1},
		{`{"\ud83d":1}`, "\uFFFD", 1},
		{`{"\ud83d":1}`, "\xed\xa0\xbd", -1},
		{`{"a\\":1}`, `a\`, 1},
		{`{"a\\":1}`, `a\\`, -1},
		{`{"\ud83d":1,"\ud83e":2}`, "\uFFFD", 2},
	}
	for _, tt := range tests {
		d := mustScan(t, tt.raw)
		if got := d.Find(0, tt.name); got != tt.want {
			t.Errorf("Find of %q in %s = %d, want %d", tt.name, tt.raw, got, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ raw, want string }{
		{`""`, ""},
		{`"plain ü 😀"`, "plain ü 😀"},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"\u0000\u00e9\u20AC\ud83d\ude00"`, "\x00é€😀"},
		{`"a\ud800b"`, "a\uFFFDb"},
		{`"\ude00\ud83d"`, "\uFFFD\uFFFD"},
		{`"\ud83d\ud83d\ude00"`, "\uFFFD😀"},
		{`"\ud83d\u0041"`, "\uFFFDA"},
		{`"\\ud800"`, `\ud800`},
		{`12`, ""},
		{`["a"]`, ""},
	}
	for _, tt := range tests {
		d := mustScan(t, tt.raw)
		if got := d.Text(0); got != tt.want {
			t.Errorf("Text of %s = %q, want %q", tt.raw, got, tt.want)
		}
		isString := d.Kind(0) == String
		if got := d.Equal(0, tt.want); got != isString {
			t.Errorf("Equal(%s, %q) = %v, want %v", tt.raw, tt.want, got, isString)
		}
		for _, other := range []string{tt.want + "x", "x" + tt.want, "x"} {
			if d.Equal(0, other) {
				t.Errorf("Equal(%s, %q) = true", tt.raw, other)
			}
		}
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		raw  string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"17", 17, true},
		{"-17", -17, true},
		{"9007199254740991", 9007199254740991, true},
		{"-9007199254740991", -9007199254740991, true},
		{"9007199254740992", 0, false},
		{"9999999999999999", 0, false},
		{"10000000000000000000000", 0, false},
		{"1.0", 0, false},
		{"1e2", 0, false},
		{"NaN", 0, false},
		{`"1"`, 0, false},
		{"true", 0, false},
	}
	for _, tt := range tests {
		d := mustScan(t, tt.raw)
		if got, ok := d.Int(0); got != tt.want || ok != tt.ok {
			t.Errorf("Int of %s = %d, %v, want %d, %v", tt.raw, got, ok, tt.want, tt.ok)
		}
	}
}

func TestPointer(t *testing.T) {
	d := mustScan(t, `{"a":[0,{"b/c":1}],"":{"~":[]},"\u006d~1":2,"a\"":3,"0":4}`)
	want := []string{"", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/", "//~0", "/m~01", `/a"`, "/0"}
	var got []string
	for i := range d.Nodes {
		got = append(got, d.Pointer(i))
		if back := d.At(d.Pointer(i)); back != i {
			t.Errorf("At(%q) = %d, want %d", d.Pointer(i), back, i)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAt(t *testing.T) {
	const raw = `{"a":[10,[20,30]],"a~b":1,"c":1,"c":2,"d":{"01":0}}`
	tests := []struct{ pointer, want string }{
		{"", raw},
		{"/a/0", "10"},
		{"/a/1/1", "30"},
		{"/c", "2"},
		{"/a~0b", "1"},
		{"/d/01", "0"},
		{"a", ""},
		{"/", ""},
		{"/a/", ""},
		{"/a/2", ""},
		{"/a/-", ""},
		{"/a/-1", ""},
		{"/a/+1", ""},
		{"/a/01", ""},
		{"/a/00", ""},
		{"/a/1_0", ""},
		{"/a/99999999999999999999", ""},
		{"/a~b", ""},
		{"/a~2b", ""},
		{"/a~", ""},
		{"/a~~0b", ""},
		{"/c/0", ""},
		{"/a/0/0", ""},
	}
	d := mustScan(t, raw)
	for _, tt := range tests {
		if got := string(d.Value(d.At(tt.pointer))); got != tt.want {
			t.Errorf("At(%q) = %q, want %q", tt.pointer, got, tt.want)
		}
	}
}

func TestAppendUnescape(t *testing.T) {
	tests := []struct {
		raw, want string
		lone      bool
	}{
		{`plain`, "plain", false},
		{`a\nb`, "a\nb", false},
		{`\ud800x`, "\uFFFDx", true},
		{`\ud83d\ude00`, "😀", false},
		{`\`, `\`, false},
		{`a\x\n`, "a\\x\n", false},
		{`\u12`, `\u12`, false},
		{`\ud83d\u12`, "\uFFFD" + `\u12`, true},
		{"\xff\\n", "\xff\n", false},
	}
	for _, tt := range tests {
		if !tt.lone && !equalText([]byte(tt.raw), tt.want) {
			t.Errorf("equalText(%q, %q) = false", tt.raw, tt.want)
		}
		got, lone := AppendUnescape([]byte("> "), []byte(tt.raw))
		if string(got) != "> "+tt.want || lone != tt.lone {
			t.Errorf("AppendUnescape(%q) = %q, %v, want %q, %v", tt.raw, got, lone, "> "+tt.want, tt.lone)
		}
	}
}

func TestAppendClean(t *testing.T) {
	tests := []struct {
		raw, want string
		changed   bool
	}{
		{`""`, `""`, false},
		{`"a\n\u0041\/\"b"`, `"a\n\u0041\/\"b"`, false},
		{`"\ud83d\ude00"`, `"\ud83d\ude00"`, false},
		{`"\ud83d"`, "\"\uFFFD\"", true},
		{`x\ud83d\ud83d\ude00\ude00\ty`, "x\uFFFD" + `\ud83d\ude00` + "\uFFFD" + `\ty`, true},
		{`"\\ud800"`, `"\\ud800"`, false},
		{`"\\\ud800"`, `"\\` + "\uFFFD\"", true},
		{`\`, `\`, false},
		{`\u12\ud800`, `\u12` + "\uFFFD", true},
	}
	for _, tt := range tests {
		got, changed := AppendClean([]byte("> "), []byte(tt.raw))
		if string(got) != "> "+tt.want || changed != tt.changed {
			t.Errorf("AppendClean(%q) = %q, %v, want %q, %v", tt.raw, got, changed, "> "+tt.want, tt.changed)
		}
	}
}

func TestCompact(t *testing.T) {
	tests := []struct{ raw, want string }{
		{`1`, `1`},
		{" {\n\t\"a b\" : [ 1.0 , \"x\\\" y \\\\\" ] ,\r\n \"\\u0020\" : { } } ", `{"a b":[1.0,"x\" y \\"],"\u0020":{}}`},
		{`[NaN, -Infinity]`, `[NaN,-Infinity]`},
	}
	for _, tt := range tests {
		if got := string(Compact([]byte("> "), mustScan(t, tt.raw))); got != "> "+tt.want {
			t.Errorf("Compact(%q) = %q, want %q", tt.raw, got, "> "+tt.want)
		}
	}
}

func TestStrings(t *testing.T) {
	want := []string{"none", "object", "non-finite", "unknown", "invalid JSON", "too large", "unknown fault", "unknown fault", "byte 3: no JSON value"}
	got := []string{
		None.String(), Object.String(), NonFinite.String(), Kind(200).String(),
		Syntax.String(), Size.String(), Reason(0).String(), Reason(200).String(), (&Error{3, Empty}).Error(),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
