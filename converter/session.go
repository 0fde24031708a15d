package converter

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// keepBytes bounds the item bytes that a session keeps between its two phases; beyond it items are read twice.
const keepBytes = 8 << 20

// session puts one source together. It is worked in two phases, because links point forward: index reads every item
// and keeps one row each, emit maps and links them against the rows.
type session struct {
	run    *run
	src    *source
	entry  *entry.Entry
	mapper *registry.Mapper
	cutter redactor
	limit  int64

	folder   *formats.Folder // of the items, nil when there is none
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
	snapshot *snapshot // nil without a readable one
	notKept  []string  // documents that could not be cleared of secrets, and so are not kept
	id       string    // the session's

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
	adopted    bool            // from the run before
	anew       bool            // not from the run before
	looks      survey          // what the source looked like, for the next run
	blobs      []string        // that the stream names
	found      record.Findings // all of the session, without a stream id
	named      record.Findings // those that its place among the others brings
	result     SourceResult
	checked    Checked
	count      counts
	digest     bundle.StreamDigest
	info       bundle.SourceInfo
}

type unmappedCount struct {
	first string
	count int64
}

// counts is what a stream holds, as the manifest states it.
type counts struct {
	records, gaps int64
	byType        [record.Vendor + 1]int64
	losses        map[string]bundle.Loss
}

// add counts one record.
func (c *counts) add(r *record.Record) {
	c.records++
	c.byType[r.Type]++
	if r.Type == record.Gap {
		c.gaps++
	}
	for _, code := range r.Losses {
		if c.losses == nil {
			c.losses = map[string]bundle.Loss{}
		}
		l := c.losses[code]
		if l.Count++; l.Count == 1 {
			l.First = strings.Clone(r.ID)
		}
		c.losses[code] = l
	}
}

// types are the records by the names of their types.
func (c *counts) types() map[string]int64 {
	m := map[string]int64{}
	for _, t := range record.Types() {
		if n := c.byType[t]; n > 0 {
			m[t.String()] = n
		}
	}
	return m
}

// notice notes something about a record.
func (s *session) notice(code, recordID, pointer, message string) {
	s.findings.Notice(code, recordID, pointer, message)
}

// errSkipped says that a session lies outside of what was asked for.
var errSkipped = errors.New("session not selected")

// convert works one source: anew, or from what the run before has made of it.
func (s *session) convert(ctx context.Context) error {
	defer s.close()
	if s.run.o.Update {
		s.listFiles()
		s.looks = s.survey()
		if k := s.unchanged(); k != nil && !s.anew {
			err := s.adopt(ctx, k)
			if err == nil || isOutput(err) || ctx.Err() != nil {
				return err
			}
			return s.again().convert(ctx) // the old bundle is not what it was
		}
	}
	if err := s.prepare(); err != nil {
		return err
	}
	if err := s.index(ctx); err != nil {
		return err
	}
	s.link()
	return s.write(ctx)
}

// again makes the session as it was before anything was done, and not to be adopted.
func (s *session) again() *session {
	s.drop()
	s.close()
	fresh := s.run.newSession(s.src)
	fresh.result, fresh.anew = s.result, true
	*s = *fresh
	return s
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
	if s.snapshot != nil && s.snapshot.file != nil {
		s.snapshot.file.Close() //nolint:errcheck // nothing was written
	}
}

