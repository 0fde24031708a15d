package registry

import (
	"bytes"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// source yields one value, as raw JSON, from the value at a node; nil when there is none.
type source interface {
	value(s *scope, at int) []byte
}

// scope is one item being mapped.
type scope struct {
	m     *Mapper
	doc   *jsonscan.Doc
	facts entry.SessionFacts
	refs  Refs
	out   *Out
	key   int // element or member whose name is $key, -1 outside of each
}

// copyOf is the raw value of a node as a normalized member carries it: nil for null and for unsafe numbers,
// strings without lone surrogates.
func (s *scope) copyOf(n int) []byte {
	switch s.doc.Kind(n) {
	case jsonscan.Null, jsonscan.NonFinite:
		return nil
	case jsonscan.Number:
		raw := s.doc.Value(n)
		if s.doc.Has(jsonscan.UnsafeNumber) && !jsonscan.SafeNumber(raw) {
			s.notice(record.UnsafeNumber, n, "got a number that a double cannot hold, left out of the record")
			return nil
		}
		return raw
	case jsonscan.String:
		return s.clean(n)
	default:
		return s.doc.Value(n)
	}
}

func (s *scope) clean(n int) []byte {
	raw := s.doc.Value(n)
	if !s.doc.Has(jsonscan.LoneSurrogate) {
		return raw
	}
	start := len(s.out.arena)
	out, changed := jsonscan.AppendClean(s.out.arena, raw)
	if !changed {
		return raw
	}
	s.out.arena = out
	s.notice(record.TextSurrogate, n, "got half a surrogate pair, written as U+FFFD in the record")
	return out[start:len(out):len(out)]
}

func (s *scope) pointer(n int) string { return s.out.trail.Pointer(s.doc, n) }

func (s *scope) notice(code string, n int, message string) {
	s.out.Notices = append(s.out.Notices, Notice{Code: code, Pointer: s.pointer(n), Message: message})
}

// keep puts bytes that were built into the item's arena. build appends to its argument.
func (s *scope) keep(build func(dst []byte) []byte) []byte {
	start := len(s.out.arena)
	s.out.arena = build(s.out.arena)
	return s.out.arena[start:len(s.out.arena):len(s.out.arena)]
}

// pathSource is the value that a path names.
type pathSource struct{ path entry.Path }

func (p *pathSource) value(s *scope, at int) []byte {
	if p.path.IsKey() {
		return s.keyText()
	}
	if n := p.path.One(s.doc, at); n >= 0 {
		return s.copyOf(n)
	}
	return nil
}

func (s *scope) keyText() []byte {
	if s.key < 0 || s.doc.Name(s.key) == nil {
		return nil // an element has no name
	}
	return s.keep(func(dst []byte) []byte {
		text, _ := jsonscan.AppendUnescape(nil, s.doc.Name(s.key))
		return record.AppendString(dst, string(text))
	})
}

// constSource is a value of the entry.
type constSource struct{ raw []byte }

func (c *constSource) value(*scope, int) []byte { return c.raw }

// firstSource is the first value that is not empty, else the first that is there.
type firstSource struct{ list []source }

func (f *firstSource) value(s *scope, at int) []byte {
	var there []byte
	for _, one := range f.list {
		v := one.value(s, at)
		if v == nil {
			continue
		}
		if !emptyValue(v) {
			return v
		}
		if there == nil {
			there = v
		}
	}
	return there
}

func emptyValue(v []byte) bool {
	switch string(v) {
	case `""`, `[]`, `{}`, `[{"type":"text","text":""}]`:
		return true
	default:
		return false
	}
}

// listSource is the array of the values that are there.
type listSource struct {
	list []source
	flat bool // the elements of values that are arrays, one after the other
}

func (l *listSource) value(s *scope, at int) []byte {
	var values [][]byte
	for _, one := range l.list {
		v := one.value(s, at)
		if l.flat && v != nil && v[0] == '[' {
			v = v[1 : len(v)-1]
		}
		if len(v) > 0 {
			values = append(values, v)
		}
	}
	return s.joined(values)
}

// mapSource replaces a value by another word.
type mapSource struct {
	of    source
	to    map[string][]byte // by text
	drop  map[string]bool
	other []byte // nil: left out
	same  bool   // other values stay as they are
}

func (m *mapSource) value(s *scope, at int) []byte {
	v := m.of.value(s, at)
	text := scalarText(v)
	switch {
	case v != nil && m.drop[string(text)]:
		return nil
	case v != nil && m.to[string(text)] != nil:
		return m.to[string(text)]
	case m.same:
		return v
	default:
		return m.other
	}
}

// scalarText is the text of a JSON string, and the spelling of any other value.
func scalarText(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return v
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	out, _ := jsonscan.AppendUnescape(nil, inner)
	return out
}

// caseSource is the value of the first condition that holds.
type caseSource struct{ list []oneCase }

type oneCase struct {
	when *entry.Cond
	is   source
}

func (c *caseSource) value(s *scope, at int) []byte {
	for i := range c.list {
		if c.list[i].when.Holds(s.doc, at, s.facts) {
			return c.list[i].is.value(s, at)
		}
	}
	return nil
}

// pointerSource is the JSON pointer of the value that a path names.
type pointerSource struct{ path entry.Path }

func (p *pointerSource) value(s *scope, at int) []byte {
	n := p.path.One(s.doc, at)
	if n < 0 || s.doc.Kind(n) == jsonscan.Null {
		return nil
	}
	return s.keep(func(dst []byte) []byte { return record.AppendString(dst, s.pointer(n)) })
}

// rawSource is the bytes of a value, as text.
type rawSource struct{ path entry.Path }

func (r *rawSource) value(s *scope, at int) []byte {
	n := r.path.One(s.doc, at)
	if n < 0 || s.doc.Kind(n) == jsonscan.Null {
		return nil
	}
	return s.keep(func(dst []byte) []byte { return record.AppendString(dst, string(s.doc.Value(n))) })
}
