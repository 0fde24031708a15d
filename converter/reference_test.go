package converter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The reference works a log out from the words of the format alone: slowly, each question from the start, sharing no
// code with the package.

// refEvent is one event of a log as the reference sees it.
type refEvent struct {
	ordinal           int
	id, time, kind    string // kinds: user, agent, action, observed, error, pause, hook, condense
	unreadable        bool
	parent            string // "" not stated, "__root__"
	response, key     string
	actionID          string // of observed and hook
	forgotten         []string
	summary, offsets  bool
	offset            int
	record            string // id of the primary record
	up                *refEvent
	broken, lineage   bool // the parent does not resolve; the loss
	answered          bool
	call              *refEvent
	native            string // key of a result without a call
	known             []string
	unknown           []string
	exact, atStart    bool
	boundary          string
	hasBoundary, lost bool
}

type reference struct{ log []*refEvent }

func newReference(log []*refEvent) *reference {
	slices.SortStableFunc(log, func(a, b *refEvent) int {
		return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.time, b.time), cmp.Compare(a.id, b.id))
	})
	r := &reference{log}
	r.names()
	r.parents()
	r.pairs()
	r.forget()
	for _, e := range log {
		if e.kind == "condense" && !e.unreadable {
			r.place(e)
		}
	}
	return r
}

func (r *reference) names() {
	have := map[string]bool{}
	for _, e := range r.log {
		if e.unreadable {
			continue
		}
		e.record = e.id
		if have[e.id] {
			e.record = fmt.Sprintf("%s~%d", e.id, e.ordinal)
		}
		have[e.id] = true
	}
}

// named is the readable event of an id; several says that more than one bears it.
func (r *reference) named(id string) (one *refEvent, several bool) {
	for _, e := range r.log {
		if e.id == id && !e.unreadable && id != "" {
			if one != nil {
				return nil, true
			}
			one = e
		}
	}
	return one, false
}

func (r *reference) parents() {
	for _, e := range r.log {
		switch {
		case e.unreadable || e.parent == "__root__":
		case e.parent != "":
			e.up, _ = r.named(e.parent)
			e.broken = e.up == nil
		case e.ordinal > 0:
			e.up = r.before(e.ordinal)
			e.broken = e.up == nil
		}
	}
	var circle []*refEvent
	for _, e := range r.log {
		seen := map[*refEvent]bool{}
		for a := e.up; a != nil && !seen[a]; a = a.up {
			seen[a] = true
			if a == e {
				circle = append(circle, e)
			}
		}
	}
	for _, e := range circle {
		e.up, e.broken = nil, true
	}
	for _, e := range r.log {
		a := e
		for a.up != nil && !a.up.stands() {
			a = a.up
		}
		e.lineage = e.broken || (a.up == nil && a.broken)
	}
}

// before is the one event at the ordinal before, when it is readable.
func (r *reference) before(ordinal int) *refEvent {
	var found []*refEvent
	for _, e := range r.log {
		if e.ordinal == ordinal-1 {
			found = append(found, e)
		}
	}
	if len(found) != 1 || found[0].unreadable {
		return nil
	}
	return found[0]
}

// stands says whether records hang below the event: it is in context or an applied compaction.
func (e *refEvent) stands() bool { return e.visible() || e.kind == "condense" }

func (e *refEvent) visible() bool {
	return e.kind != "pause" && e.kind != "hook" && e.kind != "condense"
}

// parent is the record id of the nearest ancestor that stands, "" for none.
func (e *refEvent) parentRecord() string {
	for a := e.up; a != nil; a = a.up {
		if a.stands() {
			return a.record
		}
	}
	return ""
}

// above says whether an event is another one's ancestor.
func (e *refEvent) above(b *refEvent) bool {
	for a := b.up; a != nil; a = a.up {
		if a == e {
			return true
		}
	}
	return false
}

