package validator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/session-trace/ctx/internal/record"
)

// at is a record of the transcript.
func at(t record.Type, ordinal int64, name, id string) record.Facts {
	return record.Facts{
		Type: t, ID: id, Time: "2026-01-02T03:04:05.000006",
		Position: record.Position{Family: record.Transcript, Ordinal: ordinal, ID: name, Through: -1},
	}
}

func primary(t record.Type, ordinal int64, name string) record.Facts {
	f := at(t, ordinal, name, name)
	f.HasNative = true
	return f
}

func headFacts() record.Facts {
	return record.Facts{
		Type: record.SessionInfo, ID: "session", Position: record.NoPosition(record.Transcript), Phase: "head", SessionID: "s",
	}
}

func tailFacts(t record.Type, id string) record.Facts {
	return record.Facts{Type: t, ID: id, Position: record.NoPosition(record.CurrentState)}
}

// soundFacts is a stream that uses every link and every part, without a finding.
func soundFacts() []record.Facts {
	system := primary(record.Instructions, 0, "sys")
	user := primary(record.Message, 1, "user")
	user.Role, user.Origin, user.Parent = "user", "user", "sys"
	inference := at(record.Inference, 2, "call", "inference:r1")
	inference.ResponseID, inference.HasUsage = "r1", true
	thought := at(record.Message, 2, "call", "call#thought")
	thought.Parent, thought.Inference, thought.Origin = "user", "inference:r1", "agent"
	call := primary(record.ToolCall, 2, "call")
	call.Parent, call.Inference, call.CallID = "user", "inference:r1", "c1"
	hook := primary(record.Hook, 3, "hook")
	hook.Parent, hook.Call, hook.Message = "call", "call", "user"
	result := primary(record.ToolResult, 4, "result")
	result.Parent, result.Call, result.Rendering, result.Status = "call", "call", "not-persisted", "ok"
	result.Losses = []string{record.LossModelRendering}
	decision := at(record.Decision, 4, "result", "result#decision")
	decision.Parent, decision.Call = "call", "call"
	missing := at(record.Gap, 5, "", "gap:5-6")
	missing.GapReason, missing.Position.Through, missing.Time = "missing", 6, ""
	broken := at(record.Gap, 7, "torn", "gap:7:torn")
	broken.GapReason, broken.HasNative, broken.Reason, broken.Path, broken.Time = "not-utf8", true, "not-utf8", "events/7", ""
	broken.Losses = []string{record.LossNativeUnreadable}
	compaction := primary(record.Compaction, 8, "cond")
	compaction.Parent, compaction.CompactionPhase, compaction.Extent = "result", "applied", "exact"
	compaction.Forgotten, compaction.Summary, compaction.HasOffset, compaction.BoundaryAt = []string{"user", "call", "result"}, "cond-summary", true, "sys"
	summary := at(record.Message, 8, "cond", "cond-summary")
	summary.Origin, summary.Parent = "summary", "cond"
	last := primary(record.Message, 9, "answer")
	last.Parent, last.Origin = "cond", "agent"
	bucket := tailFacts(record.UsageSummary, "usage:agent")
	bucket.Bucket, bucket.HasUsage = "agent", true
	file := tailFacts(record.Attachment, "file:TASKS.json")
	file.Path, file.Position.Path, file.HasNative = "TASKS.json", "TASKS.json", true
	state := tailFacts(record.SessionInfo, "state")
	state.Phase, state.HasNative, state.Position.Path, state.Head = "snapshot", true, "base_state.json", "answer"
	state.ClockBasis, state.ClockOffset = "naive-local", "+02:00"
	state.Coverage = &record.Coverage{Responses: 1, WithUsage: 1, Complete: true}
	return []record.Facts{
		headFacts(), system, user, inference, thought, call, hook, result, decision, missing, broken, compaction, summary, last,
		bucket, file, state,
	}
}

// stream is a list of facts that a test changes one thing of.
type stream struct{ list []record.Facts }

func (s *stream) get(id string) *record.Facts {
	i := slices.IndexFunc(s.list, func(f record.Facts) bool { return f.ID == id })
	if i < 0 {
		panic("no record " + id)
	}
	return &s.list[i]
}

func (s *stream) drop(id string) {
	s.list = slices.DeleteFunc(s.list, func(f record.Facts) bool { return f.ID == id })
}

