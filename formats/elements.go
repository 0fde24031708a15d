package formats

// document follows a JSON document of which one array holds the items: the document itself, or a member of it. Whether
// it is JSON is for others to say; what is no item frames the items.
type document struct {
	arrays []string // names of the member, "." for the document
	around bool     // what stands around the array counts
	list   []Piece
	at     int64

	depth   int
	kinds   []byte // the brackets that are open, as far as maxKinds
	quoted  bool
	escape  bool
	scalar  bool // within a number or a word that is an element
	inside  int  // depth within the array, 0 outside of it
	begun   bool // an element is open
	word    bool // the last element is a string
	start   int64
	text    []byte // of the last string outside of the array, its first bytes
	key     string // before the value to come
	found   bool   // the array has been met
	name    string // its name
	opens   int64  // behind its opening bracket
	closes  int64  // its closing bracket
	closed  bool   // the document has ended
	tangled bool   // it has other nested values, or something stands behind it
}

const (
	maxKey   = 64      // the longest name of an array's member
	maxKinds = 1 << 16 // deeper brackets are counted alone: no item so deep is read
)

func (d *document) add(chunk []byte) {
	for i := 0; i < len(chunk); i++ {
		if d.quoted && !d.escape && d.inside > 0 { // most bytes stand in strings of items
			n := stringEnd(chunk[i:])
			d.at += int64(n)
			if i += n; i == len(chunk) {
				return
			}
		}
		d.byte(chunk[i])
		d.at++
	}
}

// stringEnd is the place of the first quote or backslash, the length of part without one.
func stringEnd(part []byte) int {
	for i, c := range part {
		if c == '"' || c == '\\' {
			return i
		}
	}
	return len(part)
}

func (d *document) byte(c byte) {
	switch {
	case d.quoted:
		d.inString(c)
	case d.scalar && (c == ',' || c == ']' || blank(c)):
		d.give(d.at)
		d.scalar = false
		d.byte(c)
	case d.scalar || blank(c):
	case c == ':' && d.around && d.inside > 0 && d.depth == d.inside && !d.begun && d.word:
		d.ends()
	case d.inside > 0 && d.depth == d.inside && !d.begun && c != ',' && c != ']':
		d.start, d.begun = d.at, true
		d.scalar = c != '{' && c != '[' && c != '"'
		d.token(c)
	default:
		d.token(c)
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (d *document) inString(c byte) {
	switch {
	case d.escape:
		d.escape = false
	case c == '\\':
		d.escape = true
	case c == '"':
		d.quoted = false
		if d.begun && d.depth == d.inside {
			d.give(d.at + 1)
			d.word = true
		}
		return
	}
	if d.inside == 0 && len(d.text) <= maxKey {
		d.text = append(d.text, c)
	}
}

// token takes a byte outside of strings that is no white space.
func (d *document) token(c byte) {
	if d.closed {
		d.tangled = true
		return
	}
	switch c {
	case '"':
		d.quoted, d.text = true, d.text[:0]
	case ':':
		if d.depth == 1 && d.inside == 0 {
			d.key = string(d.text)
		}
	case '{', '[':
		d.open(c)
	case '}', ']':
		if d.matches(c) {
			d.close()
		}
	}
}

func (d *document) open(c byte) {
	name := d.key
	if d.depth == 0 {
		name = "."
	}
	if d.depth++; d.depth <= maxKinds {
		d.kinds = append(d.kinds[:d.depth-1], c)
	}
	switch {
	case d.inside > 0 || (d.depth == 1 && c == '{'):
	case c == '[' && !d.found && d.depth <= 2 && d.named(name):
		d.inside, d.found, d.name, d.opens = d.depth, true, name, d.at+1
	default:
		d.tangled = true
	}
}

// matches says whether a bracket closes the one that is open; one that does not is a fault of the item that it is in.
func (d *document) matches(c byte) bool {
	switch {
	case d.depth == 0:
		return false
	case d.depth > maxKinds:
		return true
	default:
		return (d.kinds[d.depth-1] == '{') == (c == '}')
	}
}

func (d *document) named(name string) bool {
	for _, a := range d.arrays {
		if a == name {
			return true
		}
	}
	return false
}

func (d *document) close() {
	d.depth--
	switch {
	case d.begun && d.depth == d.inside:
		d.give(d.at + 1)
	case d.inside > 0 && d.depth < d.inside:
		d.inside, d.key, d.closes = 0, "", d.at
	}
	d.closed = d.depth == 0
}

func (d *document) give(end int64) {
	d.list = append(d.list, Piece{d.start, end, true})
	d.begun, d.word = false, false
}

// ends ends the array before its last element, a string: a colon behind it says that it is the name of a member.
func (d *document) ends() {
	last := len(d.list) - 1
	d.closes, d.inside = d.list[last].Start, 0
	d.list = d.list[:last]
}

// end says with a last piece that the document has not ended.
func (d *document) end() {
	switch {
	case d.begun:
		d.list = append(d.list, Piece{d.start, d.at, false})
	case !d.closed && d.found:
		d.list = append(d.list, Piece{d.at, d.at, false})
	}
}