func (r *reference) pairs() {
	for i, e := range r.log {
		if e.unreadable {
			continue
		}
		switch e.kind {
		case "observed":
			one, several := r.named(e.actionID)
			switch {
			case several:
				e.lineage, e.native = true, e.key
				continue
			case one != nil && one.kind == "action":
				e.call = one
			default:
				e.call = r.byKey(i)
			}
		case "error":
			e.call = r.byKey(i)
		default:
			continue
		}
		if e.call == nil {
			e.native = e.key
		} else {
			e.call.answered = true
		}
	}
}

// byKey is the call that a result names by its key alone.
func (r *reference) byKey(i int) *refEvent {
	e := r.log[i]
	if e.key == "" {
		return nil
	}
	for _, fits := range []func(c *refEvent) bool{
		func(c *refEvent) bool { return !c.answered && c.above(e) },
		func(c *refEvent) bool { return c.above(e) },
		func(c *refEvent) bool { return !c.answered },
		func(c *refEvent) bool { return true },
	} {
		for j := i - 1; j >= 0; j-- {
			if c := r.log[j]; c.kind == "action" && !c.unreadable && c.key == e.key && fits(c) {
				return c
			}
		}
	}
	for _, c := range r.log[i:] {
		if c.kind == "action" && !c.unreadable && c.key == e.key {
			return c
		}
	}
	return nil
}

// forget resolves what the compactions forget.
func (r *reference) forget() {
	for i, e := range r.log {
		if e.kind != "condense" || e.unreadable {
			continue
		}
		e.exact = true
		seen := map[string]bool{}
		for _, id := range e.forgotten {
			if seen[id] {
				continue
			}
			seen[id] = true
			one, several := r.named(id)
			summary := r.summaryOf(id, i)
			switch {
			case one != nil:
				e.known = append(e.known, one.record)
			case several:
				e.lineage = true
				fallthrough
			case summary == "":
				e.unknown = append(e.unknown, id)
				e.exact = false
			default:
				e.known = append(e.known, summary)
			}
		}
	}
}

func (r *reference) summaryOf(id string, before int) string {
	base, ok := strings.CutSuffix(id, "-summary")
	if !ok {
		return ""
	}
	one, _ := r.named(base)
	for _, e := range r.log[:before] {
		if e == one && e.kind == "condense" && e.summary {
			return e.record + "-summary"
		}
	}
	return ""
}

// view is what the model would see above an event, by the records' ids; exact says whether that is certain.
func (r *reference) view(e *refEvent) (view []string, exact bool) {
	exact = !e.lineage
	var chain []*refEvent
	for a := e; a.up != nil; a = a.up {
		chain = append(chain, a.up)
		exact = exact && !a.up.lineage
	}
	slices.Reverse(chain)
	for _, a := range chain {
		switch {
		case a.kind == "condense":
			view = a.apply(view)
			exact = exact && a.exact
		case a.visible():
			view = append(view, a.record)
		}
	}
	return view, exact
}

func (e *refEvent) apply(view []string) []string {
	view = slices.DeleteFunc(slices.Clone(view), func(id string) bool { return slices.Contains(e.known, id) })
	if !e.summary || !e.offsets {
		return view
	}
	return slices.Insert(view, min(e.offset, len(view)), e.record+"-summary")
}

func (r *reference) place(e *refEvent) {
	view, exact := r.view(e)
	after := e.apply(view)
	at := slices.Index(after, e.record+"-summary")
	e.hasBoundary = at >= 0 && exact && e.exact
	e.lost = !e.exact || (e.summary && e.offsets && !e.hasBoundary)
	switch {
	case !e.hasBoundary:
	case at == 0:
		e.atStart = true
	default:
		e.boundary = after[at-1]
	}
}

// group is the response of an event, "" for none.
func (r *reference) group(e *refEvent) string {
	first, last := -1, -1
	for i, m := range r.log {
		if m.response == e.response && !m.unreadable {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if e.response == "" {
		return ""
	}
	for _, m := range r.log[first : last+1] {
		if !m.unreadable && (m.kind == "user" || (m.response != "" && m.response != e.response)) {
			return ""
		}
	}
	return e.response
}
