package entry

import (
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	tests := []struct {
		want          bool
		pattern, name string
	}{
		{true, "meta.json", "meta.json"},
		{false, "meta.json", "x/meta.json"},
		{true, "observations/*", "observations/a"},
		{false, "observations/*", "observations"},
		{false, "observations/*", "observations/a/b"},
		{true, "acp/**", "acp/a"},
		{true, "acp/**", "acp/a/b"},
		{true, "acp/**", "acp"},
		{false, "acp/**", "acps/a"},
		{true, "**/agent_settings.json", "agent_settings.json"},
		{true, "**/agent_settings.json", "a/b/agent_settings.json"},
		{false, "**/agent_settings.json", "a/agent_settings.jsonl"},
		{true, "**/cache/**", "a/cache/b/c"},
		{true, "**/cache/**", "cache"},
		{false, "**/cache/**", "a/caches/b"},
		{true, "a/**/**/b", "a/b"},
		{true, "a/**/b/**/c", "a/x/b/b/y/c"},
		{false, "a/**/b/**/c", "a/x/b/b/y/d"},
		{true, "**", "a/b"},
		{true, "**", "a"},
		{true, "[a-c]?", "bx"},
		{true, `a\*`, "a*"},
		{false, `a\*`, "ab"},
	}
	for _, tt := range tests {
		g, err := ParseGlob(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Match(tt.name); got != tt.want {
			t.Errorf("%s on %q: got %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
		if g.String() != tt.pattern {
			t.Errorf("String: got %q, want %q", g.String(), tt.pattern)
		}
	}
}

func TestParseGlobFaults(t *testing.T) {
	const malformed = "got a malformed pattern, want one of path.Match with ** for folders"
	tests := []struct{ want, pattern string }{
		{"got an empty pattern", ""},
		{malformed, "["},
		{malformed, "a/[/b"},
		{malformed, `a\`},
	}
	for _, tt := range tests {
		if _, err := ParseGlob(tt.pattern); err == nil || err.Error() != tt.want {
			t.Errorf("%q: got %v, want %s", tt.pattern, err, tt.want)
		}
	}
}

func TestGlobFolders(t *testing.T) {
	tests := []struct {
		anywhere bool
		first    string
		below    bool // everything below x/acp
		pattern  string
	}{
		{false, "acp", false, "acp/**"},
		{true, "", true, "**/acp/**"},
		{false, "x", true, "x/**"},
		{false, "", false, "*/acp"},
		{false, "", true, "*/acp/**"},
		{false, "", false, "acp"},
		{true, "", true, "**"},
	}
	for _, tt := range tests {
		g, err := ParseGlob(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if g.Anywhere() != tt.anywhere || g.First() != tt.first || g.Below("x/acp") != tt.below {
			t.Errorf("%s: got anywhere %v, first %q, below %v, want %v, %q, %v",
				tt.pattern, g.Anywhere(), g.First(), g.Below("x/acp"), tt.anywhere, tt.first, tt.below)
		}
	}
}

// A pattern of many ** on a long path that nearly fits would take for ever if it were tried in every way.
func TestGlobHostile(t *testing.T) {
	g, err := ParseGlob(strings.Repeat("**/a/", 60) + "b")
	if err != nil {
		t.Fatal(err)
	}
	if g.Match(strings.Repeat("a/", 2000) + "c") {
		t.Error("got a match, want none")
	}
	if !g.Match(strings.Repeat("a/", 2000) + "b") {
		t.Error("got no match, want one")
	}
}
