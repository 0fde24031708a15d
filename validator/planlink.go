package validator

import "github.com/session-trace/ctx/internal/record"

// itemLink is a link that the native value asks for: from a record of the open item, to the item of a native id.
type itemLink struct {
	suffix  string
	message bool
	native  uint64 // hash of the native id
}

// deepLink is an itemLink with what the record says.
type deepLink struct {
	at      place
	message bool
	native  uint64
	have    uint64 // hash of the record id, 0 none
}

// links hands the links of the open item over, once its records are known.
func (p *itemParts) closeLinks(d *deep) {
	for _, l := range p.links {
		for i, h := range p.have {
			if h.suffix != l.suffix {
				continue
			}
			have := h.call
			if l.message {
				have = h.message
			}
			d.links = append(d.links, deepLink{p.places[i], l.message, l.native, have})
		}
	}
}

// closeLinks compares links to calls and messages with those that native items state. What names no record of the right
// type is found elsewhere.
func (d *deep) closeLinks(s *Session, ids map[uint64]int32) {
	for _, l := range d.links {
		kind, rule := record.ToolCall, rulePair
		if l.message {
			kind, rule = record.Message, ruleMessage
		}
		to := d.find(ids, l.native)
		if to < 0 || s.rows.at(d.items[to].row).kind != kind || l.have != 0 && !s.names(l.have, kind) {
			continue
		}
		if s.rows.at(d.items[to].row).hash|1<<63 != l.have {
			s.fail(rule, l.at, "got another "+kind.String()+" than the native item names, expected the record on line "+number(int64(d.items[to].row)+1))
		}
	}
}

// names says whether the hash of a link is that of a record of the type.
func (s *Session) names(link uint64, kind record.Type) bool {
	to := s.rows.find(link &^ (1 << 63))
	if to < 0 {
		to = s.rows.find(link)
	}
	return to >= 0 && s.rows.at(to).kind == kind
}
