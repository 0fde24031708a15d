package session

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A sequence is what a plain slice would be, over many blocks.
func TestSequence(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		q, want := newSequence(), []element{}
		for i := range 12_000 {
			switch op := r.IntN(10); {
			case op < 6:
				q.push(element(i))
				want = append(want, element(i))
			case op < 9:
				at := r.IntN(len(want) + 1)
				q.insert(at, summaryOf(int32(i)))
				want = slices.Insert(want, at, summaryOf(int32(i)))
			case i%50 == 0 && len(want) > 0:
				from := r.IntN(len(want))
				gone := slices.Clone(want[from:min(len(want), from+r.IntN(3000))])
				q.remove(append(gone, element(1<<30)))
				want = slices.Delete(want, from, from+len(gone))
			}
		}
		if d := cmp.Diff(want, q.all()); d != "" || q.size != len(want) {
			t.Fatalf("seed %d, size %d, want %d (-want +got):\n%s", seed, q.size, len(want), d)
		}
		summaries := 0
		for _, e := range want {
			if e.isSummary() {
				summaries++
			}
		}
		if len(q.summaries) != summaries {
			t.Errorf("seed %d: got %d summaries, want %d", seed, len(q.summaries), summaries)
		}
	}
}
