package jsonscan

import (
	"math"
	"slices"
	"unicode/utf8"
)

// DefaultMaxDepth is the nesting that Scan accepts when Options does not say.
const DefaultMaxDepth = 10_000

// noNode is the parent of the root.
const noNode = math.MaxUint32

// Options widens or narrows what Scan accepts and builds.
type Options struct {
	MaxDepth  int  // deepest nesting accepted, DefaultMaxDepth when not positive
	NonFinite bool // accept the tokens NaN, Infinity and -Infinity, else they are syntax errors
	NoTape    bool // only verdicts: Nodes stays empty, and memory is bounded by the members of open objects
}

// Scan scans one document with optional JSON white space around it. The document borrows raw and
// takes over the backing array of nodes, which also returns, empty, with an error; with enough
// room there Scan allocates nothing unless an object has more than 256 members or an escaped name.
// The error is an *Error.
func Scan(raw []byte, nodes []Node, o Options) (Doc, error) {
	s := scanner{raw: raw, nodes: nodes[:0], cur: noNode, noTape: o.NoTape, nonFinite: o.NonFinite}
	s.firstDuplicate, s.firstSurrogate, s.firstUnsafe = -1, -1, -1
	s.maxDepth = o.MaxDepth
	if s.maxDepth <= 0 {
		s.maxDepth = DefaultMaxDepth
	}
	s.document()
	if s.reason != 0 {
		return Doc{Raw: raw, Nodes: s.nodes[:0], FirstDuplicate: -1, FirstSurrogate: -1, FirstUnsafe: -1},
			&Error{Offset: s.fault, Reason: s.reason}
	}
	d := Doc{
		Raw: raw, Nodes: s.nodes, Flags: s.flags, Depth: s.deepest,
		FirstDuplicate: s.firstDuplicate, FirstSurrogate: s.firstSurrogate, FirstUnsafe: s.firstUnsafe,
	}
	if s.noTape {
		d.Nodes, d.FirstDuplicate, d.FirstSurrogate, d.FirstUnsafe = s.nodes[:0], -1, -1, -1
	}
	return d, nil
}

// scanner is the state of one Scan. The position is not in it: the methods take and return it, so
// that it stays in a register; a negative one means that fault and reason are set.
type scanner struct {
	raw    []byte
	nodes  []Node // while a container is open its Next is its parent
	cur    uint32 // the innermost open container, noNode outside the root
	closer byte   // the byte that closes it

	keyStart, keyEnd uint32 // the name of the value to come

	depth, deepest, maxDepth int
	noTape, nonFinite        bool

	flags                                       Flags
	firstDuplicate, firstSurrogate, firstUnsafe int

	fault  int
	reason Reason

	names nameTable
}

// at returns the byte at pos, and 0, which no token begins with, after the end.
func at(raw []byte, pos int) byte {
	if uint(pos) < uint(len(raw)) {
		return raw[pos]
	}
	return 0
}

func (s *scanner) fail(pos int, r Reason) int {
	if r == Syntax && at(s.raw, pos) >= utf8.RuneSelf && runeLen(s.raw, pos) == 0 {
		r = UTF8
	}
	s.fault, s.reason = pos, r
	return -1
}

func (s *scanner) document() {
	if limit := uint64(math.MaxUint32); uint64(len(s.raw)) > limit {
		s.fail(int(limit), Size)
		return
	}
	pos := s.space(0)
	if pos == len(s.raw) {
		s.fail(pos, Empty)
		return
	}
	for more := true; more && pos >= 0; {
		var opened bool
		if pos, opened = s.value(pos); !opened {
			pos, more = s.rest(pos)
		}
	}
	if pos >= 0 && pos < len(s.raw) {
		s.fail(pos, Trailing)
	}
}

// value scans the value at pos and returns the position after it or, when it opened a container
// that is not empty, the position of the first value inside.
func (s *scanner) value(pos int) (next int, opened bool) {
	switch c := at(s.raw, pos); {
	case c == '"':
		return s.add(pos, s.text(pos, false)), false
	case c == '{' || c == '[':
		return s.open(pos, c)
	case c == '-' || c-'0' <= 9:
		return s.add(pos, s.number(pos)), false
	default:
		return s.add(pos, s.word(pos)), false
	}
}

// add puts a scalar on the tape. Without a tape only members are kept, for their names.
func (s *scanner) add(start, end int) int {
	if end >= 0 && (!s.noTape || s.closer == '}') {
		s.push(start, end, uint32(len(s.nodes)+1))
	}
	return end
}

