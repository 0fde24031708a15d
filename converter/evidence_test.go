package converter

import (
	"path/filepath"
	"strings"
	"testing"
)

// counted is a state update with the counters of its buckets.
func counted(id, value string) event {
	return ev("ConversationStateUpdateEvent", id, `"source":"environment","key":"stats","value":`+value)
}

func accumulated(bucket, cost, input string) string {
	return `{"usage_to_metrics":{"` + bucket + `":{"accumulated_cost":` + cost + `,"accumulated_token_usage":{"prompt_tokens":` + input + `,"completion_tokens":0}}}}`
}

// summaries spells the usage summaries: id, bucket, usage, cost, what they are derived from.
func summaries(list []rec) string {
	var parts []string
	for i := range list {
		if r := &list[i]; r.Type == "usage_summary" {
			parts = append(parts, strings.TrimRight(strings.Join([]string{r.ID, r.Bucket, string(r.Usage), string(r.Cost), string(r.Meta["rs.ctx/derivedFrom"])}, " "), " "))
		}
	}
	return strings.Join(parts, "\n")
}

func TestEvidenceWithoutSnapshot(t *testing.T) {
	updates := []event{answer("a", "r"), counted("s1", accumulated("agent", "0.25", "10")), counted("s2", accumulated("agent", "0.5", "20")), user("u"), counted("s3", accumulated("agent", "0.75", "30"))}
	const third = `s3#usage-1 agent {"inputTokens":30} {"amount":0.75,"basis":"reported"} "s3"`
	tests := []struct {
		name, want, coverage, notices string
		state                         string
		events                        []event
	}{
		{"the last update counts", third, "0/1", "", "", updates},
		{"a state that cannot be read", third, "0/1", "", `{"id":`, updates},
		{"a state speaks for itself", "", "0/1", "", state(), updates},
		{"a state with an empty ledger too", "usage:agent agent", "0/1", "", state(stats("usage_to_metrics", account{name: "agent"})), updates},
		{"no update", "", "0/1", "", "", []event{answer("a", "r"), update("u")}},
		{"an update without buckets", "", "0/1", "", "", []event{answer("a", "r"), counted("s1", `{"usage_to_metrics":{}}`)}},
		{"values that are no buckets", "", "0/1", "", "", []event{answer("a", "r"), counted("s1", `{"usage_to_metrics":[7]}`), counted("s2", `7`)}},
		{"zeros", `s#usage-1 agent   "s"`, "0/1", "", "", []event{answer("a", "r"), counted("s", accumulated("agent", "0.0", "0"))}},
		{"counters that are none", `s#usage-1 agent   "s"`, "0/1", "unsafe-number 2, usage-invalid 1", "", []event{answer("a", "r"), counted("s", accumulated("agent", "1e999", "-4"))}},
		{
			"two buckets in source order", "s#usage-1 b {\"inputTokens\":1}  \"s\"\ns#usage-2 a   \"s\"", "0/1", "", "",
			[]event{answer("a", "r"), counted("s", `{"usage_to_metrics":{"b":{"accumulated_token_usage":{"prompt_tokens":1}},"a":{"token_usages":[`+tokens("r", 5)+`]}}}`)},
		},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := scratch(t)
			conversation(t, filepath.Join(root, "c1"), tt.state, tt.events)
			m := convertMade(t, reg, nil, root)
			list := m.only(t)
			if got := summaries(list); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if got := usages(list); !strings.HasSuffix(got, tt.coverage+"+0 false") {
				t.Errorf("got %s, want coverage %s", got, tt.coverage)
			}
			if got := some(m.notices, "usage-invalid", "unsafe-number"); got != tt.notices {
				t.Errorf("got notices %q, want %q", got, tt.notices)
			}
		})
	}
}
