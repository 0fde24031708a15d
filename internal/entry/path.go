package entry

import (
	"errors"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// stepKind is one kind of step of a path.
type stepKind uint8

const (
	stepName    stepKind = iota // a member, or an element when the value is an array and the name an index
	stepEach                    // # every element
	stepAll                     // * every member
	stepDeep                    // ** zero or more levels
	stepKey                     // $key: the name under which the current value stands
	stepValue                   // $value: the current value
	stepSpelled                 // a member, however often it is there
)

type step struct {
	kind  stepKind
	name  string
	index int // -1: the name is no index
}

// Path is a compiled path into a JSON value: dotted member names (`\.` is a dot), indices, # for every element,
// * for every member, ** for zero or more levels. The zero Path, of a member that an entry leaves out, names nothing.
type Path struct {
	text  string
	steps []step
	plain bool // no # * and **: it names one node at most
}

// ParsePath compiles a path.
func ParsePath(text string) (Path, error) {
	p := Path{text: text}
	var name strings.Builder
	literal := false // a part with an escaped dot is a plain name
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == '.':
			s, err := newStep(name.String(), literal)
			if err != nil {
				return Path{}, err
			}
			p.steps = append(p.steps, s)
			name.Reset()
			literal = false
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '.':
			i++
			literal = true
			name.WriteByte('.')
		default:
			name.WriteByte(text[i])
		}
	}
	p.plain = !slices.ContainsFunc(p.steps, func(s step) bool { return s.kind != stepName && s.kind != stepValue })
	return p, p.check()
}

func newStep(name string, literal bool) (step, error) {
	if name == "" {
		return step{}, errors.New("got an empty part, want a name between the dots")
	}
	s := step{kind: stepName, name: name, index: indexOf(name)}
	if literal {
		return s, nil
	}
	switch name {
	case "#":
		s.kind = stepEach
	case "*":
		s.kind = stepAll
	case "**":
		s.kind = stepDeep
	case "$key":
		s.kind = stepKey
	case "$value":
		s.kind = stepValue
	default:
		if name[0] == '$' {
			return step{}, errors.New("got an unknown fact, want one of $key, $value, $seen, $child")
		}
	}
	return s, nil
}

// check refuses paths that could never name anything.
func (p *Path) check() error {
	for i, s := range p.steps {
		if (s.kind == stepKey || s.kind == stepValue) && i > 0 {
			return errors.New("got " + s.name + " inside a path, want it first")
		}
		if s.kind == stepKey && len(p.steps) > 1 {
			return errors.New("got a path below $key, want $key alone")
		}
	}
	return nil
}

// indexOf is the array index that name spells, -1 when it spells none.
func indexOf(name string) int {
	if len(name) > 9 || (len(name) > 1 && name[0] == '0') {
		return -1
	}
	n := 0
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return -1
		}
		n = n*10 + int(name[i]-'0')
	}
	return n
}

// String is the path as written.
func (p *Path) String() string { return p.text }

// Stated says whether there is a path at all.
func (p *Path) Stated() bool { return len(p.steps) > 0 }

// IsKey says whether the path is $key, the name of the current value and no value itself.
func (p *Path) IsKey() bool { return len(p.steps) == 1 && p.steps[0].kind == stepKey }

// Root is the name of the top member that the path goes through, "" when it may be any.
func (p *Path) Root() string {
	steps := p.steps
	if len(steps) > 0 && steps[0].kind == stepValue {
		steps = steps[1:]
	}
	if len(steps) == 0 || steps[0].kind != stepName {
		return ""
	}
	return steps[0].name
}

// Single is the member name of a path of one plain step, "" for any other.
func (p *Path) Single() string {
	if len(p.steps) == 1 {
		return p.Root()
	}
	return ""
}

// One is the first node that the path names below node at, in document order; -1 when there is none.
// It allocates nothing for a path without # * and **.
func (p *Path) One(d *jsonscan.Doc, at int) int {
	if !p.plain {
		return p.first(d, at)
	}
	for i := range p.steps {
		if p.steps[i].kind == stepValue {
			continue
		}
		if at = p.steps[i].down(d, at); at < 0 {
			return -1
		}
	}
	return at
}

func (p *Path) first(d *jsonscan.Doc, at int) int {
	found := -1
	p.Each(d, at, func(node int) bool {
		found = node
		return false
	})
	return found
}

// down is the child that a plain step names.
func (s *step) down(d *jsonscan.Doc, at int) int {
	if s.index >= 0 && d.Kind(at) == jsonscan.Array {
		return d.Elem(at, s.index)
	}
	return d.Find(at, s.name)
}
