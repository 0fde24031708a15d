// Package jsonscan says what a raw JSON value is, in one pass, without decoding it.
//
// [Scan] checks one document against RFC 8259 and strict UTF-8, and notes on the way what makes
// a document unfit to be copied: duplicate names, lone surrogates, unsafe numbers, line breaks.
// It neither recurses nor decodes, so hostile input costs time and memory in proportion to its size.
// What it found stays as spans of the caller's bytes in a flat tape of nodes.
package jsonscan

// Flags says what a document holds that its reader should know about.
type Flags uint8

// The flags of a document.
const (
	DuplicateKey   Flags = 1 << iota // an object names a member twice, spellings unescaped
	LoneSurrogate                    // a \u escape in a string or a name is half a surrogate pair
	UnsafeNumber                     // see SafeNumber
	NonFiniteToken                   // NaN, Infinity or -Infinity, see Options.NonFinite
	LineBreak                        // CR or LF in white space, also before and after the value
	EscapedKey                       // a member name is spelled with an escape
)

// Node is one value of the document. Its children, the members or elements in order, are the nodes
// i+1, Nodes[i+1].Next, … below Nodes[i].Next.
type Node struct {
	Start, End       uint32 // the value's bytes: Raw[Start:End], a string with its quotes
	KeyStart, KeyEnd uint32 // the raw member name between its quotes; both 0 for elements and the root
	Next             uint32 // index of the node after this subtree
}

// Doc is a scanned document. Its methods take node indices (the root is 0) and treat an index that
// is out of range, such as the -1 of a failed Find, as a value that is not there.
type Doc struct {
	Raw   []byte // borrowed from the caller of Scan
	Nodes []Node // in pre-order; the backing array belongs to the caller of Scan
	Flags Flags
	Depth int // deepest nesting: a scalar 0, {} 1, {"a":[]} 2

	// Node indices, -1 for none or without a tape: the value of the first member whose name stood
	// before in its object, the first string or member whose text or name has a lone surrogate,
	// the first unsafe number.
	FirstDuplicate, FirstSurrogate, FirstUnsafe int
}

// Has reports whether all of the given flags are set.
func (d *Doc) Has(f Flags) bool { return d.Flags&f == f }

func (d *Doc) node(i int) (Node, bool) {
	if uint(i) >= uint(len(d.Nodes)) {
		return Node{}, false
	}
	return d.Nodes[i], true
}

// Value returns the raw bytes of node i, a part of Raw; nil when there is no such node.
func (d *Doc) Value(i int) []byte {
	n, ok := d.node(i)
	if !ok {
		return nil
	}
	return d.Raw[n.Start:n.End:n.End]
}

// Name returns the raw member name of node i between its quotes, a part of Raw;
// nil for elements, the root, and when there is no such node.
func (d *Doc) Name(i int) []byte {
	n, ok := d.node(i)
	if !ok || n.KeyStart == 0 {
		return nil
	}
	return d.Raw[n.KeyStart:n.KeyEnd:n.KeyEnd]
}
