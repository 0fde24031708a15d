package entry

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/schemas"
)

// Load reads one entry. The error is Faults when the document is wrong. raw belongs to the entry afterwards.
func Load(raw []byte) (*Entry, error) {
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: 200})
	if err != nil {
		return nil, Faults{{Message: err.Error() + ", want one JSON object"}}
	}
	if doc.FirstDuplicate >= 0 {
		return nil, Faults{{doc.Pointer(doc.FirstDuplicate), "got a member twice, want it once"}}
	}
	set, err := schemas.Compile()
	if err != nil {
		return nil, err
	}
	var problems []schemas.Problem
	if !set.Accept("registry-entry", &doc) { // the plan proves sound entries at a tenth of the cost
		if problems, err = set.Check("registry-entry", raw); err != nil {
			return nil, err
		}
	}
	l := &loader{doc: doc, e: &Entry{Raw: raw, Doc: doc, Records: -1, Version: "0", Conditions: map[string]*Cond{}}}
	l.load()
	if faults := merge(problems, l.faults); len(faults) > 0 {
		return nil, faults
	}
	return l.e, nil
}

type loader struct {
	doc    jsonscan.Doc
	e      *Entry
	faults Faults
}

func (l *loader) load() {
	e, root := l.e, 0
	sum := sha256.Sum256(e.Raw)
	e.SHA256 = hex.EncodeToString(sum[:])
	e.Name = l.text(l.get(root, "name"))
	e.Aliases = l.texts(l.get(root, "aliases"))
	if v := l.text(l.get(root, "version")); v != "" {
		e.Version = v
	}
	l.each(l.get(root, "evidence"), func(int) { e.Evidence++ })
	l.each(l.get(root, "destinations"), func(n int) { e.Destinations = append(e.Destinations, l.name(n)) })
	slices.Sort(e.Destinations)
	l.conditions(l.get(root, "conditions"))
	l.each(l.get(root, "formats"), func(n int) { e.Formats = append(e.Formats, l.format(n)) })
	l.session(l.get(root, "session"))
	l.snapshot(l.get(root, "snapshot"))
	l.tree(l.get(root, "tree"))
	l.groups(l.get(root, "groups"))
	l.each(l.get(root, "pairs"), func(n int) { e.Pairs = append(e.Pairs, l.pair(n)) })
	l.context(l.get(root, "context"))
	l.usage(l.get(root, "usage"))
	l.secrets(l.get(root, "secrets"))
	l.parts(l.get(root, "parts"))
	e.Records = l.get(root, "records")
}

// maxFaults is where faults are no longer noted.
const maxFaults = 1000

func (l *loader) fault(n int, message string) {
	if len(l.faults) == maxFaults {
		return
	}
	l.faults = append(l.faults, Fault{l.doc.Pointer(max(n, 0)), message})
}

func (l *loader) get(n int, name string) int {
	if n < 0 {
		return -1
	}
	return l.doc.Find(n, name)
}

func (l *loader) text(n int) string { return l.doc.Text(n) }

func (l *loader) name(n int) string {
	out, _ := jsonscan.AppendUnescape(nil, l.doc.Name(n))
	return string(out)
}

func (l *loader) is(n int, k jsonscan.Kind) bool { return n >= 0 && l.doc.Kind(n) == k }

func (l *loader) each(n int, f func(child int)) {
	if n < 0 || (l.doc.Kind(n) != jsonscan.Array && l.doc.Kind(n) != jsonscan.Object) {
		return
	}
	for c, end := n+1, int(l.doc.Nodes[n].Next); c < end; c = int(l.doc.Nodes[c].Next) {
		f(c)
	}
}

func (l *loader) texts(n int) []string {
	var list []string
	l.each(n, func(c int) { list = append(list, l.text(c)) })
	return list
}

func (l *loader) path(n int) Path {
	if n < 0 {
		return Path{}
	}
	p, err := ParsePath(l.text(n))
	if err != nil {
		l.fault(n, err.Error())
	}
	return p
}

// optional is path with whether it is there.
func (l *loader) optional(n int) (Path, bool) { return l.path(n), n >= 0 }

func (l *loader) paths(n int) []Path {
	var list []Path
	if l.is(n, jsonscan.String) {
		return []Path{l.path(n)}
	}
	if f := l.get(n, "first"); l.is(n, jsonscan.Object) && f >= 0 {
		n = f
	}
	l.each(n, func(c int) { list = append(list, l.path(c)) })
	return list
}

func (l *loader) globs(n int) []Glob {
	var list []Glob
	l.each(n, func(c int) {
		g, err := ParseGlob(l.text(c))
		if err != nil {
			l.fault(c, err.Error())
			return
		}
		list = append(list, g)
	})
	return list
}

// clip shortens a name for a message.
func clip(s string) string {
	if len(s) > 64 {
		return s[:64] + "…"
	}
	return s
}

// ErrNoEntry says that no entry bears a name.
var ErrNoEntry = errors.New("no registry entry of that name")
