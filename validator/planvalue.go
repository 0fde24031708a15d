package validator

import (
	"bytes"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// value compiles the source of a member.
func (c *planner) value(n int, name string) maker {
	get := func(op string) int { return c.d.Find(n, op) }
	switch {
	case c.d.Kind(n) == jsonscan.String:
		p := c.Path(n)
		return func(x *expecting, at int) []byte { return x.at(&p, at) }
	case c.d.Kind(n) == jsonscan.Array:
		return c.list(n, name)
	case get("const") >= 0:
		raw := c.d.Value(get("const"))
		return func(*expecting, int) []byte { return raw }
	case get("first") >= 0:
		return first(c.values(get("first"), name))
	case get("map") >= 0:
		return c.mapped(n)
	case get("parts") >= 0:
		p := c.Path(get("parts"))
		return func(x *expecting, at int) []byte { return x.parts(p.One(x.d, at)) }
	case get("text") >= 0:
		p := c.Path(get("text"))
		return func(x *expecting, at int) []byte { return x.text(p.One(x.d, at)) }
	case get("pointer") >= 0:
		p := c.Path(get("pointer"))
		return func(x *expecting, at int) []byte {
			if to := p.One(x.d, at); there(x.d, to) {
				return x.quoted(x.pointer(to))
			}
			return nil
		}
	case get("raw") >= 0:
		p := c.Path(get("raw"))
		return func(x *expecting, at int) []byte {
			if to := p.One(x.d, at); there(x.d, to) {
				return x.quoted(string(x.d.Value(to)))
			}
			return nil
		}
	case get("case") >= 0:
		return c.cases(get("case"), name)
	case get("each") >= 0:
		return c.each(n, name)
	case get("members") >= 0:
		one := c.object(get("members"), isParts(name))
		if !isParts(name) {
			return one
		}
		return func(x *expecting, at int) []byte { return x.joined([][]byte{one(x, at)}) }
	default: // a reference, which other rules judge
		return nil
	}
}

func isParts(name string) bool {
	return name == contentMembers()[0] || name == contentMembers()[1] || name == contentMembers()[2]
}

func there(d *jsonscan.Doc, n int) bool { return n >= 0 && d.Kind(n) != jsonscan.Null }

func (c *planner) values(n int, name string) []maker {
	var list []maker
	for k := range c.d.Children(n) {
		if m := c.value(k, name); m != nil {
			list = append(list, m)
		}
	}
	return list
}

// list is the array of the values that are there; content parts are joined, and models stand once.
func (c *planner) list(n int, name string) maker {
	list := c.values(n, name)
	return func(x *expecting, at int) []byte {
		var room [4][]byte
		values := room[:0]
		for _, m := range list {
			v := m(x, at)
			if isParts(name) && len(v) > 1 && v[0] == '[' {
				v = v[1 : len(v)-1]
			}
			if len(v) > 0 {
				values = append(values, v)
			}
		}
		return x.joined(values)
	}
}

// first is the first value that is not empty, else the first that is there.
func first(list []maker) maker {
	return func(x *expecting, at int) (found []byte) {
		for _, m := range list {
			v := m(x, at)
			switch string(v) {
			case "":
			case `""`, `[]`, `{}`, `[{"type":"text","text":""}]`:
				if found == nil {
					found = v
				}
			default:
				return v
			}
		}
		return found
	}
}

func (c *planner) mapped(n int) maker {
	of, to, dropped := c.value(c.d.Find(n, "map"), ""), map[string][]byte{}, map[string]bool{}
	for k := range c.d.Children(c.d.Find(n, "to")) {
		name, _ := jsonscan.AppendUnescape(nil, c.d.Name(k))
		to[string(name)] = c.d.Value(k)
	}
	for k := range c.d.Children(c.d.Find(n, "drop")) {
		dropped[c.d.Text(k)] = true
	}
	other := c.d.Find(n, "else")
	same := c.d.Equal(other, "$value")
	return func(x *expecting, at int) []byte {
		v := of(x, at)
		text := inner(v)
		switch {
		case v != nil && dropped[string(text)]:
			return nil
		case v != nil && to[string(text)] != nil:
			return to[string(text)]
		case same:
			return v
		default:
			return c.d.Value(other)
		}
	}
}

// inner is what plainText is, without a copy where that can be.
func inner(v []byte) []byte {
	if len(v) > 1 && v[0] == '"' && bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1]
	}
	return []byte(plainText(v))
}

// plainText is the text of a raw string, and the spelling of anything else.
func plainText(v []byte) string {
	if len(v) < 2 || v[0] != '"' {
		return string(v)
	}
	text, _ := jsonscan.AppendUnescape(nil, v[1:len(v)-1])
	return string(text)
}

func (c *planner) cases(n int, name string) maker {
	type one struct {
		when *entry.Cond
		is   maker
	}
	var list []one
	for k := range c.d.Children(n) {
		list = append(list, one{c.Cond(c.d.Find(k, "when")), c.value(c.d.Find(k, "is"), name)})
	}
	return func(x *expecting, at int) []byte {
		for _, o := range list {
			if o.when.Holds(x.d, at, x.facts) {
				return o.is(x, at)
			}
		}
		return nil
	}
}

func (c *planner) each(n int, name string) maker {
	p, one := c.Path(c.d.Find(n, "each")), c.object(c.d.Find(n, "as"), isParts(name))
	return func(x *expecting, at int) []byte {
		to := p.One(x.d, at)
		if k := x.d.Kind(to); to < 0 || k != jsonscan.Array && k != jsonscan.Object {
			return nil
		}
		var room [16][]byte
		values := room[:0]
		outer := x.key
		over := entry.Overruled(x.d, to)
		for k := range x.d.Children(to) {
			if over[k] {
				continue
			}
			x.key = k
			if v := one(x, k); v != nil {
				values = append(values, v)
			}
		}
		x.key = outer
		return x.joined(values)
	}
}

// filled is a member of an object and its value.
type filled struct {
	name  string
	value []byte
}

// object is an object of named values, nil when nothing but constants is there; a content part is then one of type other.
func (c *planner) object(n int, part bool) maker {
	var list []plannedMember
	var refs []entry.Path
	fixed := map[string]bool{}
	for k := range c.d.Children(n) {
		name := string(c.d.Name(k))
		list = append(list, plannedMember{name, c.value(k, name)})
		fixed[name] = c.d.Find(k, "const") >= 0
		if ref := c.d.Find(k, "ref"); ref >= 0 {
			refs = append(refs, c.Path(ref))
		}
	}
	return func(x *expecting, at int) []byte {
		var room [4]filled
		members, full := room[:0], false
		for i := range refs { // which record it is, other rules judge
			full = full || len(x.at(&refs[i], at)) > 2 && x.at(&refs[i], at)[0] == '"'
		}
		for _, m := range list {
			if m.make == nil {
				continue
			}
			v := m.make(x, at)
			if v == nil || !holds(m.name, v) || string(v) == `""` && m.name != "text" {
				continue
			}
			members, full = append(members, filled{m.name, v}), full || !fixed[m.name]
		}
		switch {
		case full:
			return x.object(members)
		case part:
			return x.other(at)
		default:
			return nil
		}
	}
}

func (x *expecting) object(members []filled) []byte {
	start := len(x.out)
	x.out = append(x.out, '{')
	for _, m := range members {
		x.out = append(record.AppendKey(x.out, m.name), m.value...)
	}
	x.out = append(x.out, '}')
	return x.since(start)
}
