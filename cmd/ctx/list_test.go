package main

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/transcript"
)

func row(session, title string, in *big.Int, cost *big.Rat) listed {
	return listed{Summary: transcript.Summary{
		Session: session, Stream: "x-" + session + title, Title: title, Time: title, Tokens: transcript.Tokens{Input: in}, Cost: cost,
	}}
}

func TestShorten(t *testing.T) {
	rows := []listed{
		row("aaaaaaaa-bbbb", "", nil, nil), row("aaaaaaaa-bbcc", "", nil, nil), row("zero", "", nil, nil),
		row("copied-folder", "1", nil, nil), row("copied-folder", "2", nil, nil), row("cccccccc-dddd", "", nil, nil),
		row("aaaaaaaa-bb", "", nil, nil),
	}
	shorten(rows)
	want := []string{"aaaaaaaabbb", "aaaaaaaabbc", "zero", "x-copied-folder1", "x-copied-folder2", "cccccccc", "aaaaaaaabb"}
	for i := range rows {
		if rows[i].short != want[i] {
			t.Errorf("%s: short id %q, want %q", rows[i].Session, rows[i].short, want[i])
		}
	}
}

func TestSortListed(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), 80)
	for by, want := range map[string]string{
		"bundle": "cabd",
		"id":     "abcd",
		"title":  "bcda",
		"time":   "bcda",
		"tokens": "bcad", // what is not known comes last
		"cost":   "dacb",
	} {
		rows := []listed{
			row("c", "m", big.NewInt(7), big.NewRat(1, 3)), row("a", "", nil, big.NewRat(1, 2)),
			row("b", "l", huge, nil), row("d", "n", nil, big.NewRat(2, 3)),
		}
		sortListed(rows, by)
		got := ""
		for _, r := range rows {
			got += r.Session
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("by %s (-want +got):\n%s", by, d)
		}
	}
}

func TestMinute(t *testing.T) {
	for time, want := range map[string]string{
		"2026-02-24T15:07:38.069851": "2026-02-24 15:07", "2026-02-24T15:07Z": "2026-02-24 15:07", "20260224T150738": "20260224T150738", "": "",
	} {
		if got := minute(time); got != want {
			t.Errorf("minute(%q) = %q, want %q", time, got, want)
		}
	}
}
