package bundle

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

type gotLine struct {
	N        int
	Text     string
	Complete bool
}

func collect(r io.Reader, limit int64) ([]gotLine, error) {
	var got []gotLine
	err := lines(r, limit, func(n int, line []byte, complete bool) error {
		got = append(got, gotLine{n, string(line), complete})
		return nil
	})
	return got, err
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 5*lineStep)
	for _, tt := range []struct {
		name string
		want []gotLine
		in   string
		long int // line that is too long
	}{
		{"nothing", nil, "", 0},
		{"one", []gotLine{{1, "a", true}}, "a\n", 0},
		{"incomplete", []gotLine{{1, "a", true}, {2, "b", false}}, "a\nb", 0},
		{"empty lines", []gotLine{{1, "", true}, {2, "", true}}, "\n\n", 0},
		{"CR is content", []gotLine{{1, "a\r", true}, {2, "\r", false}}, "a\r\n\r", 0},
		{"at the limit", []gotLine{{1, long, true}, {2, "a", true}}, long + "\na\n", 0},
		{"over the limit", []gotLine{{1, "a", true}}, "a\n" + long + "y\nb\n", 2},
		{"over the limit, incomplete", nil, long + "y", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{
				strings.NewReader(tt.in), iotest.HalfReader(strings.NewReader(tt.in)),
				iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				got, err := collect(r, int64(len(long)))
				var fault *LongLineError
				if errors.As(err, &fault) != (tt.long > 0) || (fault != nil && fault.Line != tt.long) {
					t.Errorf("want line %d to be too long, got %v", tt.long, err)
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Error(d)
				}
			}
		})
	}
	broken := errors.New("broken")
	if _, err := collect(iotest.ErrReader(broken), 10); !errors.Is(err, broken) {
		t.Errorf("want the reader's error, got %v", err)
	}
}

// FuzzLines compares with cutting the whole text at once.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nb\r\nc"), true)
	f.Fuzz(func(t *testing.T, in []byte, byByte bool) {
		var want []gotLine
		for i, part := range bytes.SplitAfter(in, []byte("\n")) {
			if line, complete := bytes.CutSuffix(part, []byte("\n")); complete || len(line) > 0 {
				want = append(want, gotLine{i + 1, string(line), complete})
			}
		}
		var r io.Reader = bytes.NewReader(in)
		if byByte {
			r = iotest.OneByteReader(r)
		}
		got, err := collect(r, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}
