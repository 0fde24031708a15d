package converter

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"runtime/debug"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// snapshot is the state that a source keeps beside its items. Its facts are read at once; the state of a long session
// is large, so neither it nor its nodes are kept while the items are worked.
type snapshot struct {
	id        string
	leaf      string // native id of the head, "" when none is stated
	info      registry.Info
	actor     bool   // nothing is grouped
	apart     bool   // no ledger row joins
	duplicate string // pointer of a member that stands twice, "" none
	odd       bool   // holds what cannot stand in a line

	kept     []byte // what is kept of it: after what the entry leaves out; nil when it stands in a blob already
	native   record.Native
	flat     []byte // the same object without white space, where that alone makes it embeddable
	redacted []record.Redaction

	doc  *jsonscan.Doc // before what is left out, with its nodes; nil for a large one
	from stateFile     // to read pieces of a large one from
	buf  []byte        // of the last piece
	tape []jsonscan.Node
}

// stateFile is where a snapshot stands in a file.
type stateFile struct {
	file *formats.File
	from int64        // the place of the document's first byte
	gap  formats.Span // bytes in its midst that are not the document's
}

// readAt reads bytes of the document.
func (f *stateFile) readAt(buf []byte, at int64) error {
	at += f.from
	if before := min(f.gap.From-at, int64(len(buf))); before > 0 {
		if err := f.file.ReadAt(buf[:before], at); err != nil || before == int64(len(buf)) {
			return err
		}
		buf, at = buf[before:], f.gap.From
	}
	return f.file.ReadAt(buf, at+f.gap.To-f.gap.From)
}

// largeSnapshot is the size above which a snapshot is not kept in memory.
const largeSnapshot = maxInline

// readSnapshot reads the state. One that is no JSON object cannot be cleared of secrets, and is not kept.
func (s *session) readSnapshot() error {
	if s.files.snapshot == "" {
		return nil
	}
	if s.src.match.Format.Document.Around {
		return s.readAround()
	}
	raw, err := s.readDocument(s.files.snapshot)
	if err != nil {
		if large := (*formats.TooLargeError)(nil); errors.As(err, &large) {
			return s.overLimit(s.files.snapshot)
		}
		s.unreadable(s.files.snapshot, 0, err.Error())
		return s.lost(s.files.snapshot, err)
	}
	return s.takeState(s.files.snapshot, raw, nil)
}

// takeState takes the bytes of the state, and all of its facts; at is where they stand when that is no file of their own.
func (s *session) takeState(below string, raw []byte, at *stateFile) error {
	nodes := s.store.state
	if len(raw) > largeSnapshot {
		nodes = make([]jsonscan.Node, 0, atMost(raw)) // growing by doubling would hold two tapes
	}
	sc := scan(raw, nodes)
	problem, size := sc.problem, int64(len(raw))
	if at != nil {
		size = s.around.size
		if problem == "" && !s.plainAround(&sc.doc) {
			problem = "items in two places"
		}
	}
	if problem != "" {
		s.cutter.state = at != nil
		s.unreadable(below, size, problem)
		return nil
	}
	doc := sc.doc // sc goes on with what is left after the cuts
	s.snapshot = &snapshot{doc: &doc}
	s.readFacts(&sc.doc)
	s.readLedger(&sc.doc)
	if len(raw) <= largeSnapshot {
		s.store.state = sc.doc.Nodes
		return s.keepState(&sc)
	}
	s.snapshot.doc = nil
	if at == nil {
		file, err := s.src.root.OpenFile(path.Join(s.src.dir, below))
		if err != nil {
			return err
		}
		at = &stateFile{file: file}
	}
	s.snapshot.from = *at
	s.snapshot.from.from += int64(len(raw) - len(sc.doc.Raw))
	return s.keepState(&sc)
}

