package schemas

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// allow adds the values of const or enum and reports whether all are of a kind that a plan can compare.
func (p *plan) allow(values []any) bool {
	if p.values != nil {
		return false // const beside enum
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			p.values = append(p.values, literal{kind: jsonscan.Null})
		case bool:
			kind := jsonscan.False
			if v {
				kind = jsonscan.True
			}
			p.values = append(p.values, literal{kind: kind})
		case string:
			p.values = append(p.values, literal{jsonscan.String, v})
		case json.Number:
			if _, err := v.Int64(); err != nil {
				return false
			}
			p.values = append(p.values, literal{jsonscan.Number, v.String()})
		default:
			return false
		}
	}
	return len(values) > 0
}

func (b *planner) text(p *plan, keyword string, v any) bool {
	if p.text == nil {
		p.text = &textPlan{max: -1}
	}
	switch keyword {
	case "minLength":
		p.text.min = whole(v, 0)
	case "maxLength":
		p.text.max = whole(v, -1)
	default:
		source, _ := v.(string)
		p.text.pattern = b.automaton(source)
		return p.text.pattern != nil
	}
	return true
}

// automaton is the table of an expression, nil where it has none.
func (b *planner) automaton(expression string) *automaton {
	if a, ok := b.automata[expression]; ok {
		return a
	}
	a, err := newAutomaton(expression)
	if err != nil {
		a = nil
	}
	b.automata[expression] = a
	return a
}

func (p *plan) wantNumber(keyword string, v any) bool {
	n, ok := v.(json.Number)
	limit, err := n.Int64()
	if !ok || err != nil {
		return false
	}
	if p.number == nil {
		p.number = &numberPlan{min: math.MinInt64, max: math.MaxInt64}
	}
	if keyword == "minimum" {
		p.number.min = limit
	} else {
		p.number.max = limit
	}
	return true
}

// whole is a small count of a schema, or what it is without one.
func whole(v any, without int) int {
	n, ok := v.(json.Number)
	count, err := n.Int64()
	if !ok || err != nil || count < 0 || count > math.MaxInt32 {
		return without
	}
	return int(count)
}

func kindsOf(v any) kinds {
	if name, ok := v.(string); ok {
		v = []any{name}
	}
	names, _ := v.([]any)
	var all kinds
	for _, name := range names {
		text, _ := name.(string)
		at := slices.Index([]string{"null", "boolean", "integer", "number", "string", "array", "object"}, text)
		if at < 0 {
			return 0
		}
		all |= 1 << at
	}
	return all
}
