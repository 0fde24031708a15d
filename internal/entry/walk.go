package entry

import "github.com/session-trace/ctx/internal/jsonscan"

// Each calls yield for every node that the path names below node at, in document order, until yield says false.
// Of members of one name the last one counts, but ** goes through all of them.
func (p *Path) Each(d *jsonscan.Doc, at int, yield func(node int) bool) bool {
	if len(p.steps) == 0 {
		return true
	}
	w := walk{d, d.Has(jsonscan.DuplicateKey), yield}
	return w.each(p.steps, at)
}

// EachSpelled is Each, but members that a later one of their name overrules are named too.
func (p *Path) EachSpelled(d *jsonscan.Doc, at int, yield func(node int) bool) bool {
	if len(p.steps) == 0 || !d.Has(jsonscan.DuplicateKey) {
		return p.Each(d, at, yield)
	}
	steps := make([]step, len(p.steps))
	for i, s := range p.steps {
		if s.kind == stepName {
			s.kind = stepSpelled
		}
		steps[i] = s
	}
	w := walk{d, false, yield}
	return w.each(steps, at)
}

// walk is one evaluation of a path.
type walk struct {
	d        *jsonscan.Doc
	overrule bool // * passes over members that a later one of their name overrules
	yield    func(node int) bool
}

// each recurses over the steps of a path, which are few, and not over the levels of the document.
func (w *walk) each(steps []step, at int) bool {
	for len(steps) > 0 && (steps[0].kind == stepName || steps[0].kind == stepValue) {
		if steps[0].kind == stepName {
			if at = steps[0].down(w.d, at); at < 0 {
				return true
			}
		}
		steps = steps[1:]
	}
	if len(steps) == 0 {
		return at < 0 || w.yield(at)
	}
	switch steps[0].kind {
	case stepEach:
		return w.children(steps, at, jsonscan.Array)
	case stepAll:
		return w.children(steps, at, jsonscan.Object)
	case stepSpelled:
		if w.d.Kind(at) == jsonscan.Array {
			c := steps[0].down(w.d, at)
			return c < 0 || w.each(steps[1:], c)
		}
		return w.children(steps, at, jsonscan.Object)
	case stepDeep:
		return w.deep(steps[1:], at)
	default:
		return true
	}
}

// children goes on below the elements or members of a value of that kind that the first step names.
func (w *walk) children(steps []step, at int, kind jsonscan.Kind) bool {
	if at < 0 || w.d.Kind(at) != kind {
		return true
	}
	var over map[int]bool
	if w.overrule {
		over = Overruled(w.d, at)
	}
	for c, end := at+1, int(w.d.Nodes[at].Next); c < end; c = int(w.d.Nodes[c].Next) {
		if over[c] || (steps[0].kind == stepSpelled && nameOf(w.d, c) != steps[0].name) {
			continue
		}
		if !w.each(steps[1:], c) {
			return false
		}
	}
	return true
}

// deep tries the rest of the path at every node of the subtree, the top included. The tape holds a subtree as one run
// of nodes, so there is no recursion over levels.
func (w *walk) deep(rest []step, at int) bool {
	if at < 0 {
		return true
	}
	for c, end := at, int(w.d.Nodes[at].Next); c < end; c++ {
		if k := w.d.Kind(c); len(rest) > 0 && k != jsonscan.Object && k != jsonscan.Array {
			continue
		}
		if !w.each(rest, c) {
			return false
		}
	}
	return true
}

// Overruled are the members of an object that a later one of their name overrules; nil when there are none.
func Overruled(d *jsonscan.Doc, at int) map[int]bool {
	if !d.Has(jsonscan.DuplicateKey) || d.Kind(at) != jsonscan.Object {
		return nil
	}
	last, over := map[string]int{}, map[int]bool{}
	for c := range d.Children(at) {
		name := nameOf(d, c)
		if before, ok := last[name]; ok {
			over[before] = true
		}
		last[name] = c
	}
	return over
}

func nameOf(d *jsonscan.Doc, n int) string {
	text, _ := jsonscan.AppendUnescape(nil, d.Name(n))
	return string(text)
}
