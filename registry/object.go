package registry

import (
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// refSource is the record id that a native id belongs to.
type refSource struct {
	path entry.Path
	want record.Type
}

func (r *refSource) value(s *scope, at int) []byte {
	id, _ := r.resolve(s, at)
	return id
}

// resolve gives the record id, or the native id as spelled when it names nothing known.
func (r *refSource) resolve(s *scope, at int) (id, spelled []byte) {
	if r.path.IsKey() {
		spelled = s.keyText()
	} else if n := r.path.One(s.doc, at); n >= 0 && s.doc.Kind(n) == jsonscan.String {
		spelled = s.clean(n)
	}
	if len(spelled) <= 2 {
		return nil, nil
	}
	if s.refs == nil {
		return nil, spelled
	}
	found, state := s.refs.Ref(scalarText(spelled), r.want)
	if state == RefAmbiguous {
		s.out.Ambiguous = true
	}
	if state != RefFound {
		return nil, spelled
	}
	return s.keep(func(dst []byte) []byte { return record.AppendString(dst, found) }), nil
}

// objectSource is an object of named values.
type objectSource struct {
	fields []field
	part   bool // a content part: stands as "other" when nothing but constants is there
}

type field struct {
	name string
	form form
	from source
	ref  *refSource // from, when it is one: an id that names nothing known is kept as nativeCallId
}

// made is one member of an object being built.
type made struct {
	name  string
	value []byte
}

func (o *objectSource) value(s *scope, at int) []byte {
	var room [8]made
	members, full := o.members(s, at, room[:0])
	if !full {
		if !o.part {
			return nil
		}
		return s.keep(func(dst []byte) []byte { return appendOther(dst, s.pointer(at)) })
	}
	return s.keep(func(dst []byte) []byte {
		dst = append(dst, '{')
		for _, m := range members {
			dst = append(record.AppendKey(dst, m.name), m.value...)
		}
		return append(dst, '}')
	})
}

// members works out the object's members; full says whether any of them came from the source.
func (o *objectSource) members(s *scope, at int, list []made) (members []made, full bool) {
	for i := range o.fields {
		f := &o.fields[i]
		if f.ref != nil {
			if id, spelled := f.ref.resolve(s, at); id != nil {
				list, full = append(list, made{f.name, id}), true
			} else if spelled != nil {
				list, full = append(list, made{"nativeCallId", spelled}), true
			}
			continue
		}
		v := f.from.value(s, at)
		if v == nil || !f.form.fits(v) || (f.form == formName && len(v) == 2 && f.name != "text") {
			continue
		}
		list = append(list, made{f.name, v})
		if _, fixed := f.from.(*constSource); !fixed {
			full = true
		}
	}
	return list, full
}

// eachSource is the array of an object for every element or member.
type eachSource struct {
	path entry.Path
	as   *objectSource
}

func (e *eachSource) value(s *scope, at int) []byte {
	n := e.path.One(s.doc, at)
	if n < 0 || (s.doc.Kind(n) != jsonscan.Array && s.doc.Kind(n) != jsonscan.Object) {
		return nil
	}
	key := s.key
	defer func() { s.key = key }()
	var room [8][]byte
	values, over := room[:0], entry.Overruled(s.doc, n)
	for c, end := n+1, int(s.doc.Nodes[n].Next); c < end; c = int(s.doc.Nodes[c].Next) {
		if over[c] {
			continue
		}
		s.key = c
		if v := e.as.value(s, c); v != nil {
			values = append(values, v)
		}
	}
	return s.joined(values)
}

// joined is the array of values.
func (s *scope) joined(values [][]byte) []byte {
	return s.keep(func(dst []byte) []byte {
		dst = append(dst, '[')
		for i, v := range values {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, v...)
		}
		return append(dst, ']')
	})
}
