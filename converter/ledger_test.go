package converter

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// account is one bucket of a made ledger, its rows and latencies as JSON.
type account struct {
	name            string
	rows, latencies []string
	more            string
}

// stats is the ledger member of a state.
func stats(member string, accounts ...account) string {
	var parts []string
	for _, a := range accounts {
		more := a.more
		if more != "" {
			more = "," + more
		}
		parts = append(parts, fmt.Sprintf(`"%s":{"token_usages":[%s],"response_latencies":[%s]%s}`,
			a.name, strings.Join(a.rows, ","), strings.Join(a.latencies, ","), more))
	}
	return `"stats":{"` + member + `":{` + strings.Join(parts, ",") + `}}`
}

func tokens(response string, input int, more ...string) string {
	return fmt.Sprintf(`{"model":"m","prompt_tokens":%d,"completion_tokens":0,"response_id":"%s"%s}`, input, response, strings.Join(append([]string{""}, more...), ","))
}

// usages spells every response with its usage, every bucket, and the coverage; losses of the accounting as "!".
func usages(list []rec) string {
	var parts []string
	mark := func(r *rec) string {
		if r.lost("accounting-join") {
			return "!"
		}
		return ""
	}
	for i := range list {
		switch r := &list[i]; r.Type {
		case "inference":
			parts = append(parts, r.ResponseID+mark(r)+string(r.Usage))
		case "usage_summary":
			parts = append(parts, r.Bucket+mark(r))
		}
	}
	if c := last(list).UsageCoverage; c != nil {
		parts = append(parts, fmt.Sprintf("%d/%d+%d %v", c.WithUsage, c.Responses, c.LeftOver, c.Complete))
	}
	return strings.Join(parts, " ")
}

