package schemas

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxMembers bounds the members that one object plan names: their bits fit a word.
const maxMembers = 64

var errRef = errors.New("a $ref that names no definition of its own file")

// planner turns one schema file into plans; a definition becomes one plan however often it is named.
type planner struct {
	definitions map[string]any
	plans       map[string]*plan
	automata    map[string]*automaton // by expression, shared by all files
}

func newPlan(doc any, automata map[string]*automaton) (*plan, error) {
	root, _ := doc.(map[string]any)
	definitions, _ := root["$defs"].(map[string]any)
	b := &planner{definitions: definitions, plans: map[string]*plan{}, automata: automata}
	return b.build(doc)
}

func (b *planner) build(schema any) (*plan, error) {
	switch s := schema.(type) {
	case bool:
		if s {
			return &plan{fixed: accepted}, nil
		}
		return &plan{fixed: refused}, nil
	case map[string]any:
		if ref, ok := s["$ref"].(string); ok && lone(s) {
			return b.definition(ref)
		}
		p := &plan{}
		return p, b.fill(p, s)
	default:
		return nil, fmt.Errorf("got a schema of type %T, want an object or a boolean", schema)
	}
}

// lone says that only annotations stand beside a $ref.
func lone(s map[string]any) bool {
	for keyword := range s {
		if keyword != "$ref" && !annotation(keyword) {
			return false
		}
	}
	return true
}

func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$defs", "title", "description":
		return true
	default:
		return false
	}
}

func (b *planner) definition(ref string) (*plan, error) {
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	schema, there := b.definitions[name]
	if !ok || !there {
		return nil, fmt.Errorf("%w: %q", errRef, ref)
	}
	if p := b.plans[name]; p != nil {
		return p, nil
	}
	p := &plan{}
	b.plans[name] = p // before it is filled: definitions name themselves
	object, ok := schema.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("definition %q: got type %T, want an object", name, schema)
	}
	return p, b.fill(p, object)
}

// fill reads the keywords of one schema, sorted so that an error is always the same one.
func (b *planner) fill(p *plan, s map[string]any) error {
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if annotation(keyword) {
			continue
		}
		known, err := b.keyword(p, s, keyword)
		if err != nil {
			return fmt.Errorf("%s: %w", keyword, err)
		}
		if !known {
			p.fixed = unsure
		}
	}
	return nil
}

// keyword adds one keyword to p and reports whether the plan has it.
func (b *planner) keyword(p *plan, s map[string]any, keyword string) (bool, error) {
	v := s[keyword]
	switch keyword {
	case "type":
		p.types = kindsOf(v)
		return p.types != 0, nil
	case "const":
		return p.allow([]any{v}), nil
	case "enum":
		list, _ := v.([]any)
		return p.allow(list), nil
	case "$ref":
		ref, _ := v.(string)
		q, err := b.definition(ref)
		p.all = append(p.all, q)
		return true, err
	case "allOf":
		return true, b.list(&p.all, v)
	case "oneOf":
		return true, b.list(&p.one, v)
	case "if":
		return true, b.choice(p, s)
	case "then", "else":
		return s["if"] != nil, nil
	case "minLength", "maxLength", "pattern":
		return b.text(p, keyword, v), nil
	case "minimum", "maximum":
		return p.wantNumber(keyword, v), nil
	case "items", "minItems", "uniqueItems":
		return true, b.array(p, s)
	default:
		return b.objectKeyword(p, s, keyword)
	}
}

func (b *planner) list(to *[]*plan, v any) error {
	schemas, _ := v.([]any)
	for _, schema := range schemas {
		q, err := b.build(schema)
		if err != nil {
			return err
		}
		*to = append(*to, q)
	}
	return nil
}

func (b *planner) choice(p *plan, s map[string]any) error {
	c := &choicePlan{}
	p.when = c
	return errors.Join(b.optional(&c.when, s["if"]), b.optional(&c.then, s["then"]), b.optional(&c.otherwise, s["else"]))
}

// optional builds a schema that may be absent.
func (b *planner) optional(to **plan, schema any) error {
	if schema == nil {
		return nil
	}
	var err error
	*to, err = b.build(schema)
	return err
}

func (b *planner) array(p *plan, s map[string]any) error {
	if p.array != nil {
		return nil // its keywords are read together
	}
	a := &arrayPlan{min: whole(s["minItems"], 0)}
	a.unique, _ = s["uniqueItems"].(bool)
	p.array = a
	return b.optional(&a.items, s["items"])
}
