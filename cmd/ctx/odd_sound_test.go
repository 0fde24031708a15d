package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOddSourcesAreSound spoils fixtures in ways that a writer may: the validator must find no error in what they become.
func TestOddSourcesAreSound(t *testing.T) {
	tests := []struct {
		name, fixture string
		change        []string // old, new, …
	}{
		{"a bucket without a name", "condensation-twice", []string{`"agent":{"model_name"`, `"":{"model_name"`}},
		{
			"an item forgotten by the ids of its name and its body", "condensation-twice",
			[]string{`{"id":"06baf3d2-`, `{"id":"16baf3d2-`, `_ids":["1ee33004-`, `_ids":["16baf3d2-04b4-439f-a7a6-cbde55781898","1ee33004-`},
		},
		{"counters that are no numbers", "condensation-twice", []string{`"reasoning_tokens":0`, `"reasoning_tokens":NaN`, `"cache_write_tokens":0`, `"cache_write_tokens":Infinity`}},
		{"torn items that name secrets", "basic", []string{`"source":"agent","system_prompt"`, `"value":{"api_key":"FAKE-IN-CLEAR"},"system_prompt`, `"kind":"MessageEvent"}`, `"base_url":"https://FAKE@h`}},
		{"a verdict of null", "security-analysis", []string{`"240e4a04-9a79-4448-ab66-619c05b3c759":"LOW"`, `"240e4a04-9a79-4448-ab66-619c05b3c759":null,"":null`}},
		{"a response whose only counter no double holds", "basic", []string{`"prompt_tokens":1692,"completion_tokens":83`, `"prompt_tokens":9007199254740993,"completion_tokens":0`}},
		{"a response of which no double holds one counter", "basic", []string{`"prompt_tokens":1692`, `"prompt_tokens":9007199254740993`}},
		{"a response whose counters are below zero", "basic", []string{`"prompt_tokens":1692,"completion_tokens":83`, `"prompt_tokens":-5,"completion_tokens":1.5`}},
		{"times in lower case", "basic", []string{`T09:15:`, `t09:15:`}},
		{"offsets without a colon", "basic", []string{`","source":`, `+0530","source":`}},
		{"offsets of hours", "basic", []string{`","source":`, `-03","source":`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join("..", "..", "fixtures", "openhands", tt.fixture, "native")
			judged(t, spoilt(t, folder, strings.NewReplacer(tt.change...)), nil)
		})
	}
}

// spoilt is a copy of a folder with other texts in its files; some must be there.
func spoilt(t *testing.T, folder string, change *strings.Replacer) string {
	t.Helper()
	root, changed := memory(t), false
	if err := os.CopyFS(root, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := change.Replace(string(raw))
		changed = changed || text != string(raw)
		return os.WriteFile(path, []byte(text), 0o600)
	})
	if err != nil || !changed {
		t.Fatalf("changed: %t, %v", changed, err)
	}
	return root
}
