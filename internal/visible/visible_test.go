package visible

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVisible(t *testing.T) {
	tests := []struct{ want, lines, in string }{
		{"plain", "plain", "plain"},
		{"Grüße 世界 😀", "Grüße 世界 😀", "Grüße 世界 😀"},
		{`a\nb\tc\rd`, "a\nb\tc\\rd", "a\nb\tc\rd"},
		{`\u001b[31mred`, `\u001b[31mred`, "\x1b[31mred"},
		{`\u009b2J\u007f`, `\u009b2J\u007f`, "\u009b2J\x7f"},
		{`a\u202eb`, `a\u202eb`, "a\u202eb"},
		{`a\xffb`, `a\xffb`, "a\xffb"},
		{"a\uFFFDb", "a\uFFFDb", "a\uFFFDb"},
		{`\u2028`, `\u2028`, "\u2028"},
		{`\U000e0041`, `\U000e0041`, "\U000e0041"},
	}
	for _, tt := range tests {
		if got := Text(tt.in); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if got := Lines(tt.in); got != tt.lines {
			t.Errorf("Lines(%q) = %q, want %q", tt.in, got, tt.lines)
		}
	}
}

// The value of a JSON text stays, and nothing in it can steer a terminal.
func TestVisibleJSON(t *testing.T) {
	tests := []string{
		`{"a":"plain","b":[1,2]}`,
		"{\n\t\"a\": \"x\"\n}\n",
		"{\"a\":\"x\u009b2Jy\u202ez\x7f\"}",
		"{\"\U000e0041\u2028\":\"Grüße 😀\"}",
	}
	for _, in := range tests {
		var want, got any
		if err := json.Unmarshal([]byte(in), &want); err != nil {
			t.Fatal(err)
		}
		out := JSON([]byte(in))
		if err := json.Unmarshal(out, &got); err != nil {
			t.Errorf("JSON(%q) = %q: %v", in, out, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("JSON(%q) changed the value (-want +got):\n%s", in, d)
		}
		if strings.ContainsFunc(string(out), steersInJSON) {
			t.Errorf("JSON(%q) = %q, want no steering characters", in, out)
		}
	}
}
