package validator

import "testing"

// An id is made from another's when one part follows: an item's own id may hold a #, too.
func TestDerived(t *testing.T) {
	for _, tt := range []struct {
		id   string
		want bool
	}{
		{"x", true},
		{"x#thought", true},
		{"x#usage-1", true},
		{"x-summary", true},
		{"x#thought~2", false},
		{"x#thought~2#thought", false},
		{"x#thought#thought", false},
		{"x-summary#a", false},
		{"xy", false},
		{"y", false},
		{"", false},
	} {
		if got := derived(tt.id, []byte("x")); got != tt.want {
			t.Errorf("%q: got %v, want %v", tt.id, got, tt.want)
		}
	}
}
