package registry

import (
	"fmt"
	"slices"

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
	primaries, ids := 0, map[string]bool{}
	c.each(c.get(n, "emit"), func(k int) {
		e := c.emit(k)
		switch {
		case e.suffix == "":
			primaries++
		case ids[e.suffix]:
			c.Fault(c.get(k, "id"), "got an id twice, want one of its own for each record")
		}
		ids[e.suffix] = true
		p.emits = append(p.emits, e)
	})
	if primaries != 1 {
		c.Fault(n, fmt.Sprintf("got %d records without id, want exactly one (the primary)", primaries))
	}
	slices.SortStableFunc(p.emits, func(a, b emit) int { return record.OrderInItem(a.t) - record.OrderInItem(b.t) })
	c.each(c.get(n, "nativeOnly"), func(k int) { c.path(k) })
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
		if e.suffix == "" {
			c.Fault(k, "got a condition on the primary record, want one that is always there")
		}
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
	c.members(&e, n)
	c.each(c.get(n, "losses"), func(k int) {
		l := loss{code: c.text(c.get(k, "code"))}
		if w := c.get(k, "when"); w >= 0 {
			l.when = c.cond(w)
		}
		e.losses = append(e.losses, l)
	})
	return e
}

// members compiles the members of a record, and what stands for those that the source does not give.
func (c *compiler) members(e *emit, n int) {
	c.each(c.get(n, "members"), func(k int) {
		name := c.name(k)
		i := record.MemberIndex(e.t, name)
		if i < 0 {
			c.Fault(k, fmt.Sprintf("got a member that %s does not have, want one of %q", e.t, record.Members(e.t)))
			return
		}
		m := member{index: i, form: formOf(name), from: c.source(k, name), other: fallback(e.t, name)}
		if needed(e.t) == name && !total(m.from) {
			c.Fault(k, "got a value that may be missing, want one that is always there: a const, or a map, first or case that ends in one")
		}
		for _, w := range slices.Concat(choices(e.t, name), closed(e.t, name)) {
			m.words = append(m.words, []byte(`"`+w+`"`))
		}
		e.members = append(e.members, m)
	})
	if name := needed(e.t); name != "" && c.get(c.get(n, "members"), name) < 0 {
		c.Fault(n, fmt.Sprintf("got %s without %s, want it", e.t, name))
	}
	e.fallbacks(e.t)
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

// total says whether a source yields a value for every item.
func total(s source) bool {
	switch s := s.(type) {
	case *constSource:
		return true
	case *mapSource:
		return s.other != nil && len(s.drop) == 0
	case *firstSource:
		return slices.ContainsFunc(s.list, total)
	case *caseSource:
		return s.list[len(s.list)-1].when.Empty() && !slices.ContainsFunc(s.list, func(c oneCase) bool { return !total(c.is) })
	default:
		return false
	}
}
