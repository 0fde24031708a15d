package converter

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// redactTorn is redactText for an item that cannot be read: what the entry names for items goes, too, as far as the bytes
// are the beginning of a JSON document. open says that what goes has no end: what stands behind the item in the same file
// may be more of it.
func (r *redactor) redactTorn(raw []byte) (kept []byte, list []record.Redaction, open bool) {
	spans, open := r.tornSpans(raw)
	kept, list = r.redactSpans(raw, spans)
	return kept, list, open
}

// redactRest is redactTorn for bytes that may be the rest of something to be cut out that stands before them.
func (r *redactor) redactRest(raw []byte) ([]byte, []record.Redaction) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return raw, nil
	}
	return apply(raw, []cut{{end: len(raw), put: omitted, kind: kindSecret}})
}

// tornSpans finds what the entry names for items in the beginning of one. Conditions are not asked: the member that one
// looks at may be torn off, and what is cut out of a wreck without need is declared.
func (r *redactor) tornSpans(raw []byte) (spans [][2]int, open bool) {
	d, sound := mended(raw)
	if d == nil {
		return r.brokenSpans(raw, 0), false
	}
	if r.state {
		sound = 0
	}
	spans = r.brokenSpans(raw, sound)
	var cuts []cut
	for _, i := range r.omissionsIn(entry.InTranscript) {
		cuts = r.omission(cuts, &r.secrets.Omit[i], d)
	}
	for i := range r.secrets.UserInfo {
		cuts = r.userInfo(cuts, &r.secrets.UserInfo[i], d)
		r.secrets.UserInfo[i].EachSpelled(d, 0, func(n int) bool {
			if at := int(d.Nodes[n].Start); d.Kind(n) == jsonscan.String && int(d.Nodes[n].End) > len(raw) && at < len(raw) {
				if start, end := brokenUser(raw[at:]); end > start {
					spans = append(spans, [2]int{at + start, at + end})
				}
			}
			return true
		})
	}
	end := len(bytes.TrimRight(raw, space))
	for _, c := range cuts {
		if c.kind == kindSecret && c.start < len(raw) {
			spans = append(spans, [2]int{c.start, min(c.end, len(raw))})
		}
		open = open || c.end >= end
	}
	return spans, open
}

// redactFrame is redactText for what stands around the items of a file. Where it is part of a document, members of the names
// that the entry retains of no document go as well.
func (r *redactor) redactFrame(raw []byte) ([]byte, []record.Redaction) {
	return r.redactSpans(raw, r.frameSpans(raw))
}

func (r *redactor) frameSpans(raw []byte) [][2]int {
	var spans [][2]int
	for _, before := range [...]string{"", `{"":[`} { // what stands behind the last item ends what began before the first
		d, _ := mended(append([]byte(before), raw...))
		if d == nil {
			continue
		}
		for n := range d.Nodes {
			if d.Nodes[n].KeyStart == 0 || !r.names(d, n) || r.kind(d, n) != kindSecret {
				continue
			}
			start, end := int(d.Nodes[n].Start)-len(before), int(d.Nodes[n].End)-len(before)
			if d.Kind(n) == jsonscan.String {
				start, end = start+1, end-1
			}
			if start >= 0 && start < len(raw) {
				spans = append(spans, [2]int{start, min(end, len(raw))})
			}
		}
		if spans != nil {
			break
		}
	}
	return spans
}

// names says whether a member has the last name of a path that the entry cuts out of some document.
func (r *redactor) names(d *jsonscan.Doc, n int) bool {
	return slices.ContainsFunc(r.brokenNames(), func(name string) bool { return named(d, n, name) })
}

// absent stands for a value of which nothing is there: it could have been a secret.
const absent = `"-"`

// mended is the JSON document that raw begins, with an end of our own; nil when it begins none. Its places below the
// length of raw are those of raw, of which it is true up to sound.
func mended(raw []byte) (doc *jsonscan.Doc, sound int) {
	text := plain(raw)
	if d, err := jsonscan.Scan(text, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true}); err == nil {
		return &d, len(raw)
	} else if e := (*jsonscan.Error)(nil); errors.As(err, &e) {
		text = text[:min(e.Offset, len(text))]
	}
	sound = len(text)
	text, ends := unclosed(text)
	literal := len(text)
	for literal > 0 && (text[literal-1]|0x20 >= 'a' && text[literal-1]|0x20 <= 'z' || text[literal-1] >= '+' && text[literal-1] <= '9' && text[literal-1] != ',') {
		literal--
	}
	for _, whole := range [...]int{len(text), literal} {
		for _, missing := range [...]string{"", absent, ":" + absent, `"":null`} {
			try := append(append(text[:whole:whole], missing...), ends...)
			if d, err := jsonscan.Scan(try, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true}); err == nil {
				return &d, sound
			}
		}
	}
	return nil, 0
}

// plain is a copy with a question mark in place of each byte that is no UTF-8, or that no JSON string may hold.
func plain(raw []byte) []byte {
	text := append([]byte(nil), raw...)
	inside := false
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		switch {
		case c == utf8.RuneError && n <= 1, inside && c < ' ':
			text[i], n = '?', 1
		case inside && c == '\\':
			n = min(escapeLen(text[i:]), len(text)-i)
			if !soundEscape(text[i : i+n]) {
				text[i], n = '?', 1
			}
		case c == '"':
			inside = !inside
		}
		i += n
	}
	return text
}

// soundEscape says whether an escape may stand in a JSON string.
func soundEscape(escape []byte) bool {
	_, err := jsonscan.Scan(slices.Concat([]byte{'"'}, escape, []byte{'"'}), nil, jsonscan.Options{})
	return err == nil
}

// unclosed closes the string that the beginning of a document ends in, and gives the brackets that it lacks.
func unclosed(text []byte) (closed, ends []byte) {
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{':
			ends = append(ends, '}')
		case c == '[':
			ends = append(ends, ']')
		case (c == '}' || c == ']') && len(ends) > 0:
			ends = ends[:len(ends)-1]
		}
	}
	if inside {
		text = append(text, '"')
	}
	slices.Reverse(ends)
	return text, ends
}
