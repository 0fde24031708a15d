package validator

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// expecting is one native value of which the members of records are worked out.
type expecting struct {
	plan  *plan
	d     *jsonscan.Doc
	base  int // node of the native value
	facts entry.SessionFacts
	key   int    // element or member whose name is $key, -1 none
	from  string // pointer of base
	out   []byte // what was made; reused
	have  int    // the member to compare with, -1 none: content that is the same is not made again
}

// at is the value that a path names, nil for null.
func (x *expecting) at(p *entry.Path, at int) []byte {
	if p.IsKey() {
		if x.key < 0 || x.d.Nodes[x.key].KeyStart == 0 {
			return nil
		}
		name, _ := jsonscan.AppendUnescape(nil, x.d.Name(x.key))
		return x.quoted(string(name))
	}
	if n := p.One(x.d, at); there(x.d, n) {
		return x.d.Value(n)
	}
	return nil
}

// start makes ready for another native value.
func (x *expecting) start(p *plan, d *jsonscan.Doc, base int) {
	x.plan, x.d, x.base, x.key, x.facts, x.from, x.out, x.have = p, d, base, -1, entry.SessionFacts{}, "", x.out[:0], -1
}

// since is what was made since out was that long.
func (x *expecting) since(start int) []byte { return x.out[start:len(x.out):len(x.out)] }

func (x *expecting) quoted(text string) []byte {
	start := len(x.out)
	x.out = record.AppendString(x.out, text)
	return x.since(start)
}

// pointer is the place of a node in the native value.
func (x *expecting) pointer(n int) string {
	if x.from == "" {
		x.from = x.d.Pointer(x.base)
	}
	return x.d.Pointer(n)[len(x.from):]
}

func (x *expecting) joined(values [][]byte) []byte {
	start := len(x.out)
	x.out = append(x.out, '[')
	for i, v := range values {
		if i > 0 {
			x.out = append(x.out, ',')
		}
		x.out = append(x.out, v...)
	}
	x.out = append(x.out, ']')
	return x.since(start)
}

// text is one text part for a string.
func (x *expecting) text(n int) []byte {
	if x.d.Kind(n) != jsonscan.String {
		return nil
	}
	start := len(x.out)
	x.out = append(appendText(append(x.out, '['), x.d.Value(n)), ']')
	return x.since(start)
}

func (x *expecting) textPart(n int) []byte {
	start := len(x.out)
	x.out = appendText(x.out, x.d.Value(n))
	return x.since(start)
}

func appendText(dst, raw []byte) []byte {
	return append(append(append(dst, `{"type":"text","text":`...), raw...), '}')
}

// other is the part of something that is neither text nor an image.
func (x *expecting) other(n int) []byte {
	start := len(x.out)
	x.out = append(record.AppendString(append(x.out, `{"type":"other","pointer":`...), x.pointer(n)), '}')
	return x.since(start)
}

// parts is the content parts of a value: one for a string or an object, one or more for each element of an array.
func (x *expecting) parts(n int) []byte {
	if x.have >= 0 && x.same(n) {
		return x.d.Value(x.have)
	}
	switch x.d.Kind(n) {
	case jsonscan.String:
		return x.text(n)
	case jsonscan.Object:
		var room [4][]byte
		return x.joined(x.block(room[:0], n))
	case jsonscan.Array:
		var room [8][]byte
		list := room[:0]
		for k := range x.d.Children(n) {
			list = x.block(list, k)
		}
		return x.joined(list)
	default:
		return nil
	}
}

// same says whether the member at hand is the texts of a value, spelled the same.
func (x *expecting) same(n int) bool {
	k := x.d.Kind(n)
	if x.d.Kind(x.have) != jsonscan.Array || k != jsonscan.Array && k != jsonscan.Object && k != jsonscan.String {
		return false
	}
	have, end := x.have+1, int(x.d.Nodes[x.have].Next)
	next := func(n int) bool {
		if have >= end || !x.sameText(have, n) {
			return false
		}
		have = int(x.d.Nodes[have].Next)
		return true
	}
	if k != jsonscan.Array {
		return next(n) && have == end
	}
	for b := n + 1; b < int(x.d.Nodes[n].Next); b = int(x.d.Nodes[b].Next) {
		if !next(b) {
			return false
		}
	}
	return have == end
}

// sameText says whether a part is the text of a block.
func (x *expecting) sameText(part, n int) bool {
	if x.d.Kind(n) == jsonscan.Object {
		p := x.plan.parts
		if !p.HasText || !p.TextWhen.Holds(x.d, n, x.facts) {
			return false
		}
		n = p.Text.One(x.d, n)
	}
	return x.d.Kind(n) == jsonscan.String && x.d.Len(part) == 2 && x.d.Equal(x.d.Find(part, "type"), "text") &&
		bytes.Equal(x.d.Value(x.d.Find(part, "text")), x.d.Value(n))
}

