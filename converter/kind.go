package converter

import (
	"slices"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// kind is what the entry says of all items of one kind, worked out once. A verdict that is open is asked of each item.
type kind struct {
	flags                          flags
	compaction, separator, grouped entry.Verdict
	pairs                          []pairVerdict
	omits                          []int // omissions that can be for an item of the kind
}

type pairVerdict struct {
	calls   entry.Verdict
	results []entry.Verdict
}

// maxKinds bounds how many kinds are remembered: items can spell any number of them.
const maxKinds = 256

// kindOf is what is known of an item's kind.
func (s *session) kindOf(d *jsonscan.Doc) *kind {
	name := text(d, &s.entry.Context.Kind)
	if k := s.kinds[string(name)]; k != nil {
		return k
	}
	k := s.judge(string(name))
	if len(s.kinds) < maxKinds {
		if s.kinds == nil {
			s.kinds = map[string]*kind{}
		}
		s.kinds[string(name)] = k
	}
	return k
}

func (s *session) judge(name string) *kind {
	e := s.entry
	path := e.Context.Kind.String()
	k := &kind{
		compaction: entry.Never,
		separator:  e.Groups.SeparatedBy.ByKind(path, name),
		grouped:    e.Groups.Of.ByKind(path, name),
	}
	if slices.Contains(e.Context.Kinds, name) {
		k.flags |= inContext
	}
	if slices.Contains(e.Tree.LastNot, name) {
		k.flags |= artifact
	}
	if c := e.Context.Compaction; c != nil {
		k.compaction = c.When.ByKind(path, name)
	}
	for i := range e.Pairs {
		v := pairVerdict{calls: e.Pairs[i].Calls.ByKind(path, name)}
		for j := range e.Pairs[i].Results {
			v.results = append(v.results, e.Pairs[i].Results[j].When.ByKind(path, name))
		}
		k.pairs = append(k.pairs, v)
	}
	for i := range e.Secrets.Omit {
		if o := &e.Secrets.Omit[i]; o.In == entry.InTranscript && o.When.ByKind(path, name) != entry.Never {
			k.omits = append(k.omits, i)
		}
	}
	return k
}

// holds asks the item only where its kind does not tell.
func (s *session) holds(v entry.Verdict, c *entry.Cond, d *jsonscan.Doc) bool {
	return v == entry.Always || (v == entry.Open && c.Holds(d, 0, entry.SessionFacts{}))
}
