package session

import "slices"

// Difference is what changed between two views of one session.
type Difference struct {
	From, To *View
	Basis    Basis    // the less sure of both
	Notes    []string // of both, each once
	Entered  []int    // records of To that From lacks, in the order of To
	Left     []int    // records of From that To lacks, in the order of From
}

// Compare says what entered and what left from one view to another of the same session.
func Compare(from, to *View) *Difference {
	d := &Difference{
		From: from, To: to, Basis: from.Basis,
		Entered: without(to.Records, from.Records), Left: without(from.Records, to.Records),
	}
	if to.Basis == Unknown || d.Basis == Exact {
		d.Basis = to.Basis
	}
	for _, note := range slices.Concat(from.Notes, to.Notes) {
		if !slices.Contains(d.Notes, note) {
			d.Notes = append(d.Notes, note)
		}
	}
	return d
}

// without lists the records of one list that another lacks.
func without(list, other []int) []int {
	have := make(map[int]bool, len(other))
	for _, i := range other {
		have[i] = true
	}
	var rest []int
	for _, i := range list {
		if !have[i] {
			rest = append(rest, i)
		}
	}
	return rest
}
