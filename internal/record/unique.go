package record

import "fmt"

// UniqueNames is what the paths of several SOURCEs begin with: their own names in the order of the arguments. A name
// that an earlier one has gets -2, -3, …: the first that none of them has, as bundles spell it.
func UniqueNames(names []string) []string {
	own, given := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		own[SpellName(name)] = true
	}
	unique := make([]string, len(names))
	next := map[string]int{}
	for i, name := range names {
		unique[i] = name
		for n := max(next[name], 2); given[SpellName(unique[i])] || unique[i] != name && own[SpellName(unique[i])]; n++ {
			unique[i] = fmt.Sprintf("%s-%d", name, n)
			next[name] = n + 1
		}
		given[SpellName(unique[i])] = true
	}
	return unique
}
