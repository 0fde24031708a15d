package registry

import (
	"fmt"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// compiler turns the projections of an entry into the plan of a mapper.
type compiler struct {
	*entry.Compiler
	doc  *jsonscan.Doc
	read map[string]bool // top members that the projection being compiled reads; nil: not noted
	t    record.Type     // of the record being compiled
	deep bool            // inside each: paths no longer start at the item
}

func (c *compiler) get(n int, name string) int {
	if n < 0 {
		return -1
	}
	return c.doc.Find(n, name)
}

func (c *compiler) text(n int) string { return c.doc.Text(n) }

func (c *compiler) name(n int) string {
	out, _ := jsonscan.AppendUnescape(nil, c.doc.Name(n))
	return string(out)
}

func (c *compiler) each(n int, f func(child int)) {
	if n < 0 {
		return
	}
	for k, end := n+1, int(c.doc.Nodes[n].Next); k < end; k = int(c.doc.Nodes[k].Next) {
		f(k)
	}
}

// path compiles a path and notes the top member that it reads.
func (c *compiler) path(n int) entry.Path {
	p := c.Path(n)
	if r := p.Root(); r != "" {
		c.note(r)
	}
	return p
}

func (c *compiler) cond(n int) *entry.Cond {
	k := c.Cond(n)
	k.Roots(c.note)
	return k
}

func (c *compiler) note(name string) {
	if c.read != nil && !c.deep {
		c.read[name] = true
	}
}

func (c *compiler) projection(n int) projection {
	c.read = map[string]bool{}
	p := projection{when: c.cond(c.get(n, "when"))}
	primaries := 0
	c.each(c.get(n, "emit"), func(k int) {
		e := c.emit(k)
		if e.suffix == "" {
			primaries++
		}
		p.emits = append(p.emits, e)
	})
	if primaries != 1 {
		c.Fault(n, fmt.Sprintf("got %d records without id, want exactly one (the primary)", primaries))
	}
	c.each(c.get(n, "nativeOnly"), func(k int) { c.read[c.text(k)] = true })
	p.read = c.read
	c.read = nil
	return p
}

func (c *compiler) emit(n int) emit {
	e := emit{t: record.TypeOf(c.text(c.get(n, "type"))), suffix: c.text(c.get(n, "id"))}
	c.t = e.t
	switch e.t {
	case record.SessionInfo, record.Inference, record.UsageSummary, record.Attachment, record.Gap, 0:
		c.Fault(c.get(n, "type"), "got a type that the session makes itself, want one that an item can have")
		return e
	}
	if k := c.get(n, "if"); k >= 0 {
		e.when = c.cond(k)
	}
	if k := c.get(n, "each"); k >= 0 {
		p := c.path(k)
		e.each = &p
		if e.suffix == "" {
			c.Fault(k, "got each on the primary record, want an id")
		}
		defer func(deep bool) { c.deep = deep }(c.deep)
		c.deep = true
	}
	c.each(c.get(n, "members"), func(k int) {
		name := c.name(k)
		i := record.MemberIndex(e.t, name)
		if i < 0 {
			c.Fault(k, fmt.Sprintf("got a member that %s does not have, want one of %q", e.t, record.Members(e.t)))
			return
		}
		e.members = append(e.members, member{
			index: i, form: formOf(name), from: c.source(k, name),
			choices: choices(e.t, name), closed: closed(e.t, name),
		})
	})
	e.fallbacks(c.t)
	c.each(c.get(n, "losses"), func(k int) {
		l := loss{code: c.text(c.get(k, "code"))}
		if w := c.get(k, "when"); w >= 0 {
			l.when = c.cond(w)
		}
		e.losses = append(e.losses, l)
	})
	return e
}

// fallbacks adds the required members that the entry leaves to the source.
func (e *emit) fallbacks(t record.Type) {
	for i, name := range record.Members(t) {
		raw := fallback(t, name)
		if raw == nil {
			continue
		}
		e.required = append(e.required, required{i, raw})
	}
}

// source compiles one value. name is the member that it fills.
func (c *compiler) source(n int, name string) source {
	switch c.doc.Kind(n) {
	case jsonscan.String:
		return &pathSource{c.path(n)}
	case jsonscan.Array:
		return &listSource{c.sources(n, name)}
	}
	is := func(op string) int { return c.get(n, op) }
	switch {
	case is("const") >= 0:
		return &constSource{c.doc.Value(is("const"))}
	case is("first") >= 0:
		return &firstSource{c.sources(is("first"), name)}
	case is("map") >= 0:
		return c.mapping(n, name)
	case is("parts") >= 0:
		return &partsSource{c.path(is("parts"))}
	case is("text") >= 0:
		return &textSource{c.path(is("text"))}
	case is("pointer") >= 0:
		return &pointerSource{c.path(is("pointer"))}
	case is("members") >= 0:
		return c.object(is("members"), name)
	case is("case") >= 0:
		return c.cases(is("case"), name)
	case is("each") >= 0:
		return c.eachOf(n, name)
	case is("ref") >= 0:
		return &refSource{c.path(is("ref")), wanted(name)}
	case is("raw") >= 0:
		return &rawSource{c.path(is("raw"))}
	default:
		c.Fault(n, "got no operator, want one of const, first, map, parts, text, pointer, members, case, each, ref, raw")
		return &constSource{}
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
	m := &mapSource{of: c.source(c.get(n, "map"), name), to: map[string][]byte{}, drop: map[string]bool{}}
	c.each(c.get(n, "to"), func(k int) { m.to[c.name(k)] = c.doc.Value(k) })
	c.each(c.get(n, "drop"), func(k int) { m.drop[string(scalarText(c.doc.Value(k)))] = true })
	if k := c.get(n, "else"); k >= 0 {
		if m.same = c.doc.Equal(k, "$value"); !m.same {
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
	c.each(n, func(k int) {
		f := field{name: c.name(k), form: formOf(c.name(k))}
		f.from = c.source(k, f.name)
		f.ref, _ = f.from.(*refSource)
		o.fields = append(o.fields, f)
	})
	return o
}
