package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestParseConfig(t *testing.T) {
	tests := []struct {
		want settings
		raw  string
	}{
		{settings{}, `{}`},
		{settings{}, " {\n}\n"},
		{settings{}, `{"$schema":"x","limits":{}}`},
		{settings{"/failOn": {"notice", "loss:a/b", "stray-file"}}, `{"failOn":["notice","loss:a/b","stray-file"]}`},
		{settings{"/baseline": {"known/a.json"}, "/registry": {"a", "../b"}}, `{"registry":["a","..\/b"],"baseline":"known\/a.json"}`},
		{
			settings{"/limits/maxItem": {"1 KiB"}, "/limits/maxDepth": {"1"}, "/limits/maxItems": {"0"}, "/limits/maxBytes": {"9007199254740991"}, "/limits/maxFindings": {"7"}, "/limits/maxUnpacked": {"5"}},
			`{"limits":{"maxItem":"1 KiB","maxDepth":1,"maxItems":0,"maxBytes":9007199254740991,"maxFindings":7,"maxUnpacked":"5"}}`,
		},
	}
	for _, tt := range tests {
		got, err := parseConfig([]byte(tt.raw))
		if err != nil {
			t.Errorf("%s: %v", tt.raw, err)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.raw, d)
		}
	}
}

func TestParseConfigRefuses(t *testing.T) {
	many := `{"a0":1`
	for _, name := range strings.Fields("b c d e f g h i j k l") {
		many += `,"` + name + `":1`
	}
	tests := []struct{ want, raw string }{
		{".ctx.json: line 1, byte 1: no JSON value, want one JSON object", ""},
		{".ctx.json: line 1, byte 1: invalid JSON, want one JSON object", "\ufeff{}"},
		{".ctx.json: line 3, byte 2: invalid JSON, want one JSON object", "{\n\"a\":1\n,}"},
		{".ctx.json: line 1, byte 3: bytes after the JSON value, want one JSON object", "{}{}"},
		{".ctx.json: line 1, byte 101: nested too deeply, want one JSON object", strings.Repeat("[", 200)},
		{".ctx.json: got array, want object", "[]"},
		{".ctx.json: got null, want object", "null"},
		{`.ctx.json: /a~1b: got member "a/b", want none by that name`, `{"a/b":1}`},
		{`.ctx.json: /limits/maxitem: got member "maxitem", want none by that name`, `{"limits":{"maxitem":1}}`},
		{".ctx.json: /failOn: got a key twice, want each once", `{"failOn":["gap"],"failOn":["none"]}`},
		{".ctx.json: /baseline: got half a surrogate pair", `{"baseline":"\ud800"}`},
		{".ctx.json: /failOn: got string, want array", `{"failOn":"gap"}`},
		{".ctx.json: /failOn: got 0 elements, want at least 1", `{"failOn":[]}`},
		{".ctx.json: /failOn: got equal elements 0 and 1, want different ones", `{"failOn":["gap","gap"]}`},
		{`.ctx.json: /failOn/1: got "errors", which --fail-on does not know`, `{"failOn":["gap","errors"]}`},
		{`.ctx.json: /failOn/0: got "gap,loss", want one word an element`, `{"failOn":["gap,loss"]}`},
		{`.ctx.json: /failOn/1: "none" stands alone`, `{"failOn":["gap","none"]}`},
		{".ctx.json: /registry/0: got number, want string", `{"registry":[1]}`},
		{".ctx.json: /baseline: got 0 characters, want at least 1", `{"baseline":""}`},
		{".ctx.json: /limits/maxDepth: got 10001, want at most 10000", `{"limits":{"maxDepth":10001}}`},
		{".ctx.json: /limits/maxDepth: got number, want integer", `{"limits":{"maxDepth":1.5}}`},
		{".ctx.json: /limits/maxItems: got a number with a fraction or an exponent, want its digits alone", `{"limits":{"maxItems":1e3}}`},
		{".ctx.json: /limits/maxItems: got -1, want at least 0", `{"limits":{"maxItems":-1}}`},
		{`.ctx.json: /limits/maxBytes: got "1MB", want a number of bytes`, `{"limits":{"maxBytes":"1MB"}}`},
		{"\n.ctx.json: and 2 more", many + "}"},
	}
	for _, tt := range tests {
		_, err := parseConfig([]byte(tt.raw))
		if usage, ok := errors.AsType[*usageError](err); !ok || !strings.Contains(err.Error(), tt.want) || usage.hint == "" {
			t.Errorf("%s: want error %q with a hint, got %v", tt.raw, tt.want, err)
		}
	}
}

