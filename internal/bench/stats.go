package main

import "slices"

// spread is the middle of some measured values.
type spread struct{ q1, median, q3 float64 }

func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	return spread{quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)}
}

// quantile interpolates between the two nearest of the sorted values; 0 of none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// noisy is true when the quartiles lie further apart than a quarter of the median.
func (s spread) noisy() bool { return s.q3-s.q1 > s.median/4 }

// verdict is what a gate says.
type verdict string

const (
	pass     verdict = "pass"
	fail     verdict = "fail"
	tooNoisy verdict = "too noisy"
	noGate   verdict = "no gate"
)

// judge holds a ratio against the least that is accepted.
func judge(s spread, gate float64) verdict {
	switch {
	case gate == 0:
		return noGate
	case s.median >= gate:
		return pass
	case s.noisy():
		return tooNoisy
	default:
		return fail
	}
}

// judgeMost holds a peak against the most that is accepted.
func judgeMost(peak, gate float64) verdict {
	switch {
	case gate == 0:
		return noGate
	case peak <= gate:
		return pass
	default:
		return fail
	}
}
