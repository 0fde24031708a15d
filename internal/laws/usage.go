package laws

import (
	"encoding/json"
	"strings"
)

// usage holds that each row of a ledger was joined, was left over, repeats an earlier one, or is all zero. It speaks of
// plain ledgers alone: of others the number of rows is a matter of reading.
func (w *whole) usage(source string, state File, list []row) {
	rows, zeros, plain := readLedger(state.Data)
	if !plain || rows == 0 {
		return
	}
	last := &list[len(list)-1]
	if last.ID != "state" {
		return
	}
	if last.UsageCoverage == nil {
		w.Add("usage", "%s: got no coverage, want one for %d rows", source, rows)
		return
	}
	copies, known := w.duplicates(list)
	c := last.UsageCoverage
	if known && c.WithUsage+c.LeftOver+copies+zeros != rows {
		w.Add("usage", "%s: got %d rows joined, %d left over, %d copies and %d of zeros, want %d together",
			source, c.WithUsage, c.LeftOver, copies, zeros, rows)
	}
}

// duplicates is how many rows of a stream the report calls copies.
func (w *whole) duplicates(list []row) (n int64, known bool) {
	raw, err := w.b.Report()
	if err != nil {
		return 0, false
	}
	var report struct {
		Findings []struct {
			Rule, Stream string
			Count        int64
		}
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		w.Add("usage", "report.json: %v", err)
		return 0, false
	}
	id := w.streamOf(list)
	listed := 0
	for _, f := range report.Findings {
		if f.Rule != "usage-duplicate" {
			continue
		}
		if listed++; f.Stream == id {
			n += f.Count
		}
	}
	return n, listed < 100
}

// streamOf is the id of the stream that has these records.
func (w *whole) streamOf(list []row) string {
	for i := range w.b.Manifest().Streams {
		if s := &w.b.Manifest().Streams[i]; s.Source == list[0].Source {
			return s.ID
		}
	}
	return ""
}

// readLedger counts the rows of a state and those that are all zero. plain is false for anything out of the ordinary.
func readLedger(state string) (rows, zeros int64, plain bool) {
	var doc struct {
		Stats map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(state), &doc); err != nil || strings.Count(state, `"stats"`) != 1 || doc.Stats == nil {
		return 0, 0, false
	}
	if strings.Count(state, "_to_metrics\"") != 1 || len(doc.Stats) != 1 || strings.Count(state, `"secret_registry"`) > 1 {
		return 0, 0, false
	}
	for name, raw := range doc.Stats {
		var buckets map[string]map[string]json.RawMessage
		if (name != "usage_to_metrics" && name != "service_to_metrics") || json.Unmarshal(raw, &buckets) != nil {
			return 0, 0, false
		}
		if strings.Count(string(raw), `"token_usages"`) != len(buckets) {
			return 0, 0, false
		}
		for _, b := range buckets {
			var list []map[string]any
			if json.Unmarshal(b["token_usages"], &list) != nil {
				return 0, 0, false
			}
			for _, r := range list {
				sum, ok := reported(r)
				if !ok {
					return 0, 0, false
				}
				if rows++; sum == 0 {
					zeros++
				}
			}
		}
	}
	return rows, zeros, true
}

// reported sums up the counters of a row; ok is false when one is no plain natural number.
func reported(r map[string]any) (sum float64, ok bool) {
	if r == nil {
		return 0, false
	}
	for _, name := range []string{"prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens"} {
		v := r[name]
		n, number := v.(float64)
		if v != nil && (!number || n < 0 || n > 1<<53-1 || n != float64(int64(n))) {
			return 0, false
		}
		sum += n
	}
	return sum, true
}
