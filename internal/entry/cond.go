package entry

import (
	"bytes"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// SessionFacts are what only the session knows about an item; conditions ask for them as $seen and $child.
type SessionFacts struct {
	Later bool // an earlier item had the same pair key ($seen: "later", else "first")
	Child bool // the source lies in a child folder
}

// Cond is a compiled condition. All its parts must hold; a condition without parts always holds.
type Cond struct {
	tests []test
	any   [][]*Cond // of each list one must hold
	uses  []*Cond
}

type op uint8

const (
	opEqual op = iota // one of the literals
	opPresent
	opAbsent
	opNonEmpty
	opPrefix
	opLonger
	opSeen
	opChild
)

type test struct {
	path     Path
	op       op
	literals []literal
	prefixes []string
	longer   int
	want     bool // opSeen: later; opChild
}

// literal is a JSON scalar to compare with: same type, same value.
type literal struct {
	kind jsonscan.Kind
	text string // unescaped text of a string, spelling of a number
}

// Empty says whether the condition has no parts.
func (c *Cond) Empty() bool { return len(c.tests) == 0 && len(c.any) == 0 && len(c.uses) == 0 }

// Holds says whether the condition holds for the value at node at.
func (c *Cond) Holds(d *jsonscan.Doc, at int, f SessionFacts) bool {
	for i := range c.tests {
		if !c.tests[i].holds(d, at, f) {
			return false
		}
	}
	for _, u := range c.uses {
		if !u.Holds(d, at, f) {
			return false
		}
	}
	for _, list := range c.any {
		if !anyHolds(list, d, at, f) {
			return false
		}
	}
	return true
}

func anyHolds(list []*Cond, d *jsonscan.Doc, at int, f SessionFacts) bool {
	for _, c := range list {
		if c.Holds(d, at, f) {
			return true
		}
	}
	return false
}

func (t *test) holds(d *jsonscan.Doc, at int, f SessionFacts) bool {
	switch t.op {
	case opSeen:
		return f.Later == t.want
	case opChild:
		return f.Child == t.want
	case opAbsent:
		return !t.some(d, at)
	default:
		return t.some(d, at)
	}
}

// some says whether a node that the path names fits.
func (t *test) some(d *jsonscan.Doc, at int) bool {
	if t.path.plain {
		n := t.path.One(d, at)
		return n >= 0 && t.fits(d, n)
	}
	found := false
	t.path.Each(d, at, func(n int) bool {
		found = t.fits(d, n)
		return !found
	})
	return found
}

func present(d *jsonscan.Doc, n int) bool {
	k := d.Kind(n)
	return k != jsonscan.Null && k != jsonscan.NonFinite
}

func (t *test) fits(d *jsonscan.Doc, n int) bool {
	switch t.op {
	case opPresent, opAbsent:
		return present(d, n)
	case opNonEmpty:
		return nonEmpty(d, n)
	case opPrefix:
		return hasPrefix(d, n, t.prefixes)
	case opLonger:
		return longer(d, n, t.longer)
	default:
		return t.equal(d, n)
	}
}

func (t *test) equal(d *jsonscan.Doc, n int) bool {
	k := d.Kind(n)
	for i := range t.literals {
		l := &t.literals[i]
		if l.kind != k {
			continue
		}
		switch k {
		case jsonscan.String:
			if d.Equal(n, l.text) {
				return true
			}
		case jsonscan.Number:
			if string(d.Value(n)) == l.text {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// Empty says whether a value is absent, null, an empty string, an empty array or an empty object.
func Empty(d *jsonscan.Doc, n int) bool {
	if n < 0 {
		return true
	}
	switch d.Kind(n) {
	case jsonscan.Null, jsonscan.NonFinite:
		return true
	case jsonscan.String:
		return len(d.Value(n)) == 2
	case jsonscan.Array, jsonscan.Object:
		return int(d.Nodes[n].Next) == n+1
	default:
		return false
	}
}

// nonEmpty says whether a string, an array or an object holds something; numbers and flags do not count.
func nonEmpty(d *jsonscan.Doc, n int) bool {
	switch d.Kind(n) {
	case jsonscan.String, jsonscan.Array, jsonscan.Object:
		return !Empty(d, n)
	default:
		return false
	}
}

func hasPrefix(d *jsonscan.Doc, n int, prefixes []string) bool {
	if d.Kind(n) != jsonscan.String {
		return false
	}
	raw := d.Value(n)
	raw = raw[1 : len(raw)-1]
	escaped := bytes.IndexByte(raw, '\\') >= 0
	if escaped {
		raw = d.AppendText(nil, n)
	}
	for _, p := range prefixes {
		if len(raw) >= len(p) && string(raw[:len(p)]) == p {
			return true
		}
	}
	return false
}

// longer says whether a string has more than limit characters (code points, as its writer counts).
func longer(d *jsonscan.Doc, n, limit int) bool {
	if d.Kind(n) != jsonscan.String || len(d.Value(n))-2 <= limit {
		return false // no spelling is shorter than its characters
	}
	raw := d.Value(n)
	if bytes.IndexByte(raw, '\\') < 0 {
		return utf8.RuneCount(raw)-2 > limit
	}
	return utf8.RuneCount(d.AppendText(nil, n)) > limit
}

// Roots calls yield for the name of every top member that the condition looks at.
func (c *Cond) Roots(yield func(name string)) {
	for i := range c.tests {
		if r := c.tests[i].path.Root(); r != "" {
			yield(r)
		}
	}
	for _, u := range c.uses {
		u.Roots(yield)
	}
	for _, list := range c.any {
		for _, a := range list {
			a.Roots(yield)
		}
	}
}

// Texts are the strings that the value at a plain path must be one of; ok is false when the condition asks for something else.
func (c *Cond) Texts(path string) (texts []string, ok bool) {
	for i := range c.tests {
		t := &c.tests[i]
		if t.op != opEqual || t.path.text != path {
			continue
		}
		for _, l := range t.literals {
			if l.kind != jsonscan.String {
				return nil, false
			}
			texts = append(texts, l.text)
		}
		return texts, true
	}
	return nil, false
}
