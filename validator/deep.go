package validator

import (
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// deep compares the records of a stream with what their native items state about each other, and works out again what
// follows from that: parents, pairs, views. It needs the lines themselves, so a conversion goes without it.
type deep struct {
	entry *entry.Entry // nil: native values are not interpreted
	items []deepItem
	byRow map[int32]int32 // index in items by row of the primary record

	now         nativeItem // what the native value of the open item states
	parts       itemParts  // the further records of the open item
	compactions []deepCompaction
	pendingView *deepCompaction // of the open item

	calls    map[uint64]uint64 // by the hash of a callId, the rules that its calls fall under; bit 0: unknown
	callKey  map[int32]uint64
	callPair map[int32]int8
	results  []deepResult

	responses map[uint64]int32 // last member of a response, as index in items
	separator int32            // the last item that is a message of user or environment
	member    uint64           // the response of the last member

	buckets map[uint64]bool
	joined  map[uint64]place // buckets that inferences name, where first
	bare    place            // the first inference with usage and without its native row
	alone   []link           // items without inference to the one that their native value names, which must not be there
	head    uint64
	headRow int32
	gaps    map[int64]bool // ordinals of unreadable files
	judged  map[int32]bool // rows whose parent is at fault in itself
	blobs   bool           // some item has its native value in a blob, or nowhere
	others  []otherParent  // records whose parent is not that of their item
	astray  bool           // some parent is at fault
	links   []deepLink     // to calls and messages
	state   ledgerState    // of the last session_info
	several bool           // some native id names several items
	foreign bool           // some name is not UTF-8: its spelling proves nothing
}

// otherParent is a record whose parent is not that of its item's primary record.
type otherParent struct {
	row     int32 // of the primary record
	at      place
	message string
}

// nativeItem is a stated of the open item that outlives its line.
type nativeItem struct {
	known        bool
	state        parentState
	parent, body uint64
	response     uint64
	key, link    uint64
	pair         int8
}

// deepItem is one readable item of the transcript.
type deepItem struct {
	row          int32 // of the primary record
	ordinal      int64
	name, body   uint64
	parent       uint64 // native
	statedParent uint64 // hash of the record's parent
	state        parentState
	anchor       bool // in context, or an applied compaction
	lineage      bool
}

func newDeep(e *entry.Entry) *deep {
	return &deep{
		entry: e, byRow: map[int32]int32{}, calls: map[uint64]uint64{}, callKey: map[int32]uint64{}, callPair: map[int32]int8{},
		responses: map[uint64]int32{}, separator: -1, headRow: -1, buckets: map[uint64]bool{}, joined: map[uint64]place{},
		gaps: map[int64]bool{}, judged: map[int32]bool{},
	}
}

// record takes one record, before its item is closed.
func (d *deep) record(s *Session, f *record.Facts, x *stated, index int32, at place) {
	switch stageOf(f) {
	case stageUsage:
		d.buckets[s.hashed(f.Bucket)] = true
	case stageLast:
		d.head, d.headRow = s.hashed(x.head), index
		d.keepLedger(f, x, at)
	case stageTranscript:
		d.transcript(s, f, x, index, at)
	}
}

func (d *deep) transcript(s *Session, f *record.Facts, x *stated, index int32, at place) {
	d.foreign = d.foreign || strings.IndexByte(f.Position.ID, '%') >= 0
	switch f.Type {
	case record.Inference:
		if x.bare && d.bare.line == 0 {
			d.bare = place{at.line, clone(at.id)}
		}
		if x.joined {
			if b := s.hashed(x.bucket); d.joined[b].line == 0 {
				d.joined[b] = place{at.line, clone(at.id)}
			}
		}
		return
	case record.Gap:
		d.gaps[f.Position.Ordinal] = true
		return
	case record.ToolCall:
		d.call(s.hashed(x.callID), x.pair, index)
	case record.Compaction:
		d.compaction(s, f, x, index)
	case record.Message:
		if f.Origin == "user" || f.Origin == "environment" {
			d.separator = int32(len(d.items))
		}
	}
	d.parts.add(s, f, x, at)
	if f.HasNative {
		d.now = nativeItem{
			known: x.known, state: x.state, parent: s.hashed(x.parent), body: s.hashed(x.body), response: s.hashed(x.response),
			key: s.hashed(x.key), link: s.hashed(x.link), pair: x.pair,
		}
		d.blobs = d.blobs || f.Blob != ""
	}
	if f.Type == record.ToolResult {
		d.result(s, f, index, f.HasNative)
	}
	if x.response != "" && f.HasNative && f.Inference == "" {
		d.alone = append(d.alone, link{from: index, own: clone(at.id), target: "inference:" + x.response})
	}
	if d.now.response != 0 && f.HasNative && f.Inference != "" {
		d.grouped(s, at)
	}
}

// grouped judges whether a member of a response follows the one before it without another turn between.
func (d *deep) grouped(s *Session, at place) {
	now := int32(len(d.items))
	last, known := d.responses[d.now.response]
	if known && (d.separator > last || d.member != d.now.response) {
		s.fail(ruleSplit, at, "got a member of a response after a message of another turn or a member of another response, expected no inference")
	}
	d.responses[d.now.response], d.member = now, d.now.response
}

// closeItem takes the item whose records have all been seen.
func (d *deep) closeItem(s *Session) {
	it, now := &s.item, d.now
	d.parts.close(s)
	d.now = nativeItem{}
	if d.pendingView != nil {
		d.closeCompaction(s)
	}
	if it.members[0].kind == record.Gap {
		return
	}
	p := s.likelyPrimary()
	if it.primary >= 0 {
		p = &it.members[it.primary]
	}
	item := deepItem{
		row: p.index, ordinal: it.spot.ordinal, name: s.hashed(string(it.spot.id)), body: now.body, parent: now.parent,
		statedParent: p.parent, state: now.state, lineage: p.losses&lossLineage != 0,
	}
	if item.name == 0 {
		item.name = item.body
	}
	item.anchor = s.rows.at(p.index).marks&markInContext != 0
	if it.primary < 0 {
		item.anchor = slices.ContainsFunc(it.members, func(m member) bool { return m.inContext })
	}
	for i := range it.members {
		item.anchor = item.anchor || s.rows.at(it.members[i].index).marks&markApplied != 0
	}
	d.byRow[p.index] = int32(len(d.items))
	d.items = append(d.items, item)
}

// close judges what needs the whole stream.
func (d *deep) close(s *Session) {
	if s.blind {
		return
	}
	d.ledger(s)
	d.closeBuckets(s)
	for _, l := range d.alone {
		if s.rows.find(s.ids.of(l.target)) >= 0 {
			s.fail(ruleInference, place{int(l.from) + 1, l.own}, "got no inference beside "+quote(l.target)+", which the native value names, expected it")
		}
	}
	ids := d.names()
	for _, i := range ids {
		d.several = d.several || i == several
	}
	if d.judges() && !d.foreign {
		d.closeTree(s, ids)
	}
	d.closeOthers(s)
	if d.entry != nil && !d.foreign {
		d.closePairs(s, ids)
		d.closeLinks(s, ids)
		d.closeForgotten(s, ids)
	}
	if !d.astray && len(d.judged) == 0 {
		d.closeViews(s)
	}
}

// clocked says whether the entry states a clock for the agent's times.
func (d *deep) clocked() bool { return d.entry != nil && d.entry.Session.Clock != "" }

// judges says whether parents are worked out again.
func (d *deep) judges() bool { return d.entry != nil && d.entry.Tree.Stated }

// closeOthers reports the records that differ from an item whose own parent is not at fault.
func (d *deep) closeOthers(s *Session) {
	for _, o := range d.others {
		if !d.judged[o.row] {
			s.fail(ruleParentShared, o.at, o.message)
		}
	}
}

// closeBuckets asks for a usage_summary of each bucket that an inference names.
func (d *deep) closeBuckets(s *Session) {
	for _, b := range sortedPlaces(d.joined) {
		if !d.buckets[b] {
			s.fail(ruleUsageRow, d.joined[b], "got a row of a bucket that has no usage_summary, expected one")
		}
	}
}
