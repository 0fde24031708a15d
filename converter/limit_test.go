package converter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLimits holds that what lies beyond a limit is a gap with its reason, the last file aside, and all else is converted.
func TestLimits(t *testing.T) {
	events := []event{user("a"), user("b"), user("c"), user("d")}
	tests := []struct {
		name   string
		want   string
		change func(*Options)
	}{
		{"none", "", func(*Options) {}},
		{"items", "gap:2:c too-large", func(o *Options) { o.MaxItems = 2 }},
		{"bytes", "gap:1:b too-large, gap:2:c too-large", func(o *Options) { o.MaxBytes = 10 }},
		{"item", "gap:0:a too-large, gap:1:b too-large, gap:2:c too-large", func(o *Options) { o.MaxItem = 10 }},
		{"depth", "gap:0:a too-large, gap:1:b too-large, gap:2:c too-large", func(o *Options) { o.MaxDepth = 1 }},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := convertMade(t, reg, tt.change, conv(t, "", events)).only(t)
			var got []string
			for _, r := range list {
				if r.Type != "gap" {
					continue
				}
				got = append(got, r.ID+" "+r.Reason)
				if file := string(r.Meta["rs.ctx/file"]); r.Reason == "too-large" && !strings.Contains(file, `"sha256":"`) {
					t.Errorf("%s: got %s, want the file's size and hash", r.ID, file)
				}
			}
			if d := cmp.Diff(tt.want, strings.Join(got, ", ")); d != "" {
				t.Errorf("gaps (-want +got):\n%s", d)
			}
		})
	}
}
