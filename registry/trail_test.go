package registry

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// A trail gives the pointers that a walk from the root gives, in whatever order they are asked for.
func TestTrail(t *testing.T) {
	d := scan(t, `{"a":[1,{"b/c":[[],{"~":null}]},[[[2]]]],"":{"x":3,"\u0022":4},"d":[5,6,7,8],"e":{"f":{"g":9}}}`)
	random := rand.New(rand.NewPCG(1, 2))
	var tr jsonscan.Trail
	for round := range 500 {
		n := random.IntN(len(d.Nodes))
		if round < len(d.Nodes) {
			n = round
		}
		if want, got := d.Pointer(n), tr.Pointer(d, n); got != want {
			t.Fatalf("node %d: got %q, want %q", n, got, want)
		}
	}
}

// Parts and notices of an array cost the same each, however many there are.
func TestManyPointers(t *testing.T) {
	const elements = 100_000
	tests := []struct {
		name, want, doc string
		notices         int
	}{
		{"parts", `{"type":"other","pointer":"/llm_message/content/99999"}]`, `{"kind":"MessageEvent","llm_message":{"content":[` + strings.Repeat("1,", elements-1) + `1]}}`, 0},
		{"notices", `,{"type":"text","text":"�"}]`, `{"kind":"MessageEvent","llm_message":{"content":[` + strings.Repeat(`"\ud800",`, elements-1) + `"\ud800"]}}`, elements},
	}
	m := shipped(t)
	for _, tt := range tests {
		out := mapped(t, m, tt.doc, entry.SessionFacts{}, nil)
		content := string(out.Records[out.Primary].Get("content"))
		if d := cmp.Diff([]any{tt.want, tt.notices}, []any{content[len(content)-len(tt.want):], len(out.Notices)}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// The same Out serves other documents: no trail of one is left for the next.
func TestTrailStartsAnew(t *testing.T) {
	m, out := shipped(t), &Out{}
	for _, doc := range []string{
		`{"kind":"MessageEvent","llm_message":{"content":[1,2,[3],4]}}`,
		`{"x":[1,2,3,4,5],"llm_message":{"y":{},"content":[1,{"z":2}]},"kind":"MessageEvent"}`,
	} {
		d := scan(t, doc)
		m.Map(&Item{Doc: d, ID: "i", Projection: m.Match(d, entry.SessionFacts{})}, out)
		if want := mapped(t, m, doc, entry.SessionFacts{}, nil); cmp.Diff(lines(want), lines(out)) != "" {
			t.Errorf("%s: got %v, want %v", doc, lines(out), lines(want))
		}
	}
}
