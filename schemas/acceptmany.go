package schemas

import (
	"bytes"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// fewItems is how many elements are compared pairwise.
const fewItems = 16

func (o *objectPlan) judge(d *jsonscan.Doc, i int) verdict {
	var seen uint64
	count := 0
	for c, end := i+1, int(d.Nodes[i].Next); c < end; c = int(d.Nodes[c].Next) {
		name := d.Raw[d.Nodes[c].KeyStart:d.Nodes[c].KeyEnd]
		if d.Flags&jsonscan.EscapedKey != 0 && bytes.IndexByte(name, '\\') >= 0 {
			return unsure
		}
		var p *plan
		if at := o.find(name); at >= 0 {
			seen |= 1 << at
			p = o.members[at].plan
		}
		if v := o.judgeMember(p, name, d, c); v != accepted {
			return v
		}
		count++
	}
	if o.required&^seen != 0 || count < o.min || o.max >= 0 && count > o.max {
		return refused
	}
	for _, n := range o.needs {
		if n.of&seen != 0 && n.others&^seen != 0 {
			return refused
		}
	}
	return accepted
}

// find returns the index of a member that the schema names, or -1.
func (o *objectPlan) find(name []byte) int {
	for at := range o.members {
		if string(name) == o.members[at].name {
			return at
		}
	}
	return -1
}

// judgeMember holds one member against p, its own plan if it has one, and what its name says besides.
func (o *objectPlan) judgeMember(p *plan, name []byte, d *jsonscan.Doc, c int) verdict {
	own := p != nil
	if own {
		if v := p.judge(d, c); v != accepted {
			return v
		}
	}
	for _, n := range o.patterns {
		if !n.name.match(name) {
			continue
		}
		own = true
		if v := n.plan.judge(d, c); v != accepted {
			return v
		}
	}
	if own || o.rest == nil {
		return accepted
	}
	return o.rest.judge(d, c)
}

func (a *arrayPlan) judge(d *jsonscan.Doc, i int) verdict {
	count := 0
	for c, end := i+1, int(d.Nodes[i].Next); c < end; c = int(d.Nodes[c].Next) {
		count++
		if a.items == nil {
			continue
		}
		if v := a.items.judge(d, c); v != accepted {
			return v
		}
	}
	if count < a.min {
		return refused
	}
	if !a.unique || count < 2 {
		return accepted
	}
	return distinct(d, i, count)
}

// distinct says whether the elements of array i, strings without escapes or integers, all differ.
func distinct(d *jsonscan.Doc, i, count int) verdict {
	var seen map[string]struct{}
	if count > fewItems {
		seen = make(map[string]struct{}, count)
	}
	for c, end := i+1, int(d.Nodes[i].Next); c < end; c = int(d.Nodes[c].Next) {
		value := d.Value(c)
		if !plainSpelling(d, c, value) {
			return unsure
		}
		if seen == nil {
			if among(d, i+1, c, value) {
				return refused
			}
			continue
		}
		if _, again := seen[string(value)]; again {
			return refused
		}
		seen[string(value)] = struct{}{}
	}
	return accepted
}

// among says whether value stands among the siblings from first up to c.
func among(d *jsonscan.Doc, first, c int, value []byte) bool {
	for b := first; b < c; b = int(d.Nodes[b].Next) {
		if bytes.Equal(d.Value(b), value) {
			return true
		}
	}
	return false
}

// plainSpelling says that no other spelling of the value is another JSON text without escapes, fraction or exponent.
func plainSpelling(d *jsonscan.Doc, c int, value []byte) bool {
	switch d.Kind(c) {
	case jsonscan.String:
		return bytes.IndexByte(value, '\\') < 0
	case jsonscan.Number:
		n, ok := d.Int(c)
		return ok && (n != 0 || len(value) == 1) // 0 and -0 are equal
	default:
		return false
	}
}
