package converter

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/registry"
)

// event is one event of a made conversation: its id, and the members of its object. Events stand at consecutive
// ordinals unless at says otherwise; raw replaces the whole file.
type event struct {
	id, members string
	at          int // ordinal + 1; 0: the one after the event before
	raw         *string
}

// ev is an event of a kind; members are JSON without braces, such as `"source":"user"`.
func ev(kind, id string, members ...string) event {
	return event{id: id, members: strings.Join(append([]string{`"kind":"` + kind + `"`}, members...), ",")}
}

func (e event) ordinal(n int) event    { e.at = n + 1; return e }
func (e event) bytes(raw string) event { e.raw = &raw; return e }
func (e event) parent(id string) event { e.members += `,"parent_id":"` + id + `"`; return e }
func (e event) with(members string) event {
	e.members += "," + members
	return e
}

func system(id string) event {
	return ev("SystemPromptEvent", id, `"source":"agent","system_prompt":{"type":"text","text":"s"},"tools":[]`)
}

func said(source, role, id string) event {
	return ev("MessageEvent", id, `"source":"`+source+`","llm_message":{"role":"`+role+`","content":[{"type":"text","text":"t `+id+`"}]}`)
}

func user(id string) event { return said("user", "user", id) }

func answer(id, response string) event {
	return said("agent", "assistant", id).with(`"llm_response_id":"` + response + `"`)
}

func action(id, key, response string) event {
	return ev("ActionEvent", id, `"source":"agent","thought":[],"action":{"kind":"A"},"tool_name":"n","tool_call_id":"`+key+
		`","tool_call":{"id":"`+key+`","name":"n","arguments":"{}"},"llm_response_id":"`+response+`"`)
}

func observed(id, call, key string) event {
	return ev("ObservationEvent", id, `"source":"environment","tool_name":"n","tool_call_id":"`+key+`","action_id":"`+call+
		`","observation":{"kind":"O","content":[{"type":"text","text":"o"}],"is_error":false}`)
}

func agentError(id, key string) event {
	return ev("AgentErrorEvent", id, `"source":"agent","tool_name":"n","tool_call_id":"`+key+`","error":"bad"`)
}

func hook(id string) event {
	return ev("HookExecutionEvent", id, `"source":"hook","hook_event_type":"Stop","hook_command":"c","success":true,"exit_code":0`)
}

func update(id string) event {
	return ev("ConversationStateUpdateEvent", id, `"source":"environment","key":"k","value":1`)
}

func pause(id string) event { return ev("PauseEvent", id, `"source":"user"`) }

// condense is an applied compaction; members state its summary and offset.
func condense(id string, forgotten []string, members ...string) event {
	list, _ := json.Marshal(append([]string{}, forgotten...)) //nolint:errchkjson // strings
	e := ev("Condensation", id, `"source":"environment"`, `"llm_response_id":"resp-`+id+`"`, `"forgotten_event_ids":`+string(list))
	for _, m := range members {
		e = e.with(m)
	}
	return e
}

// file is one more file of a made conversation.
type file struct{ path, raw string }

// conv makes a conversation on disk and returns the input root that holds it. A state of "" has none.
func conv(t testing.TB, state string, events []event, more ...file) string {
	t.Helper()
	root := scratch(t)
	conversation(t, filepath.Join(root, "c1"), state, events, more...)
	return root
}

// conversation makes a conversation in a folder.
func conversation(t testing.TB, dir, state string, events []event, more ...file) {
	t.Helper()
	put(t, filepath.Join(dir, "events", ".eventlog.lock"), "")
	if state != "" {
		put(t, filepath.Join(dir, "base_state.json"), state)
	}
	n := 0
	for _, e := range events {
		if e.at > 0 {
			n = e.at - 1
		}
		put(t, filepath.Join(dir, "events", fmt.Sprintf("event-%05d-%s.json", n, e.id)), e.text(n))
		n++
	}
	for _, f := range more {
		put(t, filepath.Join(dir, filepath.FromSlash(f.path)), f.raw)
	}
}

func (e event) text(ordinal int) string {
	if e.raw != nil {
		return *e.raw
	}
	body := fmt.Sprintf(`{"id":"%s","timestamp":"2026-11-30T10:%02d:%02d.000001",%s}`, e.id, ordinal/60%60, ordinal%60, e.members)
	return body
}

// state is a snapshot with more members.
func state(members ...string) string {
	return `{` + strings.Join(append([]string{`"id":"c1","agent":{"kind":"Agent"}`}, members...), ",") + `}`
}

func put(t testing.TB, path, raw string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(raw), 0o644); err != nil {
		t.Fatal(err)
	}
}

// scratch is a folder for made files: in memory where there is such a place, since the tests make tens of thousands.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ctx-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("scratch folder: %v", err)
		}
	})
	return dir
}

