package usage_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/usage"
)

// paid is one response that was made once, whoever reports it.
type paid struct{ tokens, mills int }

// TestEveryResponseOnce makes accounts that repeat each other in any way: each holds some of the responses that were made.
// Whatever stands where, in whatever order: tokens and cost are those of the distinct responses, and each table has one total.
func TestEveryResponseOnce(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		pool := make([]paid, 1+rnd.IntN(12))
		for i := range pool {
			pool[i] = paid{1 + rnd.IntN(9), 1 + rnd.IntN(50)}
		}
		made := map[int]bool{}
		var talks []talk
		for n := range 1 + rnd.IntN(4) {
			c := talk{folder: fmt.Sprintf("c%d", n)}
			for b := range rnd.IntN(4) {
				c.buckets = append(c.buckets, someOf(rnd, pool, made, fmt.Sprintf("b%d", b)))
			}
			for i := range pool {
				if made[i] && rnd.IntN(3) == 0 {
					c.calls = append(c.calls, said(fmt.Sprintf("r%d", i))...)
				}
			}
			talks = append(talks, c)
		}
		tokens, mills := 0, 0
		for i := range made {
			tokens, mills = tokens+pool[i].tokens, mills+pool[i].mills
		}
		want := fmt.Sprintf(" %d", len(made))
		if len(made) > 0 {
			want += fmt.Sprintf(" input %d $%s", tokens, decimal(mills))
		}
		sessions := read(t, talks...)
		for _, by := range usage.Bys() {
			rnd.Shuffle(len(sessions), func(i, j int) { sessions[i], sessions[j] = sessions[j], sessions[i] })
			table := usage.Sum(sessions, by)
			if got := spellLine(&table.Total); got != want {
				t.Fatalf("seed %d by %s: got%s, want%s", seed, by, got, want)
			}
			checkLines(t, table)
		}
	}
}

// someOf is an account of some of the responses, each with its cost; all that it holds were made.
func someOf(rnd *rand.Rand, pool []paid, made map[int]bool, name string) string {
	var list []string
	costs, tokens, mills := "", 0, 0
	for i, p := range pool {
		if rnd.IntN(2) == 0 {
			continue
		}
		made[i] = true
		list = append(list, row(fmt.Sprintf("r%d", i), fmt.Sprint(p.tokens)))
		if costs != "" {
			costs += ","
		}
		costs += fmt.Sprintf(`{"model":"m","cost":%s,"timestamp":17000000%02d.5}`, decimal(p.mills), i)
		tokens, mills = tokens+p.tokens, mills+p.mills
	}
	return account(name, list, sums(decimal(mills), fmt.Sprint(tokens)), `"costs":[`+costs+`]`)
}

// decimal spells thousandths.
func decimal(mills int) string {
	text := fmt.Sprintf("0.%03d", mills)
	if mills >= 1000 {
		text = fmt.Sprintf("%d.%03d", mills/1000, mills%1000)
	}
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}

// checkLines holds that the lines come to the total, each key once and in order.
func checkLines(t *testing.T, table *usage.Table) {
	t.Helper()
	var responses, unkeyed, uncovered int64
	var keys []string
	for i := range table.Lines {
		l := &table.Lines[i]
		responses, unkeyed, uncovered = responses+l.Responses, unkeyed+l.Unkeyed, uncovered+l.Uncovered.Responses
		if l.Known {
			keys = append(keys, l.Key)
		} else if i != len(table.Lines)-1 {
			t.Errorf("by %s: got the unknown key at %d of %d, want it last", table.By, i, len(table.Lines))
		}
	}
	if responses != table.Total.Responses || unkeyed != table.Total.Unkeyed || uncovered != table.Total.Uncovered.Responses {
		t.Errorf("by %s: got lines of %d responses, %d unkeyed, %d uncovered, want the total %+v", table.By, responses, unkeyed, uncovered, table.Total)
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(keys)))
	if d := cmp.Diff(sorted, keys); d != "" {
		t.Errorf("by %s: keys (-want +got):\n%s", table.By, d)
	}
}

