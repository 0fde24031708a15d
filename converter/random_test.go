package converter

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// randomLog makes a small log with branches, holes, twins, repeated ids, lost files and compactions.
func randomLog(rnd *rand.Rand) []*refEvent {
	var log []*refEvent
	kinds := []string{"user", "agent", "action", "action", "observed", "observed", "error", "pause", "hook", "condense", "condense"}
	taken := map[string]bool{}
	ordinal := 0
	if rnd.IntN(8) == 0 {
		ordinal = rnd.IntN(3)
	}
	ids := []string{"zz"}
	for n := range 2 + rnd.IntN(12) {
		e := &refEvent{ordinal: ordinal, id: fmt.Sprintf("e%d", n), kind: kinds[rnd.IntN(len(kinds))]}
		if rnd.IntN(16) == 0 && len(ids) > 1 {
			e.id = ids[rnd.IntN(len(ids))]
		}
		e.unreadable = rnd.IntN(24) == 0 && e.id == fmt.Sprintf("e%d", n)
		if !e.unreadable {
			e.time = fmt.Sprintf("2026-11-30T10:00:%02d.000001", rnd.IntN(60))
		}
		fillRandom(rnd, e, ids)
		name := fmt.Sprint(ordinal, e.id)
		if taken[name] {
			continue
		}
		taken[name] = true
		log = append(log, e)
		ids = append(ids, e.id)
		switch rnd.IntN(16) {
		case 0:
			ordinal += 2 + rnd.IntN(2)
		case 1:
		default:
			ordinal++
		}
	}
	return log
}

func fillRandom(rnd *rand.Rand, e *refEvent, ids []string) {
	some := func() string {
		if rnd.IntN(20) == 0 {
			return fmt.Sprintf("e%d", rnd.IntN(14)) // maybe a later one, maybe itself
		}
		return ids[max(rnd.IntN(len(ids)), rnd.IntN(len(ids)))]
	}
	switch p := rnd.IntN(20); {
	case p < 11:
	case p == 11:
		e.parent = "__root__"
	default:
		e.parent = some()
	}
	keys := []string{"k1", "k2", "k3"}
	switch e.kind {
	case "agent", "action":
		e.response = []string{"", "r1", "r2", "r3", "r4", "r5"}[rnd.IntN(6)]
		e.key = keys[rnd.IntN(3)]
	case "observed", "hook":
		e.actionID, e.key = some(), keys[rnd.IntN(3)]
	case "error":
		e.key = keys[rnd.IntN(3)]
	case "condense":
		e.response = []string{"", "r6", "r7"}[rnd.IntN(3)]
		for range rnd.IntN(4) {
			id := some()
			if rnd.IntN(3) == 0 {
				id += "-summary"
			}
			if id != "zz" || rnd.IntN(4) == 0 {
				e.forgotten = append(e.forgotten, id)
			}
		}
		e.summary, e.offsets, e.offset = rnd.IntN(5) > 0, rnd.IntN(5) > 0, rnd.IntN(6)
	}
}

// event is the reference's event as the agent writes it.
func (e *refEvent) event() event {
	var made event
	switch e.kind {
	case "user":
		made = user(e.id)
	case "agent":
		made = answer(e.id, e.response)
	case "action":
		made = action(e.id, e.key, e.response)
	case "observed":
		made = observed(e.id, e.actionID, e.key)
	case "error":
		made = agentError(e.id, e.key)
	case "pause":
		made = pause(e.id)
	case "hook":
		made = hook(e.id).with(`"action_id":"` + e.actionID + `"`)
	case "condense":
		list, _ := json.Marshal(append([]string{}, e.forgotten...)) //nolint:errchkjson // strings
		made = ev("Condensation", e.id, `"llm_response_id":"`+e.response+`"`, `"forgotten_event_ids":`+string(list))
		if e.summary {
			made = made.with(`"summary":"s"`)
		}
		if e.offsets {
			made = made.with(fmt.Sprintf(`"summary_offset":%d`, e.offset))
		}
	}
	if e.parent != "" {
		made = made.parent(e.parent)
	}
	made = made.ordinal(e.ordinal).bytes(`{"id":"` + e.id + `","timestamp":"` + e.time + `",` + made.members + `}`)
	if e.unreadable {
		made = made.bytes(`{"id":`)
	}
	return made
}

