package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSpreadOf(t *testing.T) {
	for _, tc := range []struct {
		want   spread
		values []float64
	}{
		{spread{}, nil},
		{spread{2, 2, 2}, []float64{2}},
		{spread{2, 3, 4}, []float64{5, 1, 4, 2, 3}},
		{spread{1.75, 2.5, 3.25}, []float64{4, 3, 2, 1}},
	} {
		if got := spreadOf(tc.values); got != tc.want {
			t.Errorf("spread of %v: got %v, want %v", tc.values, got, tc.want)
		}
	}
}

func TestJudge(t *testing.T) {
	for _, tc := range []struct {
		want verdict
		s    spread
		gate float64
	}{
		{noGate, spread{1, 1, 1}, 0},
		{pass, spread{0.9, 1, 1.1}, 1},
		{pass, spread{0.5, 1, 1.5}, 1}, // noise does not take back what was reached
		{fail, spread{0.9, 0.99, 1}, 1},
		{tooNoisy, spread{0.5, 0.9, 1.2}, 1},
	} {
		if got := judge(tc.s, tc.gate); got != tc.want {
			t.Errorf("%v against %v: got %q, want %q", tc.s, tc.gate, got, tc.want)
		}
	}
	for _, tc := range []struct {
		want       verdict
		peak, gate float64
	}{{noGate, 99, 0}, {pass, 64, 64}, {fail, 64.1, 64}} {
		if got := judgeMost(tc.peak, tc.gate); got != tc.want {
			t.Errorf("peak %v against %v: got %q, want %q", tc.peak, tc.gate, got, tc.want)
		}
	}
}

func TestShuffledIsSeeded(t *testing.T) {
	names := variantNames()
	want := shuffled(names, 1, 1)
	if d := cmp.Diff(want, shuffled(names, 1, 1)); d != "" {
		t.Errorf("same seed and round:\n%s", d)
	}
	orders := map[string]bool{}
	for round := range 10 {
		order := shuffled(names, 1, round)
		orders[strings.Join(order, " ")] = true
		slices.Sort(order)
		if d := cmp.Diff(slices.Sorted(slices.Values(names)), order); d != "" {
			t.Errorf("round %d lost a variant:\n%s", round, d)
		}
	}
	if len(orders) < 9 {
		t.Errorf("got %d orders in 10 rounds, want nearly all to differ", len(orders))
	}
}

func TestMeasuredTakesRatiosWithinRounds(t *testing.T) {
	r := ratio{over: "a", under: "b", gate: 1}
	m := &measured{rounds: []map[string]usage{
		{"a": {CPU: 4 * time.Second, RSS: 1 << 20}, "b": {CPU: 2 * time.Second}},
		{"a": {CPU: 9 * time.Second, RSS: 3 << 20}, "b": {CPU: 3 * time.Second}},
		{"a": {CPU: time.Second}},
	}}
	if d := cmp.Diff([]float64{2, 3}, m.values(r)); d != "" {
		t.Error(d)
	}
	if got := m.peak("a"); got != 3 {
		t.Errorf("got peak %v MiB, want 3", got)
	}
	// quartiles of 2 and 3 are 2.25 and 2.75: within a quarter of 2.5
	if got := m.open([]ratio{r}); got != nil {
		t.Errorf("got open ratios %v, want none", got)
	}
	m.rounds[1]["b"] = usage{CPU: time.Second}
	if got := m.open([]ratio{r, {over: "a", under: "b"}}); len(got) != 1 {
		t.Errorf("got %d open ratios, want the gated one", len(got))
	}
}

func TestPlansNameTheGates(t *testing.T) {
	want := []string{"S convert 0.2", "S validate 3", "L convert 64 MiB", "H convert 64 MiB"}
	for _, o := range []*options{{}, {full: true}} {
		if d := cmp.Diff(want, gates(plans(o))); d != "" {
			t.Errorf("%+v:\n%s", o, d)
		}
	}
	if d := cmp.Diff(want[:2], gates(plans(&options{quick: true}))); d != "" {
		t.Error(d)
	}
}

func gates(list []plan) []string {
	var all []string
	for _, p := range list {
		for _, r := range p.ratios {
			if r.gate > 0 {
				all = append(all, p.set+" "+r.under+" "+strings.TrimPrefix(bound("", r.gate), " "))
			}
		}
		for _, m := range p.memory {
			if m.gate > 0 {
				all = append(all, p.set+" "+m.variant+" "+bound("", m.gate)+" MiB")
			}
		}
	}
	return all
}

func TestResultRenders(t *testing.T) {
	p := plan{
		set:    "T",
		ratios: []ratio{{"x against y", "a", "b", 3, 2.5}},
		memory: []memory{{"a", 1, 2}},
	}
	m := &measured{rounds: []map[string]usage{{"a": {CPU: 4 * time.Second, RSS: 5 << 20}, "b": {CPU: 2 * time.Second}}}}
	r := newResult(&options{seed: 7})
	r.add(p, &Truth{Set: "T", Events: 3}, m)
	if got := r.verdict(); got != fail {
		t.Errorf("got verdict %q, want fail", got)
	}
	page := string(r.render(false))
	for _, want := range []string{
		"| x against y | T | 2.00 | 2.00 to 2.00 | 1 | ≥ 3 | ≥ 2.5 | fail |",
		"| a | T | 5.0 | ≤ 1 | ≤ 2 | fail |",
		"| T | 0 | 3 | 0 | 0 | 0 |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("page holds no line %q:\n%s", want, page)
		}
	}
	var got struct {
		Verdict string
		Seed    int
		Ratios  []struct{ Median, Gate float64 }
		Memory  []struct{ PeakMiB float64 }
		Sets    []struct{ Set string }
	}
	if err := json.Unmarshal(r.render(true), &got); err != nil {
		t.Fatal(err)
	}
	if got.Verdict != "fail" || got.Seed != 7 || got.Ratios[0].Median != 2 || got.Memory[0].PeakMiB != 5 || got.Sets[0].Set != "T" {
		t.Errorf("got %+v, want what was added", got)
	}
	if strings.Contains(page, "second") || strings.Contains(page, "cpu\"") {
		t.Error("the page states a time")
	}
}
