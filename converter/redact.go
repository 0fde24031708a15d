package converter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// omitted stands where a secret was cut out of a string.
const omitted = "<secret-omitted>"

// Kinds of a redaction.
const (
	kindSecret = "secret"
	kindMasked = "masked"
	kindEmpty  = "empty"
)

// cut is one piece of a document that is left out.
type cut struct {
	node       int
	start, end int    // of the bytes replaced; a member: from its key to the end of its value
	put        string // what stands there instead
	member     bool   // an adjoining comma goes too
	kind       string
	pointer    string
}

// redactor leaves out of documents what an entry names.
type redactor struct {
	secrets *entry.Secrets
	ids     []entry.Path // ids of items, where no learnt value is cut
	learnt  learnt
}

// omissionsIn lists the omissions for one kind of document.
func (r *redactor) omissionsIn(in entry.In) []int {
	var list []int
	for i := range r.secrets.Omit {
		if r.secrets.Omit[i].In == in {
			list = append(list, i)
		}
	}
	return list
}

// redact gives the document's bytes without what the entry names for it. They are those of the document itself when
// nothing is left out.
func (r *redactor) redact(in entry.In, d *jsonscan.Doc) ([]byte, []record.Redaction) {
	return r.redactBy(in, r.omissionsIn(in), d, false)
}

// redactBy is redact for a document to which only some omissions can apply. In place, the result shares the memory of the
// document, which must not be used afterwards.
func (r *redactor) redactBy(in entry.In, omits []int, d *jsonscan.Doc, inPlace bool) ([]byte, []record.Redaction) {
	var cuts []cut
	for _, i := range omits {
		o := &r.secrets.Omit[i]
		if o.When == nil || o.When.Holds(d, 0, entry.SessionFacts{}) {
			cuts = r.omission(cuts, o, d)
		}
	}
	for i := range r.secrets.UserInfo {
		if p := &r.secrets.UserInfo[i]; p.Root() == "" || d.Find(0, p.Root()) >= 0 {
			cuts = r.userInfo(cuts, p, d)
		}
	}
	cuts = r.nowhere(cuts, d)
	if in != entry.InSnapshot {
		cuts = r.occurrences(cuts, d, r.ids)
	}
	if len(cuts) == 0 {
		return d.Raw, nil
	}
	cuts = located(cuts, d)
	if inPlace {
		return applyTo(d.Raw[:0], d.Raw, cuts)
	}
	return apply(d.Raw, cuts)
}

// omission finds what one omission names.
func (r *redactor) omission(cuts []cut, o *entry.Omission, d *jsonscan.Doc) []cut {
	bases := []int{0}
	if o.HasAt {
		bases = bases[:0]
		o.At.EachSpelled(d, 0, func(n int) bool {
			bases = append(bases, n)
			return true
		})
	}
	for _, base := range bases {
		if o.Text {
			cuts = r.text(cuts, o, d, base)
			continue
		}
		for i := range o.Paths {
			o.Paths[i].EachSpelled(d, base, func(n int) bool {
				if c, ok := r.member(d, n); ok {
					cuts = append(cuts, c)
				}
				return true
			})
		}
	}
	return cuts
}

// member is the cut of a whole member. Members that hold nothing stay, but for those that always go.
func (r *redactor) member(d *jsonscan.Doc, n int) (cut, bool) {
	node := d.Nodes[n]
	if node.KeyStart == 0 {
		return cut{}, false
	}
	kind := r.kind(d, n)
	if k := d.Kind(n); k == jsonscan.Null || k == jsonscan.NonFinite || (kind == kindEmpty && k != jsonscan.Object) {
		if entry.Empty(d, n) && !slices.ContainsFunc(r.secrets.Always, func(a string) bool { return named(d, n, a) }) {
			return cut{}, false
		}
	}
	return cut{
		node: n, start: int(node.KeyStart) - 1, end: int(node.End), member: true, kind: kind,
	}, true
}

func named(d *jsonscan.Doc, n int, name string) bool {
	if raw := d.Name(n); bytes.IndexByte(raw, '\\') < 0 {
		return string(raw) == name
	}
	text, _ := jsonscan.AppendUnescape(nil, d.Name(n))
	return string(text) == name
}

// kind judges what a value holds by the strings, numbers and flags in it; what describes a secret does not count.
func (r *redactor) kind(d *jsonscan.Doc, n int) string {
	kind := kindEmpty
	for i, end := n, int(d.Nodes[n].Next); i < end; {
		if i > n && (named(d, i, "kind") || named(d, i, "description")) {
			i = int(d.Nodes[i].Next)
			continue
		}
		switch d.Kind(i) {
		case jsonscan.String:
			text := d.Text(i)
			switch {
			case text == "":
			case r.masked(text):
				kind = kindMasked
			default:
				return kindSecret
			}
		case jsonscan.Number, jsonscan.True, jsonscan.False:
			return kindSecret
		}
		i++
	}
	return kind
}

