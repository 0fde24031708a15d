package converter

import (
	"context"
	"errors"
	"hash"
	"hash/maphash"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// keepBytes bounds what a session keeps of its items between its two phases, their bytes and keptItem for each; beyond it
// items are read twice.
const (
	keepBytes = 8 << 20
	keptItem  = 200
)

// session puts one source together. It is worked in two phases, because links point forward: index reads every item
// and keeps one row each, emit maps and links them against the rows.
type session struct {
	run    *run
	src    *source
	entry  *entry.Entry
	mapper *registry.Mapper
	cutter *redactor
	limit  int64

	folder   *formats.Folder // of the items, nil when there is none
	pieces   formats.Pieces  // of the one file that holds all items
	file     *formats.File   // that file, nil when each item has its own
	around   *around         // what stands around the items in it, when that is the state
	whole    hash.Hash       // of all that is read of it, nil when it is read again
	frames   map[int32]frame // what stands around items in it, by the item behind
	files    claim
	rows     []row
	keys     []keys           // by item
	names    map[int32]string // record ids of items whose own id is taken
	bodyIDs  map[int32]string // ids of items whose names have none
	seed     maphash.Seed
	ids      map[uint64]int32 // native id to row, or ambiguous
	gapIDs   map[uint64]bool  // ids in the names of files that are not readable
	callOf   map[uint64]namedCall
	store    *store
	snapshot *snapshot    // nil without a readable one
	large    []sourceFile // documents over the limit, by the bytes of their paths
	notKept  []string     // documents that could not be cleared of secrets, and so are not kept
	id       string       // the session's

	metaKeys map[string]string // by destination
	kinds    map[string]*kind
	groups   []group
	byGroup  map[uint64]int32
	joined   map[int32]string // response ids of items that join a response by their call
	compacts map[int32]*compact
	ledger   ledger
	evident  int32         // row whose counters speak where there is no snapshot, -1 none
	tailHole *formats.Hole // items that a marker or a head proves
	evidence string        // why, as raw JSON
	torn     int32         // row of the uncommitted tail, -1 none
	spilt    bool          // what was cut out of the last item has no end: what follows may be more of it
	headRow  int32
	headID   string // native, when it names no row
	headLost bool

	out        *bundle.Stream
	check      Check
	findings   record.Findings
	loose      looseFiles
	tailClock  clock
	coverage   *record.Coverage
	unmapped   map[string]*unmappedCount
	dry        bool // nothing is written
	changed    bool
	taken      int64           // bytes of items read
	folderTime int64           // of the items' folder, before its names were listed
	adopted    *remembered     // what was taken over, nil for a session that was worked
	looks      survey          // what the source looked like, for the next run
	blobs      []string        // that the stream names
	found      record.Findings // all of the session, without a stream id
	named      record.Findings // those that its place among the others brings
	result     SourceResult
	checked    Checked
	count      counts
	digest     bundle.StreamDigest
	info       bundle.SourceInfo
	stream     bundle.StreamInfo
}

type unmappedCount struct {
	first string
	count int64
}

// notice notes something about a record, whose id may be borrowed.
func (s *session) notice(code, recordID, pointer, message string) {
	s.findings.Notice(code, strings.Clone(recordID), pointer, message)
}

// errSkipped says that a session lies outside of what was asked for.
var errSkipped = errors.New("session not selected")

// convert works one source: anew, or from what the run before has made of it.
func (s *session) convert(ctx context.Context) error {
	defer s.close()
	if s.run.o.Update {
		if done, err := s.takeOver(ctx); done {
			return err
		}
	}
	err := s.ready(ctx)
	if s.around != nil && errors.Is(err, errChanged) {
		err = s.anew(ctx)
	}
	if err != nil {
		return err
	}
	return s.write(ctx)
}

// ready does all that goes before writing.
func (s *session) ready(ctx context.Context) error {
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.index(ctx); err != nil {
		return err
	}
	s.link()
	return nil
}

// anew makes a source ready once more from the start that changed while it was read.
func (s *session) anew(ctx context.Context) error {
	s.drop()
	again := s.run.newSession(s.src)
	again.changed, again.result = true, s.result
	if err := again.ready(ctx); err != nil {
		again.drop()
		again.close()
		return err
	}
	s.close()
	*s = *again
	return nil
}

// relist forgets all that was done: the names listed, or what could not be taken over. In a folder that is being written
// the state has to be read before the names are, since a state proves the items that were there when it was saved.
func (s *session) relist() {
	s.drop()
	s.close()
	s.run.stores.Put(s.store)
	fresh := s.run.newSession(s.src)
	fresh.result = s.result
	*s = *fresh
}

// look finds out what a source holds, and whether it was asked for, without writing anything.
func (s *session) look(ctx context.Context) error {
	defer s.close()
	s.dry = true
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.index(ctx); err != nil {
		return err
	}
	if !s.run.selects(s) {
		return errSkipped
	}
	s.link()
	s.sourceInfo()
	return nil
}

func (s *session) close() {
	if s.folder != nil {
		s.folder.Close() //nolint:errcheck // nothing was written
	}
	if s.file != nil {
		s.file.Close() //nolint:errcheck // nothing was written
	}
	if s.snapshot != nil && s.snapshot.from.file != nil && s.snapshot.from.file != s.file {
		s.snapshot.from.file.Close() //nolint:errcheck // nothing was written
	}
}

// write writes the stream. A source that changed between the phases is worked once more from the start.
func (s *session) write(ctx context.Context) error {
	for try := 0; ; try++ {
		err := s.emit(ctx)
		if err == nil || s.out == nil {
			return err
		}
		if !errors.Is(err, errChanged) || try > 0 {
			s.drop()
			return err
		}
		if err := s.anew(ctx); err != nil {
			return err
		}
	}
}

// hash is the identity of a native id within the session; never 0.
func (s *session) hash(id []byte) uint64 {
	if len(id) == 0 {
		return 0
	}
	return max(maphash.Bytes(s.seed, id), 1)
}

// hashText is hash for a string.
func (s *session) hashText(id string) uint64 {
	if id == "" {
		return 0
	}
	return max(maphash.String(s.seed, id), 1)
}

// redact leaves out what the entry names and scans again what is left.
func (s *session) redact(in entry.In, sc *scanned) {
	var omits []int
	if in == entry.InTranscript && !sc.doc.Has(jsonscan.DuplicateKey) {
		omits = s.kindOf(&sc.doc).omits
	} else {
		omits = s.cutter.omissionsIn(in)
	}
	anywhere := s.cutter.state && in == entry.InTranscript && sc.doc.Kind(s.entry.Context.Kind.One(&sc.doc, 0)) != jsonscan.String
	raw, list := s.cutter.redactBy(omits, &sc.doc, false, anywhere)
	if list == nil {
		return
	}
	again := scan(raw, nil)
	again.redacted = list
	if sc.bom {
		again.raw = append([]byte("\uFEFF"), raw...)
		again.bom = true
	}
	*sc = again
}