// spell says what the format makes of an event, in the words that spelled records use.
func (r *reference) spell(e *refEvent) string {
	parts := []string{e.record, "parent " + dash(e.parentRecord()), "response " + dash(r.group(e))}
	if e.lineage || (e.kind == "hook" && r.ambiguous(e.actionID)) {
		parts = append(parts, "lineage")
	}
	switch e.kind {
	case "observed", "error":
		switch {
		case e.call != nil:
			parts = append(parts, "call "+e.call.record)
		default:
			parts = append(parts, "key "+dash(e.native))
		}
	case "condense":
		parts = append(parts, fmt.Sprintf("forgets %v %v exact %v lost %v at %v %v", e.known, e.unknown, e.exact, e.lost, e.atStart, e.boundary))
	}
	return strings.Join(parts, ", ")
}

func (r *reference) ambiguous(id string) bool {
	_, several := r.named(id)
	return several
}

// spellRecord says the same of a primary record.
func spellRecord(r *rec) string {
	parts := []string{r.ID, "parent " + dash(r.Parent), "response " + dash(strings.TrimPrefix(r.Inference, "inference:"))}
	if r.lost("lineage") {
		parts = append(parts, "lineage")
	}
	switch r.Type {
	case "tool_result":
		if r.Call != "" {
			parts = append(parts, "call "+r.Call)
		} else {
			parts = append(parts, "key "+dash(r.NativeCallID))
		}
	case "compaction":
		atStart, after := false, ""
		if r.Boundary != nil {
			atStart, after = r.Boundary.AtStart, r.Boundary.After
		}
		parts = append(parts, fmt.Sprintf("forgets %v %v exact %v lost %v at %v %v",
			r.Forgotten, r.ForgottenUnknown, r.Extent == "exact", r.lost("context-boundary"), atStart, after))
	}
	return strings.Join(parts, ", ")
}

// TestRandomLogs converts small random logs and compares parents, responses, pairs, views and boundaries with a slow
// reference that was written from the format's words.
func TestRandomLogs(t *testing.T) {
	const logs = 2500
	rnd := rand.New(rand.NewPCG(3, 4))
	root := scratch(t)
	var want [][]*refEvent
	for n := range logs {
		log := randomLog(rnd)
		var events []event
		for _, e := range log {
			events = append(events, e.event())
		}
		conversation(t, filepath.Join(root, fmt.Sprintf("c%05d", n)), "", events)
		want = append(want, log)
	}
	m := convertMade(t, loadRegistry(t), nil, root)
	if len(m.streams) != logs {
		t.Fatalf("got %d streams, want %d", len(m.streams), logs)
	}
	checkWhole(t, root, m)
	faults, seen := 0, map[string]int{}
	for n, list := range m.streams {
		r := newReference(want[n])
		var wanted, got []string
		for _, e := range r.log {
			if !e.unreadable {
				wanted = append(wanted, r.spell(e))
				count(seen, e)
			}
		}
		for i := range list {
			if p := &list[i]; p.Position.Family == "transcript" && p.hasNative() && p.Type != "gap" {
				got = append(got, spellRecord(p))
			}
		}
		if w, g := strings.Join(wanted, "\n"), strings.Join(got, "\n"); w != g {
			faults++
			t.Errorf("log %d:\n%s\ngot\n%s\nwant\n%s", n, describe(r.log), g, w)
		}
		if faults > 3 {
			t.Fatal("and maybe more")
		}
	}
	for _, what := range []string{"lineage", "call", "key", "boundary", "start", "inexact", "unsure"} {
		if seen[what] < logs/50 {
			t.Errorf("got %d of %s, want at least %d: the logs try too little", seen[what], what, logs/50)
		}
	}
}

func count(seen map[string]int, e *refEvent) {
	for what, is := range map[string]bool{
		"lineage": e.lineage, "call": e.call != nil, "key": e.native != "", "boundary": e.boundary != "", "start": e.atStart,
		"inexact": e.kind == "condense" && !e.exact, "unsure": e.lost && e.exact,
	} {
		if is {
			seen[what]++
		}
	}
}

func describe(log []*refEvent) string {
	var b strings.Builder
	for _, e := range log {
		fmt.Fprintf(&b, "  %d %s %s unreadable %v parent %q response %q key %q action %q forgets %v summary %v offset %v %d time %s\n",
			e.ordinal, e.id, e.kind, e.unreadable, e.parent, e.response, e.key, e.actionID, e.forgotten, e.summary, e.offsets, e.offset, e.time)
	}
	return b.String()
}
