package converter

import (
	"crypto/sha256"
	"math"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
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
)

// Places of a row's links.
const (
	none   int32 = -1 // there is none
	broken int32 = -2 // there is one, and it does not resolve
)

// noTime is the time of an item without a readable one.
const noTime = math.MinInt64

// row is what a session keeps of one item between its phases.
type row struct {
	id, body, parent, group, key, link uint64 // hashes of native ids, 0 none
	sha                                [sha256.Size]byte
	size                               int64
	micros                             int64 // of its time, as if it were UTC
	ordinal                            int64
	item                               int32 // index in the listing
	up                                 int32 // row of the effective parent
	parentRow                          int32 // row that the record's parent names
	response                           int32 // index of its group
	call                               int32 // row of the call that it answers
	enter, leave                       int32 // its place in a walk of the tree
	projection, laterProjection        int16
	pair, rule                         int8 // pair rule, and result rule of it
	primary                            record.Type
	gap                                uint8 // index in gapReasons, when it is not readable
	flags                              flags
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

// store keeps the items of a session between its phases while they are few.
type store struct {
	kept   []scanned
	bytes  []byte          // chunk that items are read into
	nodes  []jsonscan.Node // chunk that their nodes go into
	total  int
	spent  bool // too many: items are read again
	buf    []byte
	sheet  []jsonscan.Node
	around scanned
}

const (
	byteChunk = 1 << 20
	nodeChunk = 1 << 15
)

// room is a buffer to read the next item into.
func (st *store) room() []byte {
	if st.spent {
		return st.buf[:0]
	}
	if cap(st.bytes)-len(st.bytes) < 128<<10 {
		st.bytes = make([]byte, 0, byteChunk)
	}
	return st.bytes[len(st.bytes):]
}

// took tells the store what was read into the room.
func (st *store) took(raw []byte) []byte {
	if st.spent {
		if cap(raw) > cap(st.buf) {
			st.buf = raw
		}
		return raw
	}
	if n := len(st.bytes); cap(st.bytes)-n >= len(raw) && len(raw) > 0 && &st.bytes[:n+1][n] == &raw[0] {
		st.bytes = st.bytes[:n+len(raw)]
		return raw[:len(raw):len(raw)]
	}
	return raw
}

// tape is a buffer for the nodes of the next item.
func (st *store) tape() []jsonscan.Node {
	if st.spent {
		return st.sheet[:0]
	}
	if cap(st.nodes)-len(st.nodes) < 512 {
		st.nodes = make([]jsonscan.Node, 0, nodeChunk)
	}
	return st.nodes[len(st.nodes):]
}

// keep puts a scanned item away, unless there are too many by now.
func (st *store) keep(sc *scanned) {
	nodes := sc.doc.Nodes
	if st.spent {
		if cap(nodes) > cap(st.sheet) {
			st.sheet = nodes
		}
		return
	}
	if n := len(st.nodes); cap(st.nodes)-n >= len(nodes) && len(nodes) > 0 && &st.nodes[:n+1][n] == &nodes[0] {
		st.nodes = st.nodes[:n+len(nodes)]
		sc.doc.Nodes = nodes[:len(nodes):len(nodes)]
	}
	st.kept = append(st.kept, *sc)
	st.total += len(sc.raw)
	if st.total > keepBytes {
		*st = store{spent: true}
	}
}
