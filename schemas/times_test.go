package schemas

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestTimeTable holds the pattern of times to the table that converter and validator keep, too. It knows no calendar.
func TestTimeTable(t *testing.T) {
	table, err := os.ReadFile("testdata/times.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := set(t)
	for line := range strings.Lines(string(table)) {
		if line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, "|")
		text, _, _ := strings.Cut(rest, "|")
		var doc map[string]any
		if err := json.Unmarshal(good(t, "full", "record/message"), &doc); err != nil {
			t.Fatal(err)
		}
		doc["time"] = text
		raw, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if sound := len(check(t, s, "record/message", raw)) == 0; sound != (kind != "bad") || s.Accept("record/message", scanned(t, raw)) != sound {
			t.Errorf("got time %q taken: %t, want %s", text, sound, kind)
		}
	}
}
