package diff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/diff"
	"github.com/session-trace/ctx/internal/jsonscan"
)

func TestLines(t *testing.T) {
	type places = []diff.Place
	deep := func(inner string) string { return strings.Repeat("[", 1001) + inner + strings.Repeat("]", 1001) }
	tests := []struct {
		want places
		name string
		a, b string
	}{
		{nil, "the same", `{"a":1}`, `{"a":1}`},
		{places{{"/a", diff.Changed, "1", "2"}}, "a number", `{"a":1}`, `{"a":2}`},
		{places{{"/a", diff.Spelling, "1.0", "1.00"}}, "a number spelled otherwise", `{"a":1.0}`, `{"a":1.00}`},
		{places{{"/a", diff.Spelling, "100", "1e2"}}, "an exponent", `{"a":100}`, `{"a":1e2}`},
		{places{{"/a", diff.Spelling, "0", "-0.0"}}, "zero", `{"a":0}`, `{"a":-0.0}`},
		{places{{"/a", diff.Changed, "-1", "1"}}, "a sign", `{"a":-1}`, `{"a":1}`},
		{places{{"/a", diff.Changed, "9007199254740993", "9007199254740992"}}, "no double tells them apart", `{"a":9007199254740993}`, `{"a":9007199254740992}`},
		{places{{"/a", diff.Changed, "1e99999999999999999999", "1e99999999999999999998"}}, "a large exponent", `{"a":1e99999999999999999999}`, `{"a":1e99999999999999999998}`},
		{places{{"/a", diff.Changed, "1", `"1"`}}, "another kind", `{"a":1}`, `{"a":"1"}`},
		{places{{"/a", diff.Changed, "true", "false"}}, "booleans", `{"a":true}`, `{"a":false}`},
		{places{{"/a", diff.Spelling, `"\u0061"`, `"a"`}}, "an escape", `{"a":"\u0061"}`, `{"a":"a"}`},
		{places{{"/a", diff.Changed, `"\ud800"`, `"\ud801"`}}, "halves of pairs", `{"a":"\ud800"}`, `{"a":"\ud801"}`},
		{places{{`/\ud800`, diff.Removed, "1", ""}, {`/\ud801`, diff.Added, "", "1"}}, "halves of pairs in names", `{"\ud800":1}`, `{"\ud801":1}`},
		{places{{"", diff.Spelling, `{"a":1,"b":2}`, `{"b":2,"a":1}`}}, "order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`},
		{places{{"/n", diff.Spelling, `{"a":1,"b":2}`, `{"b":2,"a":1}`}}, "the smallest value", `{"n":{"a":1,"b":2}}`, `{"n":{"b":2,"a":1}}`},
		{places{{"/n", diff.Spelling, `{"a":1}`, `{"a": 1}`}}, "white space", `{"n":{"a":1}}`, `{"n":{"a": 1}}`},
		{places{{"", diff.Spelling, `{"a":1}`, ` {"a":1}`}}, "white space around it", `{"a":1}`, ` {"a":1}`},
		{places{{"/b", diff.Removed, "2", ""}, {"/c", diff.Added, "", "3"}}, "members", `{"a":1,"b":2}`, `{"a":1,"c":3}`},
		{places{{"/a~1~0", diff.Changed, "1", "2"}}, "escapes of pointers", `{"a/~":1}`, `{"a/~":2}`},
		{places{{"/a", diff.Changed, "2", "3"}}, "a name twice: each with its like", `{"a":1,"a":2}`, `{"a":1,"a":3}`},
		{places{{"/a", diff.Removed, "2", ""}}, "a name twice and once", `{"a":1,"a":2}`, `{"a":1}`},
		{places{{"/1", diff.Added, "", "9"}}, "an element came in", `[1,2,3]`, `[1,9,2,3]`},
		{places{{"/1", diff.Removed, "9", ""}}, "an element left", `[1,9,2,3]`, `[1,2,3]`},
		{places{{"/1", diff.Changed, "8", "9"}, {"/2", diff.Added, "", "10"}}, "one more and one changed", `[1,8,2]`, `[1,9,10,2]`},
		{places{{"/0/x", diff.Changed, "1", "2"}}, "inside an element", `[{"x":1}]`, `[{"x":2}]`},
		{places{{"", diff.Changed, `{"a"`, `{"a":1}`}}, "no JSON", `{"a"`, `{"a":1}`},
		{places{{"", diff.Changed, "", "null"}}, "nothing", ``, `null`},
		{
			places{{"/a", diff.Changed, `…aaaaaaaaaaaaaaaaaa, one"`, `…aaaaaaaaaaaaaaaaaa, two"`}},
			"where long texts differ",
			`{"a":"` + strings.Repeat("a", 500) + `, one"}`, `{"a":"` + strings.Repeat("a", 500) + `, two"}`,
		},
		{
			places{{"/a", diff.Changed, `"é` + strings.Repeat("é", 29) + `…`, `1`}},
			"whole characters",
			`{"a":"` + strings.Repeat("é", 100) + `"}`, `{"a":1}`,
		},
		{
			places{{strings.Repeat("/0", 1000), diff.Changed, `[1]`, `[2]`}},
			"too deep to look into",
			deep("1"), deep("2"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := diff.Lines([]byte(tt.a), []byte(tt.b), 0)
			if d := cmp.Diff(tt.want, got.List); d != "" {
				t.Errorf("Lines (-want +got):\n%s", d)
			}
			if int(got.Total) != len(tt.want) {
				t.Errorf("total %d, want %d", got.Total, len(tt.want))
			}
		})
	}
}

// What is listed is cut; what is counted is not.
func TestLinesLimit(t *testing.T) {
	got := diff.Lines([]byte(`[1,2,3,4]`), []byte(`[5,6,7,8]`), 2)
	want := diff.Places{List: []diff.Place{{"/0", diff.Changed, "1", "5"}, {"/1", diff.Changed, "2", "6"}}, Total: 4}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Lines (-want +got):\n%s", d)
	}
}

