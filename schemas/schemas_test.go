package schemas

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var recordTypes = strings.Fields(`assessment attachment compaction decision error gap hook inference instructions lifecycle
	message plan reasoning session_info session_link state_change tool_call tool_result usage_summary vendor`)

func TestNames(t *testing.T) {
	want := []string{"baseline", "config", "manifest"}
	for _, name := range recordTypes {
		want = append(want, "record/"+name)
	}
	want = append(want, "registry-entry", "report")
	if d := cmp.Diff(want, Names()); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
}

func TestSource(t *testing.T) {
	for _, name := range Names() {
		want, err := os.ReadFile(filepath.FromSlash(name + ".json"))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Source(name)
		if !ok || string(got) != string(want) {
			t.Errorf("%s: not the file's bytes", name)
		}
	}
	for _, name := range []string{"", "record", "record/none", "../schemas/manifest", "manifest.json"} {
		if _, ok := Source(name); ok {
			t.Errorf("%q: got a schema, want none", name)
		}
	}
}

// decoded is a schema file as a tree.
func decoded(t *testing.T, name string) map[string]any {
	t.Helper()
	raw, _ := Source(name)
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

func TestEveryFileStandsAlone(t *testing.T) {
	for _, name := range Names() {
		doc := decoded(t, name)
		if want, got := "https://schemas.ctx.invalid/v1/"+name+".json", doc["$id"]; want != got {
			t.Errorf("%s: $id: want %q, got %q", name, want, got)
		}
		if want, got := "https://json-schema.org/draft/2020-12/schema", doc["$schema"]; want != got {
			t.Errorf("%s: $schema: want %q, got %q", name, want, got)
		}
		each(doc, func(s map[string]any) {
			if ref, ok := s["$ref"].(string); ok && !strings.HasPrefix(ref, "#/$defs/") {
				t.Errorf("%s: $ref %q leaves the file", name, ref)
			}
		})
	}
}

// TestRecordsShareDefinitions holds what every file repeats to one text.
func TestRecordsShareDefinitions(t *testing.T) {
	first := map[string]any{}
	from := map[string]string{}
	for _, record := range recordTypes {
		doc := decoded(t, "record/"+record)
		definitions, _ := doc["$defs"].(map[string]any)
		for name, want := range definitions {
			if have, ok := first[name]; !ok {
				first[name], from[name] = want, record
			} else if !reflect.DeepEqual(want, have) {
				t.Errorf("%s: definition %q differs from that of %s", record, name, from[name])
			}
		}
		members, _ := doc["properties"].(map[string]any)
		for _, name := range []string{"id", "time", "parent", "inference", "context", "losses", "_meta"} {
			want, there := members[name]
			have, ok := first["/"+name]
			if there && !ok {
				first["/"+name] = want
			} else if there && !reflect.DeepEqual(want, have) {
				t.Errorf("%s: member %q differs from that of other records", record, name)
			}
		}
	}
}

// TestStrict: an object whose members are listed takes no others, unless it is one branch of a schema that is closed itself.
func TestStrict(t *testing.T) {
	open := []string{"part", "reasoningPart"} // closed by the definition that their type selects
	for _, name := range Names() {
		doc := decoded(t, name)
		definitions, _ := doc["$defs"].(map[string]any)
		for definition, schema := range definitions {
			s, _ := schema.(map[string]any)
			if s["properties"] == nil || slices.Contains(open, definition) || definition == "selection" {
				continue
			}
			if s["additionalProperties"] == nil {
				t.Errorf("%s: definition %q takes unknown members", name, definition)
			}
		}
		if doc["properties"] != nil && doc["additionalProperties"] != false {
			t.Errorf("%s: takes unknown members", name)
		}
	}
}

// each calls f for every object of a tree.
func each(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, member := range v {
			each(member, f)
		}
	case []any:
		for _, element := range v {
			each(element, f)
		}
	}
}
