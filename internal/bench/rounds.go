package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// measured holds what each variant took, round by round.
type measured struct {
	rounds []map[string]usage
}

// rounds runs the plan's variants, all in each round, until no gated ratio is noisy or the rounds are used up.
func (s *session) rounds(ctx context.Context, p plan, at *place) (*measured, error) {
	m := &measured{}
	names := needs(p.ratios, p.memory)
	if p.warm {
		fmt.Fprintf(s.o.log, "set %s: warming up\n", p.set)
		if _, err := s.round(ctx, at, names, 0); err != nil {
			return nil, err
		}
	}
	for n := 1; n <= p.max && len(names) > 0; n++ {
		fmt.Fprintf(s.o.log, "set %s: round %d\n", p.set, n)
		took, err := s.round(ctx, at, names, n)
		if err != nil {
			return nil, err
		}
		m.rounds = append(m.rounds, took)
		if n >= p.min {
			names = needs(m.open(p.ratios), nil)
		}
	}
	return m, nil
}

func (s *session) round(ctx context.Context, at *place, names map[string]bool, n int) (map[string]usage, error) {
	took := map[string]usage{}
	for _, name := range shuffled(slices.Sorted(maps.Keys(names)), s.o.seed, n) {
		v, err := findVariant(name)
		if err != nil {
			return nil, err
		}
		if took[name], err = at.measure(ctx, v); err != nil {
			return nil, err
		}
	}
	return took, nil
}

// open lists the gated ratios that need further rounds.
func (m *measured) open(ratios []ratio) []ratio {
	var list []ratio
	for _, r := range ratios {
		if r.gate > 0 && spreadOf(m.values(r)).noisy() {
			list = append(list, r)
		}
	}
	return list
}

// values are the ratio's values, one for each round that ran both of its variants.
func (m *measured) values(r ratio) []float64 {
	var values []float64
	for _, took := range m.rounds {
		over, ok := took[r.over]
		under, ok2 := took[r.under]
		if ok && ok2 && under.CPU > 0 {
			values = append(values, float64(over.CPU)/float64(under.CPU))
		}
	}
	return values
}

// peak is the highest peak of a variant over all rounds, in MiB.
func (m *measured) peak(variant string) float64 {
	var most int64
	for _, took := range m.rounds {
		most = max(most, took[variant].RSS)
	}
	return float64(most) / (1 << 20)
}