// Every option is the flag of the commands that it names, but for those that this release does not have.
func TestOptionsAreFlags(t *testing.T) {
	root := newRoot(&env{stdout: io.Discard, stderr: io.Discard})
	for _, o := range options() {
		for _, name := range o.commands {
			c, _, err := root.Find([]string{name})
			if err == nil {
				err = c.ParseFlags(nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			if flag := c.Flags().Lookup(o.flag); flag == nil {
				t.Errorf("%s: %s has no flag --%s", o.pointer, name, o.flag)
			}
		}
	}
}

func TestApplySettings(t *testing.T) {
	const raw = `{"failOn":["gap","loss"],"registry":["a","b"],"limits":{"maxItem":7,"maxDepth":9}}`
	for _, tt := range []struct {
		want string // the flags' values
		args []string
	}{
		{"[gap,loss] [a,b] 7 9", nil},
		{"[error] [a,b] 7 9", []string{"--fail-on", "error"}},
		{"[gap,loss] [c] 7 9", []string{"--registry", "c"}},
		{"[gap,loss] [a,b] 1KiB 9", []string{"--max-item", "1024"}},
		{"[gap,loss] [a,b] 7 10000", []string{"--max-depth", "10000"}}, // given, though it is what stands there anyway
	} {
		c := command(t, "convert", tt.args...)
		s, err := parseConfig([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range options() {
			if _, err := s.apply(c, o); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, name := range []string{"fail-on", "registry", "max-item", "max-depth"} {
			got = append(got, c.Flags().Lookup(name).Value.String())
		}
		if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt.args, d)
		}
	}
	c := command(t, "convert")
	_, err := settings{"/limits/maxItem": {"99999999999999999999"}}.apply(c, options()[3])
	if err == nil || err.Error() != `.ctx.json: /limits/maxItem: got "99999999999999999999", want a size such as 64MiB` {
		t.Errorf("got error %v, want the place of a size that is too large", err)
	}
}

// command is a command that has read its flags.
func command(t testing.TB, name string, args ...string) *cobra.Command {
	t.Helper()
	c, _, err := newRoot(&env{stdout: io.Discard, stderr: io.Discard}).Find([]string{name})
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzConfig takes any bytes for a configuration: it is refused with a place, or all of it can be said to the flags.
func FuzzConfig(f *testing.F) {
	for _, raw := range []string{
		``, `{}`, `[`, `{"a":1,"a":2}`, `{"failOn":["none"],"registry":["\u0000"],"baseline":"x","$schema":1}`,
		`{"failOn":["loss:a/b","error"],"limits":{"maxItem":"1 GiB","maxDepth":3,"maxItems":1e2,"maxBytes":"0","maxFindings":9,"maxUnpacked":"8EiB"}}`,
		`{"limits":{"maxItem":"99999999999999999999999"},"baseline":"\ud800"}`,
	} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := parseConfig(raw)
		for _, name := range []string{"convert", "validate"} {
			c := command(t, name)
			for _, o := range options() {
				if err == nil {
					_, err = s.apply(c, o)
				}
			}
			if err == nil && c.Flags().Lookup("fail-on") != nil {
				words, getErr := c.Flags().GetStringArray("fail-on")
				if _, wrong := parseFailOn(words); wrong != nil || getErr != nil {
					t.Errorf("%q sets --fail-on to %q: %v %v", raw, words, wrong, getErr)
				}
			}
		}
		if err != nil && !strings.HasPrefix(err.Error(), configName+": ") {
			t.Errorf("%q: got error %q, want it to name the file", raw, err)
		}
	})
}
