package diff

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// Limits of JSON that is looked into: what a scan accepts, and the depth below which a value is compared as a whole, so
// that bytes are not compared again on each of ten thousand levels. Native bytes on a line are never nested deeper.
const (
	maxDepth = 10_100
	deepest  = 1000
)

// Lines lists the values that differ between two lines, at most limit of them unless it is 0. Lines that are no JSON
// differ as a whole.
func Lines(a, b []byte, limit int) Places {
	if bytes.Equal(a, b) {
		return Places{}
	}
	x, errA := jsonscan.Scan(a, nil, jsonscan.Options{MaxDepth: maxDepth})
	y, errB := jsonscan.Scan(b, nil, jsonscan.Options{MaxDepth: maxDepth})
	return (&comparison{a: &x, b: &y, limit: limit}).whole(errA == nil && errB == nil)
}

// comparison goes through two documents side by side.
type comparison struct {
	a, b  *jsonscan.Doc
	limit int
	skip  []string // members of the value asked for that are not compared
	path  []byte   // JSON pointer of the values at hand
	found Places
}

// whole compares two lines that differ.
func (c *comparison) whole(sound bool) Places {
	if !sound {
		c.add(Changed, c.a.Raw, c.b.Raw)
		return c.found
	}
	c.value(0, 0, 0)
	if c.found.Total == 0 { // what differs stands around the value, or is the order of its members
		c.add(Spelling, c.a.Raw, c.b.Raw)
	}
	return c.found
}

// add notes a place at the path.
func (c *comparison) add(change Change, old, now []byte) {
	c.found.Total++
	if c.limit > 0 && len(c.found.List) >= c.limit {
		return
	}
	p := Place{Pointer: string(c.path), Change: change}
	p.Old, p.New = short(old, now)
	c.found.List = append(c.found.List, p)
}

// value compares node i of a with node j of b.
func (c *comparison) value(i, j, depth int) {
	old, now := c.a.Value(i), c.b.Value(j)
	if bytes.Equal(old, now) {
		return
	}
	kind, before := c.a.Kind(i), c.found.Total
	switch {
	case kind != c.b.Kind(j), depth >= deepest:
		c.add(Changed, old, now)
	case kind == jsonscan.Object:
		c.object(i, j, depth)
	case kind == jsonscan.Array:
		c.array(i, j, depth)
	case kind == jsonscan.String && !sameText(old, now), kind == jsonscan.Number && !sameNumber(old, now):
		c.add(Changed, old, now)
	}
	// where members are skipped, the bytes that differ may be theirs
	if c.found.Total == before && (depth > 0 || len(c.skip) == 0) {
		c.add(Spelling, old, now)
	}
}

// sameText says whether two spellings are of one string. Halves of surrogate pairs have no other spelling that is told.
func sameText(a, b []byte) bool {
	x, loneA := jsonscan.AppendUnescape(nil, a)
	y, loneB := jsonscan.AppendUnescape(nil, b)
	return !loneA && !loneB && bytes.Equal(x, y)
}

func (c *comparison) object(i, j, depth int) {
	left, right := c.members(c.a, i, depth), c.members(c.b, j, depth)
	partner, rest := pairUp(left.names, right.names)
	for k, node := range left.nodes {
		back := c.enter(left.names[k])
		if p := partner[k]; p >= 0 {
			c.value(node, right.nodes[p], depth+1)
		} else {
			c.add(Removed, c.a.Value(node), nil)
		}
		c.path = c.path[:back]
	}
	for _, k := range rest {
		back := c.enter(right.names[k])
		c.add(Added, nil, c.b.Value(right.nodes[k]))
		c.path = c.path[:back]
	}
}

// members are those of one object.
type members struct {
	names []string // unescaped
	nodes []int
}

func (c *comparison) members(d *jsonscan.Doc, i, depth int) members {
	var m members
	for node := range d.Children(i) {
		name, lone := jsonscan.AppendUnescape(nil, d.Name(node))
		if lone {
			name = d.Name(node) // U+FFFD would stand for any of them
		}
		if depth == 0 && slices.Contains(c.skip, string(name)) {
			continue
		}
		m.names = append(m.names, string(name))
		m.nodes = append(m.nodes, node)
	}
	return m
}

// array compares what stands between the equal elements at both ends, element by element: what came in or left in one
// place does not make all that follow differ.
func (c *comparison) array(i, j, depth int) {
	left, right := slices.Collect(c.a.Children(i)), slices.Collect(c.b.Children(j))
	first, last := c.equalEnds(left, right)
	for k := first; k < max(len(left), len(right))-last; k++ {
		back := c.enter(strconv.Itoa(k))
		switch {
		case k >= len(left)-last:
			c.add(Added, nil, c.b.Value(right[k]))
		case k >= len(right)-last:
			c.add(Removed, c.a.Value(left[k]), nil)
		default:
			c.value(left[k], right[k], depth+1)
		}
		c.path = c.path[:back]
	}
}

// equalEnds counts the elements that are equal at the beginning and at the end.
func (c *comparison) equalEnds(left, right []int) (first, last int) {
	equal := func(k, n int) bool { return bytes.Equal(c.a.Value(left[k]), c.b.Value(right[n])) }
	shorter := min(len(left), len(right))
	for first < shorter && equal(first, first) {
		first++
	}
	for last < shorter-first && equal(len(left)-1-last, len(right)-1-last) {
		last++
	}
	return first, last
}

// enter adds one token to the path and returns its length before.
func (c *comparison) enter(token string) int {
	back := len(c.path)
	c.path = append(append(c.path, '/'), strings.NewReplacer("~", "~0", "/", "~1").Replace(token)...)
	return back
}
