package converter

import (
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	base := time.Date(2026, 11, 30, 16, 10, 24, 0, time.UTC).UnixMicro()
	tests := []struct {
		text, zone string
		micros     int64
		ok         bool
	}{
		{"2026-11-30T16:10:24", "", base, true},
		{"2026-11-30T16:10:24.946099", "", base + 946099, true},
		{"2026-11-30T16:10:24.5", "", base + 500000, true},
		{"2026-11-30T16:10:24,5", "", base + 500000, true},
		{"2026-11-30T16:10:24.000001999", "", base + 1, true},
		{"2026-11-30T16:10:24.0000009Z", "Z", base, true},
		{"2026-11-30T16:10:24Z", "Z", base, true},
		{"2026-11-30T16:10:24.1+05:30", "+05:30", base + 100000, true},
		{"2026-11-30T16:10", "", base - 24_000_000, true},
		{"2026-11-30T16:10-03", "-03", base - 24_000_000, true},
		{"2024-02-29T00:00:00", "", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC).UnixMicro(), true},
		{"2026-12-31T23:59:60", "", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(), true},
		{"0000-01-01T00:00", "", time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(), true},
		{"2025-02-29T00:00:00", "", 0, false},
		{"2026-04-31T00:00:00", "", 0, false},
		{"2026-00-10T00:00:00", "", 0, false},
		{"2026-13-10T00:00:00", "", 0, false},
		{"2026-01-00T00:00:00", "", 0, false},
		{"2026-01-01T24:00:00", "", 0, false},
		{"2026-01-01T00:60:00", "", 0, false},
		{"2026-01-01T00:00:61", "", 0, false},
		{"2026-01-01T00:00:5", "", 0, false},
		{"2026-01-01T00:00:", "", 0, false},
		{"2026-01-01T00:00:00.", "", 0, false},
		{"2026-01-01T00:00:00.Z", "", 0, false},
		{"2026-01-01 00:00:00", "", 0, false},
		{"2026-01-01T00:00:00 ", "", 0, false},
		{"2026-01-01T00:00:00z", "", 0, false},
		{"2026-01-01T00:00:00ZZ", "", 0, false},
		{"2026-01-01", "", 0, false},
		{"-026-01-01T00:00:00", "", 0, false},
		{"2026-01-0xT00:00:00", "", 0, false},
		{"yesterday, at noon", "", 0, false},
		{"1796055837.06", "", 0, false},
		{"", "", 0, false},
	}
	for _, tt := range tests {
		micros, zone, ok := parseTime(tt.text)
		if ok != tt.ok || (ok && (micros != tt.micros || zone != tt.zone)) {
			t.Errorf("parseTime(%q) = %d, %q, %v, want %d, %q, %v", tt.text, micros, zone, ok, tt.micros, tt.zone, tt.ok)
		}
	}
}

func TestIsZone(t *testing.T) {
	good := []string{"", "Z", "+00:00", "-00:00", "+05:30", "-1200", "+1400", "+23:59", "+05", "-11"}
	bad := []string{"z", "UTC", "+", "-", "+5", "+5:30", "+05:3", "+05:60", "+24:00", "+24", "05:30", "+05:30Z", "+0530x", "+05-30", "+ab:cd", "+05:3x", "ZZ"}
	for _, z := range good {
		if !isZone(z) {
			t.Errorf("isZone(%q) = false, want true", z)
		}
	}
	for _, z := range bad {
		if isZone(z) {
			t.Errorf("isZone(%q) = true, want false", z)
		}
	}
}

func TestSpellOffset(t *testing.T) {
	tests := []struct {
		want    string
		minutes int
	}{
		{"+00:00", 0}, {"+05:30", 330}, {"-03:30", -210}, {"+14:00", 840}, {"-12:00", -720}, {"-00:15", -15}, {"+00:45", 45},
	}
	for _, tt := range tests {
		if got := spellOffset(tt.minutes); got != tt.want {
			t.Errorf("spellOffset(%d) = %q, want %q", tt.minutes, got, tt.want)
		}
	}
}

func TestEpochMicros(t *testing.T) {
	tests := []struct {
		literal string
		want    int64
		ok      bool
	}{
		{"1796055837.06", 1796055837060000, true},
		{"0", 0, true},
		{"1e3", 1000000000, true},
		{"-1", 0, false},
		{"1e12", 0, false},
		{"1e999", 0, false},
		{"x", 0, false},
	}
	for _, tt := range tests {
		if got, ok := epochMicros([]byte(tt.literal)); got != tt.want || ok != tt.ok {
			t.Errorf("epochMicros(%s) = %d, %v, want %d, %v", tt.literal, got, ok, tt.want, tt.ok)
		}
	}
}

