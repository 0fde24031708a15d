package validator

import (
	"hash/maphash"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// plan says what the records of an agent's items state, as the projections of its entry have it. It is a reading of the
// entry of its own: a check that shared the converter's would share its mistakes.
type plan struct {
	projections []planned
	kind        *entry.Path
	byKind      map[string][]int
	rest        []int
	parts       *entry.Parts
	compaction  *entry.Compaction
	info        []plannedMember // of the last session_info
	seed        maphash.Seed    // of the sums, which are compared over lines
	unsure      bool            // some condition asks for what only the session knows
}

type planned struct {
	when    *entry.Cond
	records []plannedRecord
}

// plannedRecord is one record of an item.
type plannedRecord struct {
	kind    record.Type
	suffix  string // "" the primary record
	when    *entry.Cond
	many    bool // one for each element: not checked
	members []plannedMember
	links   []plannedLink
}

// plannedLink is a member that names a record by the native id at a path.
type plannedLink struct {
	message bool // it names a message, else a call
	path    entry.Path
}

type plannedMember struct {
	name string
	make maker // nil: none is ever there
}

// maker gives the raw value that a member must have, nil for none.
type maker func(x *expecting, at int) []byte

// planner compiles an entry's projections.
type planner struct {
	*entry.Compiler
	d *jsonscan.Doc
}

// newPlan is the plan of an entry, nil without projections that can be read.
func newPlan(e *entry.Entry) *plan {
	if e.Records < 0 {
		return nil
	}
	c := &planner{entry.NewCompiler(e), &e.Doc}
	p := &plan{kind: &e.Context.Kind, byKind: map[string][]int{}, parts: &e.Parts, compaction: e.Context.Compaction, seed: maphash.MakeSeed()}
	for n := range c.d.Children(e.Records) {
		p.projections = append(p.projections, c.projection(n))
	}
	for i, n := range []int{e.Snapshot.Title, e.Snapshot.Workspace, e.Snapshot.ExecutionStatus, e.Snapshot.RequestedModels} {
		name := [...]string{"title", "workspace", "executionStatus", "requestedModels"}[i]
		m := plannedMember{name: name}
		if n >= 0 {
			m.make = fitting(record.SessionInfo, name, c.value(n, name))
		}
		p.info = append(p.info, m)
	}
	for i := range c.d.Nodes {
		if name := string(c.d.Name(i)); name == "$seen" || name == "$child" {
			p.unsure = true
		}
	}
	if c.Err() != nil {
		return nil
	}
	p.index()
	return p
}

// index sorts the projections by the kinds of items that they can be for.
func (p *plan) index() {
	path := p.kind.String()
	for i := range p.projections {
		texts, named := p.projections[i].when.Texts(path)
		for _, t := range texts {
			p.byKind[t] = nil
		}
		if !named {
			p.rest = append(p.rest, i)
		}
	}
	for k := range p.byKind {
		for i := range p.projections {
			if p.projections[i].when.ByKind(path, k) != entry.Never {
				p.byKind[k] = append(p.byKind[k], i)
			}
		}
	}
}

func (c *planner) projection(n int) planned {
	p := planned{when: c.Cond(c.d.Find(n, "when"))}
	for k := range c.d.Children(c.d.Find(n, "emit")) {
		r := plannedRecord{
			kind: record.TypeOf(c.d.Text(c.d.Find(k, "type"))), suffix: c.d.Text(c.d.Find(k, "id")), many: c.d.Find(k, "each") >= 0,
		}
		if w := c.d.Find(k, "if"); w >= 0 {
			r.when = c.Cond(w)
		}
		members := c.d.Find(k, "members")
		for _, name := range [...]string{"call", "message"} {
			if ref := c.d.Find(c.d.Find(members, name), "ref"); ref >= 0 {
				r.links = append(r.links, plannedLink{name == "message", c.Path(ref)})
			}
		}
		for _, name := range record.Members(r.kind) {
			if ofSession(name) {
				continue
			}
			m := plannedMember{name: name}
			if v := c.d.Find(members, name); v >= 0 {
				m.make = c.value(v, name)
			}
			m.make = fitting(r.kind, name, m.make)
			r.members = append(r.members, m)
		}
		p.records = append(p.records, r)
	}
	return p
}

// ofSession says whether a member is not the item's alone to state; other rules judge it.
func ofSession(name string) bool {
	switch name {
	case "call", "calls", "callId", "nativeCallId", "message", "group", "forgotten", "forgottenUnknown", "extent", "summary",
		"boundary", "offset", "purpose", "valuePointer":
		return true
	default:
		return false
	}
}
