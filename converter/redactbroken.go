package converter

import (
	"bytes"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// brokenNames are the last names of the paths that the entry cuts out of some document.
func (r *redactor) brokenNames() []string {
	if r.broken == nil {
		r.broken = slices.Clone(r.secrets.Always)
		for i := range r.secrets.Omit {
			r.broken = append(r.broken, lastNames(r.secrets.Omit[i].Paths)...)
		}
		slices.Sort(r.broken)
		r.broken = slices.Compact(r.broken)
	}
	return r.broken
}

// lastNames are the names that paths end in, those that end in no name left out.
func lastNames(paths []entry.Path) []string {
	var list []string
	for i := range paths {
		text := paths[i].String()
		if name := text[strings.LastIndexByte(text, '.')+1:]; name != "" && !strings.ContainsAny(name, "*#$") {
			list = append(list, name)
		}
	}
	return list
}

// brokenSpans finds what the entry names in bytes that are no JSON from a place on. How deep they are in what, and what is
// a string there, nobody can tell: what is spelled like a member of such a name goes, wherever it stands, and its value to
// where that ends, or to the end of the bytes.
func (r *redactor) brokenSpans(raw []byte, from int) [][2]int {
	var spans [][2]int
	for _, name := range r.brokenNames() {
		for _, m := range membersNamed(raw, from, name) {
			if slices.Contains(r.secrets.Always, name) || !r.holdsNothing(raw[m.value:m.end]) {
				spans = append(spans, [2]int{m.start, m.end})
			}
		}
	}
	for _, name := range lastNames(r.secrets.UserInfo) {
		for _, m := range membersNamed(raw, from, name) {
			if start, end := brokenUser(raw[m.value:m.end]); end > start {
				spans = append(spans, [2]int{m.value + start, m.value + end})
			}
		}
	}
	return spans
}

// spelledMember is what is spelled like a member: from the quote before its name to the end of its value.
type spelledMember struct{ start, value, end int }

// membersNamed finds what is spelled like members of a name, in JSON or in JSON inside a string.
func membersNamed(raw []byte, from int, name string) []spelledMember {
	var list []spelledMember
	for at := from; ; {
		n := bytes.Index(raw[at:], []byte(name))
		if n < 0 {
			return list
		}
		start := at + n
		at = start + len(name)
		if start == 0 || raw[start-1] != '"' {
			continue
		}
		start--
		inner := start > 0 && raw[start-1] == '\\'
		quote := "\""
		if inner {
			start, quote = start-1, `\"`
		}
		rest, ok := bytes.CutPrefix(raw[at:], []byte(quote))
		colon := skipSpace(raw, len(raw)-len(rest))
		if !ok || colon >= len(raw) || raw[colon] != ':' {
			continue
		}
		m := spelledMember{start: start, value: skipSpace(raw, colon+1)}
		if inner {
			m.end = innerEnd(raw, m.value)
		} else {
			m.end = m.value + len(bytes.TrimRight(raw[m.value:valueEnd(raw, m.value)], space))
		}
		list = append(list, m)
		at = max(at, m.end) // what is in the value goes or stays with it
	}
}

// innerEnd is where a value in JSON inside a string ends: a string at its quote, anything else with the string around it.
func innerEnd(raw []byte, at int) int {
	text := bytes.HasPrefix(raw[at:], []byte(`\"`))
	if text {
		at += 2
	}
	for at < len(raw) {
		switch {
		case raw[at] == '"':
			return at
		case raw[at] != '\\' || at+1 == len(raw):
			at++
		case raw[at+1] == '\\': // an escape of the inner text, and what it escapes
			at += 2
			if at < len(raw) && raw[at] == '\\' {
				at++
			}
			at = min(at+1, len(raw))
		case raw[at+1] == '"' && text:
			return at + 2
		default:
			at += 2
		}
	}
	return at
}

// holdsNothing says whether a value, as spelled, is empty or was masked by its writer.
func (r *redactor) holdsNothing(v []byte) bool {
	d, err := jsonscan.Scan(v, nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		text, inner := bytes.CutPrefix(v, []byte(`\"`))
		return inner && bytes.HasSuffix(text, []byte(`\"`)) && r.masked(string(text[:len(text)-2])) || len(v) == 0
	}
	return entry.Empty(&d, 0) || r.kind(&d, 0) != kindSecret
}

// brokenUser is the user part of a URL as it is spelled; of one that does not end, all behind its scheme may be.
func brokenUser(v []byte) (start, end int) {
	if len(v) < 2 || v[0] != '"' {
		return 0, 0
	}
	if v[len(v)-1] == '"' {
		return userPart(v)
	}
	scheme := bytes.Index(v, []byte("://"))
	if scheme < 0 || bytes.ContainsAny(v[scheme+3:], "/?#") {
		return 0, 0
	}
	return scheme + 3, len(v)
}
