package converter

import (
	"os"
	"strings"
	"testing"
)

// TestTimeTable holds the grammar of times to the table that validator and schemas keep, too.
func TestTimeTable(t *testing.T) {
	table, err := os.ReadFile("../schemas/testdata/times.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
		text, want, _ := strings.Cut(rest, "|")
		_, zone, ok := parseTime(text)
		if zone = wholeOffset(zone); ok != (kind == "good") || zone != want {
			t.Errorf("got zone %q of %q, a time: %t; want %s, zone %q", zone, text, ok, kind, want)
		}
	}
}
