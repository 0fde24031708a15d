package validator

import (
	"hash/maphash"

	"github.com/session-trace/ctx/internal/record"
)

// Session is the session stage: it sees the facts of the records of one stream, in order, and finds what is wrong
// between them. It keeps no content, and of ids only hashes, but for links and calls that are still open.
// One goroutine may use it. What it keeps is about 40 bytes a record.
type Session struct {
	ids  ids
	rows rows
	sum  Summary
	item item

	twice      bool         // some id, or some item's bytes, stand on two records, so that counts prove nothing
	blind      bool         // some line was no record: what it was is not missed anywhere else
	first      bool         // that line was the first
	torn       bool         // that line was the last so far
	flip       bool         // the record at hand says the opposite of what the entry says about its item's kind
	duplicate  bool         // the record at hand has an id that stood before
	timeFault  bool         // the record at hand has another time than its native value
	unsound    map[int]bool // lines of records that break their schema
	stage      stage
	previous   string // bucket or path of the last tail record
	heads      int
	lasts      int
	next       int64             // the lowest ordinal that is not accounted for yet
	last       spot              // the last item of the transcript
	links      map[uint64][]link // forward links by the hash of the id they name
	forwards   bool              // some parent stands after its child
	calls      openCalls
	usage      usageCount
	summaries  int
	summarized map[uint64]bool // summaries that compactions name
	zones      zones
	evidence   bool // the last item is a gap with evidence of later ones
	lastLine   int  // of the last gap
	lastID     string
	headHash   uint64 // of the stated head, 0 none
	headNative uint64 // of headNativeId
	deep       *deep  // nil in a conversion

	uncovered            []fault
	disordered           bool
	files                int64 // of gaps, attachments and the state
	uncommitted          bool  // a torn file stands behind the last item
	transcript, snapshot bool  // there are items or gaps, and a state
	scratch              []uint64
	types                [record.Vendor + 1]int64
	losses               map[string]*Loss
}

// Loss counts one loss code over a stream.
type Loss struct {
	Count int64
	First string // id of the first record that has it
}

// Summary is what a session stage counted; a manifest's stream entry must agree with it.
type Summary struct {
	Records   int64
	Items     int64 // readable native transcript items
	Gaps      int64
	Types     map[string]int64
	Losses    map[string]Loss
	SessionID string          // of the head, "" when there is none
	Findings  record.Findings // without a stream id
}

// NewSession returns a session stage for one stream.
func NewSession() *Session {
	return &Session{
		ids:    ids{maphash.MakeSeed()},
		sum:    Summary{Types: map[string]int64{}, Losses: map[string]Loss{}},
		links:  map[uint64][]link{},
		losses: map[string]*Loss{}, summarized: map[uint64]bool{},
	}
}

// Record takes the facts of the next record. Its line number is the number of calls so far. It keeps no part of f.
func (s *Session) Record(f *record.Facts) { s.take(f, true, nil) }

// unreadable takes a line that is no record: it has a number and nothing else.
func (s *Session) unreadable() {
	s.rows.skip()
	s.sum.Records++
	s.blind, s.torn, s.first = true, true, s.first || s.sum.Records == 1
}

// take is Record. A record that breaks its schema is not sound: what it says about itself is judged there, its links here.
// x is what its native value states, nil when that is not known.
func (s *Session) take(f *record.Facts, sound bool, x *stated) {
	if sound && stageOf(f) == stageTranscript && f.Position.Ordinal < 0 && f.Position.Family == record.Transcript {
		s.unplaced(f)
		return
	}
	hash := s.ids.of(f.ID)
	index, duplicate := s.rows.add(row{hash: hash, parent: -1, open: -1, kind: f.Type, marks: marksOf(f)})
	at := place{int(index) + 1, f.ID}
	s.duplicate, s.timeFault, s.flip = duplicate, x != nil && x.timeFault, x != nil && x.contextFault
	if s.torn = false; !sound {
		s.distrust(at.line)
	}
	s.count(f)
	if duplicate && !(stageOf(f) == stageHead || stageOf(f) == stageLast) {
		s.twice, s.blind = true, true
		s.fail(ruleDuplicate, at, "id stands on line "+number(int64(s.rows.find(hash))+1)+" too, expected once in a stream")
	}
	s.order(f, at)
	s.itemRecord(f, index, at)
	if !duplicate {
		s.arrived(hash, index)
	}
	s.linksOf(f, index, at)
	if sound {
		s.checkRecord(f, at)
	}
	s.checkStream(f, at)
	if s.deep != nil && x != nil {
		s.deep.record(s, f, x, index, at)
	}
}

// unplaced takes a record of the transcript without ordinal: nothing says which item it belongs to.
func (s *Session) unplaced(f *record.Facts) {
	s.rows.skip()
	s.count(f)
	s.blind, s.torn = true, false
	s.fail(rulePosition, place{int(s.sum.Records), f.ID}, "got no ordinal on a "+f.Type.String()+", expected one")
}

// distrust remembers the line of a record that breaks its schema.
func (s *Session) distrust(line int) {
	if s.unsound == nil {
		s.unsound = map[int]bool{}
	}
	s.unsound[line] = true
}

// Close ends the stream, checks what needs all of it, and returns what was counted. The session must not be used afterwards.
func (s *Session) Close() Summary {
	s.closeItem()
	s.closeLinks()
	s.closeCalls()
	s.closeCycles()
	s.closeStream()
	if s.deep != nil {
		s.deep.close(s)
	}
	for _, t := range record.Types() {
		if n := s.types[t]; n > 0 {
			s.sum.Types[t.String()] = n
		}
	}
	for code, l := range s.losses {
		s.sum.Losses[code] = *l
	}
	return s.sum
}

func marksOf(f *record.Facts) marks {
	var m marks
	if f.Type == record.Compaction && f.CompactionPhase == "applied" {
		m |= markApplied
	}
	if f.Type == record.Message && f.Origin == "summary" {
		m |= markSummary
	}
	if f.Type == record.ToolCall && !f.NotExecutable {
		m |= markRunnable
	}
	return m
}

func (s *Session) count(f *record.Facts) {
	s.sum.Records++
	switch stageOf(f) {
	case stageTranscript:
		s.transcript = true
	case stageLast:
		s.snapshot = f.Phase == "snapshot"
		if s.snapshot {
			s.files++
		}
	case stageAttachments:
		s.files++
	}
	if int(f.Type) < len(s.types) {
		s.types[f.Type]++
	}
	if f.Type == record.Gap {
		s.sum.Gaps++
		if f.GapReason != gapMissing && f.GapReason != gapUnreadable { // what cannot be read is no file of its source
			s.files++
		}
	}
	for _, code := range f.Losses {
		l := s.losses[code]
		if l == nil {
			l = &Loss{First: clone(f.ID)}
			s.losses[clone(code)] = l // the facts are borrowed, and an assignment to a map replaces the key too
		}
		l.Count++
	}
}

// closeStream checks that the stream had its head and its tail.
func (s *Session) closeStream() {
	end := place{line: int(s.sum.Records)}
	s.closeCover()
	if s.last.gap && s.last.holders == 1 && !s.evidence && !s.uncommitted && !s.blind {
		s.fail(ruleGapCover, place{s.lastLine, s.lastID}, "got a gap at the end of the transcript without evidence of later items, expected none")
	}
	if s.heads == 0 && !s.first {
		s.fail(ruleHead, place{}, "got no head, expected a session_info of phase head on line 1")
	}
	if s.lasts == 0 && !s.torn {
		s.fail(ruleTail, end, "got no last session_info, expected one of phase snapshot or end on the last line")
	}
}
