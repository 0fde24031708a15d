package registry

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// partsSource is the content parts that a value holds: a string is one text part, an object one block, an array a
// block an element.
type partsSource struct{ path entry.Path }

func (p *partsSource) value(s *scope, at int) []byte {
	n := p.path.One(s.doc, at)
	if n < 0 {
		return nil
	}
	switch s.doc.Kind(n) {
	case jsonscan.String:
		return s.onePart(n)
	case jsonscan.Object:
		return s.blocks([]int{n})
	case jsonscan.Array:
		nodes := make([]int, 0, 8)
		for c, end := n+1, int(s.doc.Nodes[n].Next); c < end; c = int(s.doc.Nodes[c].Next) {
			nodes = append(nodes, c)
		}
		return s.blocks(nodes)
	default:
		return nil
	}
}

// textSource is one text part.
type textSource struct{ path entry.Path }

func (t *textSource) value(s *scope, at int) []byte {
	n := t.path.One(s.doc, at)
	if n < 0 || s.doc.Kind(n) != jsonscan.String {
		return nil
	}
	return s.onePart(n)
}

// onePart is the array of one text part.
func (s *scope) onePart(n int) []byte {
	text := s.clean(n)
	return s.keep(func(dst []byte) []byte { return append(appendText(append(dst, '['), text), ']') })
}

// blocks gives the parts of content blocks. What a block holds is worked out before the array is built, since both
// use the arena.
func (s *scope) blocks(nodes []int) []byte {
	var room [8][]byte
	parts := room[:0]
	for _, n := range nodes {
		parts = s.block(parts, n)
	}
	return s.joined(parts)
}

func (s *scope) block(parts [][]byte, n int) [][]byte {
	t := &s.m.entry.Parts
	if s.doc.Kind(n) == jsonscan.String {
		return append(parts, s.textPart(n))
	}
	if t.HasText && t.TextWhen.Holds(s.doc, n, s.facts) {
		if text := t.Text.One(s.doc, n); text >= 0 && s.doc.Kind(text) == jsonscan.String {
			return append(parts, s.textPart(text))
		}
	}
	if t.HasImageURLs && t.ImageWhen.Holds(s.doc, n, s.facts) {
		if with, ok := s.images(parts, t.ImageURLs.One(s.doc, n)); ok {
			return with
		}
	}
	return append(parts, s.other(n))
}

func (s *scope) textPart(n int) []byte {
	text := s.clean(n)
	return s.keep(func(dst []byte) []byte { return appendText(dst, text) })
}

func (s *scope) other(n int) []byte {
	return s.keep(func(dst []byte) []byte { return appendOther(dst, s.pointer(n)) })
}

// images gives one part for each URL; ok is false when there is none.
func (s *scope) images(parts [][]byte, urls int) (with [][]byte, ok bool) {
	if urls < 0 {
		return parts, false
	}
	if s.doc.Kind(urls) == jsonscan.String {
		return append(parts, s.image(urls)), true
	}
	if s.doc.Kind(urls) != jsonscan.Array {
		return parts, false
	}
	for c, end := urls+1, int(s.doc.Nodes[urls].Next); c < end; c = int(s.doc.Nodes[c].Next) {
		parts, ok = append(parts, s.image(c)), true
	}
	return parts, ok
}

// image is the part of one URL: inline data by its hash and place, any other URL as it stands.
func (s *scope) image(n int) []byte {
	if s.doc.Kind(n) != jsonscan.String || len(s.doc.Value(n)) == 2 {
		return s.other(n)
	}
	raw := s.doc.Value(n)
	url := raw[1 : len(raw)-1]
	if bytes.IndexByte(url, '\\') >= 0 {
		url = s.doc.AppendText(nil, n)
	}
	data, inline := bytes.CutPrefix(url, []byte("data:"))
	if !inline {
		clean := s.clean(n)
		return s.keep(func(dst []byte) []byte {
			return append(append(append(dst, `{"type":"image","url":`...), clean...), '}')
		})
	}
	media, data, ok := bytes.Cut(data, []byte(";base64,"))
	if !ok || len(media) == 0 {
		return s.other(n)
	}
	bytesOf, err := base64.StdEncoding.AppendDecode(nil, data)
	if err != nil {
		return s.other(n)
	}
	sum := sha256.Sum256(bytesOf)
	return s.keep(func(dst []byte) []byte {
		dst = record.AppendString(append(dst, `{"type":"image","mediaType":`...), string(media))
		dst = record.AppendString(record.AppendKey(dst, "sha256"), hex.EncodeToString(sum[:]))
		dst = record.AppendInt(record.AppendKey(dst, "bytes"), int64(len(bytesOf)))
		return append(record.AppendString(record.AppendKey(dst, "pointer"), s.pointer(n)), '}')
	})
}

func appendText(dst, raw []byte) []byte {
	return append(append(append(dst, `{"type":"text","text":`...), raw...), '}')
}

func appendOther(dst []byte, pointer string) []byte {
	return append(record.AppendString(append(dst, `{"type":"other","pointer":`...), pointer), '}')
}
