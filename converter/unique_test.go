package converter

import (
	"strings"
	"testing"
)

// TestUniqueIDs gives items ids that other records bear, or come to bear. No two records may share one.
func TestUniqueIDs(t *testing.T) {
	summed := condense("c", nil, `"summary":"s"`, `"summary_offset":0`)
	tests := []struct {
		name, want string // ids of primary records, in order
		events     []event
	}{
		{"of our own", "session~0 end~1 file:x~2 inference:r~3 gap:1-1~4 item:9~5 a#thought~6", []event{
			user("session"), user("end"), user("file:x"), user("inference:r"), user("gap:1-1"), user("item:9"), user("a#thought"),
		}},
		{"a summary's, before it", "c-summary~0 c", []event{user("c-summary"), summed}},
		{"a summary's, behind it", "c c-summary~1", []event{summed, user("c-summary")}},
		{"a clash's, behind it", "b b~1 b~1~2", []event{user("b"), user("b"), user("b~1")}},
		{"a clash's, before it", "b~1~0 b b~2", []event{user("b~1"), user("b"), user("b")}},
		{"a clash's clash", "b~1~1~0 b~1~1 b b~3", []event{user("b~1~1"), user("b~1"), user("b"), user("b")}},
		{"spelled alike", "b%FE~0 b%FE", []event{user("b\xfe").bytes("{}"), user("b%FE")}},
		{"spelled alike, behind", "b%FE b%FE~1", []event{user("b%FE"), user("b\xfe").bytes("{}")}},
		{"spelled alone", "b%FE", []event{user("b\xfe").bytes("{}")}},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list := convertMade(t, reg, nil, conv(t, "", tt.events)).only(t)
			byID(t, list)
			var got []string
			for i := range list {
				if list[i].hasNative() {
					got = append(got, list[i].ID)
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
}
