package session

import (
	"bytes"
	"errors"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// fields are the members of a record that a session is built from: values, and nodes of the line, None without one.
type fields struct {
	kind                    record.Type
	id                      []byte // borrowed
	ordinal                 int64  // -1 none
	positionID              []byte
	transcript              bool
	outside                 bool // context:false
	parent, inference, call int
	native, meta            int
}

// fields reads the members of the scanned line.
func (r *reading) fields() (fields, error) {
	d := &r.doc
	f := fields{ordinal: -1, parent: None, inference: None, call: None, native: None, meta: None}
	for n := range d.Children(0) {
		switch string(d.Name(n)) {
		case "type":
			f.kind = record.TypeOf(string(textAt(d, n)))
		case "id":
			f.id = textAt(d, n)
		case "position":
			r.position(n, &f)
		case "parent":
			f.parent = n
		case "inference":
			f.inference = n
		case "context":
			f.outside = d.Kind(n) == jsonscan.False
		case "call":
			f.call = n
		case "native":
			f.native = n
		case "_meta":
			f.meta = n
		}
	}
	switch {
	case f.kind == 0:
		return f, errors.New("got an unknown record type")
	case len(f.id) == 0:
		return f, errors.New("got no id, want one")
	}
	return f, nil
}

func (r *reading) position(n int, f *fields) {
	d := &r.doc
	f.transcript = d.Equal(d.Find(n, "family"), record.Transcript)
	if v, ok := d.Int(d.Find(n, "ordinal")); ok {
		f.ordinal = v
	}
	f.positionID = textAt(d, d.Find(n, "id"))
}

// textAt is the text of a string node, nil for any other node and for an empty string. It borrows the document unless
// there are escapes.
func textAt(d *jsonscan.Doc, n int) []byte {
	if d.Kind(n) != jsonscan.String {
		return nil
	}
	raw := d.Value(n)
	if raw = raw[1 : len(raw)-1]; len(raw) == 0 {
		return nil
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		return d.AppendText(nil, n)
	}
	return raw
}

// place finds the item of a record. A record with native bytes begins an item, takes those before it whose ids go on
// from its own, and is followed by more of them.
func (r *reading) place(i int32, f *fields) error {
	s := r.s
	switch {
	case f.kind == record.SessionInfo:
		r.session(f)
		fallthrough
	case !f.transcript || f.kind == record.Inference || f.ordinal < 0:
		r.free, r.base = i+1, None
		if f.kind == record.Gap {
			s.gaps = append(s.gaps, i)
		}
		return nil
	case f.kind == record.Gap:
		s.gaps = append(s.gaps, i)
		r.free, r.base = i+1, None
		if d := &r.doc; !d.Equal(d.Find(0, "reason"), "missing") {
			r.begin(i, f)
			r.base = None
		}
		return nil
	case f.native < 0:
		if r.base != None && r.partOf(i, s.items[r.base].primary) {
			r.join(i, int32(r.base))
			s.items[r.base].end, r.free = i+1, i+1
		}
		return nil
	}
	r.begin(i, f)
	return r.judge(int32(r.base), f)
}

// begin makes the item of a primary record.
func (r *reading) begin(i int32, f *fields) {
	s := r.s
	first := i
	for first > r.free && r.partOf(first-1, i) {
		first--
	}
	n := int32(len(s.items))
	s.items = append(s.items, item{
		ordinal: f.ordinal, id: s.hash(f.positionID), first: first, end: i + 1, primary: i, up: none, pair: -1, rule: -1,
	})
	s.recs[i].flags |= primary
	for j := first; j <= i; j++ {
		r.join(j, n)
	}
	r.base, r.free = int(n), i+1
}

func (r *reading) join(i, item int32) {
	s := r.s
	s.recs[i].item = item
	if s.recs[i].is(inContext) {
		s.items[item].flags |= seen
	}
	if c := s.compacts[item]; c != nil && c.summaryID != "" && s.id(i) == c.summaryID {
		c.summary = i
		s.recs[i].flags |= summaryText
	}
}

// partOf says whether a record is a further record of the item with that primary record.
func (r *reading) partOf(i, of int32) bool {
	s := r.s
	a, b := &s.recs[i], &s.recs[of]
	if a.ordinal != b.ordinal || a.nameLen <= b.nameLen {
		return false
	}
	id := s.names[a.name : a.name+a.nameLen]
	rest, ok := bytes.CutPrefix(id, s.names[b.name:b.name+b.nameLen])
	return ok && (rest[0] == '#' || string(rest) == "-summary")
}