// TestForkInTwoBundles holds that what two bundles share counts once, as in one.
func TestForkInTwoBundles(t *testing.T) {
	root := t.TempDir()
	first := talk{folder: "a", calls: said("r", "s"), buckets: rows(account("agent", rows(row("r", "5"), row("s", "7")), sums("0.3", "12"), costs(0, "0.1", "0.2")))}
	fork := talk{folder: "b", calls: said("r", "s", "t"), buckets: rows(account("agent", rows(row("r", "5"), row("s", "7"), row("t", "9")), sums("0.7", "21"), costs(0, "0.1", "0.2", "0.4")))}
	first.write(t, root)
	fork.write(t, root)
	want := "a: 2 input 12 $0.3 | b: 1 input 9 $0.4 | = 3 input 21 $0.7"
	one := readBundle(t, convert(t, root))
	two := append(readBundle(t, convert(t, filepath.Join(root, "a"))), readBundle(t, convert(t, filepath.Join(root, "b")))...)
	for _, sessions := range [][]usage.Session{one, two, append(slices.Clone(one), two...)} {
		if got := spell(usage.Sum(sessions, usage.BySession)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	sessions := read(t,
		talk{folder: "a", calls: said("r", "q"), buckets: rows(account("agent", rows(row("r", "5"), row("", "1"), row("z", "2")), sums("1.50", "8")))})
	want := `{"by":"day","rows":[
{"key":"2026-11-01","responses":1,"unkeyed":0,"usage":{"inputTokens":5},"uncovered":{"responses":1,"conflicting":0,"counters":0,"buckets":0,"costs":0}},
{"key":null,"responses":1,"unkeyed":1,"usage":{"inputTokens":3},"uncovered":{"responses":0,"conflicting":0,"counters":0,"buckets":0,"costs":0}}],
"total":{"responses":2,"unkeyed":1,"usage":{"inputTokens":8},"cost":{"amount":"1.5","basis":"reported"},"uncovered":{"responses":1,"conflicting":0,"counters":0,"buckets":0,"costs":0}},
"notes":["responses without a report that counts: 1; their usage is unknown, not zero","rows that name no response of their own: 1, counted as they stand; only copies of one session are told apart","costs are reported by bucket and name no response: they stand in the total alone"]}`
	if d := cmp.Diff(want, string(usage.Sum(sessions, usage.ByDay).Append(nil))); d != "" {
		t.Errorf("JSON (-want +got):\n%s", d)
	}
	empty := `{"by":"model","rows":[],` + "\n" + `"total":{"responses":0,"unkeyed":0,"usage":{},"uncovered":{"responses":0,"conflicting":0,"counters":0,"buckets":0,"costs":0}},` + "\n" + `"notes":[]}`
	if d := cmp.Diff(empty, string(usage.Sum(nil, usage.ByModel).Append(nil))); d != "" {
		t.Errorf("JSON of nothing (-want +got):\n%s", d)
	}
}

// TestLargeState holds that a ledger too large for a line is read from its blob.
func TestLargeState(t *testing.T) {
	var list []string
	for i := range 20_000 {
		list = append(list, row(fmt.Sprintf("response-%d", i), "3"))
	}
	sessions := read(t, talk{folder: "a", calls: said("response-7"), buckets: rows(account("agent", list, sums("2", "60000")))})
	if got, want := spell(usage.Sum(sessions, usage.BySession)), "a: 20000 input 60000 $2 | = 20000 input 60000 $2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDamagedBundle holds that what cannot be read is an error and not a smaller sum.
func TestDamagedBundle(t *testing.T) {
	root := t.TempDir()
	made := talk{folder: "a", calls: said("r"), buckets: rows(account("agent", rows(row("r", "NaN"), row("s", "4"))))}
	made.write(t, root)
	tests := []struct {
		name, pattern string
		damage        func(raw []byte) []byte
	}{
		{"a line that is no JSON", "streams/*", func(raw []byte) []byte { raw[1] = 'x'; return raw }},
		{"a blob of other bytes", "blobs/*", func(raw []byte) []byte { raw[len(raw)-2] ^= 1; return raw }},
		{"a manifest that is none", "manifest.json", func(raw []byte) []byte { return raw[:len(raw)/2] }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := convert(t, root)
			paths, err := filepath.Glob(filepath.Join(out, filepath.FromSlash(tt.pattern)))
			if err != nil || len(paths) == 0 {
				t.Fatalf("got no %s: %v", tt.pattern, err)
			}
			for _, path := range paths {
				raw, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				put(t, path, string(tt.damage(raw)))
			}
			b, err := bundle.Open(out)
			if err != nil {
				return
			}
			defer b.Close() //nolint:errcheck // read only
			if list, err := usage.Read(t.Context(), b, nil); err == nil {
				t.Errorf("got %d sessions, want an error", len(list))
			}
		})
	}
}

// TestWithoutLedger takes the state out of a bundle: what the inference records keep of their rows still counts.
func TestWithoutLedger(t *testing.T) {
	root := t.TempDir()
	made := talk{folder: "a", calls: said("r", "s", "t"), buckets: rows(account("x", rows(row("r", "5"))), account("y", rows(row("s", "4"), row("z", "9"))))}
	made.write(t, root)
	out := convert(t, root)
	paths, err := filepath.Glob(filepath.Join(out, "streams", "*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("got streams %v, %v", paths, err)
	}
	raw, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	put(t, paths[0], strings.Replace(string(raw), `openhands/state":`, `openhands/taken":`, 1))
	table := usage.Sum(readBundle(t, out), usage.ByBucket)
	if got, want := spell(table), "x: 1 input 5 !1$ | y: 1 input 4 !1$ | ?: 0 !1r | = 2 input 9 !1r !2$"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d := cmp.Diff(`sessions whose state cannot be read: 1 ("a")`, table.Notes[1]); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
	whole := readBundle(t, convert(t, root))
	if got, want := spell(usage.Sum(append(readBundle(t, out), whole...), usage.BySession)), "a: 3 input 18 !1r !2$ | = 3 input 18 !1r !2$"; got != want {
		t.Errorf("beside a whole copy: got %s, want %s", got, want)
	}
}