func (x *expecting) block(list [][]byte, n int) [][]byte {
	p := x.plan.parts
	if x.d.Kind(n) == jsonscan.String {
		return append(list, x.textPart(n))
	}
	if p.HasText && p.TextWhen.Holds(x.d, n, x.facts) {
		if text := p.Text.One(x.d, n); x.d.Kind(text) == jsonscan.String {
			return append(list, x.textPart(text))
		}
	}
	if p.HasImageURLs && p.ImageWhen.Holds(x.d, n, x.facts) {
		urls := p.ImageURLs.One(x.d, n)
		if x.d.Kind(urls) == jsonscan.String {
			return append(list, x.image(urls))
		}
		if x.d.Kind(urls) == jsonscan.Array && x.d.Len(urls) > 0 {
			for k := range x.d.Children(urls) {
				list = append(list, x.image(k))
			}
			return list
		}
	}
	return append(list, x.other(n))
}

// image is the part of a URL: inline data by its hash, another one as it stands.
func (x *expecting) image(n int) []byte {
	if x.d.Kind(n) != jsonscan.String || len(x.d.Value(n)) == 2 {
		return x.other(n)
	}
	url := x.d.AppendText(nil, n)
	rest, inline := bytes.CutPrefix(url, []byte("data:"))
	if !inline {
		return append(append([]byte(`{"type":"image","url":`), x.d.Value(n)...), '}')
	}
	media, text, ok := bytes.Cut(rest, []byte(";base64,"))
	data, err := base64.StdEncoding.AppendDecode(nil, text)
	if !ok || len(media) == 0 || err != nil {
		return x.other(n)
	}
	sum := sha256.Sum256(data)
	out := record.AppendString([]byte(`{"type":"image","mediaType":`), string(media))
	out = record.AppendString(record.AppendKey(out, "sha256"), hex.EncodeToString(sum[:]))
	out = record.AppendInt(record.AppendKey(out, "bytes"), int64(len(data)))
	return append(record.AppendString(record.AppendKey(out, "pointer"), x.pointer(n)), '}')
}

// holds says whether a member can have a raw value of that kind.
func holds(name string, v []byte) bool {
	var kinds string
	switch name {
	case "content", "dynamicContent", "extendedContent", "tools", "risks", "items", "requestedModels":
		kinds = "["
	case "target":
		kinds = "{"
	case "executable":
		kinds = "f"
	case "success", "blocked", "retryable":
		kinds = "tf"
	case "exitCode":
		return !bytes.ContainsAny(v, ".eE") && bytes.IndexByte([]byte("-0123456789"), v[0]) >= 0
	default:
		kinds = `"`
	}
	return bytes.IndexByte([]byte(kinds), v[0]) >= 0
}

// fitting is a maker whose values the member can have: others are left out, or replaced where the member is required.
func fitting(t record.Type, name string, m maker) maker {
	words, fallback := wordsOf(t, name)
	return func(x *expecting, at int) (v []byte) {
		if m != nil {
			v = m(x, at)
		}
		if name == "value" {
			return v
		}
		if v != nil && (!holds(name, v) || string(v) == `""` && name != "arguments") {
			v = nil
		}
		if v != nil && words != nil && !oneOf(words, v) {
			v = nil
		}
		if v == nil && fallback != "" {
			return []byte(fallback)
		}
		return v
	}
}

// oneOf says whether a raw string is one of some words.
func oneOf(words []string, v []byte) bool {
	if bytes.IndexByte(v, '\\') >= 0 {
		return slices.Contains(words, plainText(v))
	}
	for _, w := range words {
		if len(w) == len(v)-2 && string(v[1:len(v)-1]) == w {
			return true
		}
	}
	return false
}

// wordsOf is what a member may be, nil for anything, and what stands for a value that is not there, "" nothing.
func wordsOf(t record.Type, name string) (words []string, fallback string) {
	switch {
	case t == record.Message && name == "role":
		return []string{"user", "assistant", "system", "tool", "unknown"}, `"unknown"`
	case t == record.Message && name == "origin":
		return []string{"user", "agent", "environment", "hook", "summary", "unknown"}, `"unknown"`
	case t == record.Message && name == "content":
		return nil, `[]`
	case t == record.ToolResult && name == "status":
		return []string{"ok", "error", "rejected", "unknown"}, `"unknown"`
	case t == record.ToolResult && name == "rendering":
		return []string{"persisted", "not-persisted"}, `"not-persisted"`
	case t == record.Decision && name == "by":
		return []string{"user", "hook", "policy", "unknown"}, `"unknown"`
	case t == record.Vendor && name == "name":
		return nil, `""`
	case t == record.Decision && name == "decision":
		return []string{"approved", "rejected", "blocked", "superseded"}, ""
	case t == record.Lifecycle && name == "event":
		return []string{"paused", "interrupted", "resumed", "status_changed", "started", "finished", "outcome_unknown"}, ""
	case t == record.Compaction && name == "phase":
		return []string{"requested", "applied"}, ""
	case t == record.SessionLink && name == "rel":
		return []string{"subagent", "child", "fork", "resume", "copy"}, ""
	default:
		return nil, ""
	}
}
