package validator

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// part is a further record of an item: its kind and what it states, as a hash.
type part struct {
	suffix string
	kind   record.Type
	sum    uint64

	call, message uint64 // hashes of the record ids that it names
}

// statedLink is a record that a record of the item must name.
type statedLink struct {
	suffix  string // of the record
	message bool
	id      string // native, a view
}

// projected holds a record against its native value, and notes what the other records of the item must state.
func (c *lineCheck) projected(r *reading, f *record.Facts, x *stated, found *lineFindings) {
	p := c.target.plan
	switch {
	case p == nil:
	case stageOf(f) == stageTranscript && !f.HasNative:
		if strings.HasSuffix(f.ID, summarySuffix) {
			if f.Origin != "summary" { // the rule compaction-summary says so
				return
			}
			x.part = part{kind: f.Type, sum: p.sumOf(r.doc, r.doc.Find(0, "content"))}
		} else if n := len(ownID(f.ID)); n < len(f.ID) && !bytes.Contains(r.doc.Raw, []byte(token)) {
			x.part = part{kind: f.Type, sum: c.sumOf(r, p, f.Type)}
		}
	case c.m.record < 0:
	case stageOf(f) == stageLast:
		c.x.start(p, r.doc, c.m.record)
		for i := range p.info {
			if m := &p.info[i]; c.differs(r, &c.x, m, c.m.record) {
				found.fail(ruleProjection, "/"+m.name, "got another "+m.name+" than the native state has, expected it as there")
			}
		}
	case stageOf(f) == stageTranscript && f.Type != record.Gap && strings.IndexByte(f.ID, '#') < 0:
		c.item(r, p, f, x, found)
	}
}

// item judges the primary record of an item by each thing that the session may know; the first fault counts.
func (c *lineCheck) item(r *reading, p *plan, f *record.Facts, x *stated, found *lineFindings) {
	e := &c.x
	e.start(p, r.doc, c.m.record)
	at, message := "", ""
	for _, facts := range [...]entry.SessionFacts{{}, {Later: true}, {Child: true}, {Later: true, Child: true}} {
		if facts.Child != c.target.child && !c.target.unplaced {
			continue
		}
		e.facts = facts
		pointer, fault := c.primary(r, e, f, x)
		if fault == "" {
			x.partsKnown = x.partsKnown && (len(x.parts) == 0 || !bytes.Contains(r.doc.Raw, []byte(token)))
			return
		}
		if message == "" {
			at, message = pointer, fault
		}
		if !p.unsure {
			break
		}
	}
	x.parts, x.partsKnown = x.parts[:0], false
	if !bytes.Contains(r.doc.Raw, []byte(token)) { // names may have been taken out of the native value alone
		found.fail(ruleProjection, at, message)
	}
}

// primary compares the record with the projection that holds, and leaves the item's further records in x.
func (c *lineCheck) primary(r *reading, e *expecting, f *record.Facts, x *stated) (pointer, message string) {
	records := e.plan.recordsOf(e)
	x.parts, x.links, x.partsKnown = x.parts[:0], x.links[:0], true
	for i := range records {
		want := &records[i]
		for j := range want.links {
			if l := &want.links[j]; !l.path.IsKey() && !want.many {
				if id := r.str(l.path.One(e.d, e.base)); id != "" {
					x.links = append(x.links, statedLink{want.suffix, l.message, id})
				}
			}
		}
		switch {
		case want.suffix != "":
			if want.many {
				x.partsKnown = false
			} else if want.when == nil || want.when.Holds(e.d, e.base, e.facts) {
				x.parts = append(x.parts, part{suffix: want.suffix, kind: want.kind, sum: e.sum(want)})
			}
		case want.kind != f.Type:
			return "/type", "got a " + f.Type.String() + ", expected a " + want.kind.String() + ", as the entry projects the native value"
		default:
			if text := e.summary(f); text != nil {
				x.parts = append(x.parts, part{suffix: summarySuffix, kind: record.Message, sum: e.plan.sumOfRaw(text)})
			}
			for j := range want.members {
				if m := &want.members[j]; c.differs(r, e, m, e.base) {
					return "/" + m.name, "got another " + m.name + " than the native value gives, expected it as the entry projects it"
				}
			}
		}
	}
	return "", ""
}

// summarySuffix ends the id of a summary.
const summarySuffix = "-summary"

// summary is the content of a compaction's summary.
func (e *expecting) summary(f *record.Facts) []byte {
	if k := e.plan.compaction; k != nil && f.Type == record.Compaction && f.Summary != "" && k.When.Holds(e.d, e.base, e.facts) {
		e.have = -1
		return e.text(k.Summary.One(e.d, e.base))
	}
	return nil
}

