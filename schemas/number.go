package schemas

import (
	"encoding/json"
	"strconv"

	"github.com/session-trace/ctx/internal/jsonscan"
)

const zero = json.Number("0")

// settle replaces every number that is not safe by 0 and notes it: jsonschema compares with a nil number where the
// exponent is beyond a million, and takes ages to spell out one just below.
func (p *problems) settle(value any, at []string) any {
	switch v := value.(type) {
	case json.Number:
		if !jsonscan.SafeNumber([]byte(v)) {
			p.add(at, "got a number that no double holds exactly, want a safe one")
			return zero
		}
	case []any:
		for i := range v {
			v[i] = p.settle(v[i], append(at, strconv.Itoa(i)))
		}
	case map[string]any:
		for key := range v {
			v[key] = p.settle(v[key], append(at, key))
		}
	}
	return value
}