// after puts records behind the one with the id.
func (s *stream) after(id string, list ...record.Facts) {
	i := slices.IndexFunc(s.list, func(f record.Facts) bool { return f.ID == id })
	s.list = slices.Insert(s.list, i+1, list...)
}

func (s *stream) swap(a, b string) {
	x, y := s.get(a), s.get(b)
	*x, *y = *y, *x
}

func run(list []record.Facts) Summary {
	s := NewSession()
	for i := range list {
		s.Record(&list[i])
	}
	return s.Close()
}

// found lists findings as "severity rule line record ×count", sorted.
func found(sum *Summary) []string {
	var out []string
	for _, f := range sum.Findings.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %d %s", f.Severity, f.Rule, f.Line, f.Record))
	}
	slices.Sort(out)
	return out
}

func TestSessionSound(t *testing.T) {
	want := Summary{
		Records: 17, Items: 7, Gaps: 2, SessionID: "s",
		Types: map[string]int64{
			"session_info": 2, "instructions": 1, "message": 4, "inference": 1, "tool_call": 1, "hook": 1, "tool_result": 1,
			"decision": 1, "gap": 2, "compaction": 1, "usage_summary": 1, "attachment": 1,
		},
		Losses: map[string]Loss{"model-rendering": {1, "result"}, "native-unreadable": {1, "gap:7:torn"}},
	}
	got := run(soundFacts())
	if list := found(&got); list != nil {
		t.Errorf("findings: %v, want none", list)
	}
	got.Findings = record.Findings{}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(record.Findings{})); d != "" {
		t.Errorf("summary (-want +got):\n%s", d)
	}
}

