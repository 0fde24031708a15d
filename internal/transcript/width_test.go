package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClip(t *testing.T) {
	tests := []struct {
		want, text string
		most       int
	}{
		{"short", "short", 5},
		{"shor…", "shorter", 5},
		{"日本…", "日本語です", 5},
		{"日本…", "日本語です", 6},
		{"e\u0301e\u0301…", "e\u0301e\u0301e\u0301e\u0301", 3},
		{"🇩🇪…", "🇩🇪🇫🇷🇩🇪", 4},
		{"one…", "one two", 5},
	}
	for _, tt := range tests {
		if got := Clip(tt.text, tt.most); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func TestWrapped(t *testing.T) {
	tests := []struct {
		want []string
		text string
		most int
	}{
		{[]string{"one two", "three"}, "one two three", 8},
		{[]string{"one two", "three"}, "one two three", 7},
		{[]string{"abcdefgh", "ij"}, "abcdefghij", 8},
		{[]string{"    abcd", "efgh"}, "    abcdefgh", 8}, // the indent is no place to break
		{[]string{"日本", "語"}, "日本語", 5},
		{[]string{"日", "本"}, "日本", 1}, // nothing fits: still one a row
		{[]string{"e\u0301e\u0301", "e\u0301"}, "e\u0301e\u0301e\u0301", 2},
		{[]string{"👍🏽", "👍🏽"}, "👍🏽👍🏽", 3},
	}
	for _, tt := range tests {
		var got []string
		for rest := tt.text; rest != ""; {
			var row string
			row, rest = wrapped(rest, tt.most)
			got = append(got, row)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q in %d columns (-want +got):\n%s", tt.text, tt.most, d)
		}
	}
}

func TestUntabbed(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb":   "a       b",
		"\tb":    "        b",
		"日本語\tb": "日本語  b",
		"ab":     "ab",
	} {
		if got := untabbed(text); got != want {
			t.Errorf("untabbed(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestBodyClips(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	tests := []struct {
		want string
		text string
		full bool
	}{
		{"  a\n  b\n", "a\nb\n", false},
		{"  a\n  b\n  … clipped: 3 lines, 5 bytes in all (--full)\n", "a\nb\nc", false},
		{"  a\n  b\n  c\n", "a\nb\nc", true},
		{"", "", false},
		{"", "\n\n", false},
		{"  a\n\n  … clipped: 3 lines, 4 bytes in all (--full)\n", "a\n\nc", false},
		{"  " + long[:98] + "\n  " + long[:98] + "\n  … clipped: 1 line, 1048576 bytes in all (--full)\n", long, false},
		// marks take no columns, but are not looked at without end either
		{"  a" + strings.Repeat("\u0301", 783) + "\n  … clipped: 1 line, 200001 bytes in all (--full)\n", "a" + strings.Repeat("\u0301", 100000), false},
	}
	for _, tt := range tests {
		w := writer{o: &Options{Full: tt.full}}
		w.body(2, Plain, tt.text, 2)
		if d := cmp.Diff(tt.want, w.String()); d != "" {
			t.Errorf("%.20q (-want +got):\n%.400s", tt.text, d)
		}
	}
}

func TestRanges(t *testing.T) {
	tests := []struct {
		want               []span
		n, first, last, at int
	}{
		{[]span{{0, 9}, {9, 9}}, 9, 0, 0, -1},
		{[]span{{0, 2}, {9, 9}}, 9, 2, 0, -1},
		{[]span{{7, 9}, {9, 9}}, 9, 0, 2, -1},
		{[]span{{0, 2}, {7, 9}}, 9, 2, 2, -1},
		{[]span{{0, 7}, {7, 9}}, 9, 7, 7, -1}, // no item twice
		{[]span{{4, 9}, {9, 9}}, 9, 0, 0, 4},
		{[]span{{4, 6}, {9, 9}}, 9, 2, 0, 4},
		{[]span{{3, 5}, {9, 9}}, 9, 0, 2, 4},
		{[]span{{3, 7}, {9, 9}}, 9, 3, 2, 4},
		{[]span{{0, 1}, {9, 9}}, 9, 0, 5, 0},
		{[]span{{0, 0}, {0, 0}}, 0, 3, 3, -1},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, ranges(tt.n, tt.first, tt.last, tt.at), cmp.AllowUnexported(span{})); d != "" {
			t.Errorf("%d items, first %d, last %d, at %d (-want +got):\n%s", tt.n, tt.first, tt.last, tt.at, d)
		}
	}
}

func TestWhenOf(t *testing.T) {
	for text, want := range map[string][2]string{
		"2026-03-02T09:15:04.262875":   {"2026-03-02", "09:15:04"},
		"2026-03-02T09:15:04.26Z":      {"2026-03-02", "09:15:04Z"},
		"2026-03-02 09:15:04,26+01:00": {"2026-03-02", "09:15:04+01:00"},
		"2026-03-02T09:15:04+01:00":    {"2026-03-02", "09:15:04+01:00"},
		"":                             {"", ""},
		"20260302T091504":              {"20260302", "091504"},
	} {
		day, clock := whenOf(text)
		if d := cmp.Diff(want, [2]string{day, clock}); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

func TestArgumentText(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":"x","b":1,"c":"1\n2\n"}`: "a: x\nb: 1\nc:\n  1\n  2\n",
		`{"a":`:                        `{"a":`,
		`[1]`:                          `[1]`,
		"plain words":                  "plain words",
		`{}`:                           "",
	} {
		if got := argumentText(raw); got != want {
			t.Errorf("argumentText(%q) = %q, want %q", raw, got, want)
		}
	}
}
