package validator

import (
	"strings"
	"testing"
)

// However many findings are listed, all of them are counted, on one goroutine or several.
func TestFindingsListed(t *testing.T) {
	stream := strings.Repeat("\n", 6000) // more than a block
	tests := []struct{ want, findings int }{{100, 0}, {1, 1}, {5000, 5000}, {6000, -1}}
	for _, tt := range tests {
		for _, jobs := range []int{1, 3} {
			r, err := ValidateStream(t.Context(), strings.NewReader(stream), "s", Options{Findings: tt.findings, Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			listed := 0
			for _, f := range r.Findings.Sorted() {
				if f.Rule == ruleJSON {
					listed++
				}
			}
			if got := r.Findings.Rules()[ruleJSON]; listed != tt.want || got != 6000 {
				t.Errorf("%d findings, %d jobs: %d listed of %d, want %d of 6000", tt.findings, jobs, listed, got, tt.want)
			}
		}
	}
}
