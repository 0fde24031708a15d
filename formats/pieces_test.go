package formats

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// pieces cuts a text and gives the text of each piece; the last one that is not whole has "…" behind it.
func pieces(t testing.TB, mark string, r io.Reader, text string) []string {
	t.Helper()
	p, err := Cutter{Mark: mark}.Cut(r)
	if err != nil {
		t.Fatal(err)
	}
	if p.Size != int64(len(text)) || p.SHA256 != sha256.Sum256([]byte(text)) {
		t.Errorf("got size %d and hash %x, want those of the %d bytes", p.Size, p.SHA256, len(text))
	}
	return p.texts(t, text)
}

// texts is the text of each piece, which must be in order.
func (p *Pieces) texts(t testing.TB, text string) []string {
	t.Helper()
	var got []string
	last := int64(0)
	for i, one := range p.List {
		if one.Start < last || one.End < one.Start || one.End > p.Size || (!one.Whole && i < len(p.List)-1) {
			t.Fatalf("piece %d: got %+v after byte %d of %d", i, one, last, p.Size)
		}
		last = one.End
		piece := text[one.Start:one.End]
		if !one.Whole {
			piece += "…"
		}
		got = append(got, piece)
	}
	return got
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name, mark string
		want       []string
		in         string
	}{
		{"nothing", "", nil, ""},
		{"one", "", []string{"{}"}, "{}\n"},
		{"a last line without a line feed", "", []string{"a", "b…"}, "a\nb"},
		{"lines of white space frame", "", []string{"a", "b"}, "\n \t\r\na\n\n\nb\n\n  "},
		{"CR LF", "", []string{"a", "b\r", "c\rd"}, "a\r\nb\r\r\nc\rd\n"},
		{"a CR at the end", "", []string{"a\r…"}, "a\r"},
		{"other line ends", "", []string{"\u2028\v\f\u0085x"}, "\u2028\v\f\u0085x\n"},
		{"white space around", "", []string{" {} "}, " {} \n"},
		{"a byte order mark", "", []string{"\ufeff{}"}, "\ufeff{}\n"},
		{"zeros", "", []string{"{}", "\x00\x00…"}, "{}\n\x00\x00"},

		{"no mark", "--M--", nil, "{}\ntext\n"},
		{"marked", "--M--", []string{"{}", `{"a":[{}]}`}, "hello\n--M--\n{}\ntext {}\n--M--\n{\"a\":[{}]}\nbye"},
		{"over many lines", "--M--", []string{"{\n  \"a\": 1\n}"}, "--M--\n{\n  \"a\": 1\n}\nx\n"},
		{"CR LF marked", "--M--", []string{"{\r\n}"}, "--M--\r\n{\r\n}\r\n"},
		{"brackets and marks in strings", "--M--", []string{`{"a":"}--M--\"{"}`}, "--M--\n" + `{"a":"}--M--\"{"}` + "\n"},
		{"text behind the brace", "--M--", []string{"{}"}, "--M--\n{} text {}\n"},
		{"text before the brace", "--M--", []string{"{}"}, "--M--\ntext {}\n--M--\n  {}\n"},
		{"a mark that no object follows", "--M--", []string{"{}"}, "--M--\n--M--\n\n \n{}\n--M--\n"},
		{"a mark within a line", "--M--", nil, "x--M--\n{}\n --M--\n{}\n--M--x\n{}\n"},
		{"cut off before a mark", "--M--", []string{`{"a":"b`, "{}"}, "--M--\n{\"a\":\"b\n--M--\n{}\n"},
		{"cut off before a mark at the end", "--M--", []string{`{"a`}, "--M--\n{\"a\n--M--"},
		{"cut off at the end", "--M--", []string{"{}", "{\"a\":\n…"}, "--M--\n{}\n--M--\n{\"a\":\n"},
		{"a long line is no mark", "--M--", nil, "--M--" + strings.Repeat(" ", lineSpace) + " x\n{}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				if d := cmp.Diff(tt.want, pieces(t, tt.mark, r, tt.in)); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestCutError(t *testing.T) {
	broken := errors.New("broken")
	_, err := Cutter{}.Cut(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "byte 3") {
		t.Errorf("got %v, want the cause and the place", err)
	}
}

// FuzzCut compares lines with those of the whole text, and marked items with another way of reading.
func FuzzCut(f *testing.F) {
	f.Add([]byte("a\r\n\nb"))
	f.Add([]byte("--M--\n{\"a\":\"}\\\"\"}\n--M--\n{\n--M--\r\n{}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		text := string(in)
		var want []string
		for line := range bytes.Lines(in) {
			body, ended := bytes.CutSuffix(line, []byte("\n"))
			if ended {
				body = bytes.TrimSuffix(body, []byte("\r"))
			}
			switch {
			case len(bytes.Trim(body, " \t\r")) == 0:
			case ended:
				want = append(want, string(body))
			default:
				want = append(want, string(body)+"…")
			}
		}
		if d := cmp.Diff(want, pieces(t, "", bytes.NewReader(in), text)); d != "" {
			t.Error(d)
		}
		whole := pieces(t, "--M--", bytes.NewReader(in), text)
		if d := cmp.Diff(whole, pieces(t, "--M--", iotest.OneByteReader(bytes.NewReader(in)), text)); d != "" {
			t.Error(d)
		}
		for _, p := range whole {
			if !strings.HasPrefix(p, "{") {
				t.Errorf("got a marked piece %q, want an object", p)
			}
		}
	})
}
