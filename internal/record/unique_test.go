package record

import (
	"strings"
	"testing"
)

func TestUniqueNames(t *testing.T) {
	tests := []struct{ want, names string }{
		{"x", "x"},
		{"x y", "x y"},
		{"x x-2 x-3", "x x x"},
		{"x y x-2 y-2", "x y x y"},
		{"x x-3 x-2", "x x x-2"},
		{"x-2 x x-3", "x-2 x x"},
		{"x x-2 x-3 x-2-2", "x x-2 x x-2"},
		{"x x-4 x-5 x-2 x-3", "x x x x-2 x-3"},
		{"a\xfe a%FE-2", "a\xfe a%FE"},
		{"a%FE a\xfe-2", "a%FE a\xfe"},
	}
	for _, tt := range tests {
		if got := strings.Join(UniqueNames(strings.Fields(tt.names)), " "); got != tt.want {
			t.Errorf("UniqueNames(%q) = %q, want %q", tt.names, got, tt.want)
		}
	}
}
