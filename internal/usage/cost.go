package usage

import (
	"bytes"
	"slices"
)

// Costs name no response, so they count by bucket. A bucket that repeats others (a copied folder, a fork, an account
// that began as a copy, a parent's account of its child) must not be paid twice:
//
//   - A cost row with a time is one cost wherever it stands: its bytes name it, as an id would.
//   - A bucket none of whose cost rows counted before counts what it accumulated, as reported.
//   - A bucket some of whose cost rows counted before counts the rest of them, when its rows explain what it accumulated.
//   - Without such rows a bucket is known as a copy when its rows of usage and its cost equal those of one that counted,
//     or when it is the same bucket of the same session with the same cost. If only some of its responses count
//     elsewhere, its cost cannot be told apart: it counts as nothing, and is said.
//
// Buckets in which responses count come first, so that what repeats them is the copy.
type costs struct {
	t      *tally
	paid   map[digest]int       // cost rows
	copies map[string]bool      // buckets by what they report and cost
	same   map[bucketKey]string // cost of a bucket that counted, or was found to have none
	list   [][]int              // rows of a session that name a response, by bucket
	listed int                  // that session + 1, 0 none
}

func (t *tally) costs() {
	c := costs{t: t, paid: map[digest]int{}, copies: map[string]bool{}, same: map[bucketKey]string{}}
	for _, first := range []bool{true, false} {
		for i := range t.sessions {
			for j := range t.sessions[i].buckets {
				if !t.skip[i] && t.owns[i][j] == first {
					c.bucket(i, j)
				}
			}
		}
	}
}

func (c *costs) bucket(session, at int) {
	t := c.t
	b, key := &t.sessions[session].buckets[at], t.bucketKey(session, at)
	amount := ""
	if b.cost != nil {
		amount = b.cost.String()
	}
	was, seen := c.same[key]
	if !seen || was == "" {
		c.same[key] = amount
	}
	sign := c.signature(session, at, amount)
	switch {
	case b.costOdd:
		c.unknown(session, b)
		t.notes.costsOdd = append(t.notes.costsOdd, b.name)
	case b.cost == nil:
		if b.reports > 0 && t.owns[session][at] && !seen {
			c.unknown(session, b)
		}
	case timed(b):
		c.rows(session, b)
	case sign != "" && c.copies[sign]:
		t.notes.costsRepeated++
	case seen && was == amount:
		t.notes.costsRepeated++
	case (seen && was != "") || c.repeats(session, at):
		c.mixed(session, b)
	default:
		t.pay(session, b, b.cost)
	}
	if sign != "" && b.cost != nil {
		c.copies[sign] = true
	}
}

// rows pays a bucket whose cost rows can be told apart.
func (c *costs) rows(session int, b *bucket) {
	here := map[digest]int{}
	var all, fresh decimal
	repeated := 0
	for i := range b.costs {
		r := &b.costs[i]
		all.add(&r.amount)
		if here[r.sum]++; here[r.sum] <= c.paid[r.sum] {
			repeated++
			continue
		}
		fresh.add(&r.amount)
	}
	for sum, n := range here {
		c.paid[sum] = max(c.paid[sum], n)
	}
	switch {
	case repeated == 0:
		c.t.pay(session, b, b.cost)
	case repeated == len(b.costs):
		c.t.notes.costsRepeated++
	case all.near(b.cost):
		c.t.notes.costsRepeated++
		c.t.pay(session, b, &fresh)
	default:
		c.mixed(session, b)
	}
}

// mixed leaves out a cost of which an unknown part counts elsewhere.
func (c *costs) mixed(session int, b *bucket) {
	c.unknown(session, b)
	c.t.notes.costsMixed = append(c.t.notes.costsMixed, b.name)
}

func (c *costs) unknown(session int, b *bucket) {
	c.t.ofBucket(session, b.name, func(l *Line) { l.Uncovered.Costs++ })
}

func (t *tally) pay(session int, b *bucket, amount *decimal) {
	t.ofBucket(session, b.name, func(l *Line) { l.pay(amount) })
}

// timed says whether all costs of a bucket can be told apart.
func timed(b *bucket) bool {
	for i := range b.costs {
		if !b.costs[i].timed {
			return false
		}
	}
	return len(b.costs) > 0
}

// repeats says whether some response of the bucket counts in another one, or nowhere.
func (c *costs) repeats(session, at int) bool {
	s := &c.t.sessions[session]
	for _, i := range c.rowsOf(session)[at] {
		p, ok := c.t.counted[responseKey{s.agent, s.rows[i].id}]
		if !ok || p.session != session || int(c.t.row(p).bucket) != at {
			return true
		}
	}
	return false
}

// signature is what a bucket reports and costs, "" when it names no response.
func (c *costs) signature(session, at int, amount string) string {
	s := &c.t.sessions[session]
	list := c.rowsOf(session)[at]
	if len(list) == 0 {
		return ""
	}
	sums := make([]digest, len(list))
	for n, i := range list {
		sums[n] = s.rows[i].sum
	}
	slices.SortFunc(sums, func(a, b digest) int { return bytes.Compare(a[:], b[:]) })
	out := []byte(amount)
	for _, sum := range sums {
		out = append(append(out, ' '), sum[:]...)
	}
	return string(out)
}

// rowsOf are the rows of a session that name a response, by bucket.
func (c *costs) rowsOf(session int) [][]int {
	if c.listed == session+1 {
		return c.list
	}
	s := &c.t.sessions[session]
	c.listed, c.list = session+1, make([][]int, len(s.buckets))
	for i := range s.rows {
		if r := &s.rows[i]; r.bucket >= 0 && !r.zero && r.id != "" && !s.apart {
			c.list[r.bucket] = append(c.list[r.bucket], i)
		}
	}
	return c.list
}
