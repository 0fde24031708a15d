package record

import (
	"cmp"
	"slices"
)

// Tally is how often one rule was found in one stream, and how many of the findings are listed.
type Tally struct {
	Rule          string
	Severity      Severity
	Stream        string
	Listed, Total int64
}

// Tallies are the counts of all findings, sorted.
func (fs *Findings) Tallies() []Tally {
	list := make([]Tally, 0, len(fs.byRule))
	for k, t := range fs.byRule {
		list = append(list, Tally{k.rule, k.severity, k.stream, t.listed, t.total})
	}
	slices.SortFunc(list, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Stream, b.Stream))
	})
	return list
}

// Listed are the findings that are listed, in the order in which they were added. The caller must not change them.
func (fs *Findings) Listed() []Finding { return fs.list }

// Remembered are findings put together again from what Listed and Tallies gave.
func Remembered(list []Finding, tallies []Tally) Findings {
	fs := Findings{list: list, byRule: make(map[key]*tally, len(tallies))}
	for _, t := range tallies {
		fs.byRule[key{t.Rule, t.Severity, t.Stream}] = &tally{t.Listed, t.Total}
	}
	return fs
}
