package usage

import (
	"fmt"
	"slices"
	"strings"
)

// notes gathers what a reader of the numbers should know.
type notes struct {
	evidence      []string // sessions whose state is gone, with the record that speaks for it
	unread        []string // sessions whose state cannot be read
	repeated      map[string]int64
	twice         int64
	conflicts     []string // response ids
	unkeyed       int64
	sums          []string // buckets
	sumsDiffer    []string
	residues      []string
	costsOdd      []string
	costsRepeated int64
	costsMixed    []string
}

// repeat notes a row that repeats one which counts.
func (n *notes) repeat(bucket string) {
	if n.repeated == nil {
		n.repeated = map[string]int64{}
	}
	n.repeated[bucket]++
}

// fewNames is how many names a note gives.
const fewNames = 5

// some lists names, each once, sorted and cut.
func some(names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	more := ""
	if len(names) > fewNames {
		more = fmt.Sprintf(" and %d more", len(names)-fewNames)
		names = names[:fewNames]
	}
	for i := range names {
		names[i] = clip(names[i])
	}
	return strings.Join(names, ", ") + more
}

// list spells the notes, in a fixed order.
func (n *notes) list(t *tally) []string {
	var out []string
	say := func(count int64, format string, args ...any) {
		if count > 0 {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	u := &t.total.Uncovered
	say(u.Responses, "responses without a report that counts: %d; their usage is unknown, not zero", u.Responses)
	say(u.Conflicting, "responses whose rows differ: %d, none of their rows counts: %s", u.Conflicting, some(n.conflicts))
	say(u.Counters, "counters that are no natural number up to 2^53-1: %d, left out", u.Counters)
	say(int64(len(n.residues)), "buckets that accumulated something else than their rows sum to: %d (%s); the rows count", len(n.residues), some(n.residues))
	count, names := n.repeats()
	say(count, "rows that repeat a response counted elsewhere: %d, counted once; they stand in %s", count, some(names))
	say(n.twice, "rows that stand twice in one bucket: %d, counted once", n.twice)
	say(n.unkeyed, "rows that name no response of their own: %d, counted as they stand; only copies of one session are told apart", n.unkeyed)
	say(int64(len(n.sums)), "buckets with sums and no rows: %d (%s), counted as one unkeyed row each; whether other sessions report parts of them cannot be told", len(n.sums), some(n.sums))
	say(int64(len(n.sumsDiffer)), "buckets with no rows whose copies state different sums: %d (%s), not counted", len(n.sumsDiffer), some(n.sumsDiffer))
	say(int64(len(n.evidence)), "sessions whose state is gone: %d, counted by what their last update of it reports: %s", len(n.evidence), cut(n.evidence))
	say(int64(len(n.unread)), "sessions whose state cannot be read: %d (%s)", len(n.unread), some(n.unread))
	n.costs(t, say)
	return out
}

func (n *notes) costs(t *tally, say func(int64, string, ...any)) {
	costs := t.total.Uncovered.Costs - int64(len(n.costsMixed)+len(n.costsOdd))
	say(costs, "buckets with usage and no cost: %d; their cost is unknown, not zero", costs)
	say(n.costsRepeated, "buckets that repeat costs counted elsewhere: %d, counted once", n.costsRepeated)
	say(int64(len(n.costsMixed)), "buckets whose cost cannot be told from costs counted elsewhere: %d (%s), not counted", len(n.costsMixed), some(n.costsMixed))
	say(int64(len(n.costsOdd)), "buckets whose cost is no number that a double holds: %d (%s), not counted", len(n.costsOdd), some(n.costsOdd))
	if t.total.hasCost && t.by != BySession && t.by != ByBucket {
		say(1, "costs are reported by bucket and name no response: they stand in the total alone")
	}
}

func (n *notes) repeats() (count int64, names []string) {
	for name, c := range n.repeated {
		count += c
		names = append(names, name)
	}
	return count, names
}

// cut joins the first of some texts that are spelled already.
func cut(list []string) string {
	if len(list) <= fewNames {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:fewNames], ", "), len(list)-fewNames)
}
