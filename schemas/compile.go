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
	rules map[string]*rules
}

// rules is one schema in the forms that checks need.
type rules struct {
	source   any                                // the schema file, decoded
	plan     *plan                              // the same in fast and one-sided
	compiled func() (*jsonschema.Schema, error) // when first needed: most runs never meet a problem
}

// compiled makes every caller share one Set: it is the same for all.
var compiled = sync.OnceValues(compile)

// Compile readies all schemas, once in a process. An error means that the embedded files are broken.
func Compile() (*Set, error) { return compiled() }

func compile() (*Set, error) {
	set := &Set{rules: map[string]*rules{}}
	for _, name := range Names() {
		r, err := load(name)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		set.rules[name] = r
	}
	return set, nil
}

func load(name string) (*rules, error) {
	raw, _ := Source(name)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	p, err := newPlan(doc)
	if err != nil {
		return nil, err
	}
	lazily := sync.OnceValues(func() (*jsonschema.Schema, error) { return compileOne(base+name+extension, doc) })
	return &rules{source: doc, plan: p, compiled: lazily}, nil
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