// write writes the stream. A source that changed between the phases is worked once more from the start.
func (s *session) write(ctx context.Context) error {
	for try := 0; ; try++ {
		err := s.emit(ctx)
		if err == nil || s.out == nil {
			return err
		}
		s.out.Abort() //nolint:errcheck // the error that is returned counts
		s.out = nil
		if !errors.Is(err, errChanged) || try > 0 {
			return err
		}
		again := s.run.newSession(s.src)
		again.changed, again.result, again.looks = true, s.result, s.looks
		if err := again.prepare(); err != nil {
			return err
		}
		if err := again.index(ctx); err != nil {
			return err
		}
		again.link()
		s.close()
		*s = *again
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

// sourceFile is one file of a source.
type sourceFile struct {
	path string // relative to the source, as spelled in the bundle
	size int64
	sha  [sha256.Size]byte
}

// claim is what belongs to a source, by name.
type claim struct {
	listed      bool
	items       formats.Listing
	itemFolder  string // relative to the source, "." for the source itself
	snapshot    string // "" without one
	attachments []string
	unfinished  []string // beside the items and the snapshot, relative to the source
	markers     []marker
	files       []sourceFile // all but the items
}

type marker struct {
	path  string
	count int64
}

// prepare reads the snapshot and lists the source's files. A long session's state is the largest thing that it has, so
// it is read before there are names to hold.
func (s *session) prepare() error {
	s.listOwn()
	if err := s.readSnapshot(); err != nil {
		return err
	}
	s.listFiles()
	return s.identify()
}

// listOwn sorts the names in the source's own folder, once.
func (s *session) listOwn() {
	if s.files.itemFolder != "" {
		return
	}
	m := &s.src.match
	names := s.src.names
	s.files.itemFolder = m.Layout.Items
	if s.files.itemFolder == "." {
		s.files.items = formats.Directory(names, m.Files.Items)
		names = s.files.items.Rest
	}
	s.own(names)
}

// listFiles sorts the names in all folders of the source, once.
func (s *session) listFiles() {
	s.listOwn()
	if s.files.listed {
		return
	}
	s.files.listed = true
	s.folderTime = s.itemsTime()
	if folder := s.files.itemFolder; folder != "." {
		s.files.items = formats.Directory(s.list(folder), s.src.match.Files.Items)
		if s.promised() { // written meanwhile: a marker is put after its item, but a listing is no moment
			s.files.items = formats.Directory(s.list(folder), s.src.match.Files.Items)
		}
		s.unknownNames(s.files.items.Rest)
		s.rest(folder, s.files.items.Rest)
		s.files.items.Rest = nil
	}
	s.beside()
	format := s.src.match.Format
	for i := range format.Attachments {
		if folder := format.Attachments[i].First(); folder != "" {
			s.attachments(folder, s.list(folder))
		}
	}
}

// itemsTime is when the names in the items' folder last changed, 0 when that cannot be told.
func (s *session) itemsTime() int64 {
	at, err := s.src.root.FolderTime(path.Join(s.src.dir, s.files.itemFolder))
	if err != nil {
		return 0
	}
	return at
}

// grown notes a source that was written while it was read: what came later is not in the stream.
func (s *session) grown() {
	if !s.changed && len(s.rows) > 0 && s.itemsTime() != s.folderTime {
		s.notice(record.SourceChanged, "session", "", "got files that came or went while the source was read; the stream is what was there at the first look")
	}
}

// promised says whether a length marker states more items than are listed.
func (s *session) promised() bool {
	items := &s.files.items
	last := int64(-1)
	if n := len(items.Items); n > 0 {
		last = items.Items[n-1].Ordinal
	}
	return slices.ContainsFunc(items.Markers, func(m formats.Mark) bool { return m.Count > last+1 })
}

// unknownNames notes names that begin like an item's and are none: the writer would have counted them.
func (s *session) unknownNames(names []formats.Name) {
	begin, _, _ := strings.Cut(s.src.match.Format.Items.Name, "{")
	var odd []formats.Name
	for _, n := range names {
		if begin != "" && strings.HasPrefix(n.Name, begin) {
			odd = append(odd, n)
		}
	}
	if len(odd) > 0 {
		s.notice(record.NameUnknown, "session", "",
			fmt.Sprintf("got %d names that begin like an item's and are none, such as %s; not read", len(odd), quote(spellName(odd[0].Name))))
	}
}

// list is the names of a folder of the source; none when it is not there.
func (s *session) list(folder string) []formats.Name {
	for _, n := range s.src.names {
		if n.Name == folder && n.Kind == formats.KindFolder {
			names, err := s.src.root.List(path.Join(s.src.dir, folder))
			if err != nil {
				s.loose.add(s.spelled(folder), reasonUnreadable, 0, 0)
			}
			return names
		}
	}
	return nil
}

// spelled is the bundle's spelling of a path below the source.
func (s *session) spelled(below string) string {
	if below == "." {
		return s.src.path
	}
	return path.Join(s.src.path, spellPath(below))
}

// beside notes what lies beside the items: markers, unfinished writes, odd names.
func (s *session) beside() {
	c := &s.files
	for _, m := range c.items.Markers {
		c.markers = append(c.markers, marker{path.Join(c.itemFolder, m.Name), m.Count})
	}
	for _, m := range c.items.Unfinished {
		c.unfinished = append(c.unfinished, path.Join(c.itemFolder, m.Name))
	}
	for _, n := range c.items.Odd {
		c.attachments = append(c.attachments, path.Join(c.itemFolder, n.Name))
		s.notice(record.OddFile, "file:"+spellPath(path.Join(c.itemFolder, n.Name)), "",
			fmt.Sprintf("got an ordinal above 2^53-1 in %s, kept as an attachment", quote(n.Name)))
	}
}

// own sorts the names in the source's own folder.
func (s *session) own(names []formats.Name) {
	m, c := &s.src.match, &s.files
	for _, n := range names {
		switch {
		case n.Kind == formats.KindFolder:
		case n.Name == m.Layout.Snapshot && n.Kind != formats.KindOdd:
			c.snapshot = n.Name
		case s.isUnfinished(n.Name) && n.Kind != formats.KindOdd:
			c.unfinished = append(c.unfinished, n.Name)
		case s.isAttachment(n.Name) && n.Kind != formats.KindOdd:
			c.attachments = append(c.attachments, n.Name)
		case s.isIgnored(n.Name):
		default:
			s.looseFile(n.Name, n)
		}
	}
}

func (s *session) isUnfinished(name string) bool {
	for _, p := range s.src.match.Files.Document {
		if _, ok := p.Match(name); ok {
			return true
		}
	}
	return false
}

func (s *session) isAttachment(below string) bool {
	for i := range s.src.match.Format.Attachments {
		if s.src.match.Format.Attachments[i].Match(below) {
			return true
		}
	}
	return false
}

func (s *session) isIgnored(below string) bool {
	for i := range s.src.match.Format.Ignore {
		if s.src.match.Format.Ignore[i].Match(below) {
			return true
		}
	}
	return false
}

// attachments sorts the names of a folder whose files are attachments.
func (s *session) attachments(folder string, names []formats.Name) {
	var rest []formats.Name
	for _, n := range names {
		below := path.Join(folder, n.Name)
		if n.Kind != formats.KindFolder && n.Kind != formats.KindOdd && s.isAttachment(below) {
			s.files.attachments = append(s.files.attachments, below)
			continue
		}
		rest = append(rest, n)
	}
	s.rest(folder, rest)
}

// rest lists names below a folder of the source that belong to nothing.
func (s *session) rest(folder string, names []formats.Name) {
	for _, n := range names {
		below := path.Join(folder, n.Name)
		if n.Kind == formats.KindFolder {
			sub, err := s.src.root.List(path.Join(s.src.dir, below))
			if err != nil {
				s.loose.add(s.spelled(below), reasonUnreadable, 0, 0)
			}
			s.rest(below, sub)
			continue
		}
		s.looseFile(below, n)
	}
}

func (s *session) looseFile(below string, n formats.Name) {
	reason := reasonNoEntry
	if s.src.forbids(below) || s.run.finder.forbidden(path.Join(s.src.dir, below), nil) {
		reason = reasonNotOpened
	}
	noteFile(s.loose, &s.findings, s.src.root, s.src.from.spelled, path.Join(s.src.dir, below), n, reason)
}

// readDocument reads and hashes one file of the source that is no item.
func (s *session) readDocument(below string) ([]byte, error) {
	raw, err := s.src.root.Read(path.Join(s.src.dir, below), nil, s.limit)
	if err != nil {
		return nil, err
	}
	s.files.files = append(s.files.files, sourceFile{spellPath(below), int64(len(raw)), sha256.Sum256(raw)})
	return raw, nil
}

// redact leaves out what the entry names and scans again what is left.
func (s *session) redact(in entry.In, sc *scanned) {
	var omits []int
	if in == entry.InTranscript {
		omits = s.kindOf(&sc.doc).omits
	} else {
		omits = s.cutter.omissionsIn(in)
	}
	raw, list := s.cutter.redactBy(in, omits, &sc.doc, false)
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
