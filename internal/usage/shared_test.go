package usage_test

import (
	"os"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/usage"
)

func shared(t *testing.T, name string) []usage.Session {
	t.Helper()
	root := "../../../shared/" + name
	if _, err := os.Stat(root); err != nil {
		t.Skipf("%s is not there", root)
	}
	return readBundle(t, convert(t, root))
}

// TestBenchmarkRuns holds the numbers of real runs, added up from their states by hand: a finished run has all of its
// responses, an idle one none, and its usage is unknown.
func TestBenchmarkRuns(t *testing.T) {
	sessions := shared(t, "realdata")
	lines := map[string]string{}
	for _, part := range strings.Split(spell(usage.Sum(sessions, usage.BySession)), " | ") {
		key, numbers, _ := strings.Cut(part, ":")
		lines[key] = strings.TrimSpace(numbers)
	}
	for key, want := range map[string]string{
		"0535c419-f44a-4e24-8c72-e40c77a06a32": "174 input 5665579 output 53338 cacheRead 5664655 cacheWrite 324697 $3.71985224999999943",
		"2fede959-a09e-489b-b4c9-7f4f81c5830a": "45 input 1169672 output 20021 cacheRead 1169466 cacheWrite 67930 $0.9065103",
		"40c95fc3-5bde-4128-a880-2e7a40419901": "120 input 3239586 output 34344 cacheRead 3239117 cacheWrite 187601 $2.19180585",
		"81f92eeb-84c0-468d-bc18-37c63c4f72ec": "112 input 3203045 output 50988 cacheRead 3202401 cacheWrite 192612 $2.4497673",
		"b322b280-4cb7-46d7-8169-2a62b11a7158": "81 input 2070321 output 32543 cacheRead 2069986 cacheWrite 106812 $1.510690800000000004",
		"0cf772fb-b553-4270-9487-62c03f91a259": "0 !56r",
		"b2688296-b484-4863-aaed-e6f60a88b9da": "0 !19r",
		"ef56c89a-61cd-4e73-92e6-0bd1ac69b83d": "0 !23r",
	} {
		if got := lines[key]; got != want {
			t.Errorf("%s: got  %s\nwant %s", key, got, want)
		}
	}
	want := "agent: 3 input 11583 output 94 cacheRead 7552 $0.00122745 | condenser: 18 input 72 output 8645 cacheWrite 94183 $0.483077250000000034 | " +
		"default: 514 input 15348131 output 182589 cacheRead 15345625 cacheWrite 785469 $10.2955492499999994 | probe: 2 input 20 output 10 $0.000009 | ?: 0 !126r | " +
		"= 537 input 15359806 output 191338 cacheRead 15353177 cacheWrite 879652 $10.779862949999999434 !126r"
	if got := spell(usage.Sum(sessions, usage.ByBucket)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestCaptures holds the total over runs of four SDK versions, with their forks, sub-agents and copied accounts: 109 of
// the 703 rows repeat others.
func TestCaptures(t *testing.T) {
	sessions := shared(t, "captures")
	for _, by := range usage.Bys() {
		table := usage.Sum(sessions, by)
		want := " 594 input 1608912 output 52812 cacheRead 698400 reasoning 280 $1.0557407999999999763 !21r !1$"
		if got := spellLine(&table.Total); got != want {
			t.Errorf("by %s: got %s, want %s", by, got, want)
		}
		checkLines(t, table)
	}
}