// rec is one record as read back.
type rec struct {
	Type, ID, Time, Parent, Inference string
	Context                           *bool
	Position                          struct {
		Family, ID, Path string
		Ordinal, Through *int64
	}
	Native struct {
		Record       json.RawMessage
		Blob         *struct{ SHA256, MediaType string }
		Reason, Meta string
		Redacted     []struct{ Pointer, Kind string }
	}
	Losses []string
	Meta   map[string]json.RawMessage `json:"_meta"`

	SessionID, Phase, Head, HeadNativeID string
	Clock                                struct{ Basis, Offset, Evidence string }
	UsageCoverage                        *struct {
		Responses, WithUsage, LeftOver int64
		Complete                       bool
	}
	Role, Origin                                  string
	ResponseID, RequestedModel, Purpose           string
	Usage, Cost, Content, RequestedModels         json.RawMessage
	LatencySeconds                                json.Number
	Call, NativeCallID, Status, Rendering, Bucket string
	Extent, Summary                               string
	Forgotten, ForgottenUnknown                   []string
	Offset                                        *int64
	Boundary                                      *struct {
		After   string
		AtStart bool
	}
	Reason, Path, MediaType, Name string
}

// hasNative says whether the record is the primary one of its item.
func (r *rec) hasNative() bool {
	return r.Native.Record != nil || r.Native.Blob != nil || r.Native.Meta != ""
}

// made is a conversion that was read back.
type made struct {
	result  *Result
	out     string
	files   map[string]string // of the bundle, by path
	streams [][]rec           // in the manifest's order
	notices map[string]int64
}

// only is the one stream's records.
func (m *made) only(t testing.TB) []rec {
	t.Helper()
	if len(m.streams) != 1 {
		t.Fatalf("got %d streams, want 1; failed: %v", len(m.streams), m.failures())
	}
	return m.streams[0]
}

func (m *made) failures() (list []string) {
	for _, s := range m.result.Sources {
		if s.Err != nil {
			list = append(list, s.Path+": "+s.Err.Error())
		}
	}
	return list
}

// blob is the bytes of a blob of the bundle.
func (m *made) blob(sha string) string { return m.files["blobs/"+sha] }

// loadRegistry loads the shipped entries.
func loadRegistry(t testing.TB) *registry.Registry {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

// run converts folders into a new bundle and reads it back.
func convertMade(t testing.TB, reg *registry.Registry, change func(*Options), roots ...string) *made {
	t.Helper()
	o := Options{Sources: roots, Out: filepath.Join(scratch(t), "bundle"), Registry: reg, Jobs: 2}
	if change != nil {
		change(&o)
	}
	result, err := Convert(context.Background(), o)
	if err != nil {
		t.Fatalf("convert: %v", err)
	}
	return readMade(t, result, o.Out)
}

func readMade(t testing.TB, result *Result, out string) *made {
	t.Helper()
	m := &made{result: result, out: out, files: map[string]string{}, notices: result.Report.Findings.Rules()}
	b, err := bundle.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	for _, s := range b.Manifest().Streams {
		var list []rec
		err := b.Lines(s, 1<<30, func(n int, line []byte, _ bool) error {
			var r rec
			if err := json.Unmarshal(line, &r); err != nil {
				return fmt.Errorf("%s line %d: %w", s.ID, n, err)
			}
			list = append(list, r)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		m.streams = append(m.streams, list)
	}
	for _, blob := range b.Manifest().Blobs {
		raw, err := b.Blob(blob.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		m.files["blobs/"+blob.SHA256] = string(raw)
	}
	for _, name := range []string{"manifest.json", "report.json"} {
		raw, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		m.files[name] = string(raw)
	}
	return m
}

// byID is the records by their ids; two of one id fail.
func byID(t testing.TB, list []rec) map[string]*rec {
	t.Helper()
	m := map[string]*rec{}
	for i := range list {
		if m[list[i].ID] != nil {
			t.Errorf("got record id %q twice", list[i].ID)
		}
		m[list[i].ID] = &list[i]
	}
	return m
}

// last is the last record of a stream.
func last(list []rec) *rec { return &list[len(list)-1] }

// lost says whether a record has a loss.
func (r *rec) lost(code string) bool { return slices.Contains(r.Losses, code) }

// some is the notices of the given rules, those that are not there left out.
func some(all map[string]int64, rules ...string) string {
	var parts []string
	for _, rule := range slices.Sorted(maps.Keys(all)) {
		if len(rules) == 0 || slices.Contains(rules, rule) {
			parts = append(parts, fmt.Sprintf("%s %d", rule, all[rule]))
		}
	}
	return strings.Join(parts, ", ")
}

// dash is a text, or a dash for none.
func dash(s string) string { return cmp.Or(s, "-") }

// rawStreams is the uncompressed streams of a bundle by id.
func rawStreams(t testing.TB, out string) map[string]string {
	t.Helper()
	b, err := bundle.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	streams := map[string]string{}
	for _, s := range b.Manifest().Streams {
		r, err := b.Stream(s)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Close() //nolint:errcheck // read only
		streams[s.ID] = string(raw)
	}
	return streams
}
