package validator

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestQuote(t *testing.T) {
	tests := []struct{ want, text string }{
		{`"a"`, "a"},
		{`"a\x1b[2J\n"`, "a\x1b[2J\n"},
		{`"` + strings.Repeat("x", 64) + `"…`, strings.Repeat("x", 65)},
		{`"` + strings.Repeat("x", 63) + `"…`, strings.Repeat("x", 63) + "ü" + "x"},
	}
	for _, tt := range tests {
		if got := quote(tt.text); got != tt.want {
			t.Errorf("quote(%q) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

// Blocks put together again are the stream, whatever the reads give.
func TestCutter(t *testing.T) {
	texts := map[string]string{
		"empty":         "",
		"one":           "a\n",
		"no line feed":  "a\nb",
		"blank lines":   strings.Repeat("\n", 3*blockLines+5),
		"a long line":   strings.Repeat("x", 3*blockBytes) + "\ny\n",
		"at the border": strings.Repeat("x", blockBytes-1) + "\n" + strings.Repeat("y", blockBytes) + "\nz",
		"many":          strings.Repeat(strings.Repeat("x", 3000)+"\n", 1000),
	}
	for name, text := range texts {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
			c := &cutter{r: r, limit: 4 * blockBytes}
			var b block
			var got bytes.Buffer
			lines := 0
			var err error
			for err = c.next(&b); err == nil; err = c.next(&b) {
				if b.first != lines+1 {
					t.Errorf("%s: block begins at line %d, want %d", name, b.first, lines+1)
				}
				got.Write(b.raw)
				lines = c.line
			}
			if !errors.Is(err, io.EOF) || got.String() != text {
				t.Errorf("%s: got %d bytes and %v, want %d and the end", name, got.Len(), err, len(text))
			}
			want := strings.Count(text, "\n")
			if text != "" && !strings.HasSuffix(text, "\n") {
				want++
			}
			if lines != want {
				t.Errorf("%s: got %d lines, want %d", name, lines, want)
			}
		}
	}
}

func TestNameSearch(t *testing.T) {
	tests := []struct{ want, text string }{
		{"secret_registry", `{"a":1,"secret_registry":{}}`},
		{"secrets_manager", "{\"secrets_manager\" \n : 1}"},
		{"", `{"a":"secret_registry"}`},
		{"", `{"a":"{\"secret_registry\":1}"}`},
		{"", `{"my_secret_registry":1}`},
	}
	for _, tt := range tests {
		text := strings.Repeat(" ", 1000) + tt.text
		for _, step := range []int{1, 7, 64, 100, 4096} {
			s := &nameSearch{}
			for rest := text; rest != ""; {
				n := min(step, len(rest))
				if _, err := s.Write([]byte(rest[:n])); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if s.found != tt.want {
				t.Errorf("%s in steps of %d: found %q, want %q", tt.text, step, s.found, tt.want)
			}
		}
	}
}

// An item that a compaction names by its name and by its body is forgotten once; an id that it leaves out is missed.
func TestForgottenOnce(t *testing.T) {
	const ids = `"gone":["e1","e2","e3"]`
	body := edit("e1", `"id":"e1","kind"`, `"id":"b1","kind"`)
	tests := []struct {
		want   []string
		name   string
		change func(m *made)
	}{
		{nil, "each by one id", condensed},
		{nil, "one by two ids", then(condensed, body, edit("e6", ids, `"gone":["b1","e1","e2","e3"]`))},
		{[]string{"error compaction"}, "an id of none left out", then(condensed, edit("e6", ids, `"gone":["b1","e1","e2","e3"]`))},
		{[]string{"error compaction"}, "an item left out", then(condensed, edit("e6", ids, `"gone":["e0","e1","e2","e3"]`))},
	}
	for _, tt := range tests {
		m := sound()
		tt.change(m)
		dir := filepath.Join(t.TempDir(), "bundle")
		m.writeTo(t, dir)
		report := validateFolder(t, dir)
		if d := cmp.Diff(tt.want, rulesOf(&report.Findings)); d != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", tt.name, d, listed(report))
		}
	}
}
