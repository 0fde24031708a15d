package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConversionJSON(t *testing.T) {
	c := sample()
	c.flags.output.word = "json"
	c.checked = &c.result.Report
	var out strings.Builder
	if err := (&env{stdout: &out}).printConversion(c); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	report, _ := got["report"].(map[string]any)
	check, _ := got["check"].(map[string]any)
	if report["items"] != 20.0 || check["errors"] != 1.0 {
		t.Errorf("report %v and check %v, want 20 items and 1 error", report, check)
	}
	delete(got, "report")
	delete(got, "check")
	want := map[string]any{
		"bundle": "out/b", "rootSha256": "abc", "failed": true,
		"sources": []any{
			map[string]any{"id": "s1", "path": "a", "agent": "org.example", "format": "f", "layout": "sdk", "stream": "openhands-a", "sessionId": "a", "files": 11.0, "bytes": 2000.0, "items": 10.0, "records": 14.0, "gaps": 0.0, "errors": 0.0, "notices": 12.0, "losses": 2.0},
			map[string]any{"id": "s2", "path": "b", "agent": "org.example", "format": "f", "layout": "flat", "stream": "openhands-b", "sessionId": "b", "files": 10.0, "bytes": 3000.0, "items": 10.0, "records": 16.0, "gaps": 1.0, "errors": 1.0, "notices": 0.0, "losses": 3.0},
			map[string]any{"path": "c\n", "agent": "org.example", "format": "f", "layout": "sdk", "files": 1.0, "bytes": 10.0, "items": 0.0, "records": 0.0, "gaps": 0.0, "errors": 0.0, "notices": 0.0, "losses": 0.0, "error": "session id: got \"..\", want a name"},
		},
		"unidentified": []any{
			map[string]any{"path": "notes.txt", "reason": "no-entry-matches", "files": 1.0, "bytes": 5.0},
			map[string]any{"path": "old", "reason": "unqualified-format", "files": 3.0, "bytes": 5000.0},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("JSON (-want +got):\n%s", d)
	}
}
