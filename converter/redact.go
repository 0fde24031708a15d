package converter

import (
	"bytes"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/spelling"
)

// omitted stands where a secret was cut out of a string.
const omitted = "<secret-omitted>"

// Kinds of a redaction.
const (
	kindSecret = "secret"
	kindMasked = "masked"
	kindEmpty  = "empty"
)

// redactor leaves out of documents what an entry names.
type redactor struct {
	secrets *entry.Secrets
	ids     []entry.Path // ids of items, where no learnt value is cut
	learnt  learnt
	broken  []string // see brokenNames
	state   bool     // what stands around the items cannot be read: a part of it may be taken for an item
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
	return r.redactBy(r.omissionsIn(in), d, false, false)
}

// redactBy is redact for a document to which only some omissions can apply. In place, the result shares the memory of the
// document, which must not be used afterwards. Where members are doubled no condition is asked: the one that counts may hide
// what the other one says. Anywhere leaves out all members of the names that the entry cuts out of some document.
func (r *redactor) redactBy(omits []int, d *jsonscan.Doc, inPlace, anywhere bool) ([]byte, []record.Redaction) {
	var cuts []cut
	for _, i := range omits {
		o := &r.secrets.Omit[i]
		if o.When == nil || d.Has(jsonscan.DuplicateKey) || o.When.Holds(d, 0, entry.SessionFacts{}) {
			cuts = r.omission(cuts, o, d)
		}
	}
	for i := range r.secrets.UserInfo {
		if p := &r.secrets.UserInfo[i]; p.Root() == "" || d.Find(0, p.Root()) >= 0 {
			cuts = r.userInfo(cuts, p, d)
		}
	}
	cuts = r.nowhere(cuts, d)
	if anywhere {
		cuts = r.anywhere(cuts, d)
	}
	cuts = r.occurrences(cuts, d, r.ids)
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

// anywhere finds the members of all names that the entry cuts out of some document, wherever they stand.
func (r *redactor) anywhere(cuts []cut, d *jsonscan.Doc) []cut {
	for n := range d.Nodes {
		if d.Nodes[n].KeyStart != 0 && r.names(d, n) {
			if c, ok := r.member(d, n); ok {
				cuts = append(cuts, c)
			}
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
		if entry.Empty(d, n) && !r.never(d, n) {
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
		if end <= start {
			return true
		}
		user, _ := jsonscan.AppendUnescape(nil, raw[start:end])
		if string(user) == omitted {
			return true
		}
		kind := kindSecret
		if r.masked(string(user)) {
			kind = kindMasked
		}
		at := int(d.Nodes[n].Start)
		cuts = append(cuts, cut{node: n, start: at + start, end: at + end, put: omitted, kind: kind})
		return true
	})
	return cuts
}

// userPart is the span between :// and @ in the raw spelling of a URL, whatever of it is escaped; end is not above start
// without one.
func userPart(raw []byte) (start, end int) {
	if bytes.IndexByte(raw, ':') < 0 && bytes.IndexByte(raw, '\\') < 0 {
		return 0, 0
	}
	url := spelling.Unescaped(raw[1 : len(raw)-1])
	i := bytes.Index(url.Text, []byte("://"))
	if i < 0 {
		return 0, 0
	}
	rest := url.Text[i+3:]
	if stop := bytes.IndexAny(rest, "/?#"); stop >= 0 {
		rest = rest[:stop]
	}
	start, end = url.Span(i+3, i+3+max(bytes.LastIndexByte(rest, '@'), 0))
	return start + 1, end + 1
}