// readFacts reads all that the session needs of its snapshot, but for the ledger.
func (s *session) readFacts(d *jsonscan.Doc) {
	n := s.snapshot
	for i := range s.entry.Session.IDs {
		if from := &s.entry.Session.IDs[i]; from.Snapshot {
			n.id = string(text(d, &from.Path))
			break
		}
	}
	n.leaf = string(text(d, &s.entry.Tree.Head))
	n.info = s.mapper.Info(d).Clone()
	n.actor = s.entry.Groups.Unless != nil && s.entry.Groups.Unless.Holds(d, 0, entry.SessionFacts{})
	n.apart = s.entry.Usage.Unless != nil && s.entry.Usage.Unless.Holds(d, 0, entry.SessionFacts{})
	n.odd = d.Flags&^jsonscan.EscapedKey != 0
	if d.Has(jsonscan.DuplicateKey) {
		n.duplicate = d.Pointer(d.FirstDuplicate)
	}
	if short := s.cutter.learn(d); short > 0 {
		s.notice(record.SecretShort, "state", "", fmt.Sprintf("got %d secrets of less than %d characters, not looked for in other text", short, minLearnt))
	}
}

// atMost is an upper bound of the values in a document: each follows a bracket, a comma or a colon, or is the document.
func atMost(raw []byte) int {
	n := 1
	for _, c := range [...]byte{',', '{', '['} {
		n += bytes.Count(raw, []byte{c})
	}
	return n
}

// keepState makes what is kept of the snapshot. A large one goes into a blob at once, and is cut where it stands.
func (s *session) keepState(sc *scanned) error {
	n := s.snapshot
	raw, list := s.cutter.redactBy(s.cutter.omissionsIn(entry.InSnapshot), &sc.doc, n.doc == nil, false)
	if list != nil {
		sc.doc = jsonscan.Doc{}
		again := scanWith(raw, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true, NoTape: true})
		again.redacted = list
		if sc.bom {
			again.raw, again.bom = append([]byte("\uFEFF"), raw...), true
		}
		*sc = again
	}
	n.redacted = sc.redacted
	reason := sc.inlineReason()
	if reason == "" {
		n.kept = sc.raw
		return nil
	}
	if (reason == reasonWhitespace || reason == reasonSize) && sc.contentReason() == "" && sc.doc.Depth <= maxInlineDepth {
		if size := jsonscan.CompactSize(sc.doc); size <= maxInline {
			n.flat = jsonscan.Compact(make([]byte, 0, size), sc.doc)
		}
	}
	if s.dry {
		return nil
	}
	if err := s.open(); err != nil {
		return err
	}
	var err error
	if n.native, err = s.blob(sc.raw, reason, sc.redacted); err != nil || n.doc != nil {
		return err
	}
	*sc = scanned{}
	debug.FreeOSMemory() // a large state and its tape are the most that a session holds at once
	return nil
}

// open begins the stream. Blobs belong to it, so it begins before the first of them.
func (s *session) open() error {
	if s.out != nil {
		return nil
	}
	out, err := s.run.writer.Stream()
	if err != nil {
		return &outputError{err}
	}
	s.out = out
	return nil
}

// unreadable notes a document that cannot be kept.
func (s *session) unreadable(below string, size int64, why string) {
	s.notKept = append(s.notKept, below)
	s.notice(record.StateUnreadable, s.lastID(), "",
		fmt.Sprintf("%s: got %d bytes that are no JSON object (%s), not kept since secrets could not be told", quote(record.SpellPath(below)), size, why))
}

// lastID is the id of the last record.
func (s *session) lastID() string {
	if s.snapshot != nil {
		return "state"
	}
	return "end"
}

// piece is a place in the snapshot.
type piece struct {
	start, end uint32 // of its bytes in the document
	sum        uint64 // hash of its bytes
	node       int32  // in the snapshot's own tape
}

// pieceOf notes where a node stands.
func (s *session) pieceOf(d *jsonscan.Doc, n int) piece {
	node := d.Nodes[n]
	return piece{node.Start, node.End, s.hash(d.Value(n)), int32(n)}
}

// at gives the document and the node of a piece: of the snapshot's own document, or read again. It is valid until the next call.
func (s *session) at(p piece) (*jsonscan.Doc, int, error) {
	n := s.snapshot
	if n.doc != nil {
		return n.doc, int(p.node), nil
	}
	size := int(p.end - p.start)
	if cap(n.buf) < size {
		n.buf = make([]byte, size)
	}
	n.buf = n.buf[:size]
	if err := n.from.readAt(n.buf, int64(p.start)); err != nil {
		return nil, 0, errors.Join(errChanged, err)
	}
	if s.hash(n.buf) != p.sum {
		return nil, 0, errChanged
	}
	d, err := jsonscan.Scan(n.buf, n.tape, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		return nil, 0, errChanged
	}
	n.tape = d.Nodes
	return &d, 0, nil
}
