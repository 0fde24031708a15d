package record

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeep(t *testing.T) {
	tests := []struct{ want, most, found int }{
		{100, 0, 150}, {3, 3, 150}, {150, -1, 150}, {150, 1000, 150}, {2, 3, 2},
	}
	for _, tt := range tests {
		var fs Findings
		fs.Keep(tt.most)
		for i := range tt.found {
			fs.Add(Finding{Rule: "a", Severity: ErrorSeverity, Line: i + 1, Message: "x"})
		}
		list := fs.Sorted()
		if len(list) != tt.want {
			t.Errorf("most %d: %d listed, want %d", tt.most, len(list), tt.want)
		}
		var sum int64
		for _, f := range list {
			sum += f.Count
		}
		if int(sum) != tt.found || int(fs.Total(ErrorSeverity)) != tt.found {
			t.Errorf("most %d: counts sum to %d and %d, want %d", tt.most, sum, fs.Total(ErrorSeverity), tt.found)
		}
	}
}

// Of three findings that are the same but for their line two are known: the third stays, and what was listed is capped afterwards.
func TestAccept(t *testing.T) {
	var fs Findings
	fs.Keep(-1)
	for i := range 300 {
		fs.Add(Finding{Rule: "a", Severity: ErrorSeverity, Stream: "s", Line: i + 1, Record: strconv.Itoa(i / 3), Message: "x"})
	}
	fs.Add(Finding{Rule: "b", Severity: NoticeSeverity, Message: "y", Count: 5})
	seen := map[string]int64{}
	if want, got := int64(203), fs.Accept(func(f *Finding, n int64) int64 {
		if f.Rule == "b" {
			return 3
		}
		if seen[f.Record]++; seen[f.Record] <= 2 {
			return n
		}
		return 0
	}); got != want {
		t.Errorf("accepted %d, want %d", got, want)
	}
	fs.Keep(2)
	want := []Finding{
		{Rule: "a", Severity: ErrorSeverity, Stream: "s", Line: 3, Record: "0", Message: "x", Count: 1},
		{Rule: "a", Severity: ErrorSeverity, Stream: "s", Line: 6, Record: "1", Message: "x (and 98 more of this rule)", Count: 99},
		{Rule: "b", Severity: NoticeSeverity, Message: "y", Count: 2},
	}
	if d := cmp.Diff(want, fs.Sorted()); d != "" {
		t.Errorf("left (-want +got):\n%s", d)
	}
}

// What was only counted is not accepted, and does not vanish from the list either.
func TestAcceptBeyondTheList(t *testing.T) {
	var fs Findings
	fs.Keep(2)
	for range 5 {
		fs.Add(Finding{Rule: "a", Severity: ErrorSeverity, Stream: "s", Message: "x"})
	}
	if got := fs.Accept(func(_ *Finding, n int64) int64 { return n }); got != 2 {
		t.Errorf("accepted %d, want 2", got)
	}
	want := []Finding{{
		Rule: "a", Severity: ErrorSeverity, Stream: "s", Count: 3,
		Message: "got more findings of this rule than can be accepted one by one",
	}}
	if d := cmp.Diff(want, fs.Sorted()); d != "" {
		t.Errorf("left (-want +got):\n%s", d)
	}
	if got := fs.Total(ErrorSeverity); got != 3 {
		t.Errorf("total %d, want 3", got)
	}
}
