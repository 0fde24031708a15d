package redact

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Limits of what stands inline, as the record format has them.
const (
	maxInline      = 1 << 20
	maxInlineDepth = 1000
	maxDepth       = 10000

	mediaJSON = "application/json"
)

// kept is what became of native bytes.
type kept struct {
	raw      []byte // nil: as they were
	pointers []string
	reason   string // why they cannot stand inline, "" they can
}

// cut gives native bytes without what goes. Bytes that are no JSON go as text, pointer "".
func (p *plan) cut(raw []byte, count counts) (kept, error) {
	body := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	mark := raw[:len(raw)-len(body)]
	d, err := jsonscan.Scan(body, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		return p.cutText(raw, count), nil
	}
	c := cutter{plan: p, doc: &d, count: count}
	c.tree(0)
	if len(c.edits) == 0 {
		return kept{}, nil
	}
	nodes := c.changed(0)
	c.edits = sorted(c.edits)
	out := apply(body, c.edits, 0, len(body))
	k, err := pointersOf(out, nodes)
	if err != nil {
		return k, err
	}
	if len(mark) > 0 {
		k.reason = "whitespace"
	}
	k.raw = append(bytes.Clone(mark), out...)
	return k, nil
}

func (p *plan) cutText(raw []byte, count counts) kept {
	spans := p.free(raw)
	if len(spans) == 0 {
		return kept{}
	}
	edits := make([]edit, len(spans))
	for i, s := range spans {
		edits[i] = edit{s.start, s.end, []byte(p.tokens.of(s.value)), -1}
		count[s.rule]++
	}
	return kept{raw: apply(raw, edits, 0, len(raw)), pointers: []string{""}, reason: "invalid-json"}
}

// pointersOf names nodes in a document that was edited: its names may be other ones than before.
func pointersOf(raw []byte, nodes []int) (kept, error) {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		return kept{}, fmt.Errorf("after the edit: %w", err)
	}
	k := kept{raw: raw, reason: inlineReason(&d)}
	for _, n := range nodes {
		k.pointers = append(k.pointers, d.Pointer(n))
	}
	return k, nil
}

// inlineReason says why a document cannot stand inline, "" when it can.
func inlineReason(d *jsonscan.Doc) string {
	switch {
	case len(d.Raw) > maxInline:
		return "size"
	case d.Depth > maxInlineDepth:
		return "depth"
	case d.Has(jsonscan.LineBreak) || d.Raw[0] != '{' || d.Raw[len(d.Raw)-1] != '}':
		return "whitespace"
	case d.Has(jsonscan.DuplicateKey):
		return "duplicate-key"
	case d.Has(jsonscan.LoneSurrogate):
		return "surrogate"
	case d.Has(jsonscan.NonFiniteToken):
		return "non-finite"
	case d.Has(jsonscan.UnsafeNumber):
		return "unsafe-number"
	}
	return ""
}

// blobs rewrites the blobs that records name. Each is worked on once, but for those that come to stand inline.
type blobs struct {
	from  *bundle.Bundle
	plan  *plan
	media map[string]string
	mu    sync.Mutex
	done  map[string]*oneBlob
}

type oneBlob struct {
	once  sync.Once
	kept  kept
	count counts
	err   error
}

// read gives a blob's bytes and what they become. What goes is counted for the first who asks.
func (b *blobs) read(sha string, count counts) (raw []byte, k kept, err error) {
	b.mu.Lock()
	one := b.done[sha]
	if one == nil {
		one = &oneBlob{}
		b.done[sha] = one
	}
	b.mu.Unlock()
	first := false
	if raw, err = b.from.Blob(sha); err != nil {
		return nil, k, err
	}
	one.once.Do(func() {
		first = true
		one.count = counts{}
		one.kept, one.err = b.plan.cut(raw, one.count)
	})
	if one.err != nil {
		return nil, k, fmt.Errorf("blob %s: %w", sha, one.err)
	}
	if first {
		for rule, n := range one.count {
			count[rule] += n
		}
	}
	return raw, one.kept, nil
}

// reference is a blob as a record names it.
func reference(sha string, bytes int, media string) []byte {
	out := record.AppendString(record.AppendKey([]byte{'{'}, "sha256"), sha)
	out = record.AppendInt(record.AppendKey(out, "bytes"), int64(bytes))
	return append(record.AppendString(record.AppendKey(out, "mediaType"), media), '}')
}
