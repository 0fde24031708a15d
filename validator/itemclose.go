package validator

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// closeItem checks the records of the open item against each other.
func (s *Session) closeItem() {
	it := &s.item
	if !it.open {
		return
	}
	s.settle(nil)
	it.open = false
	if it.ahead {
		s.follow(&record.Facts{Type: record.Inference, Position: record.Position{Ordinal: it.spot.ordinal, Through: -1}}, s.placeOf(&it.members[0]))
	}
	if s.deep != nil {
		defer s.deep.closeItem(s)
	}
	if it.members[0].kind == record.Gap {
		s.closeItemLinks()
		return
	}
	if it.primary < 0 && (s.blind || it.bare()) {
		s.rows.at(s.likelyPrimary().index).marks |= markPrimary | markInContext
	} else if it.primary < 0 {
		m := s.likelyPrimary()
		s.fail(ruleNativeMissing, s.placeOf(m), "got no record with native at ordinal "+number(it.spot.ordinal)+", expected one")
		s.rows.at(m.index).marks |= markPrimary | markInContext // links to it are no further fault
	} else {
		s.sum.Items++
		s.closePrimary()
	}
	s.closeInference()
	s.closeSummary()
	s.closeItemLosses()
	s.closeItemLinks()
}

// bare says whether an item is inferences alone, which stand before no member.
func (it *item) bare() bool {
	return !slices.ContainsFunc(it.members, func(m member) bool { return m.kind != record.Inference })
}

func (s *Session) placeOf(m *member) place { return place{int(m.index) + 1, s.item.id(m)} }

// likelyPrimary is the record of an item without native that has the item's own id, else the last one.
func (s *Session) likelyPrimary() *member {
	it := &s.item
	for i := range it.members {
		if m := &it.members[i]; bytes.Equal(it.text[m.start:m.end], it.spot.id) {
			return m
		}
	}
	return &it.members[len(it.members)-1]
}

// closePrimary checks the ids and parents of the item's records against the primary, and marks it as a parent.
func (s *Session) closePrimary() {
	it := &s.item
	p := &it.members[it.primary]
	if !p.twice {
		s.checkItemID(p)
	}
	inContext := false
	for i := range it.members {
		m := &it.members[i]
		inContext = inContext || m.inContext && !s.summaryOf(m, p)
		if m.kind == record.Inference || i == it.primary {
			continue
		}
		if !derived(it.text[m.start:m.end], it.base()) {
			s.fail(ruleRecordID, s.placeOf(m), "got an id that is not made from "+quote(it.id(p))+", the id of its item's primary record")
		}
		if m.inference != p.inference && (m.inference != 0 || p.inference != 0) {
			s.fail(ruleInference, s.placeOf(m), "got another inference than "+quote(it.id(p))+" has, expected one response for an item")
		}
		if m.time != p.time && it.timeKnown && !m.twice {
			s.fail(ruleTime, s.placeOf(m), "got another time than "+quote(it.id(p))+" has, expected one time for an item")
		}
		if m.parent != p.parent && !s.summaryOf(m, p) {
			s.otherParent(m, p)
		}
	}
	if inContext {
		s.rows.at(p.index).marks |= markInContext
	}
}

// otherParent reports a record whose parent is not that of its item, once it is known that the item's own is right.
func (s *Session) otherParent(m, p *member) {
	text := "got another parent than " + quote(s.item.id(p)) + " has, expected the same"
	if s.deep == nil || !s.deep.judges() {
		s.fail(ruleParentShared, s.placeOf(m), text)
		return
	}
	s.deep.others = append(s.deep.others, otherParent{p.index, s.placeOf(m), text})
}

// summaryOf says whether m is the summary message of the compaction p.
func (s *Session) summaryOf(m, p *member) bool {
	return p.kind == record.Compaction && bytes.HasSuffix(s.item.text[m.start:m.end], []byte("-summary"))
}

// checkItemID checks that the primary has the id in the item's name, or that with a suffix against clashes.
func (s *Session) checkItemID(p *member) {
	id, name := s.item.text[p.start:p.end], s.item.spot.id
	if len(name) == 0 {
		return
	}
	rest, ok := bytes.CutPrefix(id, name)
	if ok && (len(rest) == 0 || s.clashSuffix(string(rest))) {
		return
	}
	s.fail(ruleRecordID, s.placeOf(p), "got another id than "+quote(string(name))+", the one in the item's name")
}

// clashSuffix says whether text is ~<ordinal>, or ~<ordinal>-2 and so on.
func (s *Session) clashSuffix(text string) bool {
	rest, ok := strings.CutPrefix(text, "~"+number(s.item.spot.ordinal))
	if !ok || rest == "" {
		return ok
	}
	n, err := strconv.Atoi(strings.TrimPrefix(rest, "-"))
	return err == nil && rest[0] == '-' && n >= 2
}

// closeInference checks that an inference stands at the head of an item that is its member.
func (s *Session) closeInference() {
	it := &s.item
	for i := range it.members {
		m := &it.members[i]
		if m.kind != record.Inference {
			continue
		}
		member, hash := false, m.hash|1<<63
		for j := range it.members {
			member = member || it.members[j].inference == hash
		}
		if !member && !s.blind {
			s.fail(ruleInference, s.placeOf(m), "got an inference before an item that is not its member, expected its first member")
		}
		if it.primary >= 0 && it.timeKnown && it.members[it.primary].time != m.time {
			s.fail(ruleInference, s.placeOf(m), "got another time than its first member has, expected the same")
		}
	}
}

// closeSummary checks compaction.summary against the message that it names.
func (s *Session) closeSummary() {
	it := &s.item
	for i := range it.members {
		c := &it.members[i]
		if c.kind != record.Compaction || c.summary == 0 {
			continue
		}
		s.checkSummary(c)
	}
}

func (s *Session) checkSummary(c *member) {
	it, want := &s.item, s.item.id(c)+"-summary"
	if c.summary != s.hashed(want) {
		s.fail(ruleSummary, s.placeOf(c), "got another summary than "+quote(want)+", the compaction's id plus -summary")
		return
	}
	for i := range it.members {
		m := &it.members[i]
		if m.hash|1<<63 != c.summary {
			continue
		}
		if m.index < c.index {
			s.fail(ruleOrder, s.placeOf(m), "got a summary before its compaction, expected after")
		}
		switch {
		case !m.isSummary:
			s.fail(ruleSummary, s.placeOf(m), "got a "+m.kind.String()+" as summary, expected a message of origin summary")
		case m.parent != c.hash|1<<63:
			s.fail(ruleSummary, s.placeOf(m), "got another parent than "+quote(it.id(c))+", expected the compaction")
		case c.hasOffset && m.outOf:
			s.fail(ruleSummary, s.placeOf(m), "got context:false on a summary whose compaction has an offset, expected it in context")
		case !c.hasOffset && !m.outOf && !c.bounded:
			s.fail(ruleSummary, s.placeOf(m), "got a summary in context whose compaction has no offset, expected context:false")
		}
		return
	}
	if s.blind {
		return
	}
	s.fail(ruleSummary, s.placeOf(c), "got no message "+quote(want)+" in the compaction's item, expected one")
}
