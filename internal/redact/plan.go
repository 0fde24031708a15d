package redact

import (
	"strings"

	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/spelling"
)

// plan knows what goes: by what it looks like, and by its value wherever else that stands. It is read only once gathered.
type plan struct {
	chosen
	detector *audit.Detector
	patterns []pattern
	tokens   *tokens
	values   spelling.Set      // secrets, in any spelling
	words    spelling.Set      // weaker secrets and hosts: only as words of their own
	found    map[string]string // the rule that found a value; of several the first by name
	ids      map[string]bool
}

// learnIDs notes the ids and links of a record. Where native bytes state them they are edited as in the record itself.
func (p *plan) learnIDs(d *jsonscan.Doc) {
	for m := range d.Children(0) {
		if !links(string(d.Name(m))) {
			continue
		}
		for n := m; n < int(d.Nodes[m].Next); n++ {
			if d.Kind(n) == jsonscan.String && len(d.Value(n)) <= maxID {
				text := d.Text(n)
				p.ids[text] = true
				if _, rest, ok := strings.Cut(text, ":"); ok {
					p.ids[rest] = true // inference:<response id>, file:<path>
				}
			}
		}
	}
}

// maxID bounds, in bytes, what is taken for an id.
const maxID = 1024

// learn notes the values of what stands in a document.
func (p *plan) learn(d *jsonscan.Doc) {
	if len(p.secrets) > 0 {
		p.detector.Document(d, func(pl *audit.Place) { p.note(&pl.Hit) })
	}
	if !p.hosts {
		return
	}
	for n := range d.Nodes {
		if d.Kind(n) == jsonscan.String {
			p.learnHosts(d.Value(n))
		}
	}
}

// learnText is learn for bytes that are no JSON.
func (p *plan) learnText(raw []byte) {
	if len(p.secrets) > 0 {
		for _, h := range p.detector.Find(raw) {
			p.note(&h)
		}
	}
	if p.hosts {
		p.learnHosts(raw)
	}
}

func (p *plan) note(h *audit.Hit) {
	switch {
	case h.Masked || !p.secrets[h.Rule]:
	case h.Strong:
		p.values.Add(h.Value)
		p.credit(h.Value, h.Rule)
	case telling(h.Value):
		p.words.AddWord(h.Value)
		p.credit(h.Value, h.Rule)
	}
}

// credit notes which rule found a value.
func (p *plan) credit(value, rule string) {
	if before, ok := p.found[value]; !ok || rule < before {
		p.found[value] = rule
	}
}

// telling says whether a weak secret is told from plain words: it has characters of two kinds.
func telling(s string) bool {
	kinds := 0
	for _, set := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"} {
		if strings.ContainsAny(s, set) {
			kinds++
		}
	}
	return len(s) >= 6 && kinds > 1
}

func (p *plan) learnHosts(raw []byte) {
	spelling.Layers(raw, func(l *spelling.Layer) {
		for i := range p.patterns {
			if p.patterns[i].rule != RuleHosts {
				continue
			}
			for _, s := range p.patterns[i].find(nil, l.Text) {
				if named(s.value) {
					p.words.AddWord(s.value)
					p.credit(s.value, RuleHosts)
				}
			}
		}
	})
}

// known gives the places of values, in bytes that name something: ids and links.
func (p *plan) known(raw []byte) []span { return p.spansOf(nil, &p.values, raw) }

// free gives the places of all that goes in the raw spelling of a text, in order; none overlaps another.
func (p *plan) free(raw []byte) []span {
	found := p.spansOf(nil, &p.values, raw)
	found = p.spansOf(found, &p.words, raw)
	if len(p.secrets) > 0 {
		for _, h := range p.detector.All(raw) {
			found = p.hit(found, &h, 0)
		}
	}
	if p.paths || p.hosts {
		spelling.Layers(raw, func(l *spelling.Layer) { found = p.pattern(found, l) })
	}
	return merge(found)
}

func (p *plan) hit(found []span, h *audit.Hit, from int) []span {
	if h.Masked || !p.secrets[h.Rule] || p.values.Has(h.Value) {
		// a known value is found by itself, in the same way everywhere
		return found
	}
	return append(found, span{h.Start - from, h.End - from, h.Value, h.Rule})
}

func (p *plan) pattern(found []span, l *spelling.Layer) []span {
	for i := range p.patterns {
		one := &p.patterns[i]
		if one.rule == RulePaths && !p.paths || one.rule == RuleHosts && !p.hosts {
			continue
		}
		for _, s := range one.find(nil, l.Text) {
			s.start, s.end = l.Span(s.start, s.end)
			found = append(found, s)
		}
	}
	return found
}

func (p *plan) spansOf(found []span, set *spelling.Set, raw []byte) []span {
	for _, s := range set.Spans(raw) {
		value := set.Value(s.Value)
		found = append(found, span{s.Start, s.End, value, p.found[value]})
	}
	return found
}

// replace is a text without what goes in names: ids and links.
func (p *plan) replace(text string) string {
	return p.values.Replace(text, func(i int) string { return p.tokens.of(p.values.Value(i)) })
}
