package registry

import (
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Mapper maps the items of one entry to records. It is safe for concurrent use.
type Mapper struct {
	entry       *entry.Entry
	projections []projection
	byKind      map[string][]candidate // for an item of that kind, in order
	rest        []candidate            // for all other kinds
	info        [4]source              // title, workspace, executionStatus, requestedModels
	rendering   []string               // what a result loses whose rendering is not persisted; never appended to in place
}

// candidate is a projection that an item may have.
type candidate struct {
	projection int
	sure       bool // the kind alone decides
}

type projection struct {
	when  *entry.Cond
	emits []emit          // in the order in which records of an item are written
	read  map[string]bool // top members that it or the session reads
}

// emit is one record of an item.
type emit struct {
	t        record.Type
	suffix   string // "" for the primary record
	when     *entry.Cond
	each     *entry.Path
	members  []member
	required []required
	losses   []loss
}

type member struct {
	index int
	form  form
	from  source
	words [][]byte // as JSON strings: what the member may be, nil for any
	other []byte   // for any other word, nil: left out
}

type required struct {
	index int
	raw   []byte
}

type loss struct {
	when *entry.Cond
	code string
}

func newMapper(e *entry.Entry) (*Mapper, error) {
	m := &Mapper{entry: e, byKind: map[string][]candidate{}, rendering: []string{record.LossModelRendering}}
	c := &compiler{Compiler: entry.NewCompiler(e), doc: &e.Doc}
	c.patterns()
	c.each(e.Records, func(n int) { m.projections = append(m.projections, c.projection(n)) })
	if n := len(m.projections); n > 0 && !m.projections[n-1].when.Empty() {
		c.Fault(e.Records, "got a last projection with conditions, want one with an empty when, so that no item is dropped")
	}
	for i, n := range []int{e.Snapshot.Title, e.Snapshot.Workspace, e.Snapshot.ExecutionStatus, e.Snapshot.RequestedModels} {
		if n >= 0 {
			m.info[i] = c.source(n, "title")
		}
	}
	m.index()
	m.reads()
	return m, c.Err()
}

// index sorts the projections by the kinds that they are for.
func (m *Mapper) index() {
	kind := m.entry.Context.Kind.String()
	for i := range m.projections {
		texts, named := m.projections[i].when.Texts(kind)
		for _, t := range texts {
			m.byKind[t] = nil
		}
		if !named {
			m.rest = append(m.rest, candidate{projection: i})
		}
	}
	for k := range m.byKind {
		for i := range m.projections {
			if v := m.projections[i].when.ByKind(kind, k); v != entry.Never {
				m.byKind[k] = append(m.byKind[k], candidate{i, v == entry.Always})
			}
		}
	}
}

// reads notes the top members that the session reads for itself, of every item.
func (m *Mapper) reads() {
	e := m.entry
	paths := []entry.Path{e.Session.Time, e.Tree.Body, e.Tree.Parent, e.Groups.Key, e.Groups.Calls, e.Context.Kind}
	if k := e.Context.Compaction; k != nil {
		paths = append(paths, k.Forgotten, k.Summary, k.Offset)
	}
	for _, p := range e.Pairs {
		paths = append(paths, p.Key)
		for _, r := range p.Results {
			for _, by := range r.By {
				paths = append(paths, by.Path)
			}
		}
	}
	for i := range paths {
		r := paths[i].Root()
		if r == "" {
			continue
		}
		for k := range m.projections {
			m.projections[k].read[r] = true
		}
	}
}

// Match is the number of the projection for an item, -1 when none holds (an entry's last one always does).
func (m *Mapper) Match(d *jsonscan.Doc, f entry.SessionFacts) int {
	for _, c := range m.candidates(d) {
		if c.sure || m.projections[c.projection].when.Holds(d, 0, f) {
			return c.projection
		}
	}
	return -1
}

func (m *Mapper) candidates(d *jsonscan.Doc) []candidate {
	n := m.entry.Context.Kind.One(d, 0)
	if n < 0 || d.Kind(n) != jsonscan.String {
		return m.rest
	}
	if list, ok := m.byKind[string(scalarText(d.Value(n)))]; ok {
		return list
	}
	return m.rest
}

// Primary is the type of the primary record of a projection.
func (m *Mapper) Primary(projection int) record.Type {
	for i := range m.projections[projection].emits {
		if e := &m.projections[projection].emits[i]; e.suffix == "" {
			return e.t
		}
	}
	return 0
}
