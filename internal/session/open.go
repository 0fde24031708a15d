package session

import (
	"context"
	"fmt"
	"hash/maphash"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// maxLine bounds the lines that are read, in bytes.
const maxLine = 1 << 30

// maxDepth is the nesting of the deepest native item that is converted, and of the record around it.
const maxDepth = 10_100

// Open reads a stream of a bundle. Streams that break the format in a way that leaves no doubt about what they hold are
// read all the same; a line that is no record of the format is an error.
func Open(ctx context.Context, b *bundle.Bundle, info bundle.StreamInfo, o Options) (*Session, error) {
	s := newSession(b, info, o.Entry)
	if s.entry == nil {
		e, err := EntryOf(b, info.Agent)
		if err != nil {
			return nil, err
		}
		s.entry = e
	}
	r := newReading(s)
	err := b.Lines(info, maxLine, func(n int, line []byte, complete bool) error {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !complete {
			return fmt.Errorf("line %d: got no line feed at the end", n)
		}
		if err := r.line(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", info.ID, err)
	}
	r.finish()
	return s, nil
}

// mostAhead bounds the rows that are made room for on the word of a manifest.
const mostAhead = 1 << 20

func newSession(b *bundle.Bundle, info bundle.StreamInfo, e *entry.Entry) *Session {
	records := min(max(info.Records, 0), mostAhead)
	return &Session{
		bundle: b, info: info, entry: e, seed: maphash.MakeSeed(),
		recs: make([]row, 0, records), items: make([]item, 0, min(max(info.Items, 0), records)),
		byID: make(map[uint64]int32, records), compacts: map[int32]*compact{}, results: map[int32][]int32{},
	}
}

// refKind is which member of a row a link fills.
type refKind uint8

const (
	refParent refKind = iota
	refInference
	refCall
)

// reference is a link to a record that was not read yet.
type reference struct {
	target uint64
	from   int32
	kind   refKind
}

// reading is what Open needs while it reads.
type reading struct {
	s      *Session
	doc    jsonscan.Doc
	nodes  []jsonscan.Node
	blobs  func(sha string) ([]byte, error)
	blob   []jsonscan.Node // of the last of them
	offset int64
	later  []reference
	free   int32 // first record that no item has taken
	base   int   // item that the next records may belong to, None
	state  state
}

// state is what the last session_info says.
type state struct {
	head, headNative string
	snapshot         bool
	empty            bool // the source states that there is no head
}

func newReading(s *Session) *reading { return &reading{s: s, blobs: s.bundle.Blob, base: None} }

// line takes one record.
func (r *reading) line(line []byte) error {
	doc, err := jsonscan.Scan(line, r.nodes[:0], jsonscan.Options{MaxDepth: maxDepth})
	r.nodes = doc.Nodes
	if err != nil {
		return err
	}
	r.doc = doc
	if doc.Kind(0) != jsonscan.Object {
		return fmt.Errorf("got %s, want a record", doc.Kind(0))
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	s := r.s
	i := int32(len(s.recs))
	s.recs = append(s.recs, row{
		offset: r.offset, size: int32(len(line)), ordinal: f.ordinal, kind: f.kind,
		name: uint32(len(s.names)), item: none, parent: none, inference: none, call: none,
	})
	r.offset += int64(len(line)) + 1
	s.names = append(s.names, f.id...)
	row := &s.recs[i]
	row.nameLen = uint32(len(s.names)) - row.name
	if record.ContextByDefault(f.kind) && !f.outside {
		row.flags |= inContext
	}
	key := maphash.Bytes(s.seed, f.id)
	if _, taken := s.byID[key]; !taken {
		s.byID[key] = i
	}
	r.links(i, &f)
	return r.place(i, &f)
}

// links notes the records that a record names.
func (r *reading) links(i int32, f *fields) {
	for kind, n := range [...]int{refParent: f.parent, refInference: f.inference, refCall: f.call} {
		if text := textAt(&r.doc, n); text != nil {
			r.link(reference{maphash.Bytes(r.s.seed, text), i, refKind(kind)})
		}
	}
}

func (r *reading) link(ref reference) {
	target, ok := r.s.byID[ref.target]
	if !ok {
		r.later = append(r.later, ref)
		return
	}
	row := &r.s.recs[ref.from]
	switch ref.kind {
	case refParent:
		row.parent = target
	case refInference:
		row.inference = target
	case refCall:
		row.call = target
	}
}

// finish works out everything that needs all records.
func (r *reading) finish() {
	s := r.s
	for _, ref := range r.later {
		if _, ok := s.byID[ref.target]; ok {
			r.link(ref)
		}
	}
	s.nameItems()
	s.parents()
	s.resolveCompactions()
	s.findHead(&r.state)
	s.markBranch()
	s.pair()
}
