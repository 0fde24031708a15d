package formats_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/formats"
)

func TestRows(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, tt := range []struct {
		name, text string
		want       []formats.Span
	}{
		{"nothing", "", nil},
		{"white space", " \n\t\r\n", nil},
		{"one", "a\n", []formats.Span{{0, 2}}},
		{"no line feed", "a", []formats.Span{{0, 1}}},
		{"two", "a\nbc\n", []formats.Span{{0, 2}, {2, 5}}},
		{"the last without a line feed", "a\nbc", []formats.Span{{0, 2}, {2, 4}}},
		{"a carriage return", "a\r\nb\r\n", []formats.Span{{0, 3}, {3, 6}}},
		{"white space before", "\n \na\n", []formats.Span{{0, 5}}},
		{"white space between", "a\n\n\t\nb\n", []formats.Span{{0, 2}, {2, 7}}},
		{"white space behind", "a\n\n \n", []formats.Span{{0, 5}}},
		{"white space behind without a line feed", "a\n\n ", []formats.Span{{0, 4}}},
		{"other ends of lines", "a\u2028b\vc\fd\re\n", []formats.Span{{0, 12}}},
		{"longer than what is read at once", long + "\n" + long, []formats.Span{{0, 200_001}, {200_001, 400_001}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text))} {
				got, err := formats.Rows(r)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("rows (-want +got):\n%s", d)
				}
			}
		})
	}
	if _, err := formats.Rows(iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

// The rows of a file are all of its bytes, each with one line that holds something, whatever the file is.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"", "\n", "a", "a\n\nb", "\r\n\r\n", "{}\n \n{}\n\n", "\x00\n\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := formats.Rows(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		at := int64(0)
		for _, r := range rows {
			if r.From != at || r.To <= r.From {
				t.Fatalf("got row %v behind byte %d", r, at)
			}
			at = r.To
			lines := 0
			for line := range strings.Lines(text[r.From:r.To]) {
				if strings.Trim(line, " \t\r\n") != "" {
					lines++
				}
			}
			if lines != 1 {
				t.Fatalf("got %d lines that hold something in row %v, want 1", lines, r)
			}
		}
		if blank := strings.Trim(text, " \t\r\n") == ""; blank != (len(rows) == 0) || (!blank && at != int64(len(text))) {
			t.Fatalf("got %d rows up to byte %d of %d", len(rows), at, len(text))
		}
	})
}
