package schemas

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Set is all schemas, ready for use. It does not change and may be used by many goroutines.
type Set struct {
	rules map[string]rules
	plans func() map[string]*plan // made at the first Accept: many runs never ask
}

// rules is one schema in the forms that Check needs.
type rules struct {
	source   any                                // the schema file, decoded
	compiled func() (*jsonschema.Schema, error) // made when first needed
}

// compiled makes every caller share one Set: it is the same for all.
var compiled = sync.OnceValues(compile)

// Compile readies all schemas, once in a process. An error means that the embedded files are broken.
func Compile() (*Set, error) { return compiled() }

func compile() (*Set, error) {
	all := map[string]rules{}
	for _, name := range Names() {
		raw, _ := Source(name)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		all[name] = rules{source: doc, compiled: sync.OnceValues(func() (*jsonschema.Schema, error) {
			return compileOne(base+name+extension, doc)
		})}
	}
	return &Set{rules: all, plans: sync.OnceValue(func() map[string]*plan { return newPlans(all) })}, nil
}

// newPlans turns the schemas into plans; one that cannot be turned has none, and its documents are left to Check.
func newPlans(all map[string]rules) map[string]*plan {
	plans := map[string]*plan{}
	automata := map[string]*automaton{}
	for name, r := range all {
		if p, err := newPlan(r.source, automata); err == nil {
			plans[name] = p
		}
	}
	return plans
}

func compileOne(url string, doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(sealed{})
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

// sealed refuses to load anything: every schema stands alone.
type sealed struct{}

var errSealed = errors.New("schemas are embedded, nothing is loaded")

// Load implements jsonschema.URLLoader.
func (sealed) Load(string) (any, error) { return nil, errSealed }
