package converter

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestFinishedRuns holds on real runs that the account of the agent joins whole and in order, that its sums are those
// accumulated, and that the costs prove the zone of the naive times.
func TestFinishedRuns(t *testing.T) {
	const root = "../../shared/realdata"
	if _, err := os.Stat(root); err != nil {
		t.Skipf("%s is not there", root)
	}
	m := convertMade(t, loadRegistry(t), nil, root)
	finished, idle := 0, 0
	for _, list := range m.streams {
		end := last(list)
		type buckets map[string]struct {
			Rows []struct {
				ID string `json:"response_id"`
			} `json:"token_usages"`
		}
		var state struct{ Stats map[string]buckets }
		raw := end.Meta["dev.all-hands.openhands/state"]
		if raw == nil || json.Unmarshal(raw, &state) != nil {
			continue
		}
		var made, reported []string
		for i := range list {
			if r := &list[i]; r.Type == "inference" {
				made = append(made, r.ResponseID)
			}
		}
		ledger := state.Stats["usage_to_metrics"]
		if ledger == nil {
			ledger = state.Stats["service_to_metrics"] // before SDK 1.0
		}
		for _, r := range ledger["default"].Rows {
			reported = append(reported, r.ID)
		}
		if len(ledger) == 0 && len(made) > 0 {
			idle++
			if c := end.UsageCoverage; c.WithUsage != 0 || c.Complete || !end.lost("usage-coverage") {
				t.Errorf("%s: got coverage %+v, losses %v, want nothing known and said so", end.SessionID, c, end.Losses)
			}
		}
		if len(reported) == 0 {
			continue
		}
		finished++
		if !slices.Equal(made, reported) {
			t.Errorf("%s: got %d responses and %d rows, want the same in the same order", end.SessionID, len(made), len(reported))
		}
		if c := end.UsageCoverage; !c.Complete || c.Responses != int64(len(made)) {
			t.Errorf("%s: got coverage %+v, want all of %d", end.SessionID, c, len(made))
		}
		if end.Clock.Offset != "+02:00" || end.Clock.Evidence != "costs" {
			t.Errorf("%s: got clock %+v, want +02:00 by its costs", end.SessionID, end.Clock)
		}
	}
	if finished != 5 || idle < 3 {
		t.Errorf("got %d finished and %d idle runs, want 5 and at least 3", finished, idle)
	}
	if n := m.notices["usage-residue"]; n != 0 {
		t.Errorf("got %d residues, want none", n)
	}
}

// TestCaptureClocks holds that runs recorded at -08:00 are found to be there, wherever their costs prove anything.
func TestCaptureClocks(t *testing.T) {
	const root = "../../shared/captures"
	if _, err := os.Stat(root); err != nil {
		t.Skipf("%s is not there", root)
	}
	m := convertMade(t, loadRegistry(t), nil, root)
	offsets := map[string]int{}
	for _, list := range m.streams {
		if c := last(list).Clock; c.Evidence == "costs" {
			offsets[c.Offset]++
		}
	}
	if len(offsets) != 1 || offsets["-08:00"] < 100 {
		t.Errorf("got offsets %v, want -08:00 alone, at least 100 times", offsets)
	}
}
