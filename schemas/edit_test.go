package schemas

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// edited is doc with the value at pointer replaced by raw JSON, or added; "" takes the member away.
func edited(t testing.TB, doc []byte, pointer, value string) []byte {
	t.Helper()
	var root any
	numbers := json.NewDecoder(bytes.NewReader(doc))
	numbers.UseNumber()
	if err := numbers.Decode(&root); err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, step := range strings.Split(pointer, "/")[1:] {
		steps = append(steps, strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~"))
	}
	raw, err := json.Marshal(put(t, root, steps, value))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func put(t testing.TB, at any, steps []string, value string) any {
	t.Helper()
	if len(steps) == 0 {
		return json.RawMessage(value)
	}
	switch v := at.(type) {
	case map[string]any:
		if len(steps) == 1 && value == "" {
			delete(v, steps[0])
			return v
		}
		v[steps[0]] = put(t, v[steps[0]], steps[1:], value)
	case []any:
		i, err := strconv.Atoi(steps[0])
		if err != nil || i >= len(v) {
			t.Fatalf("no element %q", steps[0])
		}
		v[i] = put(t, v[i], steps[1:], value)
	default:
		t.Fatalf("no member %q in a %T", steps[0], at)
	}
	return at
}
