package registry

import (
	"slices"
	"strconv"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// RefState says what a native id names.
type RefState uint8

// The states of a native id.
const (
	RefUnknown   RefState = iota // nothing of the wanted type
	RefFound                     // one record
	RefAmbiguous                 // an id that several items bear
)

// Refs resolves native ids to record ids. want limits the type of the record, 0 is any.
type Refs interface {
	Ref(native []byte, want record.Type) (id string, state RefState)
}

// Notice is a notice about an item.
type Notice struct {
	Code    string
	Pointer string // into the native value
	Message string
}

// Item is one native item to map.
type Item struct {
	Doc        *jsonscan.Doc
	ID         string // record id of the primary record
	Projection int    // of Mapper.Match
	Facts      entry.SessionFacts
	Refs       Refs
}

// Out takes the records of one item. It is reused from item to item; what it holds is valid until the next Map.
type Out struct {
	Records   []record.Record // in the order in which they are written; payload, id and losses alone are set
	Primary   int             // index of the primary record
	Notices   []Notice
	Ambiguous bool     // a reference names an id that several items bear
	Unmapped  []string // top members that no projection reads and no entry line names
	arena     []byte
	scope     scope
	trail     jsonscan.Trail
}

// maxValue bounds a string that a state_change carries itself.
const maxValue = 1024

// Map maps one item to its records.
func (m *Mapper) Map(it *Item, out *Out) {
	out.Records, out.Notices, out.Unmapped = out.Records[:0], out.Notices[:0], out.Unmapped[:0]
	out.Ambiguous, out.Primary, out.arena = false, 0, out.arena[:0]
	out.trail.Reset()
	if it.Projection < 0 || it.Projection >= len(m.projections) {
		return
	}
	p, s := &m.projections[it.Projection], &out.scope
	*s = scope{m: m, doc: it.Doc, facts: it.Facts, refs: it.Refs, out: out, key: -1}
	for i := range p.emits {
		s.emit(&p.emits[i], it.ID)
	}
	m.unmapped(p, it.Doc, out)
	*s = scope{}
}

// unmapped notes the members of an item that nothing reads. Items without a projection of their own are kept whole.
func (m *Mapper) unmapped(p *projection, d *jsonscan.Doc, out *Out) {
	if p.when.Empty() || d.Kind(0) != jsonscan.Object {
		return
	}
	for c, end := 1, int(d.Nodes[0].Next); c < end; c = int(d.Nodes[c].Next) {
		name := d.Name(c)
		if p.read[string(name)] || d.Kind(c) == jsonscan.Null {
			continue
		}
		text, _ := jsonscan.AppendUnescape(nil, name)
		if !p.read[string(text)] {
			out.Unmapped = append(out.Unmapped, string(text))
		}
	}
}

// emit makes the records of one emit of the item with that id.
func (s *scope) emit(e *emit, id string) {
	if e.when != nil && !e.when.Holds(s.doc, 0, s.facts) {
		return
	}
	if e.suffix == "" {
		s.out.Primary = len(s.out.Records)
	}
	if e.each == nil {
		s.record(e, id+e.suffix, 0)
		return
	}
	n := e.each.One(s.doc, 0)
	if n < 0 || (s.doc.Kind(n) != jsonscan.Array && s.doc.Kind(n) != jsonscan.Object) {
		return
	}
	i, over := 0, entry.Overruled(s.doc, n)
	for c, end := n+1, int(s.doc.Nodes[n].Next); c < end; c = int(s.doc.Nodes[c].Next) {
		if over[c] {
			continue
		}
		i++
		s.key = c
		s.record(e, id+e.suffix+"-"+strconv.Itoa(i), c)
	}
	s.key = -1
}

// record fills one record from the value at a node.
func (s *scope) record(e *emit, id string, at int) {
	s.out.Records = append(s.out.Records, record.Record{Type: e.t, ID: id})
	r := &s.out.Records[len(s.out.Records)-1]
	for i := range e.members {
		s.member(r, &e.members[i], at)
	}
	for _, q := range e.required {
		if r.At(q.index) == nil {
			r.SetAt(q.index, q.raw)
		}
	}
	if r.Type == record.ToolResult && string(r.Get("rendering")) == `"not-persisted"` {
		r.Losses = s.m.rendering
	}
	for i := range e.losses {
		l := &e.losses[i]
		if !slices.Contains(r.Losses, l.code) && (l.when == nil || l.when.Holds(s.doc, at, s.facts)) {
			r.Lose(l.code)
		}
	}
}

func (s *scope) member(r *record.Record, m *member, at int) {
	if m.form == formScalar && r.Type == record.StateChange {
		s.scalar(r, m, at)
		return
	}
	v := m.from.value(s, at)
	if v == nil || !m.form.fits(v) || (m.form == formName && len(v) == 2) {
		return
	}
	switch {
	case m.form == formInteger && !integer(v, record.Members(r.Type)[m.index] == "offset"):
		return
	case m.words != nil:
		v = m.word(v)
	}
	r.SetAt(m.index, v)
}

// scalar fills value with a short scalar, else valuePointer where a path names the value.
func (s *scope) scalar(r *record.Record, m *member, at int) {
	p, ok := m.from.(*pathSource)
	if !ok {
		if v := m.from.value(s, at); v != nil && m.form.fits(v) && small(v) {
			r.SetAt(m.index, v)
		}
		return
	}
	n := p.path.One(s.doc, at)
	if n < 0 || s.doc.Kind(n) == jsonscan.Null || s.doc.Kind(n) == jsonscan.NonFinite {
		return
	}
	v := s.copyOf(n)
	if v != nil && m.form.fits(v) && small(v) {
		r.SetAt(m.index, v)
		return
	}
	pointer := s.pointer(n)
	r.Set("valuePointer", s.keep(func(dst []byte) []byte { return record.AppendString(dst, pointer) }))
}

// small says whether a value is no string longer than a state_change carries itself.
func small(v []byte) bool { return v[0] != '"' || len(scalarText(v)) <= maxValue }

// integer says whether a number is an integer literal; a natural one is not negative either.
func integer(v []byte, natural bool) bool {
	for i, c := range v {
		if (c < '0' || c > '9') && (i > 0 || c != '-' || natural) {
			return false
		}
	}
	return true
}

// word is the word of the member that v spells, else what stands for other words; nil for none.
func (m *member) word(v []byte) []byte {
	text := scalarText(v)
	for _, w := range m.words {
		if string(text) == string(w[1:len(w)-1]) {
			return w
		}
	}
	return m.other
}