// recordsOf is what the item becomes by the first projection that holds.
func (p *plan) recordsOf(e *expecting) []plannedRecord {
	var kind []byte
	if n := p.kind.One(e.d, e.base); e.d.Kind(n) == jsonscan.String {
		kind = inner(e.d.Value(n))
	}
	list, ok := p.byKind[string(kind)]
	if !ok {
		list = p.rest
	}
	for _, i := range list {
		if p.projections[i].when.Holds(e.d, e.base, e.facts) {
			return p.projections[i].records
		}
	}
	return nil
}

// differs says whether a member is not what the native value gives.
func (c *lineCheck) differs(r *reading, e *expecting, m *plannedMember, at int) bool {
	have := r.doc.Find(0, m.name)
	var want []byte
	if e.have = have; m.make != nil {
		want = m.make(e, at)
	}
	if m.name == "value" {
		return valueDiffers(r, e, want, have)
	}
	if m.name == "requestedModels" {
		want = distinct(want)
	}
	switch {
	case want == nil:
		return have >= 0
	case have < 0:
		return true
	case bytes.Equal(r.doc.Value(have), want):
		return false
	}
	return e.plan.sumOfRaw(want) != e.plan.sumOf(r.doc, have)
}

// valueDiffers judges the value of a state_change, which is a pointer where it is no short scalar.
func valueDiffers(r *reading, e *expecting, want []byte, have int) bool {
	pointer := r.doc.Find(0, "valuePointer")
	if want != nil && want[0] != '{' && want[0] != '[' && (want[0] != '"' || len(plainText(want)) <= maxValue) {
		return have < 0 || e.plan.sumOfRaw(want) != e.plan.sumOf(r.doc, have)
	}
	return have >= 0 || want != nil && pointer < 0
}

// maxValue is the longest string that a state_change states itself, in bytes.
const maxValue = 1024

// distinct is an array of strings, each once; nil for none.
func distinct(list []byte) []byte {
	d, err := jsonscan.Scan(list, nil, jsonscan.Options{})
	if err != nil {
		return nil
	}
	var values [][]byte
	for n := range d.Children(0) {
		v := d.Value(n)
		if text := plainText(v); d.Kind(n) == jsonscan.String && text != "" && !slices.ContainsFunc(values, func(w []byte) bool { return plainText(w) == text }) {
			values = append(values, v)
		}
	}
	if values == nil {
		return nil
	}
	return append(append([]byte{'['}, bytes.Join(values, []byte{','})...), ']')
}

// sum is what a further record of the item must state.
func (e *expecting) sum(want *plannedRecord) uint64 {
	p := e.plan
	e.have = -1
	var total uint64
	for i := range want.members {
		m := &want.members[i]
		if m.make == nil {
			continue
		}
		if v := m.make(e, e.base); v != nil {
			total += p.named(m.name, p.sumOfRaw(v))
		}
	}
	return total
}

// sumOf is what a record without native bytes states.
func (c *lineCheck) sumOf(r *reading, p *plan, t record.Type) uint64 {
	var total uint64
	for _, name := range record.Members(t) {
		if n := r.doc.Find(0, name); n >= 0 && !ofSession(name) {
			total += p.named(name, p.sumOf(r.doc, n))
		}
	}
	return total
}

func (p *plan) named(name string, sum uint64) uint64 {
	return maphash.Comparable(p.seed, struct {
		name string
		sum  uint64
	}{name, sum})
}

func (p *plan) sumOfRaw(raw []byte) uint64 {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return 0
	}
	return p.sumOf(&d, 0)
}

// sumOf is a hash of a value, whatever the order of members and the spelling of texts; links to calls do not count.
func (p *plan) sumOf(d *jsonscan.Doc, n int) uint64 {
	switch d.Kind(n) {
	case jsonscan.String:
		v := d.Value(n)
		if bytes.IndexByte(v, '\\') >= 0 {
			v = append(d.AppendText([]byte{'"'}, n), '"')
		}
		return maphash.Bytes(p.seed, v)
	case jsonscan.Array:
		total := uint64(1)
		for k := range d.Children(n) {
			total = maphash.Comparable(p.seed, [2]uint64{total, p.sumOf(d, k)})
		}
		return total
	case jsonscan.Object:
		total := uint64(2)
		for k := range d.Children(n) {
			if name, _ := jsonscan.AppendUnescape(nil, d.Name(k)); !ofSession(string(name)) {
				total += p.named(string(name), p.sumOf(d, k))
			}
		}
		return total
	default:
		return maphash.Bytes(p.seed, d.Value(n))
	}
}