// FuzzLines compares any two lines: each with itself is the same, two that differ have a place, and what was changed from
// one side is changed from the other.
func FuzzLines(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":1,"b":[1,2]}`, `{"b":[1,3,2],"a":1.0}`},
		{`{"a":1,"a":2}`, `{"\u0061":2}`},
		{`{"a/~":"\ud800"}`, `{"a/~":"\ud801é"}`},
		{`[[[]]]`, `[[[`},
		{`"` + strings.Repeat("é", 50) + `"`, `"` + strings.Repeat("é", 49) + `"`},
		{`1e400`, `-0`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if got := diff.Lines(a, a, 0); got.Total != 0 {
			t.Errorf("a line and itself: got %v, want nothing", got.List)
		}
		there, back := diff.Lines(a, b, 0), diff.Lines(b, a, 0)
		if same := string(a) == string(b); same != (there.Total == 0) {
			t.Errorf("got %d places, want none only for equal lines", there.Total)
		}
		if there.Total != back.Total || int(there.Total) != len(there.List) {
			t.Errorf("got %d places there, of them %d listed, and %d back", there.Total, len(there.List), back.Total)
		}
		for _, p := range there.List {
			checkPlace(t, p, a, b)
		}
	})
}

// checkPlace wants a short place that is where it says.
func checkPlace(t *testing.T, p diff.Place, a, b []byte) {
	t.Helper()
	if len(p.Old) > 64 || len(p.New) > 64 {
		t.Errorf("%q: got %d and %d bytes, want at most 64", p.Pointer, len(p.Old), len(p.New))
	}
	side := a
	if p.Change == diff.Added {
		side = b
	}
	d, err := jsonscan.Scan(side, nil, jsonscan.Options{})
	if err == nil && !d.Has(jsonscan.LoneSurrogate) && d.At(p.Pointer) < 0 {
		t.Errorf("%s at %q, which is nowhere in %q", p.Change, p.Pointer, side)
	}
}
