package main

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestReadList(t *testing.T) {
	long := strings.Repeat("x", maxPath)
	tests := []struct {
		want string // paths with their lines, or the error
		list string
	}{
		{"", ""},
		{"", "\n \n\t\r\n"},
		{"a:1", "a"},
		{"a:1 b:2", "a\nb\n"},
		{"a:1 b:3", "a\r\n\r\nb\r\n"},
		{"# a:1 #b:2", "# a\n#b\n"},
		{" a :1 \xff:2", " a \n\xff\n"},
		{"./-:1", "./-\n"},
		{long + ":1 " + long + ":2", long + "\r\n" + long + "\n"},
		{"l:2: got a path of more than 4096 bytes", "a\n" + long + "x\nb\n"},
		{"l:1: got a path of more than 4096 bytes", strings.Repeat("x", 1<<20)},
		{"l:3: got a NUL byte, which no path has", "a\n\nb\x00c\x00"},
		{"l:1: got -, which is standard input on the command line alone; ./- is a file of that name", "-"},
	}
	for _, tt := range tests {
		for _, r := range []io.Reader{strings.NewReader(tt.list), iotest.OneByteReader(strings.NewReader(tt.list)), iotest.DataErrReader(strings.NewReader(tt.list))} {
			list, err := readList(r, "l")
			var got []string
			for _, in := range list {
				got = append(got, lineOf(in.path, in.line))
			}
			if err != nil {
				got = []string{err.Error()}
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Errorf("%.40q (-want +got):\n%s", tt.list, d)
			}
		}
	}
}

func TestReadListBounds(t *testing.T) {
	broken := errors.New("broken")
	if _, err := readList(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), "l"); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "l:2: ") {
		t.Errorf("got %v, want the fault on line 2", err)
	}
	_, err := readList(endless{}, "l")
	if err == nil || !strings.HasPrefix(err.Error(), "l:167") || !strings.Contains(err.Error(), ": got a list of more than 16777216 bytes") {
		t.Errorf("got %v, want a bound", err)
	}
}

// endless is line feeds for ever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
