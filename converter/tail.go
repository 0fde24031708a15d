package converter

import (
	"fmt"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// tail judges the end of the transcript: whether its last file is uncommitted, and whether later items are proven.
func (s *session) tail() {
	s.torn = none
	last := int64(-1)
	if n := len(s.rows); n > 0 {
		last = s.rows[n-1].ordinal
	}
	proven := s.markers(last)
	n := int32(len(s.rows)) - 1
	switch {
	case n < 0 || s.rows[n].is(readable) || s.rows[n].is(twinOrdinal) || proven:
	case s.files.one != "" && s.pieces.List[n].Whole: // what ends is committed, whatever it is
	default:
		s.torn = n
	}
}

// markers holds the length markers against the items. They prove items beyond the last one.
func (s *session) markers(last int64) (proven bool) {
	most := int64(0)
	for _, m := range s.files.markers {
		most = max(most, m.count)
		if m.count < last+1 {
			s.notice(record.LengthMarkerBehind, s.lastID(), "", fmt.Sprintf("got a length marker of %d items where %d are there", m.count, last+1))
		}
	}
	if most <= last+1 {
		return false
	}
	s.tailHole = &formats.Hole{First: last + 1, Last: most - 1}
	s.evidence = string(record.AppendInt([]byte(`{"lengthMarker":`), most)) + "}"
	return true
}

// hasGap says whether some committed item is missing or unreadable.
func (s *session) hasGap() bool {
	if len(s.files.items.Holes) > 0 || s.tailHole != nil {
		return true
	}
	for i := range s.rows {
		if !s.rows[i].is(readable) {
			return true
		}
	}
	return false
}

// head finds the row that the snapshot names as the current leaf.
func (s *session) head() {
	s.headRow = none
	t := &s.entry.Tree
	if s.snapshot == nil || !t.HasHead {
		return
	}
	leaf := s.snapshot.leaf
	if leaf == "" {
		return
	}
	i, found, several := s.find(s.hashText(leaf))
	switch {
	case found:
		s.headRow = i
		s.lag()
	case several:
		s.headID, s.headLost = leaf, true
	default:
		s.headID = leaf
		if !s.hasGap() && s.torn < 0 {
			s.proveHead()
		}
	}
}

// oddities notes what a reader should know of the log as a whole: a branch that leaves out the beginning, and times that
// run backwards where the model's own records do.
func (s *session) oddities() {
	first, seen, reached, backwards := none, 0, 0, 0
	last := int64(noTime)
	for i := range s.rows {
		r := &s.rows[i]
		if !r.is(inContext) {
			continue
		}
		seen++
		if first < 0 {
			first = int32(i)
		}
		if s.headRow >= 0 && s.above(int32(i), s.headRow) {
			reached++
		}
		if r.micros != noTime {
			if last != noTime && r.micros < last {
				backwards++
			}
			last = r.micros
		}
	}
	if s.headRow >= 0 && first >= 0 && !s.chainBroken(s.headRow) && s.rootOf(first) != s.rootOf(s.headRow) {
		s.notice(record.RootUnreached, s.lastID(), "",
			fmt.Sprintf("got a branch that begins anew: it reaches %d of %d items that the model saw", reached, seen))
	}
	if backwards > 0 {
		s.notice(record.TimeBackwards, s.lastID(), "", fmt.Sprintf("got %d items with times before that of the item before them", backwards))
	}
}

// rootOf is the topmost ancestor that the model saw.
func (s *session) rootOf(i int32) int32 {
	for s.rows[i].parentRow >= 0 {
		i = s.rows[i].parentRow
	}
	return i
}

// proveHead states a gap of at least one item at the end: the head names an item that is nowhere.
func (s *session) proveHead() {
	next := int64(0)
	if n := len(s.rows); n > 0 {
		next = s.rows[n-1].ordinal + 1
	}
	s.tailHole = &formats.Hole{First: next, Last: next}
	s.evidence = `{"head":true,"atLeast":1}`
}

// lag notes a head that stands above the last item of the log: the state was not saved after it.
func (s *session) lag() {
	for i := int32(len(s.rows)) - 1; i >= 0; i-- {
		r := &s.rows[i]
		if !r.is(readable) || r.is(artifact) {
			continue
		}
		if i != s.headRow && s.above(s.headRow, i) {
			s.notice(record.HeadLags, s.lastID(), "", "got a head above the last item of its branch, the state is older than the log")
		}
		return
	}
}

// identify finds the session's id: the first place of the entry that names it.
func (s *session) identify() error {
	var ids []string
	for i := range s.entry.Session.IDs {
		if id := s.idFrom(&s.entry.Session.IDs[i]); id != "" {
			ids = append(ids, id)
			if s.id == "" {
				s.id = id
			}
		}
	}
	if s.id == "" || !usableID(s.id) {
		return fmt.Errorf("%s: %w: got %s", s.src.label(), errSessionID, quote(s.id))
	}
	for _, other := range ids {
		if !s.sameID(s.id, other) && len(s.bare(other)) == len(s.bare(s.id)) {
			s.notice(record.IDDisagreement, s.lastID(), "", fmt.Sprintf("got ids %s and %s for one session, the first one counts", quote(s.id), quote(other)))
			break
		}
	}
	return nil
}

func (s *session) idFrom(from *entry.IDSource) string {
	switch {
	case from.Folder:
		if id := s.idInItem(); id != "" {
			return id
		}
		return record.SpellName(s.src.key)
	case from.Snapshot:
		if s.snapshot == nil {
			return ""
		}
		return s.snapshot.id
	case from.Document:
		return s.idInDocument(from)
	default:
		return s.idInFile(from)
	}
}

// idInFile reads an id from an attachment.
func (s *session) idInFile(from *entry.IDSource) string {
	for _, name := range s.files.attachments {
		if name != from.File {
			continue
		}
		raw, err := s.src.root.Read(s.src.dir+"/"+name, nil, s.limit)
		if err != nil {
			return ""
		}
		if sc := scan(raw, nil); sc.problem == "" {
			return string(text(&sc.doc, &from.Path))
		}
	}
	return ""
}

// usableID says whether an id can name a session: it must not name a place in a file system.
func usableID(id string) bool {
	if id == "." || id == ".." {
		return false
	}
	for i := range len(id) {
		if id[i] == '/' || id[i] == '\\' || id[i] == 0 {
			return false
		}
	}
	return id != ""
}

func (s *session) sameID(a, b string) bool { return s.bare(a) == s.bare(b) }

// bare is an id as it is compared.
func (s *session) bare(id string) string {
	if s.entry.Session.WithoutDashes {
		return withoutDashes(id)
	}
	return id
}

func withoutDashes(id string) string {
	out := make([]byte, 0, len(id))
	for i := range len(id) {
		if id[i] != '-' {
			out = append(out, id[i])
		}
	}
	return string(out)
}

// item is the scanned item of a row: kept, or read once more. It is valid until the next call.
func (s *session) item(i int32) (*scanned, error) {
	if !s.store.spent {
		return &s.store.kept[i], nil
	}
	r := s.rows[i]
	s.taken = 0
	sc, err := s.read(&r)
	if err != nil {
		return nil, err
	}
	if r.sha != s.rows[i].sha || r.size != s.rows[i].size {
		return nil, errChanged
	}
	s.store.keep(sc)
	return sc, nil
}
