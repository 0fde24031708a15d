package formats

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// Piece is one item in a file of many: the bytes from Start up to End.
type Piece struct {
	Start, End int64
	Whole      bool // false: the last one, and the file ends within it
}

// Pieces is a file of many items, cut up. What lies in no piece frames the
// items.
type Pieces struct {
	List   []Piece // in order, none inside another
	Size   int64   // of the file
	SHA256 [sha256.Size]byte
	// Array is the name of the array of items, "." for the document and "" without one. Open is the place behind the
	// bracket that opens it, Close that of the bracket which closes it, 0 when none does.
	Array       string
	Open, Close int64
	// Tangled says that the array of items stands beside other nested values,
	// in which a secret could not be told, or that something follows the
	// document.
	Tangled bool
}

// Outside is where the bytes begin and end that belong to items alone: all that is outside of them is the document without
// its items. An array without items has none, and one that does not end is the end of the file.
func (p *Pieces) Outside() (open, end int64) {
	switch {
	case p.Open == 0:
		return p.Size, p.Size
	case p.Close == 0:
		return p.Open, p.Size
	case len(p.List) == 0 || p.List[0].Start >= p.Close:
		return p.Open, p.Open
	default:
		return p.Open, p.Close
	}
}

// Cutter says how items stand in a file.
//
// Without a mark an item is a line that holds more than white space. Only a
// line feed ends a line, and a CR before it belongs to the framing; the last
// line is whole only with its line feed.
//
// With a mark an item is the JSON object that begins the first line with
// content after a line that is the mark, white space at its end aside. It ends
// with the brace that closes it, or before the next mark. A mark that no
// object follows frames like all other text.
//
// With arrays an item is an element of the array that is the document (".")
// or a member of it. A document that does not end has a last piece that is not
// whole, of no bytes when no element is open.
//
// Around says that what stands around the array counts, too. Then an array ends, without its bracket, before an element
// that is the name of a member.
type Cutter struct {
	Mark   string
	Arrays []string
	Around bool
}

// Usual is what stands between two items where nothing else does.
func (c Cutter) Usual() string {
	if len(c.Arrays) > 0 {
		return ","
	}
	return "\n"
}

const cutStep = 64 << 10

// Cut reads to the end and holds no content.
func (c Cutter) Cut(r io.Reader) (Pieces, error) {
	k := &cutting{blank: true}
	if c.Mark != "" {
		k.mark = []byte(c.Mark)
	}
	d := &document{arrays: c.Arrays, around: c.Around}
	var to interface {
		add(chunk []byte)
		end()
	} = k
	if len(c.Arrays) > 0 {
		to = d
	}
	var size int64
	sum := sha256.New()
	chunk := make([]byte, cutStep)
	for {
		n, err := r.Read(chunk)
		sum.Write(chunk[:n])
		to.add(chunk[:n])
		size += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Pieces{}, fmt.Errorf("byte %d: %w", size, err)
		}
	}
	to.end()
	p := Pieces{List: append(k.list, d.list...), Size: size, Array: d.name, Open: d.opens, Close: d.closes, Tangled: d.tangled}
	sum.Sum(p.SHA256[:0])
	return p, nil
}

// cutting is a file being cut.
type cutting struct {
	mark []byte // nil: an item a line
	list []Piece
	at   int64 // bytes so far

	line   int64  // where the line begins
	blank  bool   // it holds only white space so far
	lastCR bool   // its last byte is a CR
	head   []byte // its first bytes, as many as tell whether it is a mark

	wanted bool // a mark stands before what comes
	begun  bool // an item is open
	start  int64
	depth  int
	quoted bool // within a string
	escape bool // after a backslash in one
}

func (k *cutting) add(chunk []byte) {
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		part := chunk
		if end >= 0 {
			part = chunk[:end]
		}
		k.part(part)
		if end < 0 {
			return
		}
		k.endLine()
		chunk = chunk[end+1:]
	}
}

// part takes bytes of one line.
func (k *cutting) part(part []byte) {
	if len(part) == 0 {
		return
	}
	if room := len(k.mark) + lineSpace; k.mark != nil && len(k.head) < room {
		k.head = append(k.head, part[:min(len(part), room-len(k.head))]...)
	}
	k.lastCR = part[len(part)-1] == '\r'
	if at := inkAt(part); k.blank && at < len(part) {
		k.blank = false
		if k.wanted && part[at] == '{' {
			k.start, k.begun, k.depth, k.quoted, k.escape = k.at+int64(at), true, 0, false, false
		}
		k.wanted = false
	}
	if k.begun {
		k.object(part)
	}
	k.at += int64(len(part))
}

// lineSpace is how much white space may stand after a mark.
const lineSpace = 64

// inkAt is the place of the first byte that is no white space, the length of part without one.
func inkAt(part []byte) int {
	for i, c := range part {
		if c != ' ' && c != '\t' && c != '\r' {
			return i
		}
	}
	return len(part)
}

// object follows the brackets of the open item. Whether it is JSON is for others to say.
func (k *cutting) object(part []byte) {
	from := int(max(k.start-k.at, 0))
	for i := from; i < len(part); i++ {
		switch c := part[i]; {
		case k.escape:
			k.escape = false
		case k.quoted:
			k.escape = c == '\\'
			k.quoted = c != '"'
		case c == '"':
			k.quoted = true
		case c == '{' || c == '[':
			k.depth++
		case c == '}' || c == ']':
			if k.depth--; k.depth == 0 {
				k.give(k.start, k.at+int64(i)+1, true)
				return
			}
		}
	}
}

func (k *cutting) give(start, end int64, whole bool) {
	k.list = append(k.list, Piece{start, end, whole})
	k.begun = false
}

// endLine takes the line feed.
func (k *cutting) endLine() {
	switch {
	case k.mark == nil && !k.blank:
		end := k.at
		if k.lastCR {
			end--
		}
		k.give(k.line, end, true)
	case k.isMark():
		k.breakOff()
		k.wanted = true
	}
	k.at++
	k.escape = false
	k.line, k.blank, k.lastCR, k.head = k.at, true, false, k.head[:0]
}

func (k *cutting) isMark() bool {
	return k.mark != nil && k.at-k.line <= int64(len(k.mark)+lineSpace) && bytes.Equal(bytes.TrimRight(k.head, " \t\r"), k.mark)
}

// breakOff ends the open item before the line that has just been read: another one begins.
func (k *cutting) breakOff() {
	if k.begun {
		k.give(k.start, max(k.line-1, k.start), true)
	}
}

func (k *cutting) end() {
	switch {
	case k.mark == nil && !k.blank:
		k.give(k.line, k.at, false)
	case k.isMark():
		k.breakOff()
	case k.begun:
		k.give(k.start, k.at, false)
	}
}
