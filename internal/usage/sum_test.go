package usage_test

import (
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/usage"
)

func TestSum(t *testing.T) {
	r, s := row("r", "5"), row("s", "7")
	rs := account("agent", rows(r, s), sums("0.3", "12"), costs(0, "0.1", "0.2"))
	tests := []struct {
		name, want string
		notes      string // a part of each, in order, between bars
		by         usage.By
		talks      []talk
	}{
		{"a row each", "a: 2 input 12 $0.3 | = 2 input 12 $0.3", "", usage.BySession, []talk{{folder: "a", buckets: rows(rs), calls: said("r", "s")}}},
		{"a row without a response", "a: 2 input 12 $0.3 | = 2 input 12 $0.3", "", usage.BySession, []talk{{folder: "a", buckets: rows(rs), calls: said("r")}}},
		{"a response without a row", "a: 2 input 12 $0.3 !1r | = 2 input 12 $0.3 !1r", "unknown, not zero", usage.BySession, []talk{{folder: "a", buckets: rows(rs), calls: said("r", "s", "t")}}},
		{"an empty ledger is unknown", "a: 0 !2r | = 0 !2r", "unknown, not zero", usage.BySession, []talk{{folder: "a", calls: said("r", "s")}}},
		{
			"zeros are no reports", "a: 0 !1r | = 0 !1r", "unknown, not zero", usage.BySession,
			[]talk{{folder: "a", buckets: rows(account("agent", rows(row("r", "0")), sums("0.0", "0"))), calls: said("r")}},
		},
		{"nothing at all", "a: 0 | = 0", "", usage.BySession, []talk{{folder: "a"}}},
		{"a copied folder", "s: 2 input 12 $0.3 | = 2 input 12 $0.3", "rows that repeat|repeat costs", usage.BySession, []talk{
			{folder: "a", id: "s", buckets: rows(rs), calls: said("r", "s")},
			{folder: "b", id: "s", buckets: rows(rs), calls: said("r", "s")},
		}},
		{"a fork that carries its usage on", "a: 2 input 12 $0.3 | b: 1 input 9 $0.4 | = 3 input 21 $0.7", "rows that repeat|repeat costs", usage.BySession, []talk{
			{folder: "a", buckets: rows(rs), calls: said("r", "s")},
			{folder: "b", buckets: rows(account("agent", rows(r, s, row("t", "9")), sums("0.7000000000000001", "21"), costs(0, "0.1", "0.2", "0.4"))), calls: said("r", "s", "t")},
		}},
		{"a fork that begins anew", "a: 2 input 12 $0.3 | b: 1 input 9 $0.4 | = 3 input 21 $0.7", "", usage.BySession, []talk{
			{folder: "a", buckets: rows(rs), calls: said("r", "s")},
			{folder: "b", buckets: rows(account("agent", rows(row("t", "9")), sums("0.4", "9"), costs(9, "0.4"))), calls: said("r", "s", "t")},
		}},
		{"a parent's account of its child belongs to the child", "a: 1 input 9 $0.4 | b: 2 input 12 $0.3 | = 3 input 21 $0.7", "rows that repeat|repeat costs", usage.BySession, []talk{
			{folder: "a", buckets: rows(account("agent", rows(row("t", "9")), sums("0.4", "9"), costs(9, "0.4")), strings.Replace(rs, "agent", "task:1", 1)), calls: said("t")},
			{folder: "b", buckets: rows(rs), calls: said("r", "s")},
		}},
		{"a child whose state is gone", "a: 1 input 9 $0.7 | b: 2 input 12 | = 3 input 21 $0.7", "", usage.BySession, []talk{
			{folder: "a", buckets: rows(account("agent", rows(row("t", "9")), sums("0.4", "9"), costs(9, "0.4")), strings.Replace(rs, "agent", "task:1", 1)), calls: said("t")},
			{folder: "b", noState: true, calls: said("r", "s")},
		}},
		{"three buckets, of which the first counts", "agent: 1 input 7 $0.2 | ask: 2 input 14 $0.5 | = 3 input 21 $0.7", "rows that repeat|costs counted elsewhere: 2", usage.ByBucket, []talk{{
			folder: "a", calls: said("r", "s"), buckets: rows(
				account("ask", rows(r, row("t", "9")), sums("0.5", "14"), `"costs":[{"model":"m","cost":0.1,"timestamp":1700000000.5},{"model":"m","cost":0.4,"timestamp":1}]`),
				rs, strings.Replace(rs, "agent", "shared", 1),
			),
		}}},
		{"rows that differ", "a: 0 !1r !1x | = 0 !1r !1x", "unknown, not zero|rows differ: 1", usage.BySession, []talk{{
			folder: "a", calls: said("r"), buckets: rows(account("x", rows(r)), account("y", rows(row("r", "6")))),
		}}},
		{"rows that differ between sessions", "a: 1 input 7 !1r !1x !1$ | b: 0 | = 1 input 7 !1r !1x !1$", "unknown|rows differ|no cost", usage.BySession, []talk{
			{folder: "a", buckets: rows(account("x", rows(r, s), sums("0", "12"))), calls: said("r", "s")},
			{folder: "b", buckets: rows(account("x", rows(row("r", "6")), sums("0", "6"))), calls: said("r")},
		}},
		{"twice in one bucket", "a: 1 input 5 $1 | = 1 input 5 $1", "twice in one bucket", usage.BySession, []talk{{folder: "a", calls: said("r"), buckets: rows(account("x", rows(r, r), sums("1", "10")))}}},
		{"rows without an id", "a: 1+2 input 15 $1 | = 1+2 input 15 $1", "name no response of their own: 2", usage.BySession, []talk{{
			folder: "a", calls: said("r"), buckets: rows(account("x", rows(r, row("", "5"), row("", "5")), sums("1", "15"))),
		}}},
		{"rows without an id in a copied folder", "s: 0+3 input 15 $1 | = 0+3 input 15 $1", "rows that repeat|no response|repeat costs", usage.BySession, []talk{
			{folder: "a", id: "s", buckets: rows(account("x", rows(row("", "5"), row("", "5")), sums("1", "10")))},
			{folder: "b", id: "s", buckets: rows(account("x", rows(row("", "5"), row("", "5"), row("", "5")), sums("1", "15")))},
		}},
		{"ids of an ACP agent", "a: 0+2 input 10 $1 | = 0+2 input 10 $1", "no response of their own", usage.BySession, []talk{{
			folder: "a", agent: `{"kind":"ACPAgent"}`, calls: said("r"), buckets: rows(account("x", rows(r, r), sums("1", "10"))),
		}}},
		{"counters that are none", "a: 6 output 1 !6n !1b !1$ | = 6 output 1 !6n !1b !1$", "2^53-1: 6|something else|no cost", usage.BySession, []talk{{
			folder: "a", calls: said("r"), buckets: rows(account("x", rows(
				row("r", "-4"), row("s", "true"), row("t", "NaN"), row("u", "123456789012345678901234567890"), row("v", "1.5"),
				`{"prompt_tokens":"3","completion_tokens":1,"response_id":"w"}`,
			), `"accumulated_token_usage":{"prompt_tokens":7}`)),
		}}},
		{"sums beyond any counter", "a: 2 input 18014398509481982 $1 | = 2 input 18014398509481982 $1", "", usage.BySession, []talk{{
			folder: "a", calls: said("r", "s"), buckets: rows(account("x", rows(row("r", "9007199254740991"), row("s", "9007199254740991")), `"accumulated_cost":1`)),
		}}},
		{"no sums stated", "a: 1 input 5 !1$ | = 1 input 5 !1$", "no cost: 1", usage.BySession, []talk{{folder: "a", calls: said("r"), buckets: rows(account("x", rows(r)))}}},
		{"other sums stated", "a: 1 input 5 $1 !1b | = 1 input 5 $1 !1b", "something else", usage.BySession, []talk{{folder: "a", calls: said("r"), buckets: rows(account("x", rows(r), sums("1", "6")))}}},
		{"sums without rows", "a: 0+1 input 6 $1 !1r | = 0+1 input 6 $1 !1r", "unknown|sums and no rows", usage.BySession, []talk{{folder: "a", calls: said("r"), buckets: rows(account("x", nil, sums("1", "6")))}}},
		{"different sums without rows of one session", "s: 0 !1b | = 0 !1b", "different sums", usage.BySession, []talk{
			{folder: "a", id: "s", buckets: rows(account("x", nil, sums("0", "6")))},
			{folder: "b", id: "s", buckets: rows(account("x", nil, sums("0", "7")))},
		}},
		{"costs without rows that cannot be told apart", "a: 1 input 5 $1 | b: 1 input 7 !1$ | = 2 input 12 $1 !1$", "rows that repeat|cannot be told", usage.BySession, []talk{
			{folder: "a", buckets: rows(account("x", rows(r), sums("1", "5"))), calls: said("r")},
			{folder: "b", buckets: rows(account("x", rows(r, s), sums("3", "12"))), calls: said("r", "s")},
		}},
		{"a copied bucket without cost rows", "a: 1 input 5 $1 | = 1 input 5 $1", "rows that repeat|repeat costs", usage.BySession, []talk{{
			folder: "a", buckets: rows(account("x", rows(r), sums("1", "5")), account("y", rows(r), sums("1.0", "5"))), calls: said("r"),
		}}},
		{"a cost that is none", "a: 1 input 5 !1$ | = 1 input 5 !1$", "no number that a double holds", usage.BySession, []talk{{folder: "a", buckets: rows(account("x", rows(r), sums("NaN", "5"))), calls: said("r")}}},
		{"the last update of a state that is gone", "a: 0+1 input 30 $3 !1r | = 0+1 input 30 $3 !1r", "unknown|sums and no rows|state is gone: 1, counted by what their last update of it reports: \"a\" (record \"e3\")", usage.BySession, []talk{{
			folder: "a", noState: true, calls: said("r"),
			updates: []string{`{"usage_to_metrics":{` + account("x", nil, sums("1", "10")) + `}}`, `{"usage_to_metrics":{"x":{` + sums("2", "20") + `}}}`, `{"usage_to_metrics":{"x":{` + sums("3", "30") + `}}}`},
		}}},
		{"rows in the last update", "a: 2 input 12 $0.3 | = 2 input 12 $0.3", "state is gone", usage.BySession, []talk{{folder: "a", noState: true, calls: said("r"), updates: []string{`{"usage_to_metrics":{` + rs + `}}`}}}},
		{"a copy has the state", "s: 2 input 12 $0.3 | = 2 input 12 $0.3", "", usage.BySession, []talk{
			{folder: "a", id: "s", buckets: rows(rs), calls: said("r", "s")},
			{folder: "s", noState: true, calls: said("r", "s"), updates: []string{`{"usage_to_metrics":{"agent":{` + sums("0.3", "12") + `}}}`}},
		}},
		{"a state speaks for itself", "a: 0 !1r | = 0 !1r", "unknown", usage.BySession, []talk{{folder: "a", calls: said("r"), updates: []string{`{"usage_to_metrics":{"x":{` + sums("3", "30") + `}}}`}}}},

		{"by bucket over sessions", "agent: 2 input 14 $2 | cond: 1 input 7 $1 | ?: 0 !1r | = 3 input 21 $3 !1r", "unknown", usage.ByBucket, []talk{
			{folder: "a", buckets: rows(account("agent", rows(r), sums("1", "5")), account("cond", rows(s), sums("1", "7"))), calls: said("r")},
			{folder: "b", buckets: rows(account("agent", rows(row("t", "9")), sums("1", "9"))), calls: said("t", "u")},
		}},
		{"by model of the row", "m: 1 input 5 | n: 1 input 7 | ?: 1 input 9 !1r | = 3 input 21 $1 !1r", "unknown|total alone", usage.ByModel, []talk{{
			folder: "a", calls: said("r", "s", "z"),
			buckets: rows(account("x", rows(r, `{"model":"n","prompt_tokens":7,"response_id":"s"}`, `{"prompt_tokens":9,"response_id":"t"}`), sums("1", "21"))),
		}}},
		{"by the set of tools", ": 1 input 5 | grep: 0 !1r | grep+terminal: 2 input 16 | ?: 1 input 1 | = 4 input 22 $1 !1r", "unknown|total alone", usage.ByTool, []talk{{
			folder: "a", calls: append(said("r"), call{"s", rows("terminal", "grep", "terminal")}, call{"t", rows("grep", "terminal")}, call{"u", rows("grep")}),
			buckets: rows(account("x", rows(r, s, row("t", "9"), row("z", "1")), sums("1", "22"))),
		}}},
		{"by day as spelled", "2026-11-01: 2 input 12 | 2026-11-02: 0 !1r | ?: 1 input 1 | = 3 input 13 $1 !1r", "unknown|total alone", usage.ByDay, []talk{{
			folder: "a", calls: said("r", "s", "t"), buckets: rows(account("x", rows(r, s, row("z", "1")), sums("1", "13"))),
		}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := usage.Sum(read(t, tt.talks...), tt.by)
			if got := spell(table); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			var want []string
			if tt.notes != "" {
				want = strings.Split(tt.notes, "|")
			}
			for i, note := range table.Notes {
				if i >= len(want) || !strings.Contains(note, want[i]) {
					t.Errorf("got notes %q, want %q", table.Notes, want)
					break
				}
			}
			if len(table.Notes) < len(want) {
				t.Errorf("got notes %q, want %q", table.Notes, want)
			}
		})
	}
}
