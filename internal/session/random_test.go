package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/session"
)

// maker makes random logs that the SDK would load: ids and parents resolve, all else is as odd as it can be.
type maker struct {
	*rand.Rand
	log
	conversation int
	tree         int // percentage of events that state their parent
}

func makeLog(seed uint64, n int) *log {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7)), conversation: int(seed)}
	m.tree = []int{0, 0, 50, 100}[m.IntN(4)]
	for range n {
		m.add()
	}
	m.state()
	return &m.log
}

func (m *maker) id(i int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", m.conversation, i)
}

func (m *maker) pick() string { return m.events[m.IntN(len(m.events))].id }

func (m *maker) add() {
	kinds := []string{
		"MessageEvent", "ActionEvent", "ActionEvent", "ActionEvent", "ActionEvent", "ObservationEvent", "ObservationEvent",
		"ObservationEvent", "UserRejectObservation", "AgentErrorEvent", "Condensation", "Condensation", "CondensationRequest",
		"PauseEvent", "ConversationStateUpdateEvent", "ConversationErrorEvent", "HookExecutionEvent", "SecurityAnalysisEvent",
		"SystemPromptEvent",
	}
	e := logged{id: m.id(len(m.events)), kind: kinds[m.IntN(len(kinds))]}
	if m.IntN(120) == 0 {
		e.kind = "MysteryEvent"
	}
	if len(m.events) == 0 {
		e.kind = "SystemPromptEvent"
	} else if m.IntN(100) < m.tree {
		e.parent = m.events[len(m.events)-1].id
		switch m.IntN(8) {
		case 0:
			e.parent = m.pick()
		case 1:
			e.parent = rootMark
			if m.IntN(3) > 0 {
				e.parent = m.pick()
			}
		}
	}
	keys := []string{"k1", "k2", "k3", "k4", "k5", ""}
	e.callID = keys[m.IntN(len(keys))]
	if m.IntN(2) == 0 {
		e.callID = fmt.Sprintf("k%d", len(m.events)/3)
	}
	e.response = fmt.Sprintf("r%d", len(m.events)/4)
	if m.IntN(10) == 0 {
		e.response = []string{"", "r0"}[m.IntN(2)]
	}
	e.runs, e.thinks = m.IntN(6) > 0, m.IntN(4) == 0
	m.answer(&e)
	m.compact(&e)
	m.events = append(m.events, e)
}

// answer lets a result mostly answer a call that is there.
func (m *maker) answer(e *logged) {
	if !observes(*e) || len(m.events) == 0 {
		return
	}
	e.action = m.pick()
	for range 4 {
		to := m.events[len(m.events)-1-m.IntN(min(len(m.events), 6))]
		if acts(to) {
			e.action, e.callID = to.id, to.callID
			return
		}
	}
}

func (m *maker) compact(e *logged) {
	if e.kind != "Condensation" || len(m.events) == 0 {
		return
	}
	for range m.IntN(6) {
		e.forgets = append(e.forgets, m.pick())
	}
	for _, old := range m.events {
		if old.summary != nil && m.IntN(3) == 0 {
			e.forgets = append(e.forgets, old.id+"-summary")
		}
	}
	if m.IntN(8) == 0 {
		for range 1 + m.IntN(3)/2 {
			e.forgets = append(e.forgets, m.id(1<<30+m.IntN(1<<20)))
		}
	}
	if m.IntN(5) > 0 {
		text := []string{"", "so far"}[m.IntN(2)]
		e.summary = &text
	}
	if m.IntN(5) > 0 {
		at := m.IntN(len(m.events) + 3)
		if m.IntN(2) == 0 {
			at = m.IntN(3)
		}
		e.offset = &at
	}
}

func (m *maker) state() {
	m.hasState = true
	switch m.IntN(5) {
	case 0:
		m.leaf = m.pick()
	case 1:
		m.noHead = m.IntN(4) == 0
	}
}

// write writes the log as a conversation.
func (l *log) write(t testing.TB, dir, id string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "events"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, e := range l.events {
		put(t, filepath.Join(dir, "events", fmt.Sprintf("event-%05d-%s.json", i, e.id)), e.native(i))
	}
	state := map[string]any{"id": id, "agent": map[string]any{"kind": "Agent"}}
	if l.leaf != "" {
		state["leaf_event_id"] = l.leaf
	}
	if l.noHead {
		state["head_is_empty"] = true
	}
	if l.hasState {
		put(t, filepath.Join(dir, "base_state.json"), state)
	}
}

