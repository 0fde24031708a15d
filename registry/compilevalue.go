package registry

import (
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// source compiles one value. name is the member that it fills.
func (c *compiler) source(n int, name string) source {
	switch c.doc.Kind(n) {
	case jsonscan.String:
		if formOf(name) == formParts {
			c.notParts(n)
		}
		return &pathSource{c.path(n)}
	case jsonscan.Array:
		return list(c.sources(n, name), name)
	}
	is := func(op string) int { return c.get(n, op) }
	switch {
	case is("first") >= 0:
		return &firstSource{c.sources(is("first"), name)}
	case is("parts") >= 0:
		return &partsSource{c.path(is("parts"))}
	case is("text") >= 0:
		return &textSource{c.path(is("text"))}
	case is("members") >= 0:
		o := c.object(is("members"), name)
		if formOf(name) == formParts {
			return list([]source{o}, name)
		}
		return o
	case is("case") >= 0:
		return c.cases(is("case"), name)
	case is("each") >= 0:
		return c.eachOf(n, name)
	}
	if formOf(name) == formParts {
		c.notParts(n)
	}
	return c.scalarSource(n, name)
}

// scalarSource compiles the operators that never make content parts.
func (c *compiler) scalarSource(n int, name string) source {
	is := func(op string) int { return c.get(n, op) }
	switch {
	case is("const") >= 0:
		c.constant(is("const"), name)
		return &constSource{c.doc.Value(is("const"))}
	case is("map") >= 0:
		return c.mapping(n, name)
	case is("pointer") >= 0:
		return &pointerSource{c.path(is("pointer"))}
	case is("ref") >= 0:
		return &refSource{c.path(is("ref")), wanted(name)}
	case is("raw") >= 0:
		return &rawSource{c.path(is("raw"))}
	default:
		c.Fault(n, "got no operator, want one of const, first, map, parts, text, pointer, members, case, each, ref, raw")
		return &constSource{}
	}
}

func (c *compiler) notParts(n int) {
	c.Fault(n, "got a value that makes no content parts, want parts, text, members, each, first, case, or a list of them")
}

// list is the array of what sources yield; parts are joined to one array.
func list(of []source, name string) source { return &listSource{of, formOf(name) == formParts} }

// constant checks a value of the entry against the member that it fills.
func (c *compiler) constant(n int, name string) {
	if formOf(name) == formParts {
		return // a fault already
	}
	if !formOf(name).kindFits(c.doc.Kind(n)) {
		c.Fault(n, fmt.Sprintf("got a value of another kind than %s has", name))
		return
	}
	for _, words := range [][]string{choices(c.t, name), closed(c.t, name)} {
		if words != nil && !slices.Contains(words, c.text(n)) {
			c.Fault(n, fmt.Sprintf("got a word that %s cannot be, want one of %q", name, words))
		}
	}
}

// wanted is the type of record that a reference member names; 0: any.
func wanted(member string) record.Type {
	switch member {
	case "call", "calls":
		return record.ToolCall
	case "message":
		return record.Message
	default:
		return 0
	}
}

func (c *compiler) sources(n int, name string) []source {
	var list []source
	c.each(n, func(k int) { list = append(list, c.source(k, name)) })
	return list
}

func (c *compiler) mapping(n int, name string) source {
	m := &mapSource{of: c.source(c.get(n, "map"), ""), to: map[string][]byte{}, drop: map[string]bool{}}
	c.each(c.get(n, "to"), func(k int) {
		c.constant(k, name)
		m.to[c.name(k)] = c.doc.Value(k)
	})
	c.each(c.get(n, "drop"), func(k int) { m.drop[string(scalarText(c.doc.Value(k)))] = true })
	if k := c.get(n, "else"); k >= 0 {
		if m.same = c.doc.Equal(k, "$value"); !m.same {
			c.constant(k, name)
			m.other = c.doc.Value(k)
		}
	}
	return m
}

func (c *compiler) cases(n int, name string) source {
	s := &caseSource{}
	c.each(n, func(k int) {
		s.list = append(s.list, oneCase{c.cond(c.get(k, "when")), c.source(c.get(k, "is"), name)})
	})
	return s
}

func (c *compiler) eachOf(n int, name string) source {
	e := &eachSource{path: c.path(c.get(n, "each"))}
	defer func(deep bool) { c.deep = deep }(c.deep)
	c.deep = true
	e.as = c.object(c.get(n, "as"), name)
	return e
}

func (c *compiler) object(n int, name string) *objectSource {
	o := &objectSource{part: formOf(name) == formParts}
	if o.part && c.get(n, "type") < 0 {
		c.Fault(n, "got a content part without type, want one")
	}
	may := fields(c.t, name)
	c.each(n, func(k int) {
		f := field{name: c.name(k), form: formOf(c.name(k))}
		if !slices.Contains(may, f.name) {
			c.Fault(k, fmt.Sprintf("got a member that %s does not have, want one of %q", name, may))
		}
		f.from = c.source(k, f.name)
		f.ref, _ = f.from.(*refSource)
		o.fields = append(o.fields, f)
	})
	return o
}