func TestSessionFindings(t *testing.T) {
	tests := []struct {
		want   []string
		name   string
		change func(*stream)
	}{
		{[]string{"error head-record 0 "}, "no head", func(s *stream) { s.drop("session") }},
		{[]string{"error head-record 2 session"}, "two heads", func(s *stream) { s.after("session", headFacts()) }},
		{[]string{"error tail-record 16 "}, "no last", func(s *stream) { s.drop("state") }},
		{[]string{"error tail-record 18 usage:z"}, "record after the last", func(s *stream) {
			b := tailFacts(record.UsageSummary, "usage:z")
			b.Bucket = "z"
			s.after("state", b)
		}},
		{[]string{"error record-id-duplicate 4 user"}, "id twice", func(s *stream) {
			u := *s.get("user")
			u.Time = "2026-01-02T03:04:06"
			s.after("user", u)
		}},
		{[]string{"error record-id 15 usage:other"}, "usage id", func(s *stream) { s.get("usage:agent").ID = "usage:other" }},
		{[]string{"error record-id 10 gap:5-5"}, "gap id", func(s *stream) { s.get("gap:5-6").ID = "gap:5-5" }},
		{[]string{"error record-id 14 other", "error head-unresolved 17 state"}, "primary's id", func(s *stream) { s.get("answer").ID = "other" }},
		{[]string{"error record-id 5 strange"}, "part's id", func(s *stream) { s.get("call#thought").ID = "strange" }},
		{nil, "clash suffix", func(s *stream) {
			s.get("answer").ID = "answer~9"
			s.get("state").Head = "answer~9"
		}},
		{[]string{"error position 3 user"}, "no ordinal", func(s *stream) { s.get("user").Position.Family = record.CurrentState }},
		{[]string{"error position 9 result#decision"}, "through on an item", func(s *stream) { s.get("result#decision").Position.Through = 9 }},
		{[]string{"error position 17 state"}, "state without path", func(s *stream) { s.get("state").Position.Path = "" }},
		{[]string{"error position 11 gap:7:torn"}, "gap without path", func(s *stream) { s.get("gap:7:torn").Path = "" }},
		{[]string{"error stream-order 6 call#thought"}, "types of an item", func(s *stream) { s.swap("call#thought", "call") }},
		{[]string{"error stream-order 16 usage:agent"}, "tail", func(s *stream) { s.swap("usage:agent", "file:TASKS.json") }},
		{[]string{"error gap-cover 10 gap:7:torn"}, "ordinals left unsaid", func(s *stream) { s.drop("gap:5-6") }},
		{[]string{"error stream-order 10 gap:3-6"}, "gap over items", func(s *stream) {
			g := s.get("gap:5-6")
			g.ID, g.Position.Ordinal = "gap:3-6", 3
		}},
		{[]string{"error context-mark 7 hook"}, "mark on a hook", func(s *stream) { s.get("hook").OutOfContext = true }},
		{[]string{"error usage-place 3 user"}, "usage on a message", func(s *stream) { s.get("user").HasUsage = true }},
		{[]string{"error time 3 user"}, "time", func(s *stream) { s.get("user").Time = "yesterday" }},
		{[]string{"error usage-coverage-counts 17 state"}, "responses", func(s *stream) {
			s.get("state").Coverage = &record.Coverage{Responses: 2, WithUsage: 1}
			s.get("state").Losses = []string{record.LossUsageCoverage}
		}},
		{[]string{"error usage-coverage-counts 17 state"}, "no coverage", func(s *stream) { s.get("state").Coverage = nil }},
		{[]string{"error native-missing 3 user"}, "item without native", func(s *stream) {
			s.get("user").HasNative = false
		}},
		{[]string{"error native-repeated 9 result#decision"}, "native twice", func(s *stream) { s.get("result#decision").HasNative = true }},
		{[]string{"error native-place 4 inference:r1"}, "native on an inference", func(s *stream) { s.get("inference:r1").HasNative = true }},
		{[]string{"error native-missing 16 file:TASKS.json"}, "attachment without native", func(s *stream) { s.get("file:TASKS.json").HasNative = false }},
		{[]string{"error parent-shared 9 result#decision"}, "two parents", func(s *stream) { s.get("result#decision").Parent = "user" }},
		{[]string{"error parent-unresolved 7 hook"}, "parent nowhere", func(s *stream) { s.get("hook").Parent = "nobody" }},
		{[]string{"error parent-unresolved 14 answer"}, "parent out of context", func(s *stream) { s.get("answer").Parent = "hook" }},
		{[]string{"error parent-unresolved 14 answer"}, "parent is a part", func(s *stream) { s.get("answer").Parent = "call#thought" }},
		{[]string{"error parent-unresolved 14 answer"}, "parent is itself", func(s *stream) { s.get("answer").Parent = "answer" }},
		{[]string{"error parent-unresolved 3 "}, "circle", func(s *stream) { s.get("user").Parent = "answer" }},
		{[]string{"error parent-unresolved 10 gap:5-6"}, "parent on a gap", func(s *stream) { s.get("gap:5-6").Parent = "user" }},
		{[]string{"error inference-unresolved 14 answer"}, "inference nowhere", func(s *stream) { s.get("answer").Inference = "inference:r9" }},
		{[]string{"error inference-unresolved 14 answer"}, "inference is a call", func(s *stream) { s.get("answer").Inference = "call" }},
		{[]string{"error inference-unresolved 4 inference:r1"}, "inference without member", func(s *stream) {
			s.get("call#thought").Inference, s.get("call").Inference = "", ""
		}},
		{[]string{"error inference-unresolved 16 more#thought"}, "two inferences of an item", func(s *stream) {
			second := at(record.Inference, 10, "more", "inference:r2")
			second.ResponseID, second.HasUsage = "r2", true
			thought, more := at(record.Message, 10, "more", "more#thought"), primary(record.ToolCall, 10, "more")
			thought.Inference, more.Inference, more.NotExecutable = "inference:r1", "inference:r2", true
			s.after("answer", second, thought, more)
			s.get("state").Coverage = &record.Coverage{Responses: 2, WithUsage: 2, Complete: true}
		}},
		{[]string{"error call-unresolved 9 result#decision"}, "call nowhere", func(s *stream) { s.get("result#decision").Call = "nobody" }},
		{[]string{"error call-unresolved 7 hook"}, "call is a message", func(s *stream) { s.get("hook").Call = "user" }},
		{[]string{"error call-unresolved 8 result", "notice call-open 6 call"}, "result of a message", func(s *stream) { s.get("result").Call = "user" }},
		{[]string{"error message-unresolved 7 hook"}, "message is a call", func(s *stream) { s.get("hook").Message = "call" }},
		{[]string{"error head-unresolved 17 state"}, "head nowhere", func(s *stream) { s.get("state").Head = "nobody" }},
		{[]string{"error head-unresolved 17 state"}, "head is a part", func(s *stream) { s.get("state").Head = "cond-summary" }},
		{[]string{"error boundary-unresolved 12 cond"}, "boundary nowhere", func(s *stream) { s.get("cond").BoundaryAt = "nobody" }},
		{[]string{"error compaction 12 cond"}, "forgotten nowhere", func(s *stream) { s.get("cond").Forgotten[1] = "nobody" }},
		{[]string{"error compaction 12 cond"}, "forgotten twice", func(s *stream) { s.get("cond").Forgotten[1] = "user" }},
		{[]string{"error compaction 12 cond"}, "forgotten part", func(s *stream) { s.get("cond").Forgotten[1] = "result#decision" }},
		{[]string{"error compaction 12 cond"}, "unknown ids, extent exact", func(s *stream) { s.get("cond").Unknown = 1 }},
		{[]string{"error compaction 12 cond"}, "extent unknown, no unknown ids", func(s *stream) {
			s.get("cond").Extent = "unknown"
			s.get("cond").Losses = []string{record.LossContextBoundary}
		}},
		{[]string{"error compaction 12 cond"}, "boundary without offset", func(s *stream) {
			s.get("cond").HasOffset = false
			s.get("cond-summary").OutOfContext = true
		}},
		{[]string{"error compaction-summary 12 cond"}, "summary missing", func(s *stream) { s.drop("cond-summary") }},
		{[]string{"error compaction-summary 13 cond-summary"}, "summary's origin", func(s *stream) {
			s.get("cond-summary").Origin = "user"
		}},
		{[]string{"error compaction-summary 13 cond-summary"}, "summary's parent", func(s *stream) { s.get("cond-summary").Parent = "result" }},
		{[]string{"error loss-undeclared 8 result"}, "rendering undeclared", func(s *stream) { s.get("result").Losses = nil }},
		{[]string{"error loss-undeclared 12 cond"}, "boundary undeclared", func(s *stream) { s.get("cond").BoundaryAt = "" }},
		{[]string{"error loss-undeclared 11 gap:7:torn"}, "unreadable undeclared", func(s *stream) { s.get("gap:7:torn").Losses = nil }},
		{[]string{"error loss-undeclared 17 state"}, "zone undeclared", func(s *stream) { s.get("state").ClockOffset = "" }},
		{[]string{"error loss-undeclared 3 user"}, "secret undeclared", func(s *stream) {
			s.get("user").Redacted = []record.Redaction{{Pointer: "/a", Kind: "secret"}}
		}},
		{[]string{"error loss-undeclared 4 inference:r1"}, "join undeclared", func(s *stream) {
			s.get("inference:r1").HasUsage = false
			s.get("usage:agent").Losses = []string{record.LossAccountingJoin}
			s.get("state").Coverage = &record.Coverage{Responses: 1, LeftOver: 1}
			s.get("state").Losses = []string{record.LossUsageCoverage}
		}},
		{[]string{"error loss-undeclared 17 state"}, "left over undeclared", func(s *stream) {
			s.get("state").Coverage = &record.Coverage{Responses: 1, WithUsage: 1, LeftOver: 1, Complete: true}
		}},
		{[]string{"error loss-unfounded 3 user"}, "rendering unfounded", func(s *stream) { s.get("user").Losses = []string{record.LossModelRendering} }},
		{[]string{"error loss-unfounded 4 inference:r1"}, "join unfounded", func(s *stream) { s.get("inference:r1").Losses = []string{record.LossAccountingJoin} }},
		{[]string{"error loss-unfounded 9 result#decision"}, "lineage on a part", func(s *stream) { s.get("result#decision").Losses = []string{record.LossLineage} }},
		{nil, "lineage on an item", func(s *stream) { s.get("answer").Losses = []string{record.LossLineage} }},
		{[]string{"error loss-unknown 3 user"}, "loss unknown", func(s *stream) { s.get("user").Losses = []string{"made-up"} }},
		{nil, "vendor loss", func(s *stream) { s.get("user").Losses = []string{"dev.agent/made-up"} }},
		{[]string{"notice secret-member-omitted 3 user"}, "masked members", func(s *stream) {
			s.get("user").Redacted = []record.Redaction{{Pointer: "/a", Kind: "masked"}, {Pointer: "/b", Kind: "empty"}}
		}},
		{[]string{"notice call-open 6 call"}, "call open", func(s *stream) { s.get("result").Call, s.get("result").NativeCallID = "", "c9" }},
		{nil, "call not executable", func(s *stream) { s.get("result").Call, s.get("call").NotExecutable = "", true }},
		{[]string{"notice result-repeated 15 again", "notice result-repeated 16 again2"}, "results repeated", func(s *stream) {
			a, b := primary(record.ToolResult, 10, "again"), primary(record.ToolResult, 11, "again2")
			a.Call, b.Call = "call", "call"
			s.after("answer", a, b)
		}},
		{[]string{"notice result-before-call 14 answer"}, "result before call", func(s *stream) {
			late := primary(record.ToolCall, 10, "late")
			s.after("answer", late)
			f := s.get("answer")
			f.Type, f.Call = record.ToolResult, "late"
		}},
		{[]string{"notice ordinal-duplicate 15 other"}, "ordinal twice", func(s *stream) { s.after("answer", primary(record.Message, 9, "other")) }},
		{[]string{"error stream-order 15 also", "notice ordinal-duplicate 15 also"}, "ordinal twice, names", func(s *stream) {
			s.after("answer", primary(record.Message, 9, "also"))
		}},
		{[]string{"notice head-missing 17 state"}, "head missing", func(s *stream) { s.get("state").Head, s.get("state").HeadNativeID = "", "gone" }},
		{nil, "head twice", func(s *stream) {
			s.get("state").Head, s.get("state").HeadNativeID = "", "twice"
			s.get("state").Losses = append(s.get("state").Losses, record.LossLineage)
		}},
		{[]string{"notice tail-uncommitted 17 state", "notice write-unfinished 17 state"}, "torn tail", func(s *stream) {
			s.get("state").Meta = []string{"rs.ctx/uncommitted", "rs.ctx/unfinished"}
			s.get("state").Unfinished = 1
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &stream{soundFacts()}
			tt.change(s)
			sum := run(s.list)
			got := found(&sum)
			slices.Sort(tt.want)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s\n%s", d, messages(&sum))
			}
			known(t, &sum.Findings)
		})
	}
}