func TestUsage(t *testing.T) {
	const u = "usage_to_metrics"
	one, both := []event{answer("a", "r")}, []event{answer("a", "r"), answer("b", "s")}
	zero := tokens("r", 0)
	tests := []struct {
		name, want, notices string
		ledger              string
		events              []event
	}{
		{"a row each", `r{"inputTokens":5} s{"inputTokens":7} agent 2/2+0 true`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5), tokens("s", 7)}}), both},
		{"the old name", `r{"inputTokens":5} d 1/1+0 true`, "", stats("service_to_metrics", account{name: "d", rows: []string{tokens("r", 5)}}), one},
		{"no ledger", `r 0/1+0 false`, "", `"x":1`, one},
		{"an empty ledger", `r agent 0/1+0 false`, "", stats(u, account{name: "agent"}), one},
		{"nothing of either", `agent`, "", stats(u, account{name: "agent"}), []event{user("u")}},
		{"a ledger without responses", `agent! 0/0+1 false`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5)}}), []event{user("u")}},
		{"a response without a row", `r{"inputTokens":5} s! agent 1/2+0 false`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5)}}), both},
		{"a row without a response", `r{"inputTokens":5} agent! 1/1+1 true`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5), tokens("z", 7)}}), one},
		{"a row without an id", `r! agent! 0/1+1 false`, "", stats(u, account{name: "agent", rows: []string{tokens("", 5)}}), one},
		{
			"a counter that is no number", `r{"inputTokens":5} agent 1/1+0 true`, "",
			stats(u, account{name: "agent", rows: []string{`{"model":"m","prompt_tokens":5,"completion_tokens":NaN,"response_id":"r"}`}}), one,
		},
		{
			"no counter that is a number", `r! agent 0/1+0 false`, "",
			stats(u, account{name: "agent", rows: []string{`{"model":"m","prompt_tokens":Infinity,"completion_tokens":NaN,"response_id":"r"}`}}), one,
		},
		{"a row of zeros", `r! agent 0/1+0 false`, "", stats(u, account{name: "agent", rows: []string{zero}}), one},
		{"zeros and a report", `r{"inputTokens":5} agent 1/1+0 true`, "", stats(u, account{name: "agent", rows: []string{zero, tokens("r", 5)}}), one},
		{"a copy", `r{"inputTokens":5} agent cond 1/1+0 true`, "usage-duplicate 1", stats(u, account{name: "agent", rows: []string{tokens("r", 5)}}, account{name: "cond", rows: []string{tokens("r", 5)}}), one},
		{"two copies", `r{"inputTokens":5} a b c 1/1+0 true`, "usage-duplicate 2", stats(u, account{name: "a", rows: []string{tokens("r", 5)}},
			account{name: "b", rows: []string{tokens("r", 5)}}, account{name: "c", rows: []string{tokens("r", 5)}}), one},
		{"rows that differ", `r! agent! cond! 0/1+2 false`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5)}}, account{name: "cond", rows: []string{tokens("r", 6)}}), one},
		{"twice in one bucket", `r! agent! 0/1+2 false`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5), tokens("r", 5)}}), one},
		{"a copy, and one that differs", `r! a! b c! 0/1+2 false`, "usage-duplicate 1", stats(u, account{name: "a", rows: []string{tokens("r", 5)}},
			account{name: "b", rows: []string{tokens("r", 5)}}, account{name: "c", rows: []string{tokens("r", 6)}}), one},
		{"copies of a response that is nowhere", `r! a! b 0/1+1 false`, "usage-duplicate 1", stats(u, account{name: "a", rows: []string{tokens("z", 5)}}, account{name: "b", rows: []string{tokens("z", 5)}}), one},
		{"a repeated response", `agent! 0/0+1 false`, "", stats(u, account{name: "agent", rows: []string{tokens("r", 5)}}), []event{answer("a", "r"), user("u"), answer("b", "r")}},
		{"buckets by name", `r{"inputTokens":5} B a b! 1/1+1 true`, "", stats(u, account{name: "b", rows: []string{tokens("z", 1)}}, account{name: "a", rows: []string{tokens("r", 5)}}, account{name: "B"}), one},
		{"all counters", `r{"inputTokens":5,"outputTokens":1,"cacheReadTokens":2,"cacheWriteTokens":3,"reasoningTokens":4} agent 1/1+0 true`, "", stats(u, account{name: "agent", rows: []string{
			`{"response_id":"r","reasoning_tokens":4,"cache_write_tokens":3,"cache_read_tokens":2,"completion_tokens":1,"prompt_tokens":5}`,
		}}), one},
		{"counters that are none", `r{"outputTokens":1} agent 1/1+0 true`, "usage-invalid 4", stats(u, account{name: "agent", rows: []string{
			`{"response_id":"r","reasoning_tokens":"4","cache_write_tokens":-3,"cache_read_tokens":2.0,"completion_tokens":1,"prompt_tokens":9007199254740992}`,
		}}), one},
		{"no counters at all", `r! agent 0/1+0 false`, "", stats(u, account{name: "agent", rows: []string{`{"response_id":"r","prompt_tokens":null}`}}), one},
		{"rows that are none", `r{"inputTokens":5} agent 1/1+0 true`, "", stats(u, account{name: "agent", rows: []string{`7`, `null`, `[]`, tokens("r", 5)}}), one},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, state(tt.ledger), tt.events))
			if got := usages(m.only(t)); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if got := some(m.notices, "usage-duplicate", "usage-invalid", "usage-residue"); got != tt.notices {
				t.Errorf("got notices %q, want %q", got, tt.notices)
			}
		})
	}
}

