package validator

import (
	"os"
	"strings"
	"testing"
)

// TestTimeTable holds the grammar of times to the table that converter and schemas keep, too.
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
		ok, zone := isTime(text), ""
		if ok {
			zone = zoneOf(text)
		}
		if ok != (kind == "good") || zone != want {
			t.Errorf("got zone %q of %q, a time: %t; want %s, zone %q", zone, text, ok, kind, want)
		}
	}
}
