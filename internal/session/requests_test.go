package session_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/session"
)

// request is one request that a model server got.
type request struct {
	ResponseID string    `json:"response_id"`
	Messages   []message `json:"messages"`
}

func readRequests(t *testing.T) map[string]request {
	t.Helper()
	all := map[string]request{}
	files, err := filepath.Glob(captures + "/*/requests.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files (%v), want requests.jsonl files", len(files), err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(raw) {
			var r request
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			all[r.ResponseID] = r
		}
	}
	return all
}

// line is what the comparison needs of a record.
type line struct {
	Type, Role, Rendering, CallID, Call, NativeCallID, Inference, Purpose string
	Content, DynamicContent, ExtendedContent                              []struct{ Type, Text string }
}

func readLine(t *testing.T, s *session.Session, i int) line {
	t.Helper()
	raw, err := s.Line(i)
	if err != nil {
		t.Fatal(err)
	}
	var l line
	if err := json.Unmarshal(raw, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// sent is one message that the records of a view stand for. Without text, what the model saw was made at run time.
type sent struct {
	role, callID string
	calls        []string
	text         string
	unknownText  bool // made at run time, or of images
	response     string
}

// messages makes the messages that the SDKs make of a view: neighbouring calls of one response are one message, and
// from 1.26 on neighbouring plain user messages too.
func messages(t *testing.T, s *session.Session, records []int, merges bool) []sent {
	t.Helper()
	var list []sent
	for _, i := range records {
		m, ok := messageOf(t, s, i)
		if !ok {
			continue
		}
		last := len(list) - 1
		switch {
		case last >= 0 && m.role == "assistant" && list[last].role == "assistant" && m.response != "" && m.response == list[last].response:
			list[last].calls = append(list[last].calls, m.calls...)
			list[last].text += m.text
		case last >= 0 && merges && m.role == "user" && list[last].role == "user":
			list[last].text += m.text
			list[last].unknownText = list[last].unknownText || m.unknownText
		default:
			list = append(list, m)
		}
	}
	return list
}

func messageOf(t *testing.T, s *session.Session, i int) (sent, bool) {
	t.Helper()
	l := readLine(t, s, i)
	m := sent{role: l.Role, response: l.Inference}
	for _, part := range append(append(l.Content, l.DynamicContent...), l.ExtendedContent...) {
		m.text += part.Text
		m.unknownText = m.unknownText || part.Type != "text" || strings.Contains(part.Text, "\uFFFD") ||
			strings.Contains(part.Text, `"workspace": "/tmp/`) // a path that was rewritten in the capture
	}
	switch l.Type {
	case "reasoning":
		return m, false
	case "instructions":
		m.role = "system"
	case "tool_call":
		m.role, m.calls, m.text = "assistant", []string{l.CallID}, ""
	case "tool_result":
		m.role, m.callID = "tool", l.NativeCallID
		m.unknownText = m.unknownText || l.Rendering != "persisted"
		if c := s.Record(i).Call; c >= 0 {
			m.callID = readLine(t, s, c).CallID
		}
	}
	return m, true
}

// sketch is a message in the terms of both sides.
func (m *sent) sketch() string {
	sum := sha256.Sum256([]byte(m.text))
	return fmt.Sprintf("%s %s %v %d %s", m.role, m.callID, m.calls, utf8.RuneCountInString(m.text), hex.EncodeToString(sum[:8]))
}

func (m *message) sketch(of *sent) string {
	if of.unknownText || strings.Contains(of.text, "<secret-omitted>") {
		return fmt.Sprintf("%s %s %v %s", m.Role, m.CallID, m.ToolCalls, of.sketch()[strings.Index(of.sketch(), "] ")+2:])
	}
	return fmt.Sprintf("%s %s %v %d %s", m.Role, m.CallID, m.ToolCalls, m.Chars, m.SHA256[:16])
}

// compareRequests compares the context before every response with the request that was really sent for it. From SDK
// 1.25 on the view was kept as it was; before, each step rebuilt it.
func compareRequests(t *testing.T, b *bundle.Bundle) {
	all := readRequests(t)
	compared, known := 0, map[string]bool{}
	for _, info := range b.Manifest().Streams {
		s := openSession(t, b, info)
		for i := range s.Len() {
			id, ok := strings.CutPrefix(s.Record(i).ID, "inference:")
			r, sentOut := all[id]
			if !ok || !sentOut || readLine(t, s, i).Purpose == "condensation" {
				continue
			}
			compared++
			known[id] = true
			kind, merges := session.Live, true
			if strings.Contains(id, "s1.0.0") || strings.Contains(id, "1.21.0") || strings.HasPrefix(id, "chatcmpl-c") {
				kind, merges = session.Rebuilt, false
			}
			v := viewAt(t, s, s.Record(i).ID, kind)
			wantText, gotText := sketches(r.Messages, messages(t, s, v.Records, merges))
			if d := cmp.Diff(wantText, gotText); d != "" {
				t.Errorf("%s in %s, %s (-want +got):\n%s", id, info.ID, v.Basis, d)
			}
		}
	}
	if len(known) < 500 {
		t.Errorf("compared requests of %d responses, want at least 500", len(known))
	}
	t.Logf("compared %d requests (%d responses) of %d", compared, len(known), len(all))
}

func sketches(want []message, got []sent) (wantText, gotText []string) {
	want = slices.DeleteFunc(slices.Clone(want), func(m message) bool { // a copy of images of the result before it
		return m.Role == "user" && strings.HasPrefix(m.Head, "[The following images are tool output")
	})
	for n := range max(len(got), len(want)) {
		of := &sent{}
		if n < len(got) {
			of = &got[n]
			gotText = append(gotText, of.sketch())
		}
		if n < len(want) {
			wantText = append(wantText, want[n].sketch(of))
		}
	}
	return wantText, gotText
}