// TestUsageACP holds that the ledger of an ACP agent joins nothing.
func TestUsageACP(t *testing.T) {
	s := `{"id":"c1","agent":{"kind":"ACPAgent"},` + stats("usage_to_metrics", account{name: "agent", rows: []string{tokens("r", 5)}}) + `}`
	m := convertMade(t, loadRegistry(t), nil, conv(t, s, []event{answer("a", "r")}))
	if got, want := usages(m.only(t)), "agent! 0/0+1 false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestInferenceDetails(t *testing.T) {
	latency := func(id, seconds string) string {
		return `{"model":"m","latency":` + seconds + `,"response_id":"` + id + `"}`
	}
	row := tokens("r", 5)
	m := convertMade(t, loadRegistry(t), nil, conv(t, state(stats("usage_to_metrics",
		account{name: "a.b", rows: []string{row, tokens("s", 1), tokens("t", 1)}, latencies: []string{latency("r", "1.250"), latency("s", "1"), latency("s", "2"), latency("t", "1e999")}},
		account{name: "c", latencies: []string{latency("r", "9")}},
	)), []event{answer("a", "r"), answer("b", "s"), answer("c", "t")}))
	records := byID(t, m.only(t))
	r, s, u := records["inference:r"], records["inference:s"], records["inference:t"]
	if r.RequestedModel != "m" || r.LatencySeconds != "1.250" {
		t.Errorf("got model %q, latency %q, want m and 1.250 as spelled", r.RequestedModel, r.LatencySeconds)
	}
	want := `{"bucket":"a.b","token_usage":` + row + `,"response_latencies":[` + latency("r", "1.250") + `]}`
	if got := string(r.Meta["dev.all-hands.openhands/metrics"]); got != want {
		t.Errorf("got rows %s, want %s", got, want)
	}
	if s.LatencySeconds != "" || !strings.Contains(string(s.Meta["dev.all-hands.openhands/metrics"]), latency("s", "1")+","+latency("s", "2")) {
		t.Errorf("two latencies: got %q and %s, want none chosen and both kept", s.LatencySeconds, s.Meta)
	}
	if u.LatencySeconds != "" || m.notices["unsafe-number"] == 0 {
		t.Errorf("an unsafe latency: got %q, notices %s, want none and unsafe-number", u.LatencySeconds, some(m.notices))
	}
}

func TestBucketTotals(t *testing.T) {
	total := func(cost, input string) string {
		return `"accumulated_cost":` + cost + `,"accumulated_token_usage":{"model":"m","prompt_tokens":` + input + `,"completion_tokens":0}`
	}
	rows := []string{tokens("r", 5)}
	tests := []struct{ name, usage, cost, notices, more string }{
		{"as spelled", `{"inputTokens":5}`, `{"amount":1.50e-2,"basis":"reported"}`, "", total("1.50e-2", "5")},
		{"nothing", ``, ``, "usage-residue 1", total("0", "0")},
		{"nothing, spelled long", `{"inputTokens":5}`, ``, "", total("0.000", "5")},
		{"not there", ``, ``, "", `"x":1`},
		{"a residue", `{"inputTokens":6}`, ``, "usage-residue 1", total("0.0", "6")},
		{"an unsafe cost", `{"inputTokens":5}`, ``, "unsafe-number 2", total("1e999", "5")},
		{"no counters stated", ``, ``, "", `"accumulated_token_usage":null`},
		{"some counters stated", ``, ``, "", `"accumulated_token_usage":{"completion_tokens":0,"prompt_tokens":null}`},
	}
	reg := loadRegistry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := convertMade(t, reg, nil, conv(t, state(stats("usage_to_metrics", account{name: "agent", rows: rows, more: tt.more})), []event{answer("a", "r")}))
			r := byID(t, m.only(t))["usage:agent"]
			if string(r.Usage) != tt.usage || string(r.Cost) != tt.cost || some(m.notices, "usage-residue", "unsafe-number") != tt.notices {
				t.Errorf("got usage %s, cost %s, notices %q, want %s, %s, %q", r.Usage, r.Cost, some(m.notices), tt.usage, tt.cost, tt.notices)
			}
		})
	}
}

// ledgerCount is what the format makes of the rows of a ledger.
type ledgerCount struct{ rows, joined, leftOver, copies, zero int64 }

