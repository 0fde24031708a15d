package registry

import (
	"strings"
	"sync"
	"testing"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// typical are events as they come most often: with what their writer fills in.
func typical() []string {
	const head = `"id":"8f1d2d60-20c5-4db3-b1f5-64a614232af2","timestamp":"2026-10-27T10:00:00.000001","parent_id":"0c5c4db3-b1f5-64a6-1423-2af28f1d2d60",`
	output := strings.Repeat(`drwxr-xr-x 2 user user 4096 Oct 27 10:00 \"src\"\n`, 40)
	return []string{
		`{` + head + `"source":"agent","thought":[{"cache_prompt":false,"type":"text","text":"I list the files of the project first."}],"thinking_blocks":[],
			"reasoning_content":"The user wants a list.","action":{"command":"ls -la","is_input":false,"timeout":null,"reset":false,"kind":"TerminalAction"},
			"tool_name":"terminal","tool_call_id":"call_1","tool_call":{"id":"call_1","name":"terminal","arguments":"{\"command\": \"ls -la\"}","origin":"completion"},
			"llm_response_id":"resp-1","security_risk":"LOW","summary":"List the files","kind":"ActionEvent"}`,
		`{` + head + `"source":"environment","tool_name":"terminal","tool_call_id":"call_1","observation":{"content":[{"cache_prompt":false,"type":"text","text":"` + output +
			`"}],"is_error":false,"command":"ls -la","exit_code":0,"timeout":false,"metadata":{"exit_code":0,"pid":12,"username":"user"},"kind":"TerminalObservation"},
			"action_id":"8f1d2d60-20c5-4db3-b1f5-64a614232af2","kind":"ObservationEvent"}`,
		`{` + head + `"source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"List the files"}],"thinking_blocks":[]},"activated_skills":[],"extended_content":[],"kind":"MessageEvent"}`,
	}
}

// Mapping depends on the item alone: 100 runs give the same records.
func TestMapIsDeterministic(t *testing.T) {
	for range 3 { // plans are compiled anew
		m := shipped(t)
		for _, doc := range typical() {
			want := strings.Join(lines(mapped(t, m, doc, entry.SessionFacts{}, nil)), "\n")
			for range 100 {
				if got := strings.Join(lines(mapped(t, m, doc, entry.SessionFacts{}, nil)), "\n"); got != want {
					t.Fatalf("got %s\nwant %s", got, want)
				}
			}
		}
	}
}

// One mapper serves many goroutines; -race sees whether it shares anything that changes.
func TestMapConcurrently(t *testing.T) {
	m := shipped(t)
	docs := typical()
	want, scanned := make([]string, len(docs)), make([]*jsonscan.Doc, len(docs))
	for i, doc := range docs {
		scanned[i] = scan(t, doc)
		want[i] = strings.Join(lines(mapped(t, m, doc, entry.SessionFacts{}, nil)), "\n")
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			out := &Out{}
			for n := range 60 {
				i := n % len(docs)
				m.Map(&Item{Doc: scanned[i], ID: "i", Projection: m.Match(scanned[i], entry.SessionFacts{})}, out)
				if got := strings.Join(lines(out), "\n"); got != want[i] {
					t.Errorf("got %s\nwant %s", got, want[i])
				}
			}
		})
	}
	wait.Wait()
}