// TestProvenOffset holds costs against items. The items stand at seconds after an epoch.
func TestProvenOffset(t *testing.T) {
	const second = int64(1_000_000)
	const hour = 3600
	tests := []struct {
		name         string
		want         int
		ok           bool
		costs, items []int64
	}{
		{"one fits", 60, true, []int64{0, 5000}, []int64{hour + 2, 5000 + hour + 2}},
		{"half an hour", -210, true, []int64{100000, 105003}, []int64{100000 - 210*60, 105003 - 210*60}},
		{"utc", 0, true, []int64{10}, []int64{10}},
		{"the item may be a second early", 0, true, []int64{10}, []int64{9}},
		{"but not two", 0, false, []int64{10}, []int64{8}},
		{"the item may be a minute late", 0, true, []int64{10}, []int64{70}},
		{"but not more", 0, false, []int64{10}, []int64{71}},
		{"two fit", 0, false, []int64{0}, []int64{0, hour}},
		{"two for one cost, one for both", 0, true, []int64{0, 10000}, []int64{0, hour, 10000}},
		{"none fits", 0, false, []int64{0, 4000}, []int64{0, 4400}},
		{"a cost after all items", 0, false, []int64{0, 90000}, []int64{0}},
		{"no costs", 0, false, nil, []int64{0}},
		{"no items", 0, false, []int64{0}, nil},
		{"the first zone", -720, true, []int64{50000}, []int64{50000 - 12*hour}},
		{"the last zone", 840, true, []int64{50000}, []int64{50000 + 14*hour}},
		{"beyond the last zone", 0, false, []int64{50000}, []int64{50000 + 15*hour}},
		{"items in any order", 0, true, []int64{10}, []int64{200000, 10}},
	}
	for _, tt := range tests {
		s := &session{}
		for _, c := range tt.costs {
			s.ledger.costTimes = append(s.ledger.costTimes, c*second)
		}
		s.rows = append(s.rows, row{micros: noTime})
		for _, at := range tt.items {
			s.rows = append(s.rows, row{micros: at * second})
		}
		if got, ok := s.provenOffset(); ok != tt.ok || (ok && got != tt.want) {
			t.Errorf("%s: provenOffset() = %d, %v, want %d, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// TestClock converts conversations whose times are spelled in different ways.
func TestClock(t *testing.T) {
	reg := loadRegistry(t)
	at := func(id, when string) event {
		return event{id: id}.bytes(`{"id":"` + id + `","timestamp":"` + when + `","kind":"PauseEvent","source":"user"}`)
	}
	tests := []struct {
		name, want, notices string
		loss                bool
		events              []event
	}{
		{"naive", `naive-local`, "", true, []event{at("a", "2026-11-30T16:10:24")}},
		{"utc", `utc`, "", false, []event{at("a", "2026-11-30T16:10:24Z"), at("b", "2026-11-30T16:10:25Z")}},
		{"one offset", `offset +05:30`, "", false, []event{at("a", "2026-11-30T16:10:24+05:30")}},
		{"two offsets", `offset`, "", false, []event{at("a", "2026-11-30T16:10:24+05:30"), at("b", "2026-11-30T16:10:24+05:00")}},
		{"one offset without a colon", `offset +05:30`, "", false, []event{at("a", "2026-11-30T16:10:24+0530")}},
		{"one offset of hours", `offset -05:00`, "", false, []event{at("a", "2026-11-30T16:10:24-05")}},
		{"one offset in two spellings", `offset +05:30`, "", false, []event{at("a", "2026-11-30T16:10:24+05:30"), at("b", "2026-11-30T16:10:24+0530")}},
		{"an odd offset", `offset +19:32`, "", false, []event{at("a", "2026-11-30T16:10:24+1932")}},
		{"offset and utc", `offset`, "", false, []event{at("a", "2026-11-30T16:10:24+05:30"), at("b", "2026-11-30T16:10:24Z")}},
		{"some naive", `naive-local`, "", true, []event{at("a", "2026-11-30T16:10:24"), at("b", "2026-11-30T16:10:24Z")}},
		{"lower case", `utc`, "time-unreadable 2", false, []event{at("a", "2026-11-30T16:10:24Z"), at("b", "2026-11-30T16:10:24z"), at("c", "2026-11-30t16:10:24Z")}},
		{"none", `naive-local`, "time-unreadable 1", true, []event{at("a", "noon")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, "", tt.events))
			end := last(m.only(t))
			got := end.Clock.Basis
			if end.Clock.Offset != "" {
				got += " " + end.Clock.Offset
			}
			if got != tt.want || end.lost("time-zone") != tt.loss || some(m.notices) != tt.notices {
				t.Errorf("got clock %q, time-zone %v, notices %q, want %q, %v, %q", got, end.lost("time-zone"), some(m.notices), tt.want, tt.loss, tt.notices)
			}
		})
	}
}
