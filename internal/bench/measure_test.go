package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// tinySession is a run whose own program is the test binary.
func tinySession(t *testing.T, o *options) *session {
	t.Helper()
	beWorker(t)
	o.seed, o.log = 1, io.Discard
	return &session{o: o, folder: t.TempDir(), self: os.Args[0], result: newResult(o)}
}

func TestSessionMeasuresAPlan(t *testing.T) {
	s := tinySession(t, &options{})
	p := plan{
		set: "T", warm: true, min: 2, max: 2,
		ratios: []ratio{{"x", "convert-naively", "copy", 1, 0}, {"y", "scan-json", "scan", 1, 0}},
		memory: []memory{{"scan", 100, 1000}},
	}
	if err := s.run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := s.result.verdict(); got != pass {
		t.Errorf("got verdict %q, want pass", got)
	}
	for _, row := range s.result.ratios {
		if row.rounds != 2 || row.q1 <= 0 || row.q3 < row.q1 {
			t.Errorf("got %+v, want quartiles of 2 rounds", row)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.folder, "*")); len(left) > 0 {
		t.Errorf("got %v left behind, want the corpus removed", left)
	}
}

func TestSessionFailsWhenWorkIsSkipped(t *testing.T) {
	s := tinySession(t, &options{})
	set, _ := findSet("T")
	at, err := s.prepare(t.Context(), filepath.Join(s.folder, "T"), set, map[string]bool{"copy": true})
	if err != nil {
		t.Fatal(err)
	}
	events, _ := filepath.Glob(filepath.Join(at.source, "*", "events", "event-*.json"))
	if err := os.Remove(events[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.round(t.Context(), at, map[string]bool{"copy": true}, 0); err == nil {
		t.Error("got no error for a copy that lacks a file of the truth")
	}
}

func TestPlanKeepsWhatVariantsAllow(t *testing.T) {
	p := plans(&options{full: true})[1]
	p.only(setOf([]string{"copy", "validate"}))
	if len(p.ratios) != 0 || len(p.memory) != 1 || p.memory[0].variant != "validate" {
		t.Errorf("got %+v, want the memory of validate alone", p)
	}
	names := needs(plans(&options{quick: true})[0].ratios, nil)
	for _, name := range variantNames() {
		if !names[name] {
			t.Errorf("variant %s is in no ratio of the quick plan", name)
		}
		delete(names, name)
	}
	if len(names) > 0 {
		t.Errorf("the quick plan names %v, which are no variants", names)
	}
}

// TestEveryVariantDoesTheWork runs all variants over a tiny corpus, ctx among them, each held against the truth.
func TestEveryVariantDoesTheWork(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command to build ctx with")
	}
	s := tinySession(t, &options{})
	p := plans(s.o)[0]
	p.set, p.warm, p.min, p.max = "T", false, 1, 1
	p.memory = []memory{{"convert-zstd", 0, 1024}}
	if err := s.run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for _, row := range s.result.ratios {
		if row.rounds != 1 || row.median <= 0 {
			t.Errorf("got %+v, want a ratio of one round", row)
		}
	}
	if row := s.result.memory[0]; row.peak <= 1 || row.verdict != pass {
		t.Errorf("got %+v, want a peak of some MiB within the gate", row)
	}
}