// push appends a node member by member: to build it elsewhere and copy it takes twice the time.
func (s *scanner) push(start, end int, next uint32) {
	i := len(s.nodes)
	if i == cap(s.nodes) {
		s.nodes = slices.Grow(s.nodes, 1)
	}
	s.nodes = s.nodes[:i+1]
	n := &s.nodes[i]
	n.Start, n.End = uint32(start), uint32(end)
	n.KeyStart, n.KeyEnd = s.keyStart, s.keyEnd
	n.Next = next
}

func (s *scanner) open(pos int, c byte) (next int, opened bool) {
	if s.depth == s.maxDepth {
		return s.fail(pos, Depth), false
	}
	s.depth++
	s.deepest = max(s.deepest, s.depth)
	s.push(pos, 0, s.cur)
	s.cur, s.closer = uint32(len(s.nodes)-1), c+2 // in ASCII '}' and ']' stand two after their openers
	pos = s.skip(pos + 1)
	if at(s.raw, pos) == s.closer {
		return s.close(pos), false
	}
	return s.name(pos), true
}

// close ends the innermost container at its closing byte.
func (s *scanner) close(pos int) int {
	i := s.cur
	if s.closer == '}' {
		s.checkNames(int(i))
	}
	n := &s.nodes[i]
	s.cur, s.closer = n.Next, 0
	if s.cur != noNode {
		s.closer = s.raw[s.nodes[s.cur].Start] + 2
	}
	s.depth--
	if s.noTape {
		s.nodes = s.nodes[:i+1]
	}
	n.End, n.Next = uint32(pos+1), uint32(len(s.nodes))
	if s.noTape && s.closer != '}' {
		s.nodes = s.nodes[:i]
	}
	return pos + 1
}

// rest goes on after a complete value to the next one, over commas and closing bytes;
// there is no more after the root.
func (s *scanner) rest(pos int) (next int, more bool) {
	for pos >= 0 {
		pos = s.skip(pos)
		if s.cur == noNode {
			return pos, false
		}
		c := at(s.raw, pos)
		if c == ',' {
			return s.name(s.skip(pos + 1)), true
		}
		if c != s.closer {
			return s.fail(pos, Syntax), false
		}
		pos = s.close(pos)
	}
	return pos, false
}

// name scans the member name and colon before a value; in an array there is none.
func (s *scanner) name(pos int) int {
	s.keyStart, s.keyEnd = 0, 0
	if s.closer != '}' {
		return pos
	}
	if at(s.raw, pos) != '"' {
		return s.fail(pos, Syntax)
	}
	end := s.text(pos, true)
	if end < 0 {
		return end
	}
	s.keyStart, s.keyEnd = uint32(pos+1), uint32(end-1)
	if pos = s.skip(end); at(s.raw, pos) != ':' {
		return s.fail(pos, Syntax)
	}
	return s.skip(pos + 1)
}

// skip returns the position of the next token.
func (s *scanner) skip(pos int) int {
	if at(s.raw, pos) > ' ' {
		return pos
	}
	return s.space(pos)
}

func (s *scanner) space(pos int) int {
	for ; pos < len(s.raw); pos++ {
		switch s.raw[pos] {
		case ' ', '\t':
		case '\n', '\r':
			s.flags |= LineBreak
		default:
			return pos
		}
	}
	return pos
}

// word scans one of the literal names.
func (s *scanner) word(pos int) int {
	rest := s.raw[pos:]
	switch {
	case len(rest) >= 4 && (string(rest[:4]) == "null" || string(rest[:4]) == "true"):
		return pos + 4
	case len(rest) >= 5 && string(rest[:5]) == "false":
		return pos + 5
	}
	return s.rareWord(pos)
}

// rareWord scans a token that is not finite, or finds the fault.
func (s *scanner) rareWord(pos int) int {
	token := s.token(at(s.raw, pos))
	if token == "" {
		return s.fail(pos, Syntax)
	}
	for i := range len(token) {
		if at(s.raw, pos+i) != token[i] {
			return s.fail(pos+i, Syntax)
		}
	}
	s.flags |= NonFiniteToken
	return pos + len(token)
}

// token returns the literal name that begins with c, "" for none.
func (s *scanner) token(c byte) string {
	switch {
	case c == 't':
		return "true"
	case c == 'f':
		return "false"
	case c == 'n':
		return "null"
	case c == 'N' && s.nonFinite:
		return "NaN"
	case c == 'I' && s.nonFinite:
		return "Infinity"
	}
	return ""
}
