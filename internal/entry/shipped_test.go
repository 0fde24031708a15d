package entry

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func texts(paths ...Path) []string {
	var list []string
	for i := range paths {
		list = append(list, paths[i].String())
	}
	return list
}

// The shipped entry fills every block; each row is one of them, as loaded.
func TestLoadShippedEntry(t *testing.T) {
	raw, err := os.ReadFile(filepath.FromSlash("../../registry/entries/openhands.json"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Load(raw)
	if err != nil {
		t.Fatal(err)
	}
	u, g, k, s := &e.Usage, &e.Groups, e.Context.Compaction, &e.Secrets
	var fields [][2]string
	for i := range u.Fields {
		fields = append(fields, [2]string{u.Fields[i].Member, u.Fields[i].Path.String()})
	}
	var omits []In
	for i := range s.Omit {
		omits = append(omits, s.Omit[i].In)
	}
	tests := []struct {
		block     string
		want, got any
	}{
		{"entry", []any{"dev.all-hands.openhands", "openhands", true, 8}, []any{e.Name, e.Alias(), e.Converts(), len(e.Formats)}},
		{"session", []any{true, "id", true, "conversation_id", "meta.json", "id", true, true, "naive-local", true, "timestamp"}, []any{
			e.Session.IDs[0].Snapshot, e.Session.IDs[0].Path.String(), e.Session.IDs[1].Document, e.Session.IDs[1].Path.String(),
			e.Session.IDs[2].File, e.Session.IDs[2].Path.String(), e.Session.IDs[3].Folder,
			e.Session.WithoutDashes, e.Session.Clock, e.Session.HasTime, e.Session.Time.String(),
		}},
		{"snapshot", []any{"state", true, true, true, true}, []any{
			e.Snapshot.Destination, e.Snapshot.Title >= 0, e.Snapshot.Workspace >= 0, e.Snapshot.ExecutionStatus >= 0, e.Snapshot.RequestedModels >= 0,
		}},
		{"tree", []any{true, []string{"id", "parent_id", "leaf_event_id"}, "__root__", true, true, 1, true, []string{"ConversationStateUpdateEvent", "ConversationErrorEvent"}}, []any{
			e.Tree.Stated, texts(e.Tree.Body, e.Tree.Parent, e.Tree.Head), e.Tree.Root, e.Tree.MissingPrevious, e.Tree.HasHead, len(e.Tree.NeverParent), e.Tree.HeadNone != nil, e.Tree.LastNot,
		}},
		{"groups", []any{true, []string{"llm_response_id", "llm_message.tool_calls.#.id"}, true, true, true, true, "condensation"}, []any{
			g.Stated, texts(g.Key, g.Calls), g.HasCalls, g.Of != nil, g.SeparatedBy != nil, g.Unless != nil, g.Purposes[0].Is,
		}},
		{"pairs", []any{2, "tool_call_id", true, false, true, false, 2}, []any{
			len(e.Pairs), e.Pairs[0].Key.String(), e.Pairs[0].Open != nil, e.Pairs[0].Update, e.Pairs[1].Update, e.Pairs[1].Open != nil, len(e.Pairs[0].Results),
		}},
		{"context", []any{"kind", 7, []string{"forgotten_event_ids", "summary", "summary_offset"}, "", "-summary", true, true, 4, false, true}, []any{
			e.Context.Kind.String(), len(e.Context.Kinds), texts(k.Forgotten, k.Summary, k.Offset), k.SummaryIDBefore, k.SummaryIDAfter, k.BeyondIsEnd, k.UnknownIsSummary,
			len(e.Context.Enforce), e.Context.Enforce[0].Starts != nil, e.Context.Enforce[3].Starts != nil,
		}},
		{"usage", []any{true, []string{"stats.usage_to_metrics.*", "stats.service_to_metrics.*", "metrics"}, []string{"token_usages", "response_id", "model"}, "metrics", "accumulatedMetrics", true}, []any{
			u.Stated, texts(u.Ledgers...), texts(u.Rows, u.RowJoin, u.RowModel), u.Destination, u.TotalDestination, u.Unless != nil,
		}},
		{"usage names", []string{"token_usages", "response_latencies", "accumulated_token_usage", "accumulated_cost"}, []string{u.RowsName, u.LatenciesName, u.TotalUsageName, u.TotalCostName}},
		{"usage rows", []string{"response_latencies", "response_id", "latency", "costs", "timestamp", "accumulated_token_usage", "accumulated_cost"}, texts(
			u.Latencies, u.LatencyJoin, u.LatencySeconds, u.Costs, u.CostSeconds, u.TotalUsage, u.TotalCost,
		)},
		{"usage has", []bool{true, true, true}, []bool{u.HasLatencies, u.HasCosts, u.HasTotals}},
		{"usage fields", [][2]string{
			{"inputTokens", "prompt_tokens"},
			{"outputTokens", "completion_tokens"},
			{"cacheReadTokens", "cache_read_tokens"},
			{"cacheWriteTokens", "cache_write_tokens"},
			{"reasoningTokens", "reasoning_tokens"},
		}, fields},
		{"secrets", []any{[]string{"**********", "<secret-hidden>", "<redacted>"}, []string{"gAAAAA"}, []string{"secret_registry", "secrets_manager"}}, []any{s.Masked, s.Prefixes, s.Always}},
		{"secret paths", []string{"agent.**.base_url", "metadata.**.base_url", "value.**.base_url", "secret_registry.secret_sources.*.value", "secrets_manager.**"}, texts(append(s.UserInfo, s.Learn...)...)},
		{"omissions", []In{InSnapshot, InSnapshot, InSnapshot, "meta.json", "meta.json", InTranscript, InTranscript, InTranscript, InTranscript}, omits},
		{"an omission of paths", []any{false, true, 2, false}, []any{s.Omit[0].HasAt, s.Omit[0].When == nil, len(s.Omit[0].Paths), s.Omit[0].Text}},
		{"an omission of a set", []any{true, "log_data", 16, true, true}, []any{s.Omit[8].HasAt, s.Omit[8].At.String(), len(s.Omit[8].Paths), s.Omit[8].Text, s.Omit[8].When != nil}},
		{"parts", []any{true, true, true, []string{"text", "image_urls"}}, []any{e.Parts.Stated, e.Parts.HasText, e.Parts.HasImageURLs, texts(e.Parts.Text, e.Parts.ImageURLs)}},
		{"conditions", 4, len(e.Conditions)},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, tt.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.block, d)
		}
	}
}
