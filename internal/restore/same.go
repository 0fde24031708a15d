package restore

import (
	"bytes"
	"strconv"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// sameBut says whether kept is what is left of src after the cuts that a bundle names, and nothing else: a removed
// member goes with one comma, within a string only what a mark stands for may differ, all other bytes are the same.
func sameBut(src, kept []byte, cuts []record.Redaction) bool {
	root := &place{}
	for _, c := range cuts {
		if c.Pointer == "" {
			return sameText(src, kept)
		}
		root.add(c.Pointer)
	}
	src, kept, ok := trimBOMs(src, kept)
	if !ok {
		return false
	}
	o := jsonscan.Options{NonFinite: true}
	s, err := jsonscan.Scan(src, nil, o)
	if err != nil {
		return false
	}
	k, err := jsonscan.Scan(kept, nil, o)
	if err != nil {
		return false
	}
	p := pairing{src: &s, kept: &k}
	return p.pair(0, 0, root) && bytes.Equal(p.apply(), kept)
}

// trimBOMs takes a byte order mark off both, or off none.
func trimBOMs(a, b []byte) ([]byte, []byte, bool) {
	mark := []byte("\uFEFF")
	x, inA := bytes.CutPrefix(a, mark)
	y, inB := bytes.CutPrefix(b, mark)
	return x, y, inA == inB
}

// place is a node of the tree of pointers.
type place struct {
	cut  bool
	kids map[string]*place
}

func (p *place) add(pointer string) {
	for token := range tokens(pointer) {
		if p.kids == nil {
			p.kids = map[string]*place{}
		}
		next := p.kids[token]
		if next == nil {
			next = &place{}
			p.kids[token] = next
		}
		p = next
	}
	p.cut = true
}

// pairing finds the cuts by walking a document and what is left of it side by side.
type pairing struct {
	src, kept *jsonscan.Doc
	cuts      []span
}

// span is one cut: a member, or a value with what stands in its place.
type span struct {
	start, end int
	put        []byte // nil: a member, which goes with a comma
}

// pair says whether two values can be the same but for the cuts below. What it does not look at is left to the
// comparison of all bytes at the end.
func (p *pairing) pair(s, k int, at *place) bool {
	kind := p.src.Kind(s)
	if kind != p.kept.Kind(k) {
		return false
	}
	switch kind {
	case jsonscan.Object:
		return p.members(s, k, at)
	case jsonscan.Array:
		return p.elements(s, k, at)
	default:
		return true
	}
}

func (p *pairing) members(s, k int, at *place) bool {
	next, end := k+1, int(p.kept.Nodes[k].Next)
	for c := range p.src.Children(s) {
		here := at.named(p.src, c)
		switch {
		case next < end && p.stands(c, next, here, at):
			next = int(p.kept.Nodes[next].Next)
		case here != nil && here.cut:
			n := p.src.Nodes[c]
			p.cuts = append(p.cuts, span{start: int(n.KeyStart) - 1, end: int(n.End)})
		default:
			return false
		}
	}
	return next >= end
}

// named is the place of a member by its name, nil when no pointer leads there.
func (p *place) named(d *jsonscan.Doc, n int) *place {
	if p.kids == nil {
		return nil
	}
	name, _ := jsonscan.AppendUnescape(nil, d.Name(n))
	return p.kids[string(name)]
}

// stands says whether a member is the one that was kept: under its name, or under one in which a mark stands.
func (p *pairing) stands(s, k int, here, at *place) bool {
	was, is := p.src.Name(s), p.kept.Name(k)
	if bytes.Equal(was, is) {
		return here == nil || p.stays(s, k, here)
	}
	put := at.named(p.kept, k) // pointers name what was kept
	if put == nil || !put.cut || !sameText(was, is) {
		return false
	}
	before := len(p.cuts)
	n := p.src.Nodes[s]
	p.cuts = append(p.cuts, span{int(n.KeyStart), int(n.KeyEnd), is})
	if p.stays(s, k, put) {
		return true
	}
	p.cuts = p.cuts[:before]
	return false
}

func (p *pairing) elements(s, k int, at *place) bool {
	next, end, i := k+1, int(p.kept.Nodes[k].Next), 0
	for c := range p.src.Children(s) {
		if next >= end {
			return false
		}
		if here := at.kids[strconv.Itoa(i)]; here != nil && !p.stays(c, next, here) {
			return false
		}
		next = int(p.kept.Nodes[next].Next)
		i++
	}
	return next >= end
}

// stays says whether a value can be the one that was kept: whole, with marks in its text, or with cuts below.
func (p *pairing) stays(s, k int, here *place) bool {
	was, is := p.src.Value(s), p.kept.Value(k)
	before := len(p.cuts)
	switch {
	case bytes.Equal(was, is):
		return true
	case here.cut && p.src.Kind(s) == jsonscan.String && p.kept.Kind(k) == jsonscan.String:
		if sameText(was, is) {
			n := p.src.Nodes[s]
			p.cuts = append(p.cuts, span{int(n.Start), int(n.End), is})
			return true
		}
	case len(here.kids) > 0 && p.pair(s, k, here):
		return true
	}
	p.cuts = p.cuts[:before]
	return false
}

// apply is the document after the cuts, in order.
func (p *pairing) apply() []byte {
	raw := p.src.Raw
	out := make([]byte, 0, len(raw))
	pos := 0
	for _, c := range p.cuts {
		out = append(out, raw[pos:c.start]...)
		pos = c.end
		if c.put != nil {
			out = append(out, c.put...)
			continue
		}
		if next := pos + space(raw[pos:]); next < len(raw) && raw[next] == ',' {
			pos = next + 1
		} else if left := bytes.TrimRight(out, " \t\r\n"); len(left) > 0 && left[len(left)-1] == ',' {
			out = left[:len(left)-1]
		}
	}
	return append(out, raw[pos:]...)
}

// space is the length of the white space that raw begins with.
func space(raw []byte) int { return len(raw) - len(bytes.TrimLeft(raw, " \t\r\n")) }
