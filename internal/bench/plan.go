package main

// ratio compares the CPU of two variants over one corpus: over / under.
type ratio struct {
	name        string
	over, under string
	goal        float64 // 0: none
	gate        float64 // fails below; 0: none
}

// memory bounds the peak of a variant over one corpus, in MiB.
type memory struct {
	variant    string
	goal, gate float64 // 0: none; fails above the gate
}

// plan is what is measured over one set.
type plan struct {
	set      string
	warm     bool // a first round is run and dropped
	min, max int  // rounds
	ratios   []ratio
	memory   []memory
}

const mostRounds = 21

func plans(o *options) []plan {
	speed := plan{set: "S", warm: true, min: 5, max: mostRounds, ratios: []ratio{
		// the gate is what is reached, less the noise of shared machines: every item is hashed twice, as a file and in its line
		{"convert against a raw copy", "copy", "convert", 0.35, 0.20},
		{"convert to zstd against a raw copy", "copy", "convert-zstd", 0.33, 0},
		{"convert against decoding to any", "convert-naively", "convert", 5, 0},
		{"validate against encoding/json and jsonschema", "validate-naively", "validate", 6.5, 3},
		{"scan against encoding/json.Valid", "scan-json", "scan", 4, 0},
	}}
	if o.quick {
		return []plan{speed}
	}
	many := plan{set: "L", min: 2, max: 2, memory: []memory{{"convert", 32, 64}}}
	long := plan{set: "H", min: 2, max: 2, memory: []memory{{"convert", 48, 64}}}
	if o.full {
		many.thorough(0.55)
		long.thorough(0.40)
	}
	return []plan{speed, many, long}
}

// thorough makes rounds over a set that is else only run for its memory.
func (p *plan) thorough(goal float64) {
	p.warm, p.min, p.max = true, 5, mostRounds
	p.ratios = []ratio{{"convert against a raw copy", "copy", "convert", goal, 0}}
	p.memory = append(p.memory, memory{"convert-zstd", 48, 0}, memory{"validate", 48, 0})
}

// only leaves what can be said with the named variants.
func (p *plan) only(names map[string]bool) {
	if len(names) == 0 {
		return
	}
	var ratios []ratio
	for _, r := range p.ratios {
		if names[r.over] && names[r.under] {
			ratios = append(ratios, r)
		}
	}
	var kept []memory
	for _, m := range p.memory {
		if names[m.variant] {
			kept = append(kept, m)
		}
	}
	p.ratios, p.memory = ratios, kept
}

// needs is the set of variants that the plan's open questions ask for.
func needs(ratios []ratio, bounds []memory) map[string]bool {
	names := map[string]bool{}
	for _, r := range ratios {
		names[r.over], names[r.under] = true, true
	}
	for _, m := range bounds {
		names[m.variant] = true
	}
	return names
}
