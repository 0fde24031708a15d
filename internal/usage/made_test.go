package usage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/usage"
	"github.com/session-trace/ctx/registry"
)

// talk is one made conversation.
type talk struct {
	folder  string   // below the input root
	id      string   // of the session, "": the folder
	buckets []string // of its state
	agent   string   // JSON of the state's agent
	noState bool
	calls   []call
	updates []string // values of state updates named stats
}

// call is one model response with the tools that it called; none is a message.
type call struct {
	id    string
	tools []string
}

func said(ids ...string) (list []call) {
	for _, id := range ids {
		list = append(list, call{id: id})
	}
	return list
}

// account is a bucket of a ledger; more are further members.
func account(name string, rows []string, more ...string) string {
	return fmt.Sprintf(`"%s":{%s}`, name, strings.Join(append([]string{`"token_usages":[` + strings.Join(rows, ",") + `]`}, more...), ","))
}

// row is a ledger row of a model.
func row(id, input string) string {
	return `{"model":"m","prompt_tokens":` + input + `,"completion_tokens":0,"response_id":"` + id + `"}`
}

func rows(list ...string) []string { return list }

func sums(cost, input string) string {
	return `"accumulated_cost":` + cost + `,"accumulated_token_usage":{"prompt_tokens":` + input + `}`
}

// costs are cost rows: amounts at consecutive seconds from the one given.
func costs(from int, amounts ...string) string {
	var list []string
	for i, a := range amounts {
		list = append(list, fmt.Sprintf(`{"model":"m","cost":%s,"timestamp":%d.5}`, a, 1_700_000_000+from+i))
	}
	return `"costs":[` + strings.Join(list, ",") + `]`
}

func (c *talk) write(t testing.TB, root string) {
	t.Helper()
	dir := filepath.Join(root, filepath.FromSlash(c.folder))
	id := c.id
	if id == "" {
		id = filepath.Base(c.folder)
	}
	agent := c.agent
	if agent == "" {
		agent = "{}"
	}
	if !c.noState {
		put(t, filepath.Join(dir, "base_state.json"), `{"id":"`+id+`","agent":`+agent+`,"stats":{"usage_to_metrics":{`+strings.Join(c.buckets, ",")+`}}}`)
	}
	n := 0
	event := func(members string) {
		put(t, filepath.Join(dir, "events", fmt.Sprintf("event-%05d-e%d.json", n, n)),
			fmt.Sprintf(`{"id":"e%d","timestamp":"2026-11-%02dT10:00:00","source":"agent",%s}`, n, 1+n/2, members))
		n++
	}
	for _, call := range c.calls {
		if call.tools == nil {
			event(`"kind":"MessageEvent","llm_message":{"role":"assistant","content":[]},"llm_response_id":"` + call.id + `"`)
		}
		for _, tool := range call.tools {
			event(fmt.Sprintf(`"kind":"ActionEvent","action":{"kind":"A"},"tool_name":"%s","tool_call_id":"k%d","tool_call":{"id":"k%d","name":"%s","arguments":"{}"},"llm_response_id":"%s"`,
				tool, n, n, tool, call.id))
		}
	}
	for _, value := range c.updates {
		event(`"kind":"ConversationStateUpdateEvent","key":"stats","value":` + value)
	}
	if n == 0 {
		event(`"kind":"PauseEvent"`)
	}
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

// read converts conversations into one bundle and reads it.
func read(t testing.TB, talks ...talk) []usage.Session {
	t.Helper()
	root := t.TempDir()
	for i := range talks {
		talks[i].write(t, root)
	}
	return readBundle(t, convert(t, root))
}

// convert converts folders and returns where the bundle lies.
func convert(t testing.TB, sources ...string) string {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "bundle")
	result, err := converter.Convert(t.Context(), converter.Options{Sources: sources, Out: out, Registry: reg})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range result.Sources {
		if s.Err != nil {
			t.Fatalf("%s: %v", s.Path, s.Err)
		}
	}
	return out
}

func readBundle(t testing.TB, path string) []usage.Session {
	t.Helper()
	b, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close() //nolint:errcheck // read only
	list, err := usage.Read(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// spell is a table in short: the lines and the total, each key: responses[+unkeyed] input/output $cost !uncovered.
func spell(table *usage.Table) string {
	var parts []string
	for i := range table.Lines {
		l := &table.Lines[i]
		key := l.Key
		if !l.Known {
			key = "?"
		}
		parts = append(parts, key+":"+spellLine(l))
	}
	return strings.Join(append(parts, "="+spellLine(&table.Total)), " | ")
}

func spellLine(l *usage.Line) string {
	out := fmt.Sprintf(" %d", l.Responses)
	if l.Unkeyed > 0 {
		out += fmt.Sprintf("+%d", l.Unkeyed)
	}
	for i, member := range usage.Members() {
		if n := l.Usage(i); n != "" {
			out += " " + strings.TrimSuffix(member, "Tokens") + " " + n
		}
	}
	if c := l.Cost(); c != "" {
		out += " $" + c
	}
	u := l.Uncovered
	for _, p := range []struct {
		n    int64
		what string
	}{{u.Responses, "r"}, {u.Conflicting, "x"}, {u.Counters, "n"}, {u.Buckets, "b"}, {u.Costs, "$"}} {
		if p.n > 0 {
			out += fmt.Sprintf(" !%d%s", p.n, p.what)
		}
	}
	return out
}
