package main

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// sortWords are the values of --sort; the first is the order of the bundle.
func sortWords() []string {
	return []string{"bundle", "time", "id", "title", "status", "responses", "tokens", "cost", "branches", "gaps"}
}

// sortListed orders the rows; equal ones stay in the order of their bundle. What is not known comes last.
func sortListed(rows []listed, by string) {
	slices.SortStableFunc(rows, func(a, b listed) int {
		switch by {
		case "time":
			return knownFirst(a.Time, b.Time)
		case "id":
			return strings.Compare(a.Session, b.Session)
		case "title":
			return knownFirst(a.name(), b.name())
		case "status":
			return knownFirst(a.Status, b.Status)
		case "responses":
			return cmp.Compare(b.Responses, a.Responses)
		case "tokens":
			return largestFirst(a.tokens(), b.tokens())
		case "cost":
			return largestCost(a.Cost, b.Cost)
		case "branches":
			return cmp.Compare(b.Branches, a.Branches)
		case "gaps":
			return cmp.Compare(b.Gaps, a.Gaps)
		default:
			return 0
		}
	})
}

func knownFirst(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(len(b), len(a))
	}
	return strings.Compare(a, b)
}

func largestFirst(a, b *big.Int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	default:
		return b.Cmp(a)
	}
}

func largestCost(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	default:
		return b.Cmp(a)
	}
}

// name is what a session is called: its title, else what its user said first.
func (r *listed) name() string { return cmp.Or(r.Title, r.FirstMessage) }

// tokens is input and output together, nil when neither is known.
func (r *listed) tokens() *big.Int {
	var sum *big.Int
	for _, n := range []*big.Int{r.Tokens.Input, r.Tokens.Output} {
		if n != nil {
			sum = new(big.Int).Add(cmp.Or(sum, new(big.Int)), n)
		}
	}
	return sum
}

// shorten gives each session of a bundle the shortest beginning of its id, of 8 characters or more, that no other has.
// Sessions with one id go by their stream id.
func shorten(rows []listed) {
	const least = 8
	order := make([]int, len(rows))
	for i := range rows {
		order[i] = i
	}
	bare := func(i int) string { return strings.ReplaceAll(rows[i].Session, "-", "") }
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(bare(a), bare(b)) })
	for n, i := range order {
		id, most := bare(i), least
		for _, m := range []int{n - 1, n + 1} {
			if m < 0 || m >= len(order) {
				continue
			}
			other := bare(order[m])
			if other == id {
				most = -1
				break
			}
			most = max(most, alike(id, other)+1)
		}
		if most < 0 {
			rows[i].short = rows[i].Stream
			continue
		}
		rows[i].short = strings.ToValidUTF8(id[:min(most, len(id))], "")
	}
}

// alike is how many bytes two texts begin with in common.
func alike(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
