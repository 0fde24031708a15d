package formats

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// collect reads all lines, their bytes copied.
func collect(t testing.TB, r io.Reader, limit int64) []Line {
	t.Helper()
	var got []Line
	err := Lines(r, limit, func(l Line) error {
		if l.Raw != nil {
			l.Raw = bytes.Clone(l.Raw)
		}
		got = append(got, l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLines(t *testing.T) {
	line := func(n int64, raw string, complete bool) Line {
		return Line{Ordinal: n, Raw: []byte(raw), Size: int64(len(raw)), Complete: complete}
	}
	large := func(n, size int64, complete bool) Line {
		return Line{Ordinal: n, Size: size, Complete: complete, TooLarge: true}
	}
	for _, tt := range []struct {
		name string
		want []Line
		in   string
	}{
		{"nothing", nil, ""},
		{"one", []Line{line(0, "a", true)}, "a\n"},
		{"incomplete", []Line{line(0, "a", true), line(1, "b", false)}, "a\nb"},
		{"empty lines", []Line{line(0, "", true), line(1, "", true), line(2, "a", true)}, "\n\na\n"},
		{"carriage returns", []Line{line(0, "a", true), line(1, "", true), line(2, "\r", true), line(3, "b\rc", true)}, "a\r\n\r\n\r\r\nb\rc\n"},
		{"carriage return at the end", []Line{line(0, "a\r", false)}, "a\r"},
		{"other line ends", []Line{line(0, "\u2028\v\f\u0085x", true)}, "\u2028\v\f\u0085x\n"},
		{"at the limit", []Line{line(0, "12345678", true), line(1, "12345678", false)}, "12345678\n12345678"},
		{"at the limit with CR", []Line{line(0, "12345678", true), line(1, "a", true)}, "12345678\r\na\n"},
		{"over the limit", []Line{large(0, 9, true), line(1, "a", true)}, "123456789\na\n"},
		{"over the limit with CR", []Line{large(0, 9, true), line(1, "a", true)}, "123456789\r\na\n"},
		{"CR at the end over the limit", []Line{large(0, 9, false)}, "12345678\r"},
		{"far over the limit", []Line{large(0, 1<<20, true), large(1, 1<<20, false)}, strings.Repeat("x", 1<<20) + "\n" + strings.Repeat("y", 1<<20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, collect(t, strings.NewReader(tt.in), 8)); d != "" {
				t.Error(d)
			}
			if len(tt.in) > 1000 {
				return
			}
			if d := cmp.Diff(tt.want, collect(t, iotest.OneByteReader(strings.NewReader(tt.in)), 8)); d != "" {
				t.Error("read byte by byte:", d)
			}
		})
	}
}

func TestLinesErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := Lines(iotest.ErrReader(broken), 8, func(Line) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("want the reader's error, got %v", err)
	}
	calls := 0
	err := Lines(strings.NewReader("a\nb\n"), 8, func(Line) error { calls++; return broken })
	if !errors.Is(err, broken) || calls != 1 {
		t.Errorf("want the error of yield after one call, got %v after %d", err, calls)
	}
}

// FuzzLines compares with cutting the whole text at once, for any chunks.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\n\n\r\nb\rc\r"), uint8(4), true)
	f.Add([]byte("12345\r\n123456\n1234\r"), uint8(5), false)
	f.Fuzz(func(t *testing.T, in []byte, limit uint8, byByte bool) {
		var want []Line
		for n, part := range bytes.SplitAfter(in, []byte("\n")) {
			raw, complete := bytes.CutSuffix(part, []byte("\n"))
			if complete {
				raw = bytes.TrimSuffix(raw, []byte("\r"))
			} else if len(raw) == 0 {
				continue
			}
			l := Line{Ordinal: int64(n), Raw: raw, Size: int64(len(raw)), Complete: complete}
			if l.Size > int64(limit) {
				l.Raw, l.TooLarge = nil, true
			}
			want = append(want, l)
		}
		var r io.Reader = bytes.NewReader(in)
		if byByte {
			r = iotest.OneByteReader(r)
		}
		got := collect(t, r, int64(limit))
		if d := cmp.Diff(want, got, cmp.Comparer(func(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) })); d != "" {
			t.Error(d)
		}
	})
}
