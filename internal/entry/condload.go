package entry

import (
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// maxTests bounds the tests that a named condition comes to, those of the conditions that it uses included. Without a
// bound a few conditions that use each other twice would take for ever.
const maxTests = 1000

// conditions compiles the named conditions. They may use each other, in any order but not in a circle.
func (l *loader) conditions(n int) {
	l.each(n, func(c int) { l.e.Conditions[l.name(c)] = &Cond{} })
	l.each(n, func(c int) { *l.e.Conditions[l.name(c)] = *l.cond(c) })
	known := map[*Cond]int{}
	l.each(n, func(k int) {
		c := l.e.Conditions[l.name(k)]
		if weigh(c, known) <= maxTests {
			return
		}
		if uses(c, c, map[*Cond]bool{}) {
			l.fault(k, "got a condition that uses itself, want one that does not")
		} else {
			l.fault(k, fmt.Sprintf("got a condition of too many tests or above a circle, want at most %d, those it uses included", maxTests))
		}
	})
}

// weigh counts the tests of a condition, up to one more than maxTests; a circle is too many.
func weigh(c *Cond, known map[*Cond]int) int {
	if w, ok := known[c]; ok {
		return w
	}
	known[c] = maxTests + 1
	w := len(c.tests)
	for _, next := range slices.Concat(append(slices.Clone(c.any), c.uses)...) {
		w = min(w+1+weigh(next, known), maxTests+1)
	}
	known[c] = w
	return w
}

// uses says whether target is reached from c through uses and alternatives.
func uses(c, target *Cond, seen map[*Cond]bool) bool {
	next := slices.Clone(c.uses)
	for _, list := range c.any {
		next = append(next, list...)
	}
	for _, u := range next {
		if u == target {
			return true
		}
		if seen[u] {
			continue
		}
		seen[u] = true
		if uses(u, target, seen) {
			return true
		}
	}
	return false
}

func (l *loader) cond(n int) *Cond {
	c := &Cond{}
	l.each(n, func(m int) {
		switch name := l.name(m); name {
		case "any":
			var list []*Cond
			l.each(m, func(a int) { list = append(list, l.cond(a)) })
			c.any = append(c.any, list)
		case "use":
			u := l.e.Conditions[l.text(m)]
			if u == nil {
				l.fault(m, fmt.Sprintf("got an unknown condition %q, want one of the entry's conditions", clip(l.text(m))))
				return
			}
			c.uses = append(c.uses, u)
		default:
			c.tests = append(c.tests, l.test(name, m))
		}
	})
	return c
}

// optionalCond is nil when the node is missing.
func (l *loader) optionalCond(n int) *Cond {
	if n < 0 {
		return nil
	}
	return l.cond(n)
}

func (l *loader) test(name string, n int) test {
	switch name {
	case "$seen":
		return test{op: opSeen, want: l.choice(n, "later", "first")}
	case "$child":
		if k := l.doc.Kind(n); k != jsonscan.True && k != jsonscan.False {
			l.fault(n, "got something else, want true or false")
		}
		return test{op: opChild, want: l.doc.Kind(n) == jsonscan.True}
	}
	p, err := ParsePath(name)
	if err != nil {
		l.fault(n, err.Error())
	}
	t := test{path: p}
	switch l.doc.Kind(n) {
	case jsonscan.Object:
		l.operator(&t, n)
	case jsonscan.Array:
		l.each(n, func(c int) { t.literals = append(t.literals, l.literal(c)) })
	default:
		t.literals = []literal{l.literal(n)}
	}
	return t
}

// choice says whether the node spells yes; anything but yes and no is a fault.
func (l *loader) choice(n int, yes, no string) bool {
	switch l.text(n) {
	case yes:
		return true
	case no:
	default:
		l.fault(n, fmt.Sprintf("got something else, want %q or %q", yes, no))
	}
	return false
}

func (l *loader) literal(n int) literal {
	k := l.doc.Kind(n)
	switch k {
	case jsonscan.String:
		return literal{k, l.text(n)}
	case jsonscan.Number:
		return literal{k, string(l.doc.Value(n))}
	default:
		return literal{kind: k}
	}
}

func (l *loader) operator(t *test, n int) {
	c := n + 1
	switch l.name(c) {
	case "present":
		t.op = opPresent
	case "absent":
		t.op = opAbsent
	case "nonEmpty":
		t.op = opNonEmpty
	case "prefix":
		t.op = opPrefix
		if t.prefixes = l.texts(c); l.is(c, jsonscan.String) {
			t.prefixes = []string{l.text(c)}
		}
	case "longer":
		t.op = opLonger
		limit, ok := l.doc.Int(c)
		if !ok || limit < 0 || limit > 1<<31 {
			l.fault(c, "got something else, want a number of characters")
		}
		t.longer = int(limit)
	default:
		l.fault(c, "got an unknown test, want one of present, absent, nonEmpty, prefix, longer")
	}
}