func put(t testing.TB, path string, value map[string]any) {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// native is an event as the SDK writes it.
func (e *logged) native(i int) map[string]any {
	text := []any{map[string]any{"type": "text", "text": "t"}}
	m := map[string]any{"kind": e.kind, "id": e.id, "source": "agent", "timestamp": fmt.Sprintf("2026-11-30T10:%02d:%02d.5", i/60%60, i%60)}
	if e.parent != "" {
		m["parent_id"] = e.parent
	}
	if acts(*e) || observes(*e) {
		m["tool_call_id"], m["tool_name"] = e.callID, "n"
	}
	switch e.kind {
	case "SystemPromptEvent":
		m["system_prompt"], m["tools"] = text[0], []any{}
	case "MessageEvent":
		m["llm_message"] = map[string]any{"role": "assistant", "content": text}
	case "ActionEvent":
		m["llm_response_id"], m["thought"] = e.response, []any{}
		m["tool_call"] = map[string]any{"id": e.callID, "name": "n", "arguments": "{}"}
		if e.runs {
			m["action"] = map[string]any{"kind": "A"}
		}
		m["thinking_blocks"] = []any{}
		if e.thinks {
			m["thinking_blocks"] = []any{map[string]any{"type": "thinking", "thinking": "hm"}}
		}
	case "ObservationEvent":
		m["action_id"], m["observation"] = e.action, map[string]any{"kind": "O", "content": text, "is_error": false}
	case "UserRejectObservation":
		m["action_id"], m["rejection_reason"] = e.action, "no"
	case "AgentErrorEvent":
		m["error"] = "bad"
	case "Condensation":
		m["forgotten_event_ids"], m["llm_response_id"] = append([]string{}, e.forgets...), "c-"+e.id
		if e.summary != nil {
			m["summary"] = *e.summary
		}
		if e.offset != nil {
			m["summary_offset"] = *e.offset
		}
	case "HookExecutionEvent":
		m["hook_event_type"], m["hook_command"], m["success"] = "Stop", "c", true
	case "ConversationStateUpdateEvent":
		m["key"], m["value"] = "k", 1
	case "SecurityAnalysisEvent":
		m["analyzer"], m["policy"], m["risks"] = "A", "P", map[string]any{}
	}
	return m
}

// Random logs, thousands of them: what the package says is what a slow reference says.
func TestRandomLogs(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 300
	}
	root := scratch(t)
	logs := map[string]*log{}
	for seed := range n {
		id := fmt.Sprintf("%032x", seed)
		logs[id] = makeLog(uint64(seed), 1+seed%37)
		logs[id].write(t, filepath.Join(root, id), id)
	}
	b := convert(t, root)
	counts := map[string]int{}
	for _, info := range b.Manifest().Streams {
		l := logs[info.SessionID]
		if l == nil {
			t.Fatalf("got session %s, want one of those made", info.SessionID)
		}
		s := openSession(t, b, info)
		compareLog(t, s, l, counts)
		delete(logs, info.SessionID)
		if t.Failed() {
			t.Fatalf("session %s of %d events", info.SessionID, len(l.events))
		}
	}
	if len(logs) > 0 {
		t.Errorf("%d sessions are not in the bundle", len(logs))
	}
	for _, what := range []string{"exact", "deduced", "unknown", "dropped", "forgotten", "waiting"} {
		if counts[what] < n/50 {
			t.Errorf("%s: got it %d times, want the logs to show it more often", what, counts[what])
		}
	}
	t.Logf("%d logs: %v", n, counts)
}

func compareLog(t *testing.T, s *session.Session, l *log, counts map[string]int) {
	t.Helper()
	branch := l.activeBranch()
	if d := cmp.Diff(idsOf(branch), ids(s, s.Branch())); d != "" {
		t.Errorf("branch (-want +got):\n%s", d)
	}
	waiting := pending(branch)
	if d := cmp.Diff(waiting, ids(s, s.OpenCalls())); d != "" {
		t.Errorf("open calls (-want +got):\n%s", d)
	}
	counts["waiting"] += len(waiting)
	compareViews(t, s, "", l, l.pathTo(l.activeLeaf()), counts)
	for i := range l.events {
		if i%5 == len(l.events)%5 {
			compareViews(t, s, l.events[i].id, l, l.pathTo(l.events[i].id), counts)
		}
	}
}

func compareViews(t *testing.T, s *session.Session, at string, l *log, path []logged, counts map[string]int) {
	t.Helper()
	want, basis := l.live(path)
	live := viewAt(t, s, at, session.Live)
	if d := cmp.Diff(idsOf(want), items(s, live.Records)); d != "" {
		t.Errorf("live at %q (-want +got):\n%s", at, d)
	}
	if string(live.Basis) != basis {
		t.Errorf("basis at %q: got %s %q, want %s", at, live.Basis, live.Notes, basis)
	}
	rebuilt := viewAt(t, s, at, session.Rebuilt)
	kept := enforced(want, path)
	if d := cmp.Diff(idsOf(kept), items(s, rebuilt.Records)); d != "" {
		t.Errorf("rebuilt at %q (-want +got):\n%s", at, d)
	}
	counts[basis]++
	counts["dropped"] += len(want) - len(kept)
	for _, e := range path {
		if convertible(e) && !contains(want, e.id) {
			counts["forgotten"]++
		}
	}
}

// scratch is a folder for many small files, in memory where there is such a place.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ctx-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) }) //nolint:errcheck,gosec // left to the system
	return dir
}
