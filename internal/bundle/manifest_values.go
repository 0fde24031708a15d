package bundle

import (
	"slices"
	"strconv"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// member is one member that an object has, and what takes its value.
type member struct {
	name string
	take func(i int)
}

// object hands each member of an object to its taker. Members that the list
// does not name are faults, as are those that are missing and not optional.
func (r *reader) object(i int, members []member, optional ...string) {
	if !r.want(i, jsonscan.Object) {
		return
	}
	var seen uint64
	for c := range r.doc.Children(i) {
		at := r.index(members, c)
		if at < 0 {
			r.fail(c, "unknown member")
			return
		}
		seen |= 1 << at
		members[at].take(c)
	}
	for at, m := range members {
		if seen&(1<<at) == 0 && !slices.Contains(optional, m.name) {
			r.fail(i, "member "+strconv.Quote(m.name)+" is missing")
		}
	}
}

func (r *reader) index(members []member, child int) int {
	name := r.name(child)
	for at := range members {
		if members[at].name == string(name) {
			return at
		}
	}
	return -1
}

func (r *reader) name(child int) []byte {
	raw := r.doc.Name(child)
	if !r.doc.Has(jsonscan.EscapedKey) {
		return raw
	}
	name, _ := jsonscan.AppendUnescape(nil, raw)
	return name
}

// want says whether a value is of a kind, which is a fault if not.
func (r *reader) want(i int, kind jsonscan.Kind) bool {
	got := r.doc.Kind(i)
	if got != kind {
		r.fail(i, "got "+got.String()+", want "+kind.String())
	}
	return got == kind
}

func (r *reader) text(i int) string {
	if !r.want(i, jsonscan.String) {
		return ""
	}
	return r.doc.Text(i)
}

// number takes a counter.
func (r *reader) number(i int) int64 {
	n, ok := r.doc.Int(i)
	if !ok || n < 0 {
		r.fail(i, "want an integer from 0 to 2^53-1")
		return 0
	}
	return n
}

func (r *reader) raw(i int) []byte {
	r.want(i, jsonscan.Object)
	return r.doc.Value(i)
}

// all takes the elements of an array; none is an empty slice.
func all[T any](r *reader, i int, take func(int, *T)) []T {
	if !r.want(i, jsonscan.Array) {
		return nil
	}
	items := make([]T, 0, r.doc.Len(i))
	for c := range r.doc.Children(i) {
		var item T
		take(c, &item)
		items = append(items, item)
	}
	return items
}

// keyed takes the members of an object whose names are data.
func keyed[T any](r *reader, i int, take func(int, *T)) map[string]T {
	if !r.want(i, jsonscan.Object) {
		return nil
	}
	items := make(map[string]T, r.doc.Len(i))
	for c := range r.doc.Children(i) {
		var item T
		take(c, &item)
		items[string(r.name(c))] = item
	}
	return items
}
