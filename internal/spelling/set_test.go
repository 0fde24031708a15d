package spelling_test

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/spelling"
)

const secret = `s3cr"et\val/ü1`

func escapeAll(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteString(`\u` + ("000" + strconv.FormatInt(int64(c), 16))[len(strconv.FormatInt(int64(c), 16))-1:])
	}
	return b.String()
}

func TestSpans(t *testing.T) {
	quoted := strings.Trim(strconv.Quote(secret), `"`)
	for name, spelled := range map[string]string{
		"raw":              secret,
		"escaped":          quoted,
		"escaped twice":    strings.Trim(strconv.Quote(quoted), `"`),
		"escaped units":    escapeAll(secret),
		"slashes":          strings.ReplaceAll(quoted, "/", `\/`),
		"query":            url.QueryEscape(secret),
		"path":             url.PathEscape(secret),
		"query twice":      url.QueryEscape(url.QueryEscape(secret)),
		"escaped, percent": strings.ReplaceAll(url.QueryEscape(secret), "%", `\u0025`),
	} {
		for _, around := range []string{"", "x", `\n`, "}"} {
			raw := "a " + around + spelled + " b"
			want := []spelling.Span{{Start: 2 + len(around), End: len(raw) - 2}}
			var set spelling.Set
			set.Add("other value")
			set.Add(secret)
			want[0].Value = 1
			if d := cmp.Diff(want, set.Spans([]byte(raw))); d != "" {
				t.Errorf("%s after %q (-want +got):\n%s", name, around, d)
			}
		}
	}
}

func TestSpansBase64(t *testing.T) {
	var set spelling.Set
	set.Add(secret)
	for before := range 6 {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			raw := enc.EncodeToString([]byte(strings.Repeat("é", before)[:before] + secret + "tail"))
			spans := set.Spans([]byte(raw))
			if len(spans) != 1 {
				t.Fatalf("%d before: got %d spans in %s, want 1", before, len(spans), raw)
			}
			left := raw[:spans[0].Start] + strings.Repeat("A", spans[0].End-spans[0].Start) + raw[spans[0].End:]
			clear, err := enc.DecodeString(left)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(clear), secret[1:len(secret)-1]) {
				t.Errorf("%d before: got the value back from %s", before, left)
			}
		}
	}
}

func TestSetKeepsLongest(t *testing.T) {
	var set spelling.Set
	set.Add("abcdef")
	long := set.Add("abcdefghij")
	if got := set.Add("abc"); got != -1 {
		t.Errorf("got index %d for a short value, want -1", got)
	}
	want := "x<" + strconv.Itoa(long) + ">y<0>"
	if d := cmp.Diff(want, set.Replace("xabcdefghijyabcdef", func(i int) string { return "<" + strconv.Itoa(i) + ">" })); d != "" {
		t.Error(d)
	}
}

func FuzzSpans(f *testing.F) {
	f.Add("hello", `a\u0068ello%68ello`)
	f.Add("\\\\\\\\", `\\\\\\\\`)
	f.Fuzz(func(t *testing.T, value, raw string) {
		var set spelling.Set
		set.Add(value)
		end := 0
		for _, s := range set.Spans([]byte(raw)) {
			if s.Start < end || s.End <= s.Start || s.End > len(raw) {
				t.Fatalf("got span %v after %d in %d bytes", s, end, len(raw))
			}
			end = s.End
		}
		left := set.Replace(raw, func(int) string { return "" })
		if len(value) >= spelling.MinValue && len(left) == len(raw) && strings.Contains(raw, value) {
			t.Fatalf("got %q untouched, which holds %q", raw, value)
		}
	})
}

func TestWords(t *testing.T) {
	var set spelling.Set
	set.AddWord("build7.corp")
	for text, want := range map[string]string{
		"at build7.corp:22":      "at X:22",
		"rebuild7.corp":          "rebuild7.corp",
		`line\nbuild7.corp\n`:    `line\nX\n`,
		"x.build7.corp.":         "x.X.",
		"YnVpbGQ3LmNvcnA":        "YnVpbGQ3LmNvcnA",
		"build7.corporate build": "build7.corporate build",
	} {
		if d := cmp.Diff(want, set.Replace(text, func(int) string { return "X" })); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestTail(t *testing.T) {
	var set spelling.Set
	set.Add("abcdefghij")
	for text, want := range map[string]int{"x abcdef": 2, "x abcdefghij": 2, "x abc": -1, "x abcdefx": -1, "": -1} {
		if at, _ := set.Tail(text); at != want {
			t.Errorf("%q: got %d, want %d", text, at, want)
		}
	}
}
