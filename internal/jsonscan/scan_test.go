package jsonscan

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func mustScan(t *testing.T, raw string) Doc {
	t.Helper()
	d, err := Scan([]byte(raw), nil, Options{NonFinite: true})
	if err != nil {
		t.Fatalf("Scan(%.80q): %v", raw, err)
	}
	return d
}

func TestScanTape(t *testing.T) {
	tests := []struct {
		raw  string
		want []Node
	}{
		{`1`, []Node{{0, 1, 0, 0, 1}}},
		{" \"a\"\n", []Node{{1, 4, 0, 0, 1}}},
		{`{}`, []Node{{0, 2, 0, 0, 1}}},
		{`[ ]`, []Node{{0, 3, 0, 0, 1}}},
		{`{"":[]}`, []Node{{0, 7, 0, 0, 2}, {4, 6, 2, 2, 2}}},
		{`{"a":1,"b" : [true,{"c":null}]}`, []Node{
			{0, 31, 0, 0, 6}, {5, 6, 2, 3, 2}, {13, 30, 8, 9, 6}, {14, 18, 0, 0, 4}, {19, 29, 0, 0, 6}, {24, 28, 21, 22, 6},
		}},
		{`[[],[[0]],-Infinity]`, []Node{
			{0, 20, 0, 0, 6}, {1, 3, 0, 0, 2}, {4, 9, 0, 0, 5}, {5, 8, 0, 0, 5}, {6, 7, 0, 0, 5}, {10, 19, 0, 0, 6},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			if d := cmp.Diff(tt.want, mustScan(t, tt.raw).Nodes); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestScanFlags(t *testing.T) {
	wide := make([]string, 0, 600)
	for i := range 300 {
		wide = append(wide, `"k`+strings.Repeat("x", i)+`":0`)
	}
	many := "{" + strings.Join(wide, ",") + "}"
	tests := []struct {
		name, raw                    string
		want                         Flags
		duplicate, surrogate, unsafe int
		depth                        int
	}{
		{"scalar", `0`, 0, -1, -1, -1, 0},
		{"depth", `{"a":[]}`, 0, -1, -1, -1, 2},
		{"depth is the deepest", `[[[]],[]]`, 0, -1, -1, -1, 3},
		{"duplicate", `{"a":1,"b":2,"a":3}`, DuplicateKey, 3, -1, -1, 1},
		{"duplicate of empty names", `{"":1,"":2}`, DuplicateKey, 2, -1, -1, 1},
		{"same name in other objects", `{"a":{"a":1},"b":[{"a":1},{"a":1}]}`, 0, -1, -1, -1, 3},
		{"a later inner duplicate", `{"a":1,"a":2,"b":{"c":1,"c":1}}`, DuplicateKey, 2, -1, -1, 2},
		{"an inner duplicate closes first", `{"a":1,"a":{"c":1,"c":1}}`, DuplicateKey, 2, -1, -1, 2},
		{"an inner duplicate comes first", `{"b":{"c":1,"c":1},"b":1}`, DuplicateKey, 3, -1, -1, 2},
		{"escaped duplicate", `{"a":1,"\u0061":2}`, DuplicateKey | EscapedKey, 2, -1, -1, 1},
		{"escaped pair", `{"😀":1,"\ud83d\uDE00":2}`, DuplicateKey | EscapedKey, 2, -1, -1, 1},
		{"escaped slash", `{"/":1,"\/":2}`, DuplicateKey | EscapedKey, 2, -1, -1, 1},
		{"escaped backslash is no escape", `{"\\u0061":1,"a":2}`, EscapedKey, -1, -1, -1, 1},
		{"equal lone surrogates", `{"\ud800":1,"\uD800":2}`, DuplicateKey | LoneSurrogate | EscapedKey, 2, 1, -1, 1},
		{"unequal lone surrogates", `{"\ud800":1,"\ud801":2,"\ufffd":3}`, LoneSurrogate | EscapedKey, -1, 1, -1, 1},
		{"eight bytes", `{"abcdefgh":1,"abcdefgh":2}`, DuplicateKey, 2, -1, -1, 1},
		{"only the middle differs", `{"abcdefgh1abcdefgh":1,"abcdefgh2abcdefgh":2}`, 0, -1, -1, -1, 1},
		{"at the end of the document", `{"a":"a","a":0}`, DuplicateKey, 2, -1, -1, 1},
		{"many names", many, 0, -1, -1, -1, 1},
		{"many names and one again", many[:len(many)-1] + `,"kxx":0}`, DuplicateKey, 301, -1, -1, 1},
		{"many names and one again, escaped", many[:len(many)-1] + `,"\u006bxx":0}`, DuplicateKey | EscapedKey, 301, -1, -1, 1},

		{"surrogate high", `["","\ud800"]`, LoneSurrogate, -1, 2, -1, 1},
		{"surrogate low", `["\udfff"]`, LoneSurrogate, -1, 1, -1, 1},
		{"surrogate pair", `["\udbff\udfff"]`, 0, -1, -1, -1, 1},
		{"surrogates the wrong way", `["\ude00\ud83d"]`, LoneSurrogate, -1, 1, -1, 1},
		{"low, then low", `["\udc00\udc00"]`, LoneSurrogate, -1, 1, -1, 1},
		{"high, then a pair", `["\ud83d\ud83d\ude00"]`, LoneSurrogate, -1, 1, -1, 1},
		{"high, then another escape", `["\ud83d\n"]`, LoneSurrogate, -1, 1, -1, 1},
		{"high, then an escaped BMP character", `["\ud83d\u0041"]`, LoneSurrogate, -1, 1, -1, 1},
		{"surrogate as text", `["\\ud800"]`, 0, -1, -1, -1, 1},
		{"surrogate in a name", `{"a":0,"\ud800":["\ud800"]}`, LoneSurrogate | EscapedKey, -1, 2, -1, 2},

		{"unsafe", `[1,1e400,1e500]`, UnsafeNumber, -1, -1, 2, 1},
		{"unsafe integer", `9007199254740992`, UnsafeNumber, -1, -1, 0, 0},
		{"non-finite", `[NaN,Infinity,-Infinity]`, NonFiniteToken, -1, -1, -1, 1},

		{"LF before", "\n0", LineBreak, -1, -1, -1, 0},
		{"LF after", "0\n", LineBreak, -1, -1, -1, 0},
		{"CR between", "[0,\r0]", LineBreak, -1, -1, -1, 1},
		{"other white space", " [0,\t0] ", 0, -1, -1, -1, 1},
		{"escaped line break", `["\n\r"]`, 0, -1, -1, -1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustScan(t, tt.raw)
			want := []int{int(tt.want), tt.duplicate, tt.surrogate, tt.unsafe, tt.depth}
			if d := cmp.Diff(want, []int{int(d.Flags), d.FirstDuplicate, d.FirstSurrogate, d.FirstUnsafe, d.Depth}); d != "" {
				t.Error("flags, duplicate, surrogate, unsafe, depth:", d)
			}
			n, err := Scan([]byte(tt.raw), nil, Options{NonFinite: true, NoTape: true})
			if err != nil || n.Flags != tt.want || n.Depth != tt.depth || len(n.Nodes) != 0 {
				t.Errorf("without a tape: got %+v, %v", n, err)
			}
		})
	}
}

func TestScanErrors(t *testing.T) {
	tests := []struct {
		raw    string
		want   Reason
		offset int
	}{
		{"", Empty, 0},
		{" \n\t\r", Empty, 4},
		{"\x00", Syntax, 0},
		{"\uFEFF{}", Syntax, 0},
		{"{", Syntax, 1},
		{"[", Syntax, 1},
		{"[1", Syntax, 2},
		{"[1,", Syntax, 3},
		{"[1,]", Syntax, 3},
		{"[,1]", Syntax, 1},
		{"[1 2]", Syntax, 3},
		{"[1}", Syntax, 2},
		{`{"a":1]`, Syntax, 6},
		{`{"a":1,}`, Syntax, 7},
		{`{"a"}`, Syntax, 4},
		{`{"a" 1}`, Syntax, 5},
		{`{"a":}`, Syntax, 5},
		{`{"a"`, Syntax, 4},
		{`{"a":`, Syntax, 5},
		{`{a:1}`, Syntax, 1},
		{`{1:1}`, Syntax, 1},
		{`{,}`, Syntax, 1},
		{`'a'`, Syntax, 0},
		{`]`, Syntax, 0},
		{`tru`, Syntax, 3},
		{`trux`, Syntax, 3},
		{`True`, Syntax, 0},
		{`falsy`, Syntax, 4},
		{`nul`, Syntax, 3},
		{`// 1`, Syntax, 0},
		{"[1,\x0b2]", Syntax, 3},
		{"\u00a01", Syntax, 0},

		{`-`, Syntax, 1},
		{`+1`, Syntax, 0},
		{`.5`, Syntax, 0},
		{`1.`, Syntax, 2},
		{`1.e1`, Syntax, 2},
		{`1e`, Syntax, 2},
		{`1e+`, Syntax, 3},
		{`01`, Trailing, 1},
		{`[01]`, Syntax, 2},
		{`-01`, Trailing, 2},
		{`0x10`, Trailing, 1},
		{`[--1]`, Syntax, 2},
		{`NaN`, Syntax, 0},
		{`-Infinity`, Syntax, 1},
		{`-NaN`, Syntax, 1},

		{`"`, Syntax, 1},
		{`"abcdefghijkl`, Syntax, 13},
		{`"\`, Syntax, 2},
		{`"\"`, Syntax, 3},
		{`"\x"`, Syntax, 2},
		{`"\u"`, Syntax, 3},
		{`"\u12g4"`, Syntax, 5},
		{`"\U0041"`, Syntax, 2},
		{`"\ud800\u12"`, Syntax, 11},
		{"\"\x1f\"", Syntax, 1},
		{"\"\n\"", Syntax, 1},
		{"\"abcdefghij\x00\"", Syntax, 11},
		{"\"\x7f\xc2\x80\"x", Trailing, 5},

		{"\"\x80\"", UTF8, 1},
		{"\"\xc0\x80\"", UTF8, 1},
		{"\"\xc1\xbf\"", UTF8, 1},
		{"\"\xc2\"", UTF8, 1},
		{"\"\xe0\x9f\xbf\"", UTF8, 1},
		{"\"\xed\xa0\x80\"", UTF8, 1},
		{"\"\xed\xbf\xbf\"", UTF8, 1},
		{"\"\xe2\x82\"", UTF8, 1},
		{"\"\xf0\x8f\xbf\xbf\"", UTF8, 1},
		{"\"\xf4\x90\x80\x80\"", UTF8, 1},
		{"\"\xf5\x80\x80\x80\"", UTF8, 1},
		{"\"\xf0\x9f\x98\"", UTF8, 1},
		{"\"abcdefgh\xff", UTF8, 9},
		{"{\"\xff\":0}", UTF8, 2},
		{"[\xff]", UTF8, 1},
		{"\xff\xfe", UTF8, 0},

		{`{}{}`, Trailing, 2},
		{"1 \n x", Trailing, 4},
		{"[]\x00", Trailing, 2},
		{`""""`, Trailing, 2},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			want := &Error{Offset: tt.offset, Reason: tt.want}
			for _, o := range []Options{{}, {NoTape: true}} {
				_, err := Scan([]byte(tt.raw), nil, o)
				var got *Error
				if !errors.As(err, &got) || *got != *want {
					t.Errorf("Scan(%+v) = %v, want %v", o, err, want)
				}
			}
		})
	}
}

func TestScanDepth(t *testing.T) {
	tests := []struct {
		name, raw string
		max       int
		want      error
	}{
		{"at the limit", "[[]]", 2, nil},
		{"over the limit", "[[[]]]", 2, &Error{2, Depth}},
		{"objects", `{"a":{"b":{}}}`, 2, &Error{10, Depth}},
		{"siblings do not add up", `[[],[],{}]`, 2, nil},
		{"the default", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), 0, nil},
		{"over the default", strings.Repeat("[", 10_001), 0, &Error{10_000, Depth}},
		{"40 MB of brackets", strings.Repeat("[", 40<<20), 0, &Error{10_000, Depth}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Scan([]byte(tt.raw), nil, Options{MaxDepth: tt.max})
			if d := cmp.Diff(tt.want, err); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestScanUTF8 tries the edges of every byte of a sequence, near the end of the document and far from it.
func TestScanUTF8(t *testing.T) {
	edges := []byte{0x00, 0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xFF}
	for lead := 0x80; lead <= 0xFF; lead++ {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					sequence := []byte{byte(lead), b, c, d}
					for n := 1; n <= 4; n++ {
						checkUTF8(t, string(sequence[:n]))
					}
				}
			}
		}
	}
}

func checkUTF8(t *testing.T, sequence string) {
	t.Helper()
	if strings.ContainsAny(sequence, "\x00\"") {
		return // a fault of its own, or the end
	}
	want := utf8.ValidString(sequence)
	for _, tail := range []string{"", "and then some more text"} {
		raw := `"` + sequence + tail + `"`
		_, err := Scan([]byte(raw), nil, Options{})
		var fault *Error
		if got := err == nil; got != want || !got && (!errors.As(err, &fault) || fault.Reason != UTF8) {
			t.Fatalf("%q: got %v, want valid %v", raw, err, want)
		}
	}
}
