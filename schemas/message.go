package schemas

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// flatten adds the leaves of an error tree.
func (p *problems) flatten(r rules, e *jsonschema.ValidationError) {
	if names, ok := choice(e); ok {
		p.add(e.InstanceLocation, "got none of "+quoted(names, ", ")+", want exactly one")
		return
	}
	if len(e.Causes) == 0 {
		p.leaf(r, e)
		return
	}
	for _, cause := range e.Causes {
		p.flatten(r, cause)
	}
}

// choice recognises "one of these members is required" and names them.
func choice(e *jsonschema.ValidationError) ([]string, bool) {
	if _, ok := e.ErrorKind.(*kind.OneOf); !ok || len(e.Causes) == 0 {
		return nil, false
	}
	var names []string
	for _, cause := range e.Causes {
		required, ok := cause.ErrorKind.(*kind.Required)
		if !ok || len(cause.InstanceLocation) != len(e.InstanceLocation) {
			return nil, false
		}
		names = append(names, required.Missing...)
	}
	return names, true
}

func (p *problems) leaf(r rules, e *jsonschema.ValidationError) {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			p.add(at, fmt.Sprintf("got no member %q, want it", name))
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			p.add(append(slices.Clone(at), name), fmt.Sprintf("got member %q, want none by that name", cut(name)))
		}
	case *kind.DependentRequired:
		p.add(at, fmt.Sprintf("got member %q without %s, want both", k.Prop, quoted(k.Missing, ", ")))
	case *kind.Pattern:
		p.add(at, fmt.Sprintf("got %s, want %s", describe(k.Got), r.wanted(e, k.Want)))
	default:
		p.add(at, plain(e.ErrorKind))
	}
}

// plain is the message of an error that says all by itself.
func plain(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.FalseSchema:
		return "got this value, want none here"
	case *kind.Type:
		return fmt.Sprintf("got %s, want %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		return fmt.Sprintf("got %s, want one of %s", describe(k.Got), described(k.Want))
	case *kind.Const:
		return fmt.Sprintf("got %s, want %s", describe(k.Got), describe(k.Want))
	case *kind.OneOf:
		return "got several members that exclude each other, want exactly one"
	case *kind.UniqueItems:
		return fmt.Sprintf("got equal elements %d and %d, want different ones", k.Duplicates[0], k.Duplicates[1])
	default:
		return bounds(k)
	}
}

// bounds is the message of an error about a size or a range.
func bounds(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("got %d characters, want at least %d", k.Got, k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("got %d characters, want at most %d", k.Got, k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("got %d elements, want at least %d", k.Got, k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("got %d members, want at least %d", k.Got, k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("got %d members, want at most %d", k.Got, k.Want)
	case *kind.Minimum:
		return fmt.Sprintf("got %s, want at least %s", number(k.Got), number(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("got %s, want at most %s", number(k.Got), number(k.Want))
	default:
		return fmt.Sprintf("got a value that breaks %q, want one that the schema allows", strings.Join(k.KeywordPath(), "/"))
	}
}

// number spells a bound or a safe number of the document, which a double holds.
func number(r *big.Rat) string {
	f, _ := r.Float64()
	if math.Abs(f) > 1<<53 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// describe names a value without giving away content: only what looks like a name or code is quoted.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return cut(v.String())
	case string:
		if isWord(v) {
			return strconv.Quote(v)
		}
		return fmt.Sprintf("a string of %d bytes", len(v))
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	default:
		return fmt.Sprintf("a %T", v)
	}
}

func described(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = describe(v)
	}
	return strings.Join(words, ", ")
}

func quoted(names []string, separator string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = strconv.Quote(cut(name))
	}
	return strings.Join(words, separator)
}

// isWord says whether s is short and looks like an id, a code or a time.
func isWord(s string) bool {
	if len(s) > maxQuoted {
		return false
	}
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// wanted says in words what a pattern wants: the schema's own description up to its first clause, else the pattern.
func (r rules) wanted(e *jsonschema.ValidationError, pattern string) string {
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	node := r.source
	for _, step := range strings.Split(strings.TrimPrefix(fragment, "/"), "/") {
		object, ok := node.(map[string]any)
		if !ok {
			break
		}
		node = object[step]
	}
	if object, ok := node.(map[string]any); ok {
		if text, ok := object["description"].(string); ok {
			text, _, _ = strings.Cut(text, ";")
			return text
		}
	}
	return "a match of " + cut(pattern)
}
