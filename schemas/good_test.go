package schemas

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// good is a sound document of testdata: kind full has every member, least only those that are required.
func good(t testing.TB, kind, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", kind, filepath.FromSlash(name)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func scanned(t testing.TB, raw []byte) *jsonscan.Doc {
	t.Helper()
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		t.Fatalf("scan %.80s: %v", raw, err)
	}
	return &doc
}

func set(t testing.TB) *Set {
	t.Helper()
	s, err := Compile()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func check(t testing.TB, s *Set, name string, raw []byte) []Problem {
	t.Helper()
	found, err := s.Check(name, raw)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return found
}

func TestSoundDocuments(t *testing.T) {
	s := set(t)
	for _, name := range Names() {
		for _, kind := range []string{"full", "least"} {
			raw := good(t, kind, name)
			if d := cmp.Diff([]Problem(nil), check(t, s, name, raw)); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", kind, name, d)
			}
			if !s.Accept(name, scanned(t, raw)) {
				t.Errorf("%s %s: the plan cannot accept it", kind, name)
			}
		}
	}
}

// TestFullIsFull: the full record of each type, with a few variants elsewhere, shows every member that its schema knows.
func TestFullIsFull(t *testing.T) {
	exclusive := map[string]bool{ // members that stand in place of another one
		"decision/call": true, "tool_result/nativeCallId": true, "state_change/valuePointer": true,
	}
	for _, record := range recordTypes {
		var have map[string]any
		if err := json.Unmarshal(good(t, "full", "record/"+record), &have); err != nil {
			t.Fatal(err)
		}
		members, _ := decoded(t, "record/"+record)["properties"].(map[string]any)
		for name := range maps.Keys(members) {
			if _, ok := have[name]; !ok && !exclusive[record+"/"+name] {
				t.Errorf("full record %s lacks %q", record, name)
			}
		}
	}
}

// TestLeastIsLeast: taking any member from the least document breaks it.
func TestLeastIsLeast(t *testing.T) {
	s := set(t)
	for _, name := range Names() {
		var least map[string]any
		if err := json.Unmarshal(good(t, "least", name), &least); err != nil {
			t.Fatal(err)
		}
		for member := range least {
			rest := maps.Clone(least)
			delete(rest, member)
			raw, _ := json.Marshal(rest)
			want := []Problem{{"", `got no member "` + member + `", want it`}}
			if d := cmp.Diff(want, check(t, s, name, raw)); d != "" {
				t.Errorf("%s without %q (-want +got):\n%s", name, member, d)
			}
		}
	}
}

// TestSeedEntry: the registry entry that this format grew from, and the worked example over it, load unchanged.
func TestSeedEntry(t *testing.T) {
	s := set(t)
	merged := map[string]json.RawMessage{}
	for _, path := range []string{"reference/openhands-registry-entry.json", "design/openhands-entry-sketch.json"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "shared", filepath.FromSlash(path)))
		if err != nil {
			t.Skipf("no shared references beside the repository: %v", err)
		}
		if err := json.Unmarshal(raw, &merged); err != nil {
			t.Fatal(err)
		}
		both, _ := json.Marshal(merged)
		for _, doc := range [][]byte{raw, both} {
			if d := cmp.Diff([]Problem(nil), check(t, s, "registry-entry", doc)); d != "" {
				t.Errorf("%s (-want +got):\n%s", path, d)
			}
		}
	}
}
