package restore

import (
	"testing"

	"github.com/session-trace/ctx/internal/record"
)

func TestSameBut(t *testing.T) {
	tests := []struct {
		want      bool
		name      string
		src, kept string
		pointers  []string
	}{
		{true, "member with the next comma", `{"a":1, "key" : "x" , "b":2}`, `{"a":1,  "b":2}`, []string{"/key"}},
		{true, "last member with the comma before", `{"a":1 , "key":"x"}`, `{"a":1 }`, []string{"/key"}},
		{true, "only member", `{ "key":"x" }`, `{  }`, []string{"/key"}},
		{true, "two members", `{"k":"x","a":1,"l":"y"}`, `{"a":1}`, []string{"/k", "/l"}},
		{true, "neighbours", `{"a":1,"k":"x","l":"y"}`, `{"a":1}`, []string{"/k", "/l"}},
		{true, "in an array", `[{"k":1},{"k":2,"a":3}]`, `[{},{"a":3}]`, []string{"/0/k", "/1/k"}},
		{true, "in a string", `{"u":"http://me@host"}`, `{"u":"http://<secret-omitted>@host"}`, []string{"/u"}},
		{true, "element of an array", `{"l":["x","secret y"]}`, `{"l":["x","<secret-omitted> y"]}`, []string{"/l/1"}},
		{true, "twice in a string", `{"u":"aXbXc"}`, `{"u":"a<secret-omitted>b<secret-omitted>c"}`, []string{"/u"}},
		{true, "token", `{"u":"aXb"}`, `{"u":"a<redacted:0123abcd>b"}`, []string{"/u"}},
		{true, "JSON in a string, a number", `{"d":"{\"key\":12}"}`, `{"d":"{\"key\":\"<secret-omitted>\"}"}`, []string{"/d"}},
		{true, "escaped name", `{"\u006bey":"x","a":1}`, `{"a":1}`, []string{"/key"}},
		{true, "name with a slash", `{"a/b~":"x","a":1}`, `{"a":1}`, []string{"/a~1b~0"}},
		{true, "one of two of a name", `{"k":null,"k":"x"}`, `{"k":null}`, []string{"/k"}},
		{true, "the other of two of a name", `{"k":"x","k":null}`, `{"k":null}`, []string{"/k"}},
		{true, "text", "a secret b", "a <secret-omitted> b", []string{""}},
		{true, "byte order mark", "\uFEFF{\"k\":1}", "\uFEFF{}", []string{"/k"}},
		{true, "tokens that are not finite", `{"k":1,"n":NaN}`, `{"n":NaN}`, []string{"/k"}},
		{true, "named and kept", `{"k":"x"}`, `{"k":"x"}`, []string{"/k"}},

		{true, "in a name", `{"/home/me/p":1}`, `{"/home/<redacted:0123abcd>/p":1}`, []string{"/~1home~1<redacted:0123abcd>~1p"}},
		{
			true, "in a name and below", `{"/me/p":{"a":"in /me/x"},"k":"x"}`, `{"/<redacted:01>/p":{"a":"in /<redacted:01>/x"}}`,
			[]string{"/~1<redacted:01>~1p", "/~1<redacted:01>~1p/a", "/k"},
		},

		{false, "in a name that no pointer names", `{"/me/p":1,"k":2}`, `{"/<redacted:01>/p":1}`, []string{"/k"}},
		{false, "in a name, another value", `{"/me/p":1}`, `{"/<redacted:01>/p":2}`, []string{"/~1<redacted:01>~1p"}},
		{false, "around the mark of a name", `{"/me/p":1}`, `{"/<redacted:01>/q":1}`, []string{"/~1<redacted:01>~1q"}},
		{false, "another member gone", `{"k":1,"a":2}`, `{}`, []string{"/k"}},
		{false, "another value", `{"k":1,"a":2}`, `{"a":3}`, []string{"/k"}},
		{false, "white space", `{"k":1, "a":2}`, `{"a":2}`, []string{"/k"}},
		{false, "a member more", `{"k":1}`, `{"a":2}`, []string{"/k"}},
		{false, "an element gone", `[{"k":1},2]`, `[{}]`, []string{"/0/k"}},
		{false, "around the mark", `{"u":"http://me@host"}`, `{"u":"http://<secret-omitted>@most"}`, []string{"/u"}},
		{false, "a mark that no pointer names", `{"k":1,"u":"secret"}`, `{"u":"<secret-omitted>"}`, []string{"/k"}},
		{false, "another kind", `{"k":{"a":1}}`, `{"k":"<secret-omitted>"}`, []string{"/k"}},
		{false, "order of pieces", "aXbYc", "a<secret-omitted>c<secret-omitted>b", []string{""}},
		{false, "overlap of the ends", "aba", "ab<secret-omitted>ba", []string{""}},
		{false, "no JSON", `{"k":1`, `{`, []string{"/k"}},
		{false, "mark lost", "\uFEFF{\"k\":1}", "{}", []string{"/k"}},
		{false, "comma left", `{"a":1,"k":2}`, `{"a":1,}`, []string{"/k"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var cuts []record.Redaction
			for _, p := range tt.pointers {
				cuts = append(cuts, record.Redaction{Pointer: p, Kind: "secret"})
			}
			if got := sameBut([]byte(tt.src), []byte(tt.kept), cuts); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCheckPath(t *testing.T) {
	tests := []struct {
		want bool
		path string
	}{
		{true, "a"},
		{true, "a/b.json"},
		{true, "..a/...b"},
		{true, "a\xff/b"},
		{false, ""},
		{false, "."},
		{false, ".."},
		{false, "../a"},
		{false, "a/../b"},
		{false, "a/.."},
		{false, "./a"},
		{false, "/a"},
		{false, "a//b"},
		{false, "a/"},
		{false, "a\x00b"},
	}
	for _, tt := range tests {
		if err := checkPath(tt.path); (err == nil) != tt.want {
			t.Errorf("%q: got %v, want it accepted %v", tt.path, err, tt.want)
		}
	}
}
