package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Check holds a document against the schema of that name and returns what is wrong with it, sorted by pointer, then message;
// none means sound. Beyond 1000 the rest is left out.
//
// The caller has scanned doc and found it sound: one JSON value, depth at most 1000, no duplicate keys. Numbers that are not
// safe are themselves problems, save inside native.record and the values of _meta, which are not looked into.
// An error means that doc could not be read at all, or that there is no schema of that name.
func (s *Set) Check(name string, doc []byte) ([]Problem, error) {
	r, ok := s.rules[name]
	if !ok {
		return nil, fmt.Errorf("no schema %q", name)
	}
	schema, err := r.compiled()
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return nil, errors.New("not a JSON document")
	}
	if strings.HasPrefix(name, recordRoot) {
		value = hollow(value)
	}
	var found problems
	value = found.settle(value, nil)
	err = schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		found.flatten(r, invalid)
	} else if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	return found.sorted(), nil
}

// hollow empties what a record carries of others: native.record and the values of _meta keep their kind and lose their content.
func hollow(value any) any {
	record, ok := value.(map[string]any)
	if !ok {
		return value
	}
	if native, ok := record["native"].(map[string]any); ok {
		if v, there := native["record"]; there {
			native["record"] = emptied(v)
		}
	}
	if meta, ok := record["_meta"].(map[string]any); ok {
		for key, v := range meta {
			meta[key] = emptied(v)
		}
	}
	return record
}

func emptied(value any) any {
	switch value.(type) {
	case map[string]any:
		return map[string]any{}
	case []any:
		return []any{}
	case string:
		return ""
	case json.Number:
		return zero
	default:
		return value
	}
}
