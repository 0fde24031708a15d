package validator

import (
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// itemParts is the further records of the open item: those that are there, and those that its native value asks for.
// Its slices are reused.
type itemParts struct {
	have, want []part
	places     []place // of have
	known      bool    // want is
	links      []itemLink
	odd        bool   // a record has an id that is not made from the item's
	line       int    // of the primary record
	id         []byte // of it
}

// add takes a record of the item, which is not yet closed.
func (p *itemParts) add(s *Session, f *record.Facts, x *stated, at place) {
	if own := len(ownID(f.ID)); f.HasNative && (own == len(f.ID) || f.ID[own] != '#') {
		p.known, p.want, p.line, p.id = x.partsKnown, append(p.want[:0], x.parts...), at.line, append(p.id[:0], at.id...)
		for _, l := range x.links {
			p.links = append(p.links, itemLink{l.suffix, l.message, s.hashed(l.id)})
		}
		if len(x.links) > 0 {
			p.have, p.places = append(p.have, part{call: s.hashed(f.Call), message: s.hashed(f.Message)}), append(p.places, p.primary())
		}
		return
	}
	own := len(ownID(f.ID))
	if own == len(f.ID) && f.Type != record.Inference { // the rule record-id says so
		p.odd = true
	}
	if own == len(f.ID) || f.Type == record.UsageSummary {
		return
	}
	one := x.part
	one.suffix, one.call, one.message = clone(f.ID[own:]), s.hashed(f.Call), s.hashed(f.Message)
	p.have, p.places = append(p.have, one), append(p.places, place{at.line, clone(at.id)})
}

func (p *itemParts) primary() place { return place{p.line, string(p.id)} }

// close compares the two.
func (p *itemParts) close(s *Session) {
	if p.known {
		p.compare(s)
		p.closeLinks(s.deep)
	}
	p.links = p.links[:0]
	p.known, p.odd, p.have, p.places, p.want = false, false, p.have[:0], p.places[:0], p.want[:0]
}

func (p *itemParts) compare(s *Session) {
	for i, h := range p.have {
		switch n := slices.IndexFunc(p.want, func(w part) bool { return w.suffix == h.suffix }); {
		case n < 0 && (h.suffix == "" || h.suffix == summarySuffix):
		case n < 0:
			s.fail(ruleProjection, p.places[i], "got a record that the entry's projection of the item does not have")
		case h.kind != 0 && (h.kind != p.want[n].kind || h.sum != p.want[n].sum):
			s.fail(ruleProjection, p.places[i], "got another "+p.want[n].kind.String()+" than the native value gives, expected it as the entry projects it")
		}
	}
	for _, w := range p.want {
		if !s.blind && !p.odd && w.suffix != summarySuffix && !slices.ContainsFunc(p.have, func(h part) bool { return h.suffix == w.suffix }) {
			s.fail(ruleProjection, p.primary(), "got no record "+quote(w.suffix)+" of the item, expected a "+w.kind.String()+" as the entry projects it")
		}
	}
}
