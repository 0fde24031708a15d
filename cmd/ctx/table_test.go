package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	tab := &table{columns: []column{{"name", false}, {"n", true}, {"last", false}}}
	tab.add("ü", "1000", "")
	tab.add("longer", "2", "x")
	want := "> name       n  last\n> ü       1000\n> longer     2  x\n"
	var got strings.Builder
	if err := tab.print(&got, "> "); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("table (-want +got):\n%s", d)
	}
}

func TestSize(t *testing.T) {
	tests := []struct {
		want string
		in   int64
	}{
		{"0 bytes", 0},
		{"1 byte", 1},
		{"1023 bytes", 1023},
		{"1.0 KiB", 1024},
		{"1.5 MiB", 3 << 19},
		{"8.0 EiB", 1<<63 - 1},
	}
	for _, tt := range tests {
		if got := size(tt.in); got != tt.want {
			t.Errorf("size(%d) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
