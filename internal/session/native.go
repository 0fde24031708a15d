package session

import (
	"bytes"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// native is a native item, scanned: a document and the node of the item in it.
type native struct {
	d  *jsonscan.Doc
	at int
}

func (n native) text(p *entry.Path) []byte {
	if !p.Stated() {
		return nil
	}
	return textAt(n.d, p.One(n.d, n.at))
}

func (n native) holds(c *entry.Cond) bool { return c.Holds(n.d, n.at, entry.SessionFacts{}) }

// judge notes what the entry says of the item that a record begins.
func (r *reading) judge(i int32, f *fields) error {
	t := &r.s.items[i]
	t.flags |= readable
	if f.kind == record.Compaction {
		r.compaction(i)
	}
	n, ok := r.native(f)
	if !ok {
		return nil
	}
	t.flags |= judged
	r.s.judgeTree(t, n)
	r.s.judgeHead(t, n)
	r.s.judgePair(t, n)
	r.s.judgeContext(t, n)
	return nil
}

// native finds the native item of a record: in its line, or in a blob. A blob that cannot be read has none.
func (r *reading) native(f *fields) (native, bool) {
	d := &r.doc
	if n := d.Find(f.native, "record"); n >= 0 {
		return native{d, n}, true
	}
	sha := textAt(d, d.Find(d.Find(f.native, "blob"), "sha256"))
	if sha == nil {
		return native{}, false
	}
	raw, err := r.blobs(string(sha))
	if err != nil {
		return native{}, false
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	doc, err := jsonscan.Scan(raw, r.blob[:0], jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	r.blob = doc.Nodes
	return native{&doc, 0}, err == nil
}

func (s *Session) judgeTree(t *item, n native) {
	tree := &s.entry.Tree
	body := n.text(&tree.Body)
	t.body = s.hash(body)
	if t.id == 0 {
		t.id = t.body
	}
	switch parent := n.text(&tree.Parent); {
	case len(parent) == 0:
	case tree.Root != "" && string(parent) == tree.Root:
		t.flags |= rootMark
	default:
		t.flags |= explicit
		t.up64 = s.hash(parent)
	}
}

func (s *Session) judgeHead(t *item, n native) {
	kind := n.text(&s.entry.Context.Kind)
	for _, k := range s.entry.Tree.LastNot {
		if string(kind) == k {
			t.flags |= neverHead
		}
	}
}

func (s *Session) judgePair(t *item, n native) {
	for i := range s.entry.Pairs {
		p := &s.entry.Pairs[i]
		rule := -1
		for j := range p.Results {
			if n.holds(p.Results[j].When) {
				rule = j
				break
			}
		}
		isCall := n.holds(p.Calls)
		if !isCall && rule < 0 {
			continue
		}
		t.pair, t.rule = int8(i), int8(rule)
		t.setKey(s, n, &p.Key)
		if isCall {
			t.flags |= call
			if p.Open == nil || n.holds(p.Open) {
				t.flags |= open
			}
		}
		if rule >= 0 {
			t.flags |= result
			s.judgeLinks(t, n, &p.Results[rule])
		}
		return
	}
}

// setKey notes a pair key, also an empty one.
func (t *item) setKey(s *Session, n native, p *entry.Path) {
	t.key, t.flags = 0, t.flags&^keyed
	at := p.One(n.d, n.at)
	if p.Stated() && n.d.Kind(at) == jsonscan.String {
		t.key, t.flags = s.hash(textAt(n.d, at)), t.flags|keyed
	}
}

// judgeLinks notes by what a result names its call.
func (s *Session) judgeLinks(t *item, n native, rule *entry.Result) {
	for i := range rule.By {
		by := &rule.By[i]
		if !by.ByID {
			t.setKey(s, n, &by.Path)
			continue
		}
		if t.link = s.hash(n.text(&by.Path)); t.link != 0 && i == 0 {
			t.flags |= linkFirst
		}
	}
}

func (s *Session) judgeContext(t *item, n native) {
	if at := s.entry.Groups.Key.One(n.d, n.at); s.entry.Groups.Key.Stated() && n.d.Kind(at) == jsonscan.String {
		t.group, t.flags = s.hash(textAt(n.d, at)), t.flags|grouped
	}
	for i := range s.entry.Context.Enforce {
		if c := s.entry.Context.Enforce[i].Starts; c != nil && n.holds(c) {
			t.flags |= starts
		}
	}
}
