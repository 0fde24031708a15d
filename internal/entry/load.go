package entry

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/schemas"
)

// Fault is one thing wrong with an entry.
type Fault struct {
	Pointer string // JSON pointer into the entry
	Message string // found, then expected
}

// Faults are all faults of one entry, sorted by pointer.
type Faults []Fault

// Error lists the faults, a line each.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = fmt.Sprintf("%s: %s", orRoot(one.Pointer), one.Message)
	}
	return strings.Join(lines, "\n")
}

func orRoot(pointer string) string {
	if pointer == "" {
		return "/"
	}
	return pointer
}

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

// merge joins what the schema and the loader found. Where the schema found a fault, the loader's are but its echo.
func merge(problems []schemas.Problem, faults Faults) Faults {
	var all Faults
	for _, p := range problems {
		all = append(all, Fault(p))
	}
	for _, f := range faults {
		if !slices.ContainsFunc(problems, func(p schemas.Problem) bool { return within(f.Pointer, p.Pointer) || within(p.Pointer, f.Pointer) }) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Fault) int { return strings.Compare(a.Pointer, b.Pointer) })
	return all
}

// within says whether pointer names the value at top or one below it. The root does not count: only members of its own.
func within(pointer, top string) bool {
	rest, ok := strings.CutPrefix(pointer, top)
	return ok && top != "" && (rest == "" || rest[0] == '/')
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

// Compiler compiles the paths and conditions of an entry's projections, and gathers the faults it meets.
type Compiler struct{ l loader }

// NewCompiler is a compiler for the projections of a loaded entry.
func NewCompiler(e *Entry) *Compiler { return &Compiler{loader{doc: e.Doc, e: e}} }

// Fault notes one fault at a node of the entry.
func (c *Compiler) Fault(node int, message string) { c.l.fault(node, message) }

// Path compiles the path that a string node spells.
func (c *Compiler) Path(node int) Path { return c.l.path(node) }

// Cond compiles the condition at a node; a missing node (-1) is the condition that always holds.
func (c *Compiler) Cond(node int) *Cond { return c.l.cond(node) }

// Err is the Faults noted so far, nil without any.
func (c *Compiler) Err() error {
	if len(c.l.faults) == 0 {
		return nil
	}
	return merge(nil, c.l.faults)
}

func (l *loader) fault(n int, message string) {
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

// maxTests bounds the tests that a named condition comes to, those of the conditions that it uses included. Without a
// bound a few conditions that use each other twice would take for ever.
const maxTests = 1000

// conditions compiles the named conditions. They may use each other, in any order but not in a circle.
func (l *loader) conditions(n int) {
	l.each(n, func(c int) { l.e.Conditions[l.name(c)] = &Cond{} })
	l.each(n, func(c int) { *l.e.Conditions[l.name(c)] = *l.cond(c) })
	known := map[*Cond]int{}
	l.each(n, func(k int) {
		c := l.e.Conditions[l.name(k)]
		if weigh(c, known) <= maxTests {
			return
		}
		if uses(c, c, map[*Cond]bool{}) {
			l.fault(k, "got a condition that uses itself, want one that does not")
		} else {
			l.fault(k, fmt.Sprintf("got a condition of too many tests or above a circle, want at most %d, those it uses included", maxTests))
		}
	})
}

// weigh counts the tests of a condition, up to one more than maxTests; a circle is too many.
func weigh(c *Cond, known map[*Cond]int) int {
	if w, ok := known[c]; ok {
		return w
	}
	known[c] = maxTests + 1
	w := len(c.tests)
	for _, next := range slices.Concat(append(slices.Clone(c.any), c.uses)...) {
		w = min(w+1+weigh(next, known), maxTests+1)
	}
	known[c] = w
	return w
}

// uses says whether target is reached from c through uses and alternatives.
func uses(c, target *Cond, seen map[*Cond]bool) bool {
	next := slices.Clone(c.uses)
	for _, list := range c.any {
		next = append(next, list...)
	}
	for _, u := range next {
		if u == target {
			return true
		}
		if seen[u] {
			continue
		}
		seen[u] = true
		if uses(u, target, seen) {
			return true
		}
	}
	return false
}

func (l *loader) cond(n int) *Cond {
	c := &Cond{}
	l.each(n, func(m int) {
		switch name := l.name(m); name {
		case "any":
			var list []*Cond
			l.each(m, func(a int) { list = append(list, l.cond(a)) })
			c.any = append(c.any, list)
		case "use":
			u := l.e.Conditions[l.text(m)]
			if u == nil {
				l.fault(m, fmt.Sprintf("got an unknown condition %q, want one of the entry's conditions", clip(l.text(m))))
				return
			}
			c.uses = append(c.uses, u)
		default:
			c.tests = append(c.tests, l.test(name, m))
		}
	})
	return c
}

// optionalCond is nil when the node is missing.
func (l *loader) optionalCond(n int) *Cond {
	if n < 0 {
		return nil
	}
	return l.cond(n)
}

func (l *loader) test(name string, n int) test {
	switch name {
	case "$seen":
		return test{op: opSeen, want: l.choice(n, "later", "first")}
	case "$child":
		if k := l.doc.Kind(n); k != jsonscan.True && k != jsonscan.False {
			l.fault(n, "got something else, want true or false")
		}
		return test{op: opChild, want: l.doc.Kind(n) == jsonscan.True}
	}
	p, err := ParsePath(name)
	if err != nil {
		l.fault(n, err.Error())
	}
	t := test{path: p}
	switch l.doc.Kind(n) {
	case jsonscan.Object:
		l.operator(&t, n)
	case jsonscan.Array:
		l.each(n, func(c int) { t.literals = append(t.literals, l.literal(c)) })
	default:
		t.literals = []literal{l.literal(n)}
	}
	return t
}

// choice says whether the node spells yes; anything but yes and no is a fault.
func (l *loader) choice(n int, yes, no string) bool {
	switch l.text(n) {
	case yes:
		return true
	case no:
	default:
		l.fault(n, fmt.Sprintf("got something else, want %q or %q", yes, no))
	}
	return false
}

func (l *loader) literal(n int) literal {
	k := l.doc.Kind(n)
	switch k {
	case jsonscan.String:
		return literal{k, l.text(n)}
	case jsonscan.Number:
		return literal{k, string(l.doc.Value(n))}
	default:
		return literal{kind: k}
	}
}

func (l *loader) operator(t *test, n int) {
	c := n + 1
	switch l.name(c) {
	case "present":
		t.op = opPresent
	case "absent":
		t.op = opAbsent
	case "nonEmpty":
		t.op = opNonEmpty
	case "prefix":
		t.op = opPrefix
		if t.prefixes = l.texts(c); l.is(c, jsonscan.String) {
			t.prefixes = []string{l.text(c)}
		}
	case "longer":
		t.op = opLonger
		limit, ok := l.doc.Int(c)
		if !ok || limit < 0 || limit > 1<<31 {
			l.fault(c, "got something else, want a number of characters")
		}
		t.longer = int(limit)
	default:
		l.fault(c, "got an unknown test, want one of present, absent, nonEmpty, prefix, longer")
	}
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
