package converter

import (
	"crypto/sha256"
	"math"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// flags say what an item is to its session.
type flags uint32

const (
	readable    flags = 1 << iota // a JSON object
	inContext                     // the model sees it
	compaction                    // an applied compaction
	call                          // a call of its pair rule
	open                          // a call that needs an answer
	result                        // answers calls
	separator                     // no response goes on after it
	artifact                      // never the head
	explicit                      // states its parent
	rootMark                      // states that it has none
	lineage                       // a link of it does not resolve
	onCycle                       // its parents lead back to it
	later                         // an earlier item has its pair key
	callsNamed                    // names call ids of its response
	twinOrdinal                   // another item has its ordinal
	firstMember                   // begins its response
	answered                      // a call that has a result
	loose                         // a link out of the input: listed, no file of the source
	counters                      // repeats the counters of a ledger, and there is no snapshot
)

// Places of a row's links.
const (
	none   int32 = -1 // there is none
	broken int32 = -2 // there is one, and it does not resolve
)

// noTime is the time of an item without a readable one.
const noTime = math.MinInt64

// keys are the hashes of the native ids that an item names, 0 for none. They are dropped once the items are linked.
type keys struct {
	id     uint64 // its own
	body   uint64 // the one in its body
	parent uint64
	group  uint64 // its model response
	key    uint64 // that pairs calls and results
	link   uint64 // of a result: its call
}

// row is what a session keeps of one item between its phases.
type row struct {
	sha                         [sha256.Size]byte
	size                        int64
	micros                      int64 // of its time, as if it were UTC
	ordinal                     int64
	item                        int32 // index in the listing
	up                          int32 // row of the effective parent
	parentRow                   int32 // row that the record's parent names
	response                    int32 // index of its group
	call                        int32 // row of the call that it answers
	enter, leave                int32 // its place in a walk of the tree
	projection, laterProjection int16
	pair, rule                  int8 // pair rule, and result rule of it
	primary                     record.Type
	gap                         uint8 // index in gapReasons, when it is not readable
	flags                       flags
}

func (r *row) is(f flags) bool { return r.flags&f != 0 }

// gapReasons lists the reasons of gaps that a row can have.
var gapReasons = [...]string{"", gapUnreadable, gapInvalidJSON, gapNotUTF8, gapEmpty, gapTooLarge}

func gapIndex(reason string) uint8 {
	for i, r := range gapReasons {
		if r == reason {
			return uint8(i)
		}
	}
	return 1
}

// store keeps the items of a session between its phases while they are few. It is used for one session after another.
type store struct {
	kept   []scanned
	spent  bool // too many: items are read again
	total  int
	bytes  chunks[byte]          // that items are read into
	nodes  chunks[jsonscan.Node] // that their nodes go into
	buf    []byte                // for items that are not kept
	sheet  []jsonscan.Node
	around scanned

	state  []jsonscan.Node // nodes of a snapshot
	line   []byte
	made   []byte // pieces of the records of one item
	mapped registry.Out
	facts  record.Facts
	item   emission
}

const (
	byteChunk = 1 << 20
	nodeChunk = 1 << 15
	readAhead = 64 << 10 // room that a file is read into at once
	nodeAhead = 512
)

// reset makes room for another session.
func (st *store) reset() {
	clear(st.kept)
	st.kept, st.spent, st.total, st.around, st.item = st.kept[:0], false, 0, scanned{}, emission{}
	st.bytes.reset()
	st.nodes.reset()
}

// room is a buffer to read the next item into.
func (st *store) room() []byte {
	if st.spent {
		return st.buf[:0]
	}
	return st.bytes.room(byteChunk, readAhead)
}

// took tells the store what was read into the room.
func (st *store) took(raw []byte) []byte {
	if st.spent {
		if cap(raw) > cap(st.buf) {
			st.buf = raw
		}
		return raw
	}
	return st.bytes.took(raw)
}

// tape is a buffer for the nodes of the next item.
func (st *store) tape() []jsonscan.Node {
	if st.spent {
		return st.sheet[:0]
	}
	return st.nodes.room(nodeChunk, nodeAhead)
}

// keep puts a scanned item away, unless there are too many by now.
func (st *store) keep(sc *scanned) {
	if st.spent {
		if nodes := sc.doc.Nodes; cap(nodes) > cap(st.sheet) {
			st.sheet = nodes
		}
		return
	}
	sc.doc.Nodes = st.nodes.took(sc.doc.Nodes)
	st.kept = append(st.kept, *sc)
	if st.total += len(sc.raw) + keptItem; st.total > keepBytes {
		st.spent, st.kept = true, nil
		st.bytes, st.nodes = chunks[byte]{}, chunks[jsonscan.Node]{}
	}
}

// chunks hands out pieces of a few large slices, so that many small ones cost no allocation each.
type chunks[T any] struct {
	full []([]T)
	now  []T
	free []([]T)
}

func (c *chunks[T]) room(size, ahead int) []T {
	if cap(c.now)-len(c.now) >= ahead {
		return c.now[len(c.now):]
	}
	if c.now != nil {
		c.full = append(c.full, c.now)
	}
	if n := len(c.free); n > 0 {
		c.now, c.free = c.free[n-1][:0], c.free[:n-1]
	} else {
		c.now = make([]T, 0, size)
	}
	return c.now
}

// took keeps what was written into the room. A piece that outgrew it stands in memory of its own.
func (c *chunks[T]) took(piece []T) []T {
	n := len(c.now)
	if len(piece) == 0 || cap(c.now)-n < len(piece) || &c.now[: n+1 : cap(c.now)][n] != &piece[0] {
		return piece
	}
	c.now = c.now[:n+len(piece)]
	return piece[:len(piece):len(piece)]
}

func (c *chunks[T]) reset() {
	c.free = append(c.free, c.full...)
	clear(c.full)
	c.full = c.full[:0]
	if c.now != nil {
		c.now = c.now[:0]
	}
}
