package main

import "testing"

func TestByteSize(t *testing.T) {
	for _, c := range []struct {
		want int64
		text string
		back string
	}{
		{0, "0", "0"},
		{1000, "1000", "1000"},
		{64 << 20, "64MiB", "64MiB"},
		{3 << 10, "3 KiB", "3KiB"},
		{1 << 30, "1024MiB", "1GiB"},
		{7, "7B", "7"},
	} {
		var s byteSize
		if err := s.Set(c.text); err != nil || int64(s) != c.want || s.String() != c.back {
			t.Errorf("Set(%q) = %d %q (%v), want %d %q", c.text, s, s.String(), err, c.want, c.back)
		}
	}
	for _, bad := range []string{"", "MiB", "-1", "1.5MiB", "9999999999GiB", "1TB"} {
		var s byteSize
		if err := s.Set(bad); err == nil {
			t.Errorf("Set(%q) = %d, want an error", bad, s)
		}
	}
}
