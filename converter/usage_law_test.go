package converter

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// lawRow is one made row: its bucket, id, and counter as spelled.
type lawRow struct {
	bucket int
	id     string
	input  string
}

func (r lawRow) text() string {
	return fmt.Sprintf(`{"model":"m","prompt_tokens":%s,"completion_tokens":0,"response_id":"%s"}`, r.input, r.id)
}

// lawLedger is one made ledger. Every second bucket states what its rows sum to, the others something near it or nothing.
type lawLedger struct {
	rows    []lawRow
	totals  []int64 // by bucket, -1 not stated
	buckets int
}

func makeLedger(rnd *rand.Rand) lawLedger {
	l := lawLedger{buckets: 1 + rnd.IntN(3)}
	odd := []string{"-4", "true", "1.5", `"7"`, "123456789012345678901234567890", "NaN", "9007199254740992"}
	for b := range l.buckets {
		total := int64(0)
		for range rnd.IntN(5) {
			n := rnd.IntN(4)
			r := lawRow{b, []string{"r", "s", "t", "z", ""}[rnd.IntN(5)], fmt.Sprint(n)}
			if rnd.IntN(12) == 0 {
				r.input, n = odd[rnd.IntN(len(odd))], 0
			}
			total += int64(n)
			l.rows = append(l.rows, r)
		}
		switch rnd.IntN(4) {
		case 0:
			total = -1
		case 1:
			total += int64(rnd.IntN(3))
		}
		l.totals = append(l.totals, total)
	}
	return l
}

func (l *lawLedger) state() string {
	accounts := make([]account, l.buckets)
	for b := range accounts {
		accounts[b].name = fmt.Sprintf("b%d", b)
		if l.totals[b] >= 0 {
			accounts[b].more = fmt.Sprintf(`"accumulated_token_usage":{"prompt_tokens":%d}`, l.totals[b])
		}
	}
	for _, r := range l.rows {
		accounts[r.bucket].rows = append(accounts[r.bucket].rows, r.text())
	}
	return state(stats("usage_to_metrics", accounts...))
}

// TestLaw holds what must balance, told from the bundle alone and the rows that went in: each row joined, was left over,
// repeated an earlier one, or was all zero; and a bucket that joined whole sums to what it accumulated, or is noticed.
func TestLaw(t *testing.T) {
	reg := loadRegistry(t)
	rnd := rand.New(rand.NewPCG(5, 1))
	var residues, whole int64
	for n := range 150 {
		l := makeLedger(rnd)
		m := convertMade(t, reg, nil, conv(t, l.state(), []event{answer("a", "r"), answer("b", "s"), action("c", "k", "t")}))
		lost := map[string]bool{} // buckets
		var rows int64            // inferences that kept a row
		for _, r := range m.only(t) {
			switch r.Type {
			case "inference":
				if r.Meta["dev.all-hands.openhands/metrics"] != nil {
					rows++
				}
			case "usage_summary":
				lost[r.Bucket] = r.lost("accounting-join")
			}
		}
		c := last(m.only(t)).UsageCoverage
		if c.WithUsage < rows || c.Responses != 3 {
			t.Errorf("ledger %d: got %d of %d responses with usage, want at least the %d rows kept, of 3", n, c.WithUsage, c.Responses, rows)
		}
		want := int64(len(l.rows)) - zeroRows(l.rows) - m.notices["usage-duplicate"]
		if c.WithUsage+c.LeftOver != want {
			t.Errorf("ledger %d: got %d joined and %d left over, want %d of %d rows, the rest copies and zeros\n%s", n, c.WithUsage, c.LeftOver, want, len(l.rows), l.state())
		}
		w, r := l.expectResidues(lost)
		whole, residues = whole+w, residues+r
		if got := m.notices["usage-residue"]; got != r {
			t.Errorf("ledger %d: got %d residues, want %d\n%s", n, got, r, l.state())
		}
	}
	if residues == 0 || whole == 0 {
		t.Errorf("got %d residues of %d whole buckets, want some of both", residues, whole)
	}
}

// none says whether the row reports nothing: NaN counts as null.
func (r *lawRow) none() bool { return r.input == "0" || r.input == "NaN" }

func zeroRows(rows []lawRow) (n int64) {
	for _, r := range rows {
		if r.none() {
			n++
		}
	}
	return n
}

// expectResidues counts the buckets that joined whole, and those of them that do not sum to what they state.
func (l *lawLedger) expectResidues(lost map[string]bool) (whole, residues int64) {
	for b, total := range l.totals {
		sum, reports, odd := int64(0), 0, false
		for _, r := range l.rows {
			var n int64
			if r.bucket != b {
				continue
			}
			if _, err := fmt.Sscanf(r.input, "%d", &n); r.none() {
				continue
			} else if err != nil || fmt.Sprint(n) != r.input || n < 0 || n > 1<<53-1 {
				odd = true
			}
			reports++
			sum += n
		}
		if lost[fmt.Sprintf("b%d", b)] || odd || reports == 0 || total < 0 {
			continue
		}
		whole++
		if sum != total {
			residues++
		}
	}
	return whole, residues
}
