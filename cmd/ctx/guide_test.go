package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The entry that docs/adding-a-format.md shows loads and converts the folder that the page describes.
func TestGuideEntry(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "adding-a-format.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	entry, rest, _ := strings.Cut(rest, "```\n")
	_, rest, _ = strings.Cut(rest, "```json\n")
	format, _, found := strings.Cut(rest, "```\n")
	if !found {
		t.Fatal("the page has not two pieces of JSON, want an entry and a further format")
	}
	const formats = "\"formats\": [\n"
	entry = strings.Replace(entry, formats, formats+format+",", 1)
	work := t.TempDir()
	write(t, filepath.Join(work, "entries", "scribe.json"), entry)
	turns := filepath.Join(work, "in", "talk-1", "turns")
	write(t, filepath.Join(turns, "turn-00000-a1.json"), `{"id":"a1","kind":"turn","who":"user","said":"hello","at":"2026-01-02T03:04:05Z"}`)
	write(t, filepath.Join(turns, "turn-00001-a2.json"), `{"id":"a2","kind":"turn","who":"model","said":"hi","at":"2026-01-02T03:04:06Z"}`)
	write(t, filepath.Join(turns, "turn-00002-a3.json"), `{"id":"a3","kind":"weather","at":"2026-01-02T03:04:07Z"}`)

	write(t, filepath.Join(work, "in", "talk-2", "turns.jsonl"), `{"id":"b1","kind":"turn","who":"user","said":"hello","at":"2026-01-02T03:04:05Z"}`+"\n"+
		`{"id":"b2","kind":"turn","who":"model","said":"hi","at":"2026-01-02T03:04:06Z"}`+"\n")

	var stdout, stderr bytes.Buffer
	out := filepath.Join(work, "bundle")
	args := []string{"convert", filepath.Join(work, "in"), "-o", out, "--registry", filepath.Join(work, "entries"), "--check"}
	if got := run(t.Context(), args, nil, &stdout, &stderr); got != exitDone {
		t.Fatalf("exit code %d, want %d\n%s%s", got, exitDone, &stdout, &stderr)
	}
	begin(t, filepath.Join(out, "streams", "scribe-talk1.jsonl"), []string{
		`{"type":"session_info","id":"session",`,
		`{"type":"message","id":"a1","position":{"family":"transcript","ordinal":0,"id":"a1"},"time":"2026-01-02T03:04:05Z","role":"user","origin":"user","content":[{"type":"text","text":"hello"}],"native":{"record":{"id":"a1",`,
		`{"type":"message","id":"a2","position":{"family":"transcript","ordinal":1,"id":"a2"},"time":"2026-01-02T03:04:06Z","parent":"a1","role":"assistant","origin":"agent",`,
		`{"type":"vendor","id":"a3",`,
		`{"type":"session_info","id":"end",`,
	})
	begin(t, filepath.Join(out, "streams", "scribe-talk2.jsonl"), []string{
		`{"type":"session_info","id":"session",`,
		`{"type":"message","id":"b1","position":{"family":"transcript","ordinal":0},"time":"2026-01-02T03:04:05Z","role":"user",`,
		`{"type":"message","id":"b2","position":{"family":"transcript","ordinal":1},"time":"2026-01-02T03:04:06Z","parent":"b1","role":"assistant",`,
		`{"type":"session_info","id":"end",`,
	})
}

// begin wants the lines of a stream to begin as given.
func begin(t *testing.T, path string, wants []string) {
	t.Helper()
	stream, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(stream), "\n")
	for i, want := range wants {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("stream:\n%s\nwant line %d to begin with %s", stream, i+1, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
