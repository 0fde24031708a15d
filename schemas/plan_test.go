package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestEverySchemaIsPlanned: no embedded schema uses a keyword or pattern that plans lack.
func TestEverySchemaIsPlanned(t *testing.T) {
	s := set(t)
	for _, name := range Names() {
		p, err := newPlan(s.rules[name].source, map[string]*automaton{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		seen := map[*plan]bool{}
		if unplanned(p, seen) {
			t.Errorf("%s: some part is left to Check", name)
		}
	}
}

// unplanned says that some schema below p has a keyword that plans lack.
func unplanned(p *plan, seen map[*plan]bool) bool {
	if p == nil || seen[p] {
		return false
	}
	seen[p] = true
	below := append(append([]*plan{}, p.all...), p.one...)
	if p.when != nil {
		below = append(below, p.when.when, p.when.then, p.when.otherwise)
	}
	if p.array != nil {
		below = append(below, p.array.items)
	}
	if p.object != nil {
		below = append(below, p.object.rest)
		for _, m := range p.object.members {
			below = append(below, m.plan)
		}
		for _, n := range p.object.patterns {
			below = append(below, n.plan)
		}
	}
	for _, q := range below {
		if unplanned(q, seen) {
			return true
		}
	}
	return p.fixed == unsure
}

// TestPlans: small schemas, each against a document, judged as far as a plan can.
func TestPlans(t *testing.T) {
	tests := []struct {
		want        verdict
		schema, doc string
	}{
		{accepted, `true`, `1`},
		{refused, `false`, `1`},
		{accepted, `{"description":"a"}`, `1`},
		{unsure, `{"not":{"type":"null"}}`, `1`},
		{unsure, `{"multipleOf":2}`, `4`},
		{unsure, `{"type":"integer"}`, `1.0`},
		{unsure, `{"type":"integer"}`, `1.5`},
		{refused, `{"type":"integer"}`, `"1"`},
		{accepted, `{"type":["null","boolean"]}`, `true`},
		{accepted, `{"const":null}`, `null`},
		{refused, `{"const":null}`, `false`},
		{unsure, `{"const":1}`, `1.0`},
		{unsure, `{"const":{}}`, `{}`},
		{unsure, `{"const":1.5}`, `1.5`},
		{accepted, `{"enum":["a",1,true]}`, `"\u0061"`},
		{refused, `{"enum":["a",1,true]}`, `false`},
		{accepted, `{"minLength":2,"maxLength":2}`, `"éé"`},
		{refused, `{"minLength":2}`, `"é"`},
		{refused, `{"maxLength":1}`, `"éé"`},
		{unsure, `{"minLength":2}`, `"\n\n"`},
		{accepted, `{"minLength":1,"maxLength":4}`, `"\n\n"`},
		{unsure, `{"pattern":"^.$"}`, `"\n"`},
		{refused, `{"minLength":1}`, `""`},
		{accepted, `{"minLength":1}`, `0`},
		{refused, `{"minimum":0}`, `-1`},
		{unsure, `{"minimum":0}`, `-1.0`},
		{accepted, `{"minimum":-2,"maximum":-1}`, `-1`},
		{refused, `{"maximum":-1}`, `0`},
		{refused, `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`},
		{accepted, `{"dependentRequired":{"a":["b"]}}`, `{"b":1}`},
		{accepted, `{"uniqueItems":true}`, `["a","b",1]`},
		{refused, `{"uniqueItems":true}`, `["a","b","a"]`},
		{unsure, `{"uniqueItems":true}`, `["a","\u0061"]`},
		{unsure, `{"uniqueItems":true}`, `[1,1.0]`},
		{unsure, `{"uniqueItems":true}`, `[0,-0]`},
		{unsure, `{"uniqueItems":true}`, `[[],[]]`},
		{accepted, `{"uniqueItems":true}`, `[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]`},
		{refused, `{"uniqueItems":true}`, `[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,1]`},
		{accepted, `{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"b":1}`},
		{refused, `{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":1}`},
		{unsure, `{"oneOf":[{"type":"integer"},{"type":"string"}]}`, `1.0`},
		{unsure, `{"if":{"type":"integer"},"then":false}`, `1.5`},
		{refused, `{"if":{"type":"string"},"then":false}`, `""`},
		{accepted, `{"if":{"type":"string"},"then":false}`, `1`},
		{refused, `{"if":{"type":"string"},"else":false}`, `1`},
		{unsure, `{"then":false}`, `1`},
		{refused, `{"required":["a"],"additionalProperties":false}`, `{"a":1}`},
		{accepted, `{"required":["a"],"properties":{"a":true},"additionalProperties":false}`, `{"a":1}`},
		{unsure, `{"additionalProperties":false}`, `{"\u0061":1}`},
		{accepted, `{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#/$defs/a"},"type":"array"}}}`, `[[],[[]]]`},
		{refused, `{"$ref":"#/$defs/a","minItems":1,"$defs":{"a":{"items":{"$ref":"#/$defs/a"},"type":"array"}}}`, `[]`},
	}
	for _, tt := range tests {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(tt.schema)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPlan(doc, map[string]*automaton{})
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		if got := p.judge(scanned(t, []byte(tt.doc)), 0); tt.want != got {
			t.Errorf("%s on %s: want %d, got %d", tt.schema, tt.doc, tt.want, got)
		}
		oracle, err := compileOne("https://example.invalid/a.json", doc)
		if err != nil {
			t.Fatal(err)
		}
		if sound := oracle.Validate(tree(t, []byte(tt.doc))) == nil; tt.want == accepted && !sound || tt.want == refused && sound {
			t.Errorf("%s on %s: jsonschema says %v", tt.schema, tt.doc, sound)
		}
	}
}

func TestNoPlan(t *testing.T) {
	crowded := `{"required":["0"`
	for c := range 70 {
		crowded += fmt.Sprintf(`,"m%d"`, c)
	}
	for _, tt := range []struct {
		want   error
		schema string
	}{
		{errRef, `{"$ref":"#/$defs/a"}`},
		{errRef, `{"$ref":"other.json","minItems":1}`},
		{errCrowded, crowded + `]}`},
		{errPattern, `{"patternProperties":{"é":true}}`},
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(tt.schema)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newPlan(doc, map[string]*automaton{}); !errors.Is(err, tt.want) {
			t.Errorf("%s: want error %q, got %v", tt.schema, tt.want, err)
		}
	}
}