func messages(sum *Summary) string {
	var b strings.Builder
	for _, f := range sum.Findings.Sorted() {
		fmt.Fprintf(&b, "%s %d %s: %s\n", f.Rule, f.Line, f.Record, f.Message)
	}
	return b.String()
}

// known fails the test for a finding whose rule or severity the catalogue lacks.
func known(t *testing.T, fs *record.Findings) {
	t.Helper()
	rules := Rules()
	for _, f := range fs.Sorted() {
		ok := slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == f.Rule && slices.Contains(r.Severities, f.Severity) })
		if !ok {
			t.Errorf("finding %s %s is not in the catalogue", f.Severity, f.Rule)
		}
	}
}

// A session keeps no part of the facts that it is given.
func TestSessionBorrowsFacts(t *testing.T) {
	var text []byte
	lent := func(s string) string {
		text = append(text, s...)
		return view(text[len(text)-len(s):])
	}
	twice := &stream{soundFacts()}
	for _, id := range []string{"user", "answer"} {
		twice.get(id).Losses = []string{record.LossLineage}
	}
	want := run(twice.list)
	s := NewSession()
	for _, f := range twice.list {
		f.Losses = slices.Clone(f.Losses)
		f.Forgotten = slices.Clone(f.Forgotten)
		text = make([]byte, 0, 1024)
		f.ID, f.Parent, f.Inference, f.Time = lent(f.ID), lent(f.Parent), lent(f.Inference), lent(f.Time)
		f.Call, f.Message, f.SessionID, f.BoundaryAt = lent(f.Call), lent(f.Message), lent(f.SessionID), lent(f.BoundaryAt)
		f.Position.ID, f.Bucket, f.Path = lent(f.Position.ID), lent(f.Bucket), lent(f.Path)
		for i := range f.Losses {
			f.Losses[i] = lent(f.Losses[i])
		}
		for i := range f.Forgotten {
			f.Forgotten[i] = lent(f.Forgotten[i])
		}
		s.Record(&f)
		for i := range text {
			text[i] = '!'
		}
	}
	if d := cmp.Diff(want, s.Close(), cmp.AllowUnexported(record.Findings{})); d != "" {
		t.Errorf("summary (-want +got):\n%s", d)
	}
}