// masked says whether a text stands for a secret that its writer left out or enciphered.
func (r *redactor) masked(text string) bool {
	if text == omitted || slices.Contains(r.secrets.Masked, text) {
		return true
	}
	return slices.ContainsFunc(r.secrets.Prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// userInfo finds the user part of URLs.
func (r *redactor) userInfo(cuts []cut, p *entry.Path, d *jsonscan.Doc) []cut {
	p.EachSpelled(d, 0, func(n int) bool {
		if d.Kind(n) != jsonscan.String {
			return true
		}
		raw := d.Value(n)
		start, end := userPart(raw)
		if end <= start || string(raw[start:end]) == omitted {
			return true
		}
		kind := kindSecret
		if r.masked(string(raw[start:end])) {
			kind = kindMasked
		}
		at := int(d.Nodes[n].Start)
		cuts = append(cuts, cut{node: n, start: at + start, end: at + end, put: omitted, kind: kind})
		return true
	})
	return cuts
}

// userPart is the span between :// and @ in the raw spelling of a URL; end is not above start without one.
func userPart(raw []byte) (start, end int) {
	for _, mark := range []string{`://`, `:\/\/`} {
		i := bytes.Index(raw, []byte(mark))
		if i < 0 {
			continue
		}
		start = i + len(mark)
		rest := raw[start:]
		if stop := bytes.IndexAny(rest, `/?#"`); stop >= 0 {
			rest = rest[:stop]
		}
		rest = bytes.TrimSuffix(rest, []byte(`\`))
		return start, start + bytes.LastIndexByte(rest, '@')
	}
	return 0, 0
}

// text finds values in JSON that stands inside a string; they are replaced in the spelling of the text around them.
func (r *redactor) text(cuts []cut, o *entry.Omission, d *jsonscan.Doc, at int) []cut {
	if d.Kind(at) != jsonscan.String {
		return cuts
	}
	inner, err := jsonscan.Scan([]byte(d.Text(at)), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		return cuts
	}
	var nodes []int
	for i := range o.Paths {
		o.Paths[i].EachSpelled(&inner, 0, func(n int) bool {
			if r.kind(&inner, n) == kindSecret {
				nodes = append(nodes, n)
			}
			return true
		})
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	body := d.Value(at)
	offset := int(d.Nodes[at].Start) + 1
	places := spelledAt(body[1:len(body)-1], &inner, nodes)
	for i := range nodes {
		put := `\"` + omitted + `\"`
		cuts = append(cuts, cut{
			node: at, start: offset + places[i][0], end: offset + places[i][1], put: put, kind: kindSecret,
		})
	}
	return cuts
}

// spelledAt gives the spans of nodes, in order, within the raw spelling of the text that they were scanned from.
func spelledAt(raw []byte, d *jsonscan.Doc, nodes []int) [][2]int {
	spans := make([][2]int, len(nodes))
	type mark struct{ text, index, side int }
	marks := make([]mark, 0, 2*len(nodes))
	for i, n := range nodes {
		marks = append(marks, mark{int(d.Nodes[n].Start), i, 0}, mark{int(d.Nodes[n].End), i, 1})
	}
	slices.SortFunc(marks, func(a, b mark) int { return cmp.Compare(a.text, b.text) })
	var scratch []byte
	text, pos := 0, 0
	for _, m := range marks {
		for text < m.text && pos < len(raw) {
			n := escapeLen(raw[pos:])
			scratch, _ = jsonscan.AppendUnescape(scratch[:0], raw[pos:pos+n])
			text += len(scratch)
			pos += n
		}
		spans[m.index][m.side] = pos
	}
	return spans
}

// escapeLen is the length of the first character of a raw string: one byte, an escape, or a surrogate pair of escapes.
func escapeLen(raw []byte) int {
	if raw[0] != '\\' || len(raw) < 2 {
		return 1
	}
	if raw[1] != 'u' {
		return 2
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' && (raw[2]|0x20) == 'd' && (raw[8]|0x20) == 'd' {
		return 12
	}
	return min(6, len(raw))
}

// located is the outermost cuts with their pointers.
func located(cuts []cut, d *jsonscan.Doc) []cut {
	cuts = outermost(cuts)
	var trail jsonscan.Trail
	for i := range cuts {
		cuts[i].pointer = trail.Pointer(d, cuts[i].node)
	}
	return cuts
}

// outermost sorts the cuts and drops those inside of others.
func outermost(cuts []cut) []cut {
	slices.SortStableFunc(cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	kept := cuts[:0]
	end := -1
	for _, c := range cuts {
		if c.start < end {
			continue
		}
		end = c.end
		kept = append(kept, c)
	}
	return kept
}

// apply gives raw without the cuts, and names them. A removed member goes with the next comma, else the one before.
func apply(raw []byte, cuts []cut) ([]byte, []record.Redaction) {
	return applyTo(make([]byte, 0, len(raw)), raw, cuts)
}

// applyTo is apply into out. It may be raw's own memory, before its first byte: text that grows ahead of what is read
// moves to memory of its own.
func applyTo(out, raw []byte, cuts []cut) ([]byte, []record.Redaction) {
	own := cap(out) > 0 && len(raw) > 0 && &out[:1][0] == &raw[0]
	list := make([]record.Redaction, 0, len(cuts))
	pos := 0
	for _, c := range cuts {
		out = append(out, raw[pos:c.start]...)
		pos = c.end
		if c.member {
			if next := skipSpace(raw, pos); next < len(raw) && raw[next] == ',' {
				pos = next + 1
			} else if kept := bytes.TrimRight(out, " \t\r\n"); len(kept) > 0 && kept[len(kept)-1] == ',' {
				out = kept[:len(kept)-1]
			}
		}
		if own && len(out)+len(c.put) > pos {
			out, own = append(make([]byte, 0, len(raw)+len(c.put)), out...), false
		}
		out = append(out, c.put...)
		list = name(list, c)
	}
	return append(out, raw[pos:]...), list
}

// name lists a cut; several in one place are one, secret when one of them is.
func name(list []record.Redaction, c cut) []record.Redaction {
	if n := len(list); n > 0 && list[n-1].Pointer == c.pointer {
		if c.kind == kindSecret {
			list[n-1].Kind = kindSecret
		}
		return list
	}
	return append(list, record.Redaction{Pointer: c.pointer, Kind: c.kind})
}

func skipSpace(raw []byte, pos int) int {
	for pos < len(raw) && (raw[pos] == ' ' || raw[pos] == '\t' || raw[pos] == '\n' || raw[pos] == '\r') {
		pos++
	}
	return pos
}
