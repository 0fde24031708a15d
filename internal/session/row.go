package session

import (
	"hash/maphash"

	"github.com/session-trace/ctx/internal/record"
)

// rowFlags say what a record is.
type rowFlags uint8

const (
	primary        rowFlags = 1 << iota // carries the native bytes of its item
	inContext                           // the model sees it
	memberOnBranch                      // an inference of which a member is on the active branch
	summaryText                         // the summary of a compaction
)

// row is what is kept of one record.
type row struct {
	offset                  int64 // of its line in the stream
	ordinal                 int64
	size                    int32 // of its line
	name, nameLen           uint32
	item                    int32
	parent, inference, call int32
	kind                    record.Type
	flags                   rowFlags
}

func (r *row) is(f rowFlags) bool { return r.flags&f != 0 }

// itemFlags say what an item is to its session.
type itemFlags uint16

const (
	readable   itemFlags = 1 << iota // a JSON object
	judged                           // its native bytes could be read
	seen                             // in context: some record of it is
	rootMark                         // states that it has no parent
	explicit                         // states its parent
	compaction                       // an applied compaction
	call                             // a call of its pair rule
	open                             // a call that needs an answer
	result                           // answers calls
	starts                           // begins a loop
	neverHead                        // of a kind that is not the head unless it is stated
	grouped                          // has a group key
	keyed                            // has a pair key
	linkFirst                        // a result that names its call by id before it does by key
)

// Places of an item's links, beside indices.
const (
	none   int32 = -1 // there is none
	broken int32 = -2 // there is one, and it does not resolve
)

// item is what is kept of one native item. The hashes are of native ids and keys, 0 for none.
type item struct {
	ordinal             int64
	id, body, up64      uint64 // its own id, the one in its body, its parent's
	group, key, link    uint64
	first, end, primary int32 // records
	up                  int32 // item of the effective parent
	pair, rule          int8
	flags               itemFlags
}

func (t *item) is(f itemFlags) bool { return t.flags&f != 0 }

// hash is the hash of a native id, 0 for an empty one.
func (s *Session) hash(text []byte) uint64 {
	if len(text) == 0 {
		return 0
	}
	return maphash.Bytes(s.seed, text) | 1
}
