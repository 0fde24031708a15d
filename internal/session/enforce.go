package session

import "slices"

// The rules of enforcement that an entry can name.
const (
	ruleOnce     = "result-once"
	ruleBatch    = "batch-whole"
	ruleAnswered = "calls-answered"
	ruleLoop     = "loop-whole"
)

// enforce drops from a view what the entry's rules drop, as if they were tried from the first on again after each
// drop until none drops anything. All but result-once drop from a smaller view at least what they drop from a larger
// one, so they lead to one end in whatever order; result-once has nothing more to do after its first turn. That makes
// the work linear.
func (s *Session) enforce(list []element, branch []int32) []element {
	n := newEnforcement(s, list, branch)
	for i := range s.entry.Context.Enforce {
		n.begin(s.entry.Context.Enforce[i].Rule)
	}
	return slices.DeleteFunc(list, func(e element) bool { return !e.isSummary() && !n.in[e.item()] })
}

// enforcement is one view while rules are enforced on it. Whoever holds together is a bond: when one member of it
// leaves the view, its bonds follow up.
type enforcement struct {
	s      *Session
	view   []int32 // items, in the order of the view
	branch []int32 // items of the whole branch
	in     map[int32]bool
	queue  []int32 // dropped, and not followed up

	whole map[int32][]*bond // bonds of which no member may lack: batches and loops
	keys  map[pairKey]*keyUse
}

// bond is items of the branch that are in the view together or not at all.
type bond struct {
	members []int32
	broken  bool
}

// keyUse is the calls and the results of one key in the view.
type keyUse struct {
	calls, results        []int32
	callsLeft, resultLeft int
}

func newEnforcement(s *Session, list []element, branch []int32) *enforcement {
	n := &enforcement{s: s, branch: branch, in: make(map[int32]bool, len(list)), whole: map[int32][]*bond{}}
	for _, e := range list {
		if !e.isSummary() {
			n.view = append(n.view, e.item())
			n.in[e.item()] = true
		}
	}
	return n
}

// begin puts one more rule into force and follows up what it drops.
func (n *enforcement) begin(rule string) {
	switch rule {
	case ruleOnce:
		n.once()
	case ruleBatch:
		n.bind(n.batches())
	case ruleAnswered:
		n.match()
	case ruleLoop:
		n.bind(n.loops())
	}
	for len(n.queue) > 0 {
		i := n.queue[len(n.queue)-1]
		n.queue = n.queue[:len(n.queue)-1]
		n.follow(i)
	}
}

func (n *enforcement) drop(i int32) {
	if n.in[i] {
		delete(n.in, i)
		n.queue = append(n.queue, i)
	}
}

// follow drops what cannot stay without an item.
func (n *enforcement) follow(i int32) {
	for _, b := range n.whole[i] {
		n.breakUp(b)
	}
	t := &n.s.items[i]
	u := n.keys[pairKey{t.pair, t.key}]
	if u == nil || !t.is(keyed) {
		return
	}
	if n.isCall(i) {
		u.callsLeft--
	}
	if n.isResult(i) {
		u.resultLeft--
	}
	n.settle(u)
}

func (n *enforcement) breakUp(b *bond) {
	if b.broken {
		return
	}
	b.broken = true
	for _, m := range b.members {
		n.drop(m)
	}
}

func (n *enforcement) isCall(i int32) bool {
	return n.s.items[i].flags&(call|seen) == call|seen
}

func (n *enforcement) isResult(i int32) bool {
	return n.s.items[i].flags&(result|seen) == result|seen
}

// once drops every result of a key after the first.
func (n *enforcement) once() {
	have := map[pairKey]bool{}
	for _, i := range n.view {
		t := &n.s.items[i]
		if !n.in[i] || !n.isResult(i) || !t.is(keyed) {
			continue
		}
		k := pairKey{t.pair, t.key}
		if have[k] {
			n.drop(i)
		}
		have[k] = true
	}
}

// bind puts bonds into force.
func (n *enforcement) bind(bonds []*bond) {
	for _, b := range bonds {
		lacks := false
		for _, m := range b.members {
			n.whole[m] = append(n.whole[m], b)
			lacks = lacks || !n.in[m]
		}
		if lacks {
			n.breakUp(b)
		}
	}
}

// batches are the calls of each group key of the branch, as the source spells it.
func (n *enforcement) batches() []*bond {
	var list []*bond
	byKey := map[uint64]*bond{}
	for _, i := range n.branch {
		t := &n.s.items[i]
		if !n.isCall(i) || !t.is(grouped) {
			continue
		}
		b := byKey[t.group]
		if b == nil {
			b = &bond{}
			byKey[t.group] = b
			list = append(list, b)
		}
		b.members = append(b.members, i)
	}
	return list
}

// loops are the runs of calls and results of the branch that begin with a call that starts one.
func (n *enforcement) loops() []*bond {
	var list []*bond
	var now *bond
	for _, i := range n.branch {
		switch {
		case n.isCall(i) && n.s.items[i].is(starts):
			now = &bond{}
			list = append(list, now)
		case !n.isCall(i) && !n.isResult(i):
			now = nil
		}
		if now != nil {
			now.members = append(now.members, i)
		}
	}
	return list
}

// match drops calls without a result in the view, and results without a call.
func (n *enforcement) match() {
	n.keys = map[pairKey]*keyUse{}
	var list []*keyUse
	for _, i := range n.view {
		t := &n.s.items[i]
		if !n.in[i] || !t.is(keyed) || !(n.isCall(i) || n.isResult(i)) {
			continue
		}
		u := n.keys[pairKey{t.pair, t.key}]
		if u == nil {
			u = &keyUse{}
			n.keys[pairKey{t.pair, t.key}] = u
			list = append(list, u)
		}
		if n.isCall(i) {
			u.calls, u.callsLeft = append(u.calls, i), u.callsLeft+1
		}
		if n.isResult(i) {
			u.results, u.resultLeft = append(u.results, i), u.resultLeft+1
		}
	}
	for _, u := range list {
		n.settle(u)
	}
}

// settle drops the calls of a key without results, or the results of one without calls.
func (n *enforcement) settle(u *keyUse) {
	if u.resultLeft == 0 {
		for _, i := range u.calls {
			n.drop(i)
		}
		u.calls = nil
	}
	if u.callsLeft == 0 {
		for _, i := range u.results {
			n.drop(i)
		}
		u.results = nil
	}
}
