package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// generated is set T on disk, read back with encoding/json.
type generated struct {
	root          string
	truth         *Truth
	conversations []readConversation
}

type readConversation struct {
	folder string
	state  map[string]any
	events []map[string]any
}

func generateTiny(t *testing.T, seed uint64) generated {
	t.Helper()
	set, err := findSet("T")
	if err != nil {
		t.Fatal(err)
	}
	g := generated{root: t.TempDir()}
	if g.truth, err = Generate(g.root, set, seed); err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir(g.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		g.conversations = append(g.conversations, readBack(t, g.root, f.Name()))
	}
	return g
}

func readBack(t *testing.T, root, folder string) readConversation {
	t.Helper()
	c := readConversation{folder: folder, state: readObject(t, filepath.Join(root, folder, "base_state.json"))}
	names, err := filepath.Glob(filepath.Join(root, folder, "events", "event-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		e := readObject(t, name)
		want := fmt.Sprintf("event-%05d-%s.json", i, e["id"])
		if got := filepath.Base(name); got != want {
			t.Errorf("got file name %s, want %s", got, want)
		}
		c.events = append(c.events, e)
	}
	return c
}

func readObject(t *testing.T, path string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(raw), "\r\n") {
		t.Errorf("%s holds a line break", path)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return v
}

func TestTruthCountsWhatIsOnDisk(t *testing.T) {
	g := generateTiny(t, 1)
	kinds, types, losses := map[string]int64{}, map[string]int64{}, map[string]int64{}
	var usage int64
	for _, c := range g.conversations {
		types["session_info"] += 2
		responses := map[any]bool{}
		for _, e := range c.events {
			kinds[e["kind"].(string)]++
			countTypes(e, types, losses)
			if id, ok := e["llm_response_id"]; ok {
				responses[id] = true
			}
		}
		types["inference"] += int64(len(responses))
		for _, bucket := range buckets(c) {
			types["usage_summary"]++
			usage += int64(len(bucket["token_usages"].([]any)))
		}
	}
	files, bytes := int64(0), int64(0)
	err := filepath.WalkDir(g.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		info, err := d.Info()
		files, bytes = files+1, bytes+info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &Truth{
		Set: "T", Seed: 1, Conversations: 5, Events: 400, Files: files, Bytes: bytes,
		StateBytes: g.truth.StateBytes, UsageRows: usage, Kinds: kinds, Types: types, Losses: losses, Sources: g.truth.Sources,
	}
	if d := cmp.Diff(want, g.truth); d != "" {
		t.Errorf("truth differs from the files (-files +truth):\n%s", d)
	}
}

// countTypes counts the records and losses of one event by the rules of the mapping, from the event alone.
func countTypes(e map[string]any, types, losses map[string]int64) {
	byKind := map[string]string{
		"SystemPromptEvent": "instructions", "MessageEvent": "message", "ActionEvent": "tool_call",
		"ObservationEvent": "tool_result", "AgentErrorEvent": "tool_result", "UserRejectObservation": "tool_result",
		"Condensation": "compaction", "ConversationStateUpdateEvent": "state_change", "PauseEvent": "lifecycle",
		"HookExecutionEvent": "hook",
	}
	types[byKind[e["kind"].(string)]]++
	if thought, ok := e["thought"].([]any); ok && len(thought) > 0 {
		types["message"]++
	}
	if _, ok := e["reasoning_content"]; ok {
		types["reasoning"]++
	}
	if _, ok := e["summary_offset"]; ok {
		types["message"]++
	}
	observation, _ := e["observation"].(map[string]any)
	if e["kind"] == "UserRejectObservation" {
		types["decision"]++
	}
	if e["kind"] == "UserRejectObservation" || observation["kind"] == "TerminalObservation" {
		losses["model-rendering"]++
	}
}

func buckets(c readConversation) map[string]map[string]any {
	all := map[string]map[string]any{}
	for name, b := range c.state["stats"].(map[string]any)["usage_to_metrics"].(map[string]any) {
		all[name] = b.(map[string]any)
	}
	return all
}

func TestEventsLinkToEarlierOnes(t *testing.T) {
	for _, c := range generateTiny(t, 2).conversations {
		if id := c.state["id"].(string); hexID(id) != c.folder {
			t.Errorf("state id %s in folder %s", id, c.folder)
		}
		leaf, seen, calls := "", map[string]bool{}, map[string]string{}
		for i, e := range c.events {
			id := e["id"].(string)
			if parent, _ := e["parent_id"].(string); parent != leaf {
				t.Errorf("event %d of %s: parent %q, want %q", i, c.folder, parent, leaf)
			}
			if seen[id] {
				t.Errorf("event id %s occurs twice", id)
			}
			checkLinks(t, e, seen, calls)
			seen[id] = true
			if e["kind"] != "ConversationStateUpdateEvent" && e["kind"] != "HookExecutionEvent" {
				leaf = id
			}
		}
		if got := c.state["leaf_event_id"]; got != leaf {
			t.Errorf("leaf_event_id of %s is %v, want %s", c.folder, got, leaf)
		}
		for callID := range calls {
			t.Errorf("call %s of %s has no result", callID, c.folder)
		}
	}
}

// checkLinks follows what one event says about others; calls maps the open call ids to their events.
func checkLinks(t *testing.T, e map[string]any, seen map[string]bool, calls map[string]string) {
	t.Helper()
	callID, _ := e["tool_call_id"].(string)
	switch e["kind"] {
	case "ActionEvent":
		calls[callID] = e["id"].(string)
		arguments := e["tool_call"].(map[string]any)["arguments"].(string)
		if !json.Valid([]byte(arguments)) {
			t.Errorf("arguments of %s are no JSON: %.60q", callID, arguments)
		}
	case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent":
		if action, ok := e["action_id"]; ok && action != calls[callID] || calls[callID] == "" {
			t.Errorf("result of %s names action %v, want %q", callID, action, calls[callID])
		}
		delete(calls, callID)
	case "Condensation":
		for _, f := range e["forgotten_event_ids"].([]any) {
			if id := strings.TrimSuffix(f.(string), "-summary"); !seen[id] {
				t.Errorf("condensation %s forgets %s, which is no earlier event", e["id"], id)
			}
		}
	}
}

func TestLedgerJoinsEveryResponse(t *testing.T) {
	for _, c := range generateTiny(t, 3).conversations {
		var want, got []string
		for _, e := range c.events {
			id, ok := e["llm_response_id"].(string)
			if ok && !slices.Contains(want, id) {
				want = append(want, id)
			}
		}
		for _, b := range buckets(c) {
			for _, row := range b["token_usages"].([]any) {
				got = append(got, row.(map[string]any)["response_id"].(string))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("ledger of %s (-events +ledger):\n%s", c.folder, d)
		}
	}
}

func TestCondensationsAndAllKindsOccur(t *testing.T) {
	kinds := map[string]bool{}
	for seed := range uint64(4) {
		for k := range generateTiny(t, seed).truth.Kinds {
			kinds[k] = true
		}
	}
	want := []string{
		"ActionEvent", "AgentErrorEvent", "Condensation", "ConversationStateUpdateEvent", "HookExecutionEvent",
		"MessageEvent", "ObservationEvent", "PauseEvent", "SystemPromptEvent", "UserRejectObservation",
	}
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(kinds))); d != "" {
		t.Error(d)
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	want, again, other := generateTiny(t, 7), generateTiny(t, 7), generateTiny(t, 8)
	if d := cmp.Diff(want.truth, again.truth); d != "" {
		t.Errorf("same seed (-first +second):\n%s", d)
	}
	if want.truth.Sources == other.truth.Sources {
		t.Error("seeds 7 and 8 made the same bytes")
	}
	set, _ := findSet("T")
	t.Setenv("TZ", "Asia/Tokyo")
	elsewhere, err := Generate(t.TempDir(), set, 7)
	if err != nil {
		t.Fatal(err)
	}
	if elsewhere.Sources != want.truth.Sources {
		t.Error("the time zone changed the bytes")
	}
}

func TestSizesAddUp(t *testing.T) {
	for _, s := range Sets() {
		got := 0
		for _, n := range s.sizes() {
			got += n
			if n < 8 {
				t.Errorf("set %s has a conversation of %d events, want at least 8", s.Name, n)
			}
		}
		if got != s.Events {
			t.Errorf("set %s: %d events, want %d", s.Name, got, s.Events)
		}
	}
}
