package converter

import (
	"bytes"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// fill notes in the row what the session needs to know of an item.
func (s *session) fill(r *row, sc *scanned) {
	ref := &s.files.items.Items[r.item]
	s.keys[r.item].id = s.hashText(ref.ID)
	if sc.problem != "" {
		r.gap = gapIndex(sc.problem)
		return
	}
	r.flags |= readable
	d := &sc.doc
	k := s.kindOf(d)
	s.fillIDs(r, ref, d)
	s.fillKind(r, d, k)
	s.fillPair(r, d, k)
	s.fillGroup(r, d, k)
	s.fillCounters(r, d)
	if s.entry.Session.HasTime {
		if at, _, ok := parseTime(borrow(textAt(d, s.entry.Session.Time.One(d, 0)))); ok {
			r.micros = at
		}
	}
}

// timeText is the item's time as text, "" without a readable one.
func (s *session) timeText(sc *scanned) string {
	if sc.problem != "" || !s.entry.Session.HasTime {
		return ""
	}
	n := s.entry.Session.Time.One(&sc.doc, 0)
	if n < 0 || sc.doc.Kind(n) != jsonscan.String {
		return ""
	}
	t := sc.doc.Text(n)
	if _, _, ok := parseTime(t); !ok {
		return ""
	}
	return t
}

// text is the raw text of a string at a path, unescaped; nil when it is absent or empty.
func text(d *jsonscan.Doc, p *entry.Path) []byte {
	if !p.Stated() {
		return nil
	}
	return textAt(d, p.One(d, 0))
}

func textAt(d *jsonscan.Doc, n int) []byte {
	if n < 0 || d.Kind(n) != jsonscan.String {
		return nil
	}
	raw := d.Value(n)
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		return d.AppendText(nil, n)
	}
	return raw
}

func (s *session) fillIDs(r *row, ref *formats.ItemRef, d *jsonscan.Doc) {
	t := &s.entry.Tree
	body := text(d, &t.Body)
	s.keys[r.item].body = s.hash(body)
	if ref.ID == "" && len(body) > 0 {
		s.keys[r.item].id = s.keys[r.item].body
		if s.bodyIDs == nil {
			s.bodyIDs = map[int32]string{}
		}
		s.bodyIDs[r.item] = string(body)
	}
	parent := text(d, &t.Parent)
	switch {
	case len(parent) == 0:
	case t.Root != "" && string(parent) == t.Root:
		r.flags |= rootMark
	default:
		r.flags |= explicit
		s.keys[r.item].parent = s.hash(parent)
	}
}

func (s *session) fillKind(r *row, d *jsonscan.Doc, k *kind) {
	r.flags |= k.flags
	if k.compaction != entry.Never && s.holds(k.compaction, s.entry.Context.Compaction.When, d) {
		r.flags |= compaction
	}
	r.projection = int16(s.mapper.Match(d, entry.SessionFacts{Child: s.src.child}))
}

func (s *session) fillPair(r *row, d *jsonscan.Doc, k *kind) {
	for i := range k.pairs {
		p, v := &s.entry.Pairs[i], &k.pairs[i]
		isCall := s.holds(v.calls, p.Calls, d)
		rule := -1
		for j := range p.Results {
			if s.holds(v.results[j], p.Results[j].When, d) {
				rule = j
				break
			}
		}
		if !isCall && rule < 0 {
			continue
		}
		r.pair, r.rule = int8(i), int8(rule)
		s.keys[r.item].key = s.hash(text(d, &p.Key))
		if isCall {
			r.flags |= call
			if p.Open == nil || p.Open.Holds(d, 0, entry.SessionFacts{}) {
				r.flags |= open
			}
			if p.Update {
				r.laterProjection = int16(s.mapper.Match(d, entry.SessionFacts{Later: true, Child: s.src.child}))
			}
		}
		if rule >= 0 {
			r.flags |= result
			s.fillLinks(r, d, &p.Results[rule])
		}
		return
	}
}

// fillLinks notes the id and the key by which a result names its call.
func (s *session) fillLinks(r *row, d *jsonscan.Doc, rule *entry.Result) {
	s.keys[r.item].key = 0
	for i := range rule.By {
		v := s.hash(text(d, &rule.By[i].Path))
		if rule.By[i].ByID {
			s.keys[r.item].link = v
		} else {
			s.keys[r.item].key = v
		}
	}
}

func (s *session) fillGroup(r *row, d *jsonscan.Doc, k *kind) {
	g := &s.entry.Groups
	if s.ungrouped() {
		return
	}
	if g.SeparatedBy != nil && s.holds(k.separator, g.SeparatedBy, d) {
		r.flags |= separator
	}
	if !s.holds(k.grouped, g.Of, d) {
		return
	}
	key := text(d, &g.Key)
	s.keys[r.item].group = s.hash(key)
	if s.keys[r.item].group == 0 || !g.HasCalls {
		return
	}
	if d.Find(0, g.Calls.Root()) < 0 {
		return
	}
	g.Calls.Each(d, 0, func(n int) bool {
		if id := textAt(d, n); len(id) > 0 {
			r.flags |= callsNamed
			s.nameCall(s.hash(id), r.item, string(key))
		}
		return true
	})
}
