package schemas

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

var (
	errCrowded = errors.New("more than 64 named members")
	errPattern = errors.New("beyond what an automaton can tell")
)

// objectKeyword reads all keywords about members together, at the first of them.
func (b *planner) objectKeyword(p *plan, s map[string]any, keyword string) (bool, error) {
	switch keyword {
	case "properties", "required", "dependentRequired", "patternProperties", "additionalProperties", "minProperties", "maxProperties":
	default:
		return false, nil
	}
	if p.object != nil {
		return true, nil
	}
	p.object = &objectPlan{min: whole(s["minProperties"], 0), max: whole(s["maxProperties"], -1)}
	return true, errors.Join(
		b.properties(p.object, s["properties"]), b.patterns(p.object, s["patternProperties"]), b.optional(&p.object.rest, s["additionalProperties"]),
		p.object.require(s["required"]), p.object.depend(s["dependentRequired"]))
}

func (b *planner) properties(o *objectPlan, v any) error {
	schemas, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		q, err := b.build(schemas[name])
		if err != nil {
			return err
		}
		o.members = append(o.members, member{name, q})
	}
	return nil
}

func (b *planner) patterns(o *objectPlan, v any) error {
	schemas, _ := v.(map[string]any)
	for _, source := range slices.Sorted(maps.Keys(schemas)) {
		q, err := b.build(schemas[source])
		if err != nil {
			return err
		}
		a := b.automaton(source)
		if a == nil {
			return fmt.Errorf("pattern %q: %w", source, errPattern)
		}
		o.patterns = append(o.patterns, namePattern{a, q})
	}
	return nil
}

func (o *objectPlan) require(v any) error {
	var err error
	o.required, err = o.bits(v)
	return err
}

func (o *objectPlan) depend(v any) error {
	all, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		of, err := o.bits([]any{name})
		if err != nil {
			return err
		}
		others, err := o.bits(all[name])
		if err != nil {
			return err
		}
		o.needs = append(o.needs, need{of, others})
	}
	return nil
}

// bits is the set of the named members, which join the list without a plan if they are not in it.
func (o *objectPlan) bits(names any) (uint64, error) {
	list, _ := names.([]any)
	var set uint64
	for _, v := range list {
		name, _ := v.(string)
		at := slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
		if at < 0 {
			at = len(o.members)
			o.members = append(o.members, member{name: name})
		}
		if at >= maxMembers {
			return 0, errCrowded
		}
		set |= 1 << at
	}
	return set, nil
}
