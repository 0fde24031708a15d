package formats

import (
	"strconv"
	"strings"
)

// Match says whether the whole name fits, and what its fields hold.
func (p *Pattern) Match(name string) (Match, bool) {
	m := Match{Ordinal: -1, Count: -1}
	return m, match(p.parts, name, &m)
}

func match(parts []part, rest string, m *Match) bool {
	if len(parts) == 0 {
		return rest == ""
	}
	here := parts[0]
	rest, ok := strings.CutPrefix(rest, here.literal)
	if !ok {
		return false
	}
	switch here.field {
	case noField:
		return rest == ""
	case ordinalField, countField:
		return matchDigits(parts, rest, m)
	default:
		return matchText(parts, rest, m)
	}
}

// matchDigits takes all digits: the text after them never begins with one.
func matchDigits(parts []part, rest string, m *Match) bool {
	n := 0
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	if n < parts[0].digits || !match(parts[1:], rest[n:], m) {
		return false
	}
	value, err := strconv.ParseInt(rest[:n], 10, 64)
	if err != nil || value > MaxOrdinal {
		m.Huge, value = true, -1
	}
	if parts[0].field == ordinalField {
		m.Ordinal = value
	} else {
		m.Count = value
	}
	return true
}

// matchText takes as much as it can, giving back up to the last place where
// the rest fits. A pattern has at most two such fields, so that the work stays
// bounded by the name's length.
func matchText(parts []part, rest string, m *Match) bool {
	least := 0
	if parts[0].field == idField {
		least = 1
	}
	end := len(rest)
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		end = slash
	}
	for ; end >= least; end-- {
		if len(parts) > 1 {
			literal := parts[1].literal
			at := strings.LastIndex(rest[:min(end+len(literal), len(rest))], literal)
			if at < least {
				return false
			}
			end = min(end, at)
		} else if end < len(rest) {
			return false
		}
		if match(parts[1:], rest[end:], m) {
			if parts[0].field == idField {
				m.ID = rest[:end]
			}
			return true
		}
	}
	return false
}

// Render builds the name that has this ordinal and id, the ordinal padded with
// zeros to the pattern's digits. It fails where the pattern has other fields,
// or no name with them would be matched as having them.
func (p *Pattern) Render(ordinal int64, id string) (string, bool) {
	name, ok := p.AppendName(make([]byte, 0, len(p.text)+len(id)+16), ordinal, id)
	return string(name), ok
}

// AppendName appends what Render returns. When it fails, it appends nothing.
func (p *Pattern) AppendName(dst []byte, ordinal int64, id string) ([]byte, bool) {
	start := len(dst)
	dst, ok := p.fill(dst, ordinal, id)
	if !ok || !p.has(string(dst[start:]), ordinal, id) {
		return dst[:start], false
	}
	return dst, true
}

// Reproduces says whether Render(ordinal, id) is this very name, without
// building it.
func (p *Pattern) Reproduces(name string, ordinal int64, id string) bool {
	var room [256]byte
	filled, ok := p.fill(room[:0], ordinal, id)
	return ok && string(filled) == name && p.has(name, ordinal, id)
}

// has says whether a name has these fields and no other.
func (p *Pattern) has(name string, ordinal int64, id string) bool {
	m, ok := p.Match(name)
	return ok && m == (Match{Ordinal: ordinal, ID: id, Count: -1})
}

// fill appends the pattern with its fields filled in, right or not.
func (p *Pattern) fill(dst []byte, ordinal int64, id string) ([]byte, bool) {
	for _, part := range p.parts {
		dst = append(dst, part.literal...)
		switch part.field {
		case ordinalField:
			dst = appendPadded(dst, ordinal, part.digits)
		case idField:
			dst = append(dst, id...)
		case countField, anyField:
			return dst, false
		}
	}
	return dst, true
}

func appendPadded(dst []byte, n int64, digits int) []byte {
	var text [20]byte
	number := strconv.AppendInt(text[:0], n, 10)
	for range digits - len(number) {
		dst = append(dst, '0')
	}
	return append(dst, number...)
}
