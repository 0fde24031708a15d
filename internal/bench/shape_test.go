package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// captures holds conversations of the SDK whose shape the generator follows, beside a checkout of the repository.
const captures = "../../../shared/captures/sdk-1.42.1"

// TestShapeIsTheSDKs checks that every generated file has members that the SDK wrote together and in that order.
func TestShapeIsTheSDKs(t *testing.T) {
	if _, err := os.Stat(captures); err != nil {
		t.Skip("no captured conversations beside this checkout")
	}
	want := shapes(t, captures)
	for shape, path := range shapes(t, generateTiny(t, 5).root) {
		if _, ok := want[shape]; !ok {
			t.Errorf("%s has the shape %s, which no captured file has", filepath.Base(path), shape)
		}
	}
}

// shapes maps the shapes of all conversation files below root to a file that has it.
func shapes(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || !strings.HasPrefix(name, "event-") || !strings.HasSuffix(name, ".json") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && bytes.HasPrefix(raw, []byte(`{"`)) && bytes.Contains(raw, []byte(`","timestamp":"`)) {
			for _, s := range eventShapes(raw) {
				found[s] = path
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// eventShapes are the names of an event's members in order, and of the members of its action, observation and message:
// apart, because any action may come with reasoning.
func eventShapes(raw []byte) []string {
	var all []string
	outer, kind := "", ""
	members(raw, func(name string, value json.RawMessage) {
		outer += " " + name
		switch name {
		case "kind":
			kind = string(value)
		case "action", "observation", "llm_message", "tool_call":
			inner := name + ":"
			members(value, func(name string, value json.RawMessage) {
				if inner += " " + name; name == "kind" {
					inner += string(value)
				}
			})
			all = append(all, inner)
		}
	})
	return append(all, kind+outer)
}

// members calls yield for each member of a JSON object, in order.
func members(raw []byte, yield func(name string, value json.RawMessage)) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return
		}
		yield(name.(string), value)
	}
}
