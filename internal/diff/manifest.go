package diff

import (
	"iter"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// facts compares the manifests of two bundles, as JSON: whatever a manifest says is compared unless it is left out here.
type facts struct {
	a, b  jsonscan.Doc
	limit int
	list  []Fact
}

// list is a list of the manifest whose elements have a name.
type list struct {
	kind, member string
	keys         []string // of the members that make the name
	skip         []string // what follows from the rest, or says how it is stored
	informs      bool
}

// lists are compared in this order. What the bytes of an entry are is no difference by itself: what it does shows in the
// records, and that is what is asked.
func lists(chosen bool) []list {
	all := []list{
		{kind: "registry", member: "registry", keys: []string{"agent"}, informs: true},
		{kind: "source", member: "sources", keys: []string{"path", "row"}, skip: []string{"id"}},
	}
	if chosen {
		return all
	}
	return append(all,
		list{kind: "unidentified", member: "unidentifiedSources", keys: []string{"path", "reason"}},
		list{kind: "blob", member: "blobs", keys: []string{"sha256"}, skip: []string{"compression"}})
}

func scanManifests(a, b *bundle.Bundle, limit int) (*facts, error) {
	f := &facts{limit: limit}
	var err error
	if f.a, err = scanManifest(a); err != nil {
		return nil, err
	}
	f.b, err = scanManifest(b)
	return f, err
}

// all lists the facts outside of the streams; with streams to compare only those that are about them.
func (f *facts) all(streams []string) {
	f.single("converter", "converter", true)
	for _, l := range lists(streams != nil) {
		f.compare(l, keep(&f.a, l, streams), keep(&f.b, l, streams))
	}
	if streams == nil {
		f.single("selection", "selection", false)
		f.single("meta", "_meta", false)
	}
}

func scanManifest(b *bundle.Bundle) (jsonscan.Doc, error) {
	return jsonscan.Scan(b.RawManifest(), nil, jsonscan.Options{MaxDepth: maxDepth})
}

// single compares a member that there is once.
func (f *facts) single(kind, member string, informs bool) {
	f.item(Fact{Kind: kind, Informs: informs}, f.a.Find(0, member), f.b.Find(0, member), nil)
}

// item adds a fact unless both values are the same; -1 is a value that is not there.
func (f *facts) item(fact Fact, i, j int, skip []string) {
	c := comparison{a: &f.a, b: &f.b, limit: f.limit, skip: skip}
	switch {
	case i < 0 && j < 0:
		return
	case i < 0:
		fact.Change = Added
		c.add(Added, nil, f.b.Value(j))
	case j < 0:
		fact.Change = Removed
		c.add(Removed, f.a.Value(i), nil)
	default:
		fact.Change = Changed
		c.value(i, j, 0)
	}
	if fact.Places = c.found; fact.Places.Total > 0 {
		f.list = append(f.list, fact)
	}
}

// compare matches the elements of a list by name.
func (f *facts) compare(l list, left, right []int) {
	partner, rest := pairUp(names(&f.a, l, left), names(&f.b, l, right))
	for k, node := range left {
		other := -1
		if partner[k] >= 0 {
			other = right[partner[k]]
		}
		f.item(Fact{Kind: l.kind, Name: l.name(&f.a, node), Informs: l.informs}, node, other, l.skip)
	}
	for _, k := range rest {
		f.item(Fact{Kind: l.kind, Name: l.name(&f.b, right[k]), Informs: l.informs}, -1, right[k], l.skip)
	}
}

func names(d *jsonscan.Doc, l list, nodes []int) []string {
	out := make([]string, len(nodes))
	for k, node := range nodes {
		for _, member := range l.keys {
			out[k] += d.Text(d.Find(node, member)) + "\x00"
		}
	}
	return out
}

func (l list) name(d *jsonscan.Doc, node int) string { return d.Text(d.Find(node, l.keys[0])) }

// keep lists the elements of a list that are compared: of streams those that were asked for, of sources those of these
// streams, of blobs all but the entries, which the registry names.
func keep(d *jsonscan.Doc, l list, streams []string) []int {
	nodes := slices.Collect(d.Children(d.Find(0, l.member)))
	drop := func(int) bool { return false }
	switch {
	case l.kind == "blob":
		entries := texts(d, d.Children(d.Find(0, "registry")), "sha256")
		drop = func(n int) bool { return slices.Contains(entries, d.Text(d.Find(n, "sha256"))) }
	case l.kind == "stream" && streams != nil:
		drop = func(n int) bool { return !slices.Contains(streams, d.Text(d.Find(n, "id"))) }
	case l.kind == "source" && streams != nil:
		used := texts(d, slices.Values(keep(d, streamList(), streams)), "source")
		drop = func(n int) bool { return !slices.Contains(used, d.Text(d.Find(n, "id"))) }
	}
	return slices.DeleteFunc(nodes, drop)
}

func texts(d *jsonscan.Doc, nodes iter.Seq[int], name string) []string {
	var out []string
	for n := range nodes {
		out = append(out, d.Text(d.Find(n, name)))
	}
	return out
}

// streamList is the list of streams. What follows from their lines, says how they are stored, or is numbered anew in each
// bundle is not compared.
func streamList() list {
	return list{kind: "stream", member: "streams", keys: []string{"id"}, skip: []string{"source", "file", "compression", "sha256", "bytes"}}
}

// stated compares what the manifests say about one stream.
func (f *facts) stated(p *pair) Places {
	c := comparison{a: &f.a, b: &f.b, limit: f.limit, skip: streamList().skip}
	c.value(p.stateA, p.stateB, 0)
	return c.found
}
