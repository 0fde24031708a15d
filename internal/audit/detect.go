package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/spelling"
)

// Hit is one place in bytes where a rule holds.
type Hit struct {
	Rule       string
	Start, End int    // in the bytes that were looked at
	Value      string // what stands there, decoded. It is never to be shown
	Masked     bool   // something stands in for a secret
	Strong     bool   // the value is a secret wherever else it stands
}

// minStart is the length, in bytes, of the shortest start of a rule.
const minStart = 3

// Detector finds secrets in text. It may be used by several goroutines at once.
type Detector struct {
	table  *table
	filter [1 << 10]uint64 // which hashes of three bytes begin the start of a rule
	starts map[[minStart]byte][]begin
}

type begin struct {
	text string
	rule int
}

// NewDetector reads the rules that are part of the program.
func NewDetector() (*Detector, error) {
	t, err := readTable()
	if err != nil {
		return nil, err
	}
	d := &Detector{table: t, starts: map[[minStart]byte][]begin{}}
	for i := range t.rules {
		for _, s := range t.rules[i].starts {
			k := key(s)
			h := hash(k)
			d.filter[h>>6] |= 1 << (h & 63)
			d.starts[k] = append(d.starts[k], begin{s, i})
		}
	}
	return d, nil
}

// Rules lists the rules in the order of their file.
func (d *Detector) Rules() []Rule { return slices.Clone(d.table.rules) }

// key is the first bytes of a text in lower case.
func key[T string | []byte](s T) [minStart]byte {
	return [minStart]byte{lower(s[0]), lower(s[1]), lower(s[2])}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func hash(k [minStart]byte) uint32 {
	return (uint32(k[0])<<16 | uint32(k[1])<<8 | uint32(k[2])) * 0x9E3779B1 >> 16
}

// Find gives the hits in bytes that may be text, JSON, or the raw spelling of a JSON string, below every spelling that
// internal/spelling knows. They are in order; none overlaps another.
func (d *Detector) Find(raw []byte) []Hit { return outermost(d.All(raw)) }

// All is Find without order: hits may overlap and repeat each other.
func (d *Detector) All(raw []byte) []Hit {
	var hits []Hit
	spelling.Layers(raw, func(l *spelling.Layer) {
		hits = d.search(hits, l.Text, l.Span)
		hits = d.encoded(hits, l)
	})
	return hits
}

// search appends the hits in plain text; place says where they stand.
func (d *Detector) search(hits []Hit, text []byte, place func(start, end int) (int, int)) []Hit {
	for i := 0; i+minStart <= len(text); i++ {
		k := key(text[i:])
		h := hash(k)
		if d.filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, b := range d.starts[k] {
			if hit, ok := d.at(text, i, b); ok {
				hit.Start, hit.End = place(hit.Start, hit.End)
				hits = append(hits, hit)
			}
		}
	}
	return hits
}

// at tries one rule at one place.
func (d *Detector) at(text []byte, i int, b begin) (Hit, bool) {
	r := &d.table.rules[b.rule]
	if len(text)-i < len(b.text) || !r.begins(text[i:i+len(b.text)], b.text) || !r.inside && i > 0 && word(text[i-1]) {
		return Hit{}, false
	}
	from := i + len(b.text)
	m := r.then.FindSubmatchIndex(text[from:min(len(text), from+r.window)])
	if m == nil {
		return Hit{}, false
	}
	hit := Hit{Rule: r.ID, Start: i, End: from + m[1]}
	if len(m) > 3 {
		hit.Start, hit.End = from+m[2], from+m[3]
	}
	hit.Value = string(text[hit.Start:hit.End])
	return d.judge(hit, r)
}

func (r *Rule) begins(text []byte, start string) bool {
	if r.fold {
		return strings.EqualFold(string(text), start)
	}
	return string(text) == start
}

// judge tells a secret from what stands in for one.
func (d *Detector) judge(hit Hit, r *Rule) (Hit, bool) {
	if d.table.masked(hit.Value) {
		hit.Rule, hit.Masked = MaskedRule, true
		return hit, true
	}
	if d.table.standsIn(hit.Value) || entropy(hit.Value) < r.entropy || r.digits && !mixed(hit.Value) || r.pair && !isPair(hit.Value) {
		return Hit{}, false
	}
	hit.Strong = !r.weak && strong(hit.Value) || r.weak && strong(hit.Value) && entropy(hit.Value) > 3.3
	return hit, true
}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Member judges a JSON member by its name: a text that is no stand-in is a secret there, whatever it looks like.
func (d *Detector) Member(name, value string) (Hit, bool) {
	m := &d.table.members
	name = strings.ToLower(name)
	if !m.names[name] && !slices.ContainsFunc(m.ends, func(e string) bool { return strings.HasSuffix(name, e) }) {
		return Hit{}, false
	}
	hit := Hit{Rule: d.table.rules[len(d.table.rules)-1].ID, Value: value}
	if len(value) < m.least || strings.ContainsAny(value, " \t\r\n") || d.table.standsIn(value) || entropy(value) < m.entropy {
		return Hit{}, false
	}
	hit.Strong = strong(value)
	return hit, true
}

// Masked says whether a text stands for a secret that was left out or enciphered.
func (d *Detector) Masked(value string) bool { return d.table.masked(value) }

// outermost sorts hits and drops those that lie within others or repeat them; of those that overlap the longest stays.
func outermost(hits []Hit) []Hit {
	if len(hits) < 2 {
		return hits
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(bit(a.Masked), bit(b.Masked)))
	})
	kept := hits[:0]
	for _, h := range hits {
		n := len(kept)
		switch {
		case n == 0 || h.Start >= kept[n-1].End:
			kept = append(kept, h)
		case h.Masked:
		case h.Start == kept[n-1].Start && h.End == kept[n-1].End && h.Rule == kept[n-1].Rule:
			kept[n-1] = h // of a deeper layer: what it really says
		case h.End-h.Start > kept[n-1].End-kept[n-1].Start:
			kept[n-1] = h
		}
	}
	return kept
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