// randomLedger makes a ledger and counts it from the words of the format: of equal copies the one in the first bucket
// joins; rows that differ for one id, or an id twice in one bucket, join nothing; a row of zeros is no report.
func randomLedger(rnd *rand.Rand, ids []string, known map[string]bool) ([]account, ledgerCount) {
	type row struct {
		bucket, input int
		id            string
	}
	var rows []row
	accounts := make([]account, 1+rnd.IntN(3))
	for b := range accounts {
		accounts[b].name = fmt.Sprintf("b%d", b)
		for range rnd.IntN(6) {
			r := row{b, rnd.IntN(3), ids[rnd.IntN(len(ids))]}
			rows = append(rows, r)
			accounts[b].rows = append(accounts[b].rows, tokens(r.id, r.input))
		}
	}
	var c ledgerCount
	for i, r := range rows {
		c.rows++
		copied, clash, before := false, r.id == "", false
		for j, q := range rows {
			if j == i || q.id != r.id || q.input == 0 || r.id == "" {
				continue
			}
			copied = copied || (q.bucket < r.bucket && q.input == r.input)
			clash = clash || q.input != r.input
			before = before || j < i
		}
		seen := map[string]int{}
		for _, q := range rows {
			if q.id == r.id && q.input != 0 {
				seen[fmt.Sprint(q.bucket)]++
				clash = clash || seen[fmt.Sprint(q.bucket)] > 1
			}
		}
		switch {
		case r.input == 0:
			c.zero++
		case copied:
			c.copies++
		case !clash && known[r.id] && !before:
			c.joined++
		default:
			c.leftOver++
		}
	}
	return accounts, c
}

// TestUsageLaw holds the law of the ledger over random ones: rows read = joined + left over + copies + all-zero.
func TestUsageLaw(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	root := scratch(t)
	var want []ledgerCount
	for n := range 400 {
		events := []event{answer("a", "r"), answer("b", "s")}
		if n%4 == 0 {
			events = append(events, user("u"), answer("c", "s")) // the id s repeats
		}
		accounts, c := randomLedger(rnd, []string{"r", "s", "z", ""}, map[string]bool{"r": true, "s": n%4 != 0})
		want = append(want, c)
		conversation(t, filepath.Join(root, fmt.Sprintf("c%04d", n)), fmt.Sprintf(`{"id":"c%04d","agent":{},%s}`, n, stats("usage_to_metrics", accounts...)), events)
	}
	m := convertMade(t, loadRegistry(t), nil, root)
	var copies int64
	for n, list := range m.streams {
		copies += want[n].copies
		got := ledgerCount{rows: want[n].rows, zero: want[n].zero, copies: want[n].copies}
		if c := last(list).UsageCoverage; c != nil {
			got.joined, got.leftOver = c.WithUsage, c.LeftOver
		}
		if got != want[n] || got.rows != got.joined+got.leftOver+got.copies+got.zero {
			t.Errorf("ledger %d: got %+v, want %+v", n, got, want[n])
		}
	}
	if got := m.notices["usage-duplicate"]; got != copies || copies == 0 {
		t.Errorf("got %d copies, want %d", got, copies)
	}
}

// TestNoticesNameRecords holds that notices about the ledger name the records of their responses, however many follow.
func TestNoticesNameRecords(t *testing.T) {
	var events []event
	var rows, want []string
	for n := range 60 {
		id := fmt.Sprintf("r%02d", n)
		events = append(events, answer(fmt.Sprintf("e%02d", n), id))
		rows = append(rows, tokens(id, -1))
		want = append(want, "inference:"+id)
	}
	m := convertMade(t, loadRegistry(t), nil, conv(t, state(stats("usage_to_metrics", account{name: "agent", rows: rows})), events))
	var got []string
	for _, f := range m.result.Report.Findings.Sorted() {
		if f.Rule == "usage-invalid" {
			got = append(got, f.Record)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
}
