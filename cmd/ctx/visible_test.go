package main

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	tests := []struct{ want, in string }{
		{`"a"`, "a"},
		{`"a\n"`, "a\n"},
		{`"` + strings.Repeat("x", 64) + `"`, strings.Repeat("x", 64)},
		{`"` + strings.Repeat("x", 64) + `…"`, strings.Repeat("x", 65)},
		{`"` + strings.Repeat("x", 63) + `…"`, strings.Repeat("x", 63) + "ü"},
	}
	for _, tt := range tests {
		if got := quote(tt.in); got != tt.want {
			t.Errorf("quote(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}
