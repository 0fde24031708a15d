package session

// blockSize is the length at which a block of a sequence is split.
const blockSize = 1024

// sequence is a list with cheap insertion at an index and removal by value, in blocks.
type sequence struct {
	blocks []*block
	where  map[element]*block
	size   int

	summaries map[element]bool // those of compactions among the elements
}

type block struct{ list []element }

func newSequence() *sequence {
	return &sequence{where: map[element]*block{}, summaries: map[element]bool{}}
}

func (q *sequence) push(e element) { q.insert(q.size, e) }

// insert puts a new element before the one at an index, or at the end.
func (q *sequence) insert(at int, e element) {
	q.size++
	if len(q.blocks) == 0 {
		q.blocks = append(q.blocks, &block{})
	}
	n := len(q.blocks) - 1
	if at < q.size-1 {
		for n = 0; at > len(q.blocks[n].list); n++ {
			at -= len(q.blocks[n].list)
		}
	} else {
		at = len(q.blocks[n].list)
	}
	b := q.blocks[n]
	b.list = append(b.list, 0)
	copy(b.list[at+1:], b.list[at:])
	b.list[at] = e
	q.where[e] = b
	if e.isSummary() {
		q.summaries[e] = true
	}
	if len(b.list) > blockSize {
		q.split(n)
	}
}

func (q *sequence) split(n int) {
	b := q.blocks[n]
	half := len(b.list) / 2
	if n == len(q.blocks)-1 {
		half = len(b.list) - 1 // lists mostly grow at the end: leave full blocks behind
	}
	next := &block{list: append(make([]element, 0, blockSize+1), b.list[half:]...)}
	b.list = b.list[:half]
	for _, e := range next.list {
		q.where[e] = next
	}
	q.blocks = append(q.blocks, nil)
	copy(q.blocks[n+2:], q.blocks[n+1:])
	q.blocks[n+1] = next
}

// remove takes elements out; those that are not there are passed over.
func (q *sequence) remove(list []element) {
	touched := map[*block]bool{}
	gone := map[element]bool{}
	for _, e := range list {
		if b := q.where[e]; b != nil {
			touched[b], gone[e] = true, true
			delete(q.where, e)
			delete(q.summaries, e)
		}
	}
	if len(gone) == 0 {
		return
	}
	emptied := false
	for b := range touched {
		kept := b.list[:0]
		for _, e := range b.list {
			if !gone[e] {
				kept = append(kept, e)
			}
		}
		b.list = kept
		emptied = emptied || len(kept) == 0
	}
	q.size -= len(gone)
	if emptied {
		full := q.blocks[:0]
		for _, b := range q.blocks {
			if len(b.list) > 0 {
				full = append(full, b)
			}
		}
		clear(q.blocks[len(full):])
		q.blocks = full
	}
}

// all is the list in a slice of its own.
func (q *sequence) all() []element {
	list := make([]element, 0, q.size)
	for _, b := range q.blocks {
		list = append(list, b.list...)
	}
	return list
}
