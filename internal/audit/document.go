package audit

import "github.com/session-trace/ctx/internal/jsonscan"

// Place is a hit in a JSON document.
type Place struct {
	Hit
	Node int  // the string, or the member whose name it is in
	Key  bool // it stands in the name
}

// Document gives the hits in a JSON document, in names and string values; Start and End are places in the document's bytes.
func (d *Detector) Document(doc *jsonscan.Doc, yield func(*Place)) {
	for n := range doc.Nodes {
		d.Name(doc, n, yield)
		d.String(doc, n, yield)
	}
}

// Name gives the hits in the name of one member, if it is one.
func (d *Detector) Name(doc *jsonscan.Doc, n int, yield func(*Place)) {
	if from := int(doc.Nodes[n].KeyStart); from != 0 {
		d.place(doc.Name(n), from, Place{Node: n, Key: true}, yield)
	}
}

// String gives the hits in one value, if it is a string.
func (d *Detector) String(doc *jsonscan.Doc, n int, yield func(*Place)) {
	if doc.Kind(n) != jsonscan.String {
		return
	}
	raw := doc.Value(n)
	raw = raw[1 : len(raw)-1]
	from := int(doc.Nodes[n].Start) + 1
	if hit, ok := d.whole(doc, n, raw); ok {
		hit.Start, hit.End = from, from+len(raw)
		yield(&Place{Hit: hit, Node: n})
		return
	}
	d.place(raw, from, Place{Node: n}, yield)
}

func (d *Detector) place(raw []byte, from int, p Place, yield func(*Place)) {
	if len(raw) < minStart {
		return
	}
	for _, h := range d.Find(raw) {
		h.Start, h.End = h.Start+from, h.End+from
		p.Hit = h
		yield(&p)
	}
}

// mostMember bounds, in bytes, the values that are judged by the names of their members.
const mostMember = 4096

// whole judges a string as a whole: a stand-in, or the value of a member with the name of a secret. Rules that know the
// shape of a value come first.
func (d *Detector) whole(doc *jsonscan.Doc, n int, raw []byte) (Hit, bool) {
	if len(raw) == 0 || len(raw) > mostMember {
		return Hit{}, false
	}
	name := doc.Name(n)
	short := len(raw) <= 16
	if name == nil && !short && raw[0] != 'g' && raw[0] != '<' {
		return Hit{}, false
	}
	text := doc.Text(n)
	if d.Masked(text) {
		return Hit{Rule: MaskedRule, Value: text, Masked: true}, true
	}
	if name == nil {
		return Hit{}, false
	}
	key, _ := jsonscan.AppendUnescape(nil, name)
	hit, ok := d.Member(string(key), text)
	if !ok {
		return hit, false
	}
	if found := d.Find(raw); len(found) == 1 && found[0].Start == 0 && found[0].End == len(raw) {
		return found[0], true
	}
	return hit, true
}

// MaskedRule is the rule id of stand-ins: masked and enciphered values, and what was left out before.
const MaskedRule = "masked"
