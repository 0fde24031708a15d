package validator

import (
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// retained looks in documents for what the entry of their agent says is never kept.
type retained struct {
	secrets *entry.Secrets
	named   map[entry.In][]int // omissions by the documents they are for
}

func newRetained(s *entry.Secrets) *retained {
	r := &retained{secrets: s, named: map[entry.In][]int{}}
	for i := range s.Omit {
		r.named[s.Omit[i].In] = append(r.named[s.Omit[i].In], i)
	}
	return r
}

// find is the first node below at that should have gone from a document of the kind, -1 none. why says what it is.
func (r *retained) find(in entry.In, d *jsonscan.Doc, at int) (node int, why string) {
	for _, i := range r.named[in] {
		o := &r.secrets.Omit[i]
		if o.When != nil && !o.When.Holds(d, at, entry.SessionFacts{}) {
			continue
		}
		if n := r.omission(o, d, at); n >= 0 {
			return n, "a member that the registry entry never retains"
		}
	}
	for i := range r.secrets.UserInfo {
		if n := userInfo(&r.secrets.UserInfo[i], d, at); n >= 0 {
			return n, "a URL with its user part"
		}
	}
	if in != entry.InTranscript && len(r.named[in]) > 0 {
		if n := shaped(d, at); n >= 0 {
			return n, "a value of the shape of a key"
		}
	}
	return -1, ""
}

func (r *retained) omission(o *entry.Omission, d *jsonscan.Doc, at int) int {
	if !o.HasAt {
		return r.members(o, d, at)
	}
	found := -1
	o.At.EachSpelled(d, at, func(base int) bool {
		if o.Text {
			if r.inText(o, d, base) {
				found = base
			}
		} else {
			found = r.members(o, d, base)
		}
		return found < 0
	})
	return found
}

// members is the first member that an omission names and that holds something.
func (r *retained) members(o *entry.Omission, d *jsonscan.Doc, base int) int {
	found := -1
	for i := range o.Paths {
		o.Paths[i].EachSpelled(d, base, func(n int) bool {
			k := d.Kind(n)
			empty := k == jsonscan.Null || k == jsonscan.NonFinite || k != jsonscan.Object && entry.Empty(d, n)
			if d.Nodes[n].KeyStart != 0 && !empty {
				found = n
			}
			return found < 0
		})
		if found >= 0 {
			break
		}
	}
	return found
}

// inText says whether JSON inside a string has a value in clear where an omission names one.
func (r *retained) inText(o *entry.Omission, d *jsonscan.Doc, at int) bool {
	if d.Kind(at) != jsonscan.String {
		return false
	}
	inner, err := jsonscan.Scan([]byte(d.Text(at)), nil, jsonscan.Options{NonFinite: true})
	if err != nil {
		return false
	}
	clear := false
	for i := range o.Paths {
		o.Paths[i].EachSpelled(&inner, 0, func(n int) bool {
			clear = clear || r.clear(&inner, n)
			return !clear
		})
	}
	return clear
}

// clear says whether a value holds anything that is neither empty nor masked; what describes a secret does not count.
func (r *retained) clear(d *jsonscan.Doc, n int) bool {
	for i, end := n, int(d.Nodes[n].Next); i < end; i++ {
		if name := string(d.Name(i)); i > n && (name == "kind" || name == "description") {
			i = int(d.Nodes[i].Next) - 1
			continue
		}
		switch d.Kind(i) {
		case jsonscan.Number, jsonscan.True, jsonscan.False:
			return true
		case jsonscan.String:
			if text := d.Text(i); text != "" && !r.masked(text) {
				return true
			}
		}
	}
	return false
}

func (r *retained) masked(text string) bool {
	if text == omitted || slices.Contains(r.secrets.Masked, text) {
		return true
	}
	return slices.ContainsFunc(r.secrets.Prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// userInfo is the first URL at a path that still has a user part, -1 none.
func userInfo(p *entry.Path, d *jsonscan.Doc, at int) int {
	found := -1
	if root := p.Root(); root != "" && d.Find(at, root) < 0 {
		return found
	}
	p.EachSpelled(d, at, func(n int) bool {
		if user := userPart(d.Text(n)); user != "" && user != omitted {
			found = n
		}
		return found < 0
	})
	return found
}

// userPart is what stands before the @ of a URL's authority.
func userPart(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	return rest[:max(0, strings.LastIndexByte(rest, '@'))]
}

// shaped is the first string that looks like a key as a whole, -1 none.
func shaped(d *jsonscan.Doc, at int) int {
	for i, end := at, int(d.Nodes[at].Next); i < end; i++ {
		if d.Kind(i) == jsonscan.String {
			if v := d.Value(i); len(v) > minKey && isKey(string(v[1:len(v)-1])) {
				return i
			}
		}
	}
	return -1
}

// minKey is the length of the shortest key that has a shape.
const minKey = 20

// keyShapes are how keys of well-known services begin, and how many letters, digits, - and _ follow at least.
func keyShapes() []struct {
	start string
	more  int
} {
	return []struct {
		start string
		more  int
	}{
		{"sk-", 20},
		{"ghp_", 36},
		{"gho_", 36},
		{"ghu_", 36},
		{"ghs_", 36},
		{"github_pat_", 22},
		{"glpat-", 20},
		{"AKIA", 16},
		{"ASIA", 16},
		{"AIza", 35},
		{"xoxb-", 20},
		{"xoxp-", 20},
		{"hf_", 30},
	}
}

func isKey(text string) bool {
	if strings.HasPrefix(text, "-----BEGIN ") && strings.Contains(text, "PRIVATE KEY-----") {
		return true
	}
	for _, s := range keyShapes() {
		if rest, ok := strings.CutPrefix(text, s.start); ok && len(rest) >= s.more && strings.ContainsAny(rest, "0123456789") && !strings.ContainsFunc(rest, notInKey) {
			return true
		}
	}
	return false
}

func notInKey(c rune) bool {
	return !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_')
}
