package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Around the transcript in README.
const (
	transcriptBegins = "<!-- transcript: made by `make docs` -->\n"
	transcriptEnds   = "<!-- end of transcript -->\n"
)

// readmePage is README with the transcript that make demo gives.
func readmePage(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(raw), transcriptBegins)
	_, after, ended := strings.Cut(rest, transcriptEnds)
	if !found || !ended {
		t.Fatalf("README.md lacks %q or %q", transcriptBegins, transcriptEnds)
	}
	return before + transcriptBegins + "```\n" + demonstration(t) + "```\n" + transcriptEnds + after
}

// demonstration is what the two commands of make demo print.
func demonstration(t *testing.T) string {
	t.Helper()
	const source, out = "fixtures/openhands/sample/native", "out/demo"
	work := filepath.Join(t.TempDir(), "demo")
	native := filepath.Join("..", "..", filepath.FromSlash(source))
	var b strings.Builder
	for _, args := range [][]string{
		{"convert", native, "-o", work, "--check", "--force"},
		{"validate", work},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(t.Context(), args, nil, &stdout, &stderr); got != exitDone || stderr.Len() > 0 {
			t.Fatalf("ctx %q: exit code %d, want %d\n%s", args, got, exitDone, &stderr)
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		text := "$ bin/ctx " + strings.Join(args, " ") + "\n" + stdout.String()
		b.WriteString(strings.NewReplacer(work, out, native, source).Replace(text))
	}
	// the hash changes with every word of the registry entry, and would not tell a reader anything
	return regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(b.String(), "…")
}
