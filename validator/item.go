package validator

import (
	"bytes"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// spot is where an item stands among others.
type spot struct {
	ordinal int64
	id      []byte // the id in its name; reused
	time    []byte // as spelled; reused
	gap     bool   // an unreadable file
	missing bool   // a gap of missing items
	holders int    // items seen at this ordinal
}

// item is the records of one native item of the transcript, as far as they were seen. Its buffers are reused.
type item struct {
	open    bool
	spot    spot
	ahead   bool // only an inference was seen so far
	doubt   doubt
	members []member
	text    []byte // the ids of the members
	primary int    // index of the member that carries native, -1 none
	// timeKnown says that the primary's time is that of its native value, as far as that is known.
	timeKnown bool
	links     []link // that name one of its members
}

// doubt is a record after an inference that names it and stands elsewhere; the next record says which of them is wrong.
type doubt struct {
	at      place // line 0: none
	ordinal int64
	id      string
}

// member is one record of an item.
type member struct {
	index      int32
	start, end int // its id in item.text
	kind       record.Type
	rank       int
	parent     uint64 // hashes, 0 none
	inference  uint64
	summary    uint64 // compaction.summary
	hash       uint64
	time       uint64
	losses     losses
	implied    losses
	allowed    losses // that nothing implies, and that are no further fault
	inContext  bool
	isSummary  bool // a message of origin summary
	hasOffset  bool
	outOf      bool // context:false
	twice      bool // its id stood before
	bounded    bool // a compaction with a boundary
}

func (it *item) id(m *member) string { return string(it.text[m.start:m.end]) }

// itemRecord hands a record of the transcript to its item and closes the item before it.
func (s *Session) itemRecord(f *record.Facts, index int32, at place) {
	if stageOf(f) != stageTranscript {
		s.closeItem()
		return
	}
	s.settle(f)
	if !s.continues(f) && !s.strayed(f, at) {
		s.closeItem()
		s.openItem(f, at)
	}
	if s.item.ahead && f.Type != record.Inference && s.item.doubt.at.line == 0 {
		s.item.ahead = false
		s.follow(f, at)
	}
	s.addMember(f, index, at)
}

// continues says whether a record belongs to the open item: same ordinal and name, and once the primary is known, named after it.
func (s *Session) continues(f *record.Facts) bool {
	it := &s.item
	if !it.open || f.Type == record.Gap || it.spot.gap || f.Position.Ordinal != it.spot.ordinal || f.Position.ID != string(it.spot.id) {
		return false
	}
	if it.primary < 0 {
		return true
	}
	return f.Type != record.Inference && (derived(f.ID, it.base()) || f.ID == string(it.spot.id) && f.ID == ownID(string(it.base())))
}

// strayed says whether a record belongs to the open item by its id and stands at another position.
func (s *Session) strayed(f *record.Facts, at place) bool {
	it := &s.item
	if !it.open || it.spot.gap || f.Type == record.Gap || f.Type == record.Inference || s.duplicate {
		return false
	}
	if it.primary >= 0 {
		if f.HasNative || f.ID == string(it.base()) || !derived(f.ID, it.base()) {
			return false
		}
		s.fail(rulePosition, at, "got another position than the item of "+quote(string(it.base()))+", expected the same for all records of an item")
		return true
	}
	last := &it.members[len(it.members)-1]
	if last.kind == record.Inference && s.hashed(f.Inference) == last.hash|1<<63 {
		if it.doubt = (doubt{place{at.line, clone(at.id)}, f.Position.Ordinal, clone(f.Position.ID)}); f.HasNative {
			s.settle(f)
		}
		return true
	}
	if last.kind == record.Inference ||
		last.kind != record.Inference && ownID(it.id(last)) != ownID(f.ID) {
		return false
	}
	s.fail(rulePosition, at, "got another position than "+quote(it.id(last))+", expected the same for all records of an item")
	if f.Position.ID != "" && f.HasNative {
		it.spot.id = append(it.spot.id[:0], f.Position.ID...)
	}
	return true
}

// settle decides between an inference and the record after it, at the next record or the item's end.
func (s *Session) settle(next *record.Facts) {
	it := &s.item
	d := it.doubt
	if !it.open || d.at.line == 0 {
		return
	}
	it.doubt = doubt{}
	if next != nil && next.Position.Ordinal == it.spot.ordinal && next.Position.ID == string(it.spot.id) {
		s.fail(rulePosition, d.at, "got another position than its inference and the item have, expected the same for all records of an item")
		return
	}
	s.fail(ruleInference, s.placeOf(&it.members[0]), "got another position than its first member has, expected the same")
	it.spot.ordinal, it.spot.id = d.ordinal, append(it.spot.id[:0], d.id...)
}

// ownID is the id of the item that a record's id is made from.
func ownID(id string) string {
	if n := strings.LastIndexByte(id, '#'); n > 0 {
		return id[:n]
	}
	return strings.TrimSuffix(id, "-summary")
}

// base is the id of the item's primary record.
func (it *item) base() []byte {
	p := &it.members[it.primary]
	return it.text[p.start:p.end]
}

// derived says whether an id is made from base, that of a primary record.
func derived[T string | []byte](id T, base []byte) bool {
	if len(id) < len(base) || string(id[:len(base)]) != string(base) {
		return false
	}
	rest := id[len(base):]
	if len(rest) == 0 || string(rest) == "-summary" {
		return true
	}
	if rest[0] != '#' {
		return false
	}
	for i := 1; i < len(rest); i++ {
		if rest[i] == '#' || rest[i] == '~' { // of an item whose own id holds a #
			return false
		}
	}
	return true
}

func (s *Session) openItem(f *record.Facts, at place) {
	it := &s.item
	it.open, it.primary, it.timeKnown, it.doubt = true, -1, false, doubt{}
	it.members, it.text, it.links = it.members[:0], it.text[:0], it.links[:0]
	it.spot.ordinal, it.spot.gap = f.Position.Ordinal, f.Type == record.Gap
	it.spot.id = append(it.spot.id[:0], f.Position.ID...)
	it.spot.time = append(it.spot.time[:0], f.Time...)
	if it.ahead = f.Type == record.Inference; it.ahead { // its first member says where the item is
		return
	}
	s.follow(f, at)
}

func (s *Session) addMember(f *record.Facts, index int32, at place) {
	it := &s.item
	start := len(it.text)
	it.text = append(it.text, f.ID...)
	m := member{
		index: index, start: start, end: len(it.text), kind: f.Type, rank: s.rank(f), hash: s.ids.of(f.ID),
		parent: s.hashed(f.Parent), inference: s.hashed(f.Inference), summary: s.hashed(f.Summary), time: s.hashed(f.Time),
		losses: lossesOf(f), implied: impliedByItem(f), allowed: allowedByItem(f), inContext: record.ContextByDefault(f.Type) && f.OutOfContext == s.flip,
		isSummary: f.Type == record.Message && f.Origin == "summary", hasOffset: f.HasOffset, outOf: f.OutOfContext,
		twice: s.duplicate, bounded: f.BoundaryAt != "" || f.AtStart,
	}
	named := func(o member) bool { return f.Type == record.Inference && o.inference == m.hash|1<<63 }
	if n := len(it.members); n > 0 && m.rank < it.members[n-1].rank && !slices.ContainsFunc(it.members, named) {
		s.fail(ruleOrder, at, "got a "+f.Type.String()+" after a "+it.members[n-1].kind.String()+" of one item, expected before")
	}
	if f.HasNative && f.Type != record.Inference {
		if p := it.primary; p >= 0 && s.duplicate { // the rule record-id-duplicate says so
		} else if p >= 0 && f.ID == string(it.spot.id) && it.id(&it.members[p]) != f.ID {
			s.twice = true
			s.fail(ruleNativeRepeated, s.placeOf(&it.members[p]), "got native on a further record of the item, expected it on "+quote(f.ID)+" alone")
			it.primary, it.timeKnown = len(it.members), !s.timeFault && !s.unsound[at.line]
			s.rows.at(index).marks |= markPrimary
		} else if p >= 0 {
			s.twice = true
			s.fail(ruleNativeRepeated, at, "got native on a second record of the item, expected it on "+quote(it.id(&it.members[it.primary]))+" alone")
		} else {
			it.primary, it.timeKnown = len(it.members), !s.timeFault && !s.unsound[at.line]
			s.rows.at(index).marks |= markPrimary
		}
	}
	it.members = append(it.members, m)
}

// hashed is the hash of a text, 0 for the empty one.
func (s *Session) hashed(text string) uint64 {
	if text == "" {
		return 0
	}
	return s.ids.of(text) | 1<<63
}

// rank is the place of a record's type within an item; a summary follows its compaction.
func (s *Session) rank(f *record.Facts) int {
	if f.Type == record.Message && strings.HasSuffix(f.ID, "-summary") {
		for i := range s.item.members {
			if s.item.members[i].kind == record.Compaction {
				return summaryRank
			}
		}
	}
	return record.OrderInItem(f.Type)
}

// summaryRank lies between a compaction and a decision.
const summaryRank = 6

// follow checks an item's place after the one before it, and that no ordinal between them is left unsaid.
func (s *Session) follow(f *record.Facts, at place) {
	now, before := &s.item.spot, &s.last
	missing := f.Type == record.Gap && f.GapReason == gapMissing
	first := before.holders == 0
	switch {
	case now.ordinal < 0: // the rule position says so
		return
	case !first && now.ordinal < before.ordinal:
		s.disordered = true
		s.fail(ruleOrder, at, "got ordinal "+number(now.ordinal)+" after "+number(before.ordinal)+", expected ascending ordinals")
		return
	case now.ordinal > s.next && !s.blind:
		s.uncover(at, "got neither item nor gap from ordinal "+number(s.next)+" to "+number(now.ordinal-1)+", expected one")
	case before.missing && now.ordinal < s.next:
		s.fail(ruleGapCover, place{s.lastLine, s.lastID}, "got a gap of missing items over ordinal "+number(now.ordinal)+", which has an item")
	case missing && now.ordinal < s.next:
		s.fail(ruleGapCover, at, "got a gap of missing items from ordinal "+number(now.ordinal)+", expected none below "+number(s.next))
	}
	holders := 1
	if !first && now.ordinal == before.ordinal && !missing {
		holders = before.holders + 1
		s.sameOrdinal(before, now, at)
	}
	if holders == 2 {
		s.note(record.OrdinalDuplicate, at, "ordinal "+number(now.ordinal)+" is held by more than one file")
	}
	if missing && before.missing && now.ordinal == s.next {
		s.fail(ruleGapCover, at, "got a gap of missing items right after another, expected one with through")
	}
	s.next = max(s.next, now.ordinal+1, f.Position.Through+1)
	if f.Type == record.Gap {
		s.lastLine, s.lastID = at.line, clone(at.id)
	}
	before.missing, s.evidence = missing, slices.Contains(f.Meta, record.Own+"gapEvidence")
	before.ordinal, before.gap, before.holders = now.ordinal, now.gap, holders
	before.id, before.time = append(before.id[:0], now.id...), append(before.time[:0], now.time...)
}

// uncover notes ordinals that are left unsaid; in a stream out of order that is no further fault.
func (s *Session) uncover(at place, message string) {
	s.uncovered = append(s.uncovered, fault{place{at.line, clone(at.id)}, message})
}

// fault is a finding that later records may make void.
type fault struct {
	at      place
	message string
}

func (s *Session) closeCover() {
	if s.disordered {
		return
	}
	for _, f := range s.uncovered {
		s.fail(ruleGapCover, f.at, f.message)
	}
}

// sameOrdinal checks the order of two items at one ordinal: by time as text, then by the id in their name.
// A readable item without time was ordered by a text that its records do not show.
func (s *Session) sameOrdinal(before, now *spot, at place) {
	if (!before.gap && len(before.time) == 0) || (!now.gap && len(now.time) == 0) {
		return
	}
	c := bytes.Compare(before.time, now.time)
	if c > 0 || c == 0 && bytes.Compare(before.id, now.id) > 0 {
		s.fail(ruleOrder, at, "got an item of an earlier time or name after a later one at ordinal "+number(now.ordinal)+", expected before")
	}
}
