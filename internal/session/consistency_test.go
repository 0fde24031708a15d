package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/session"
)

// What the package works out from native items agrees with what the converter wrote: parents of records, and where
// summaries stand. The two share no code.
func TestAgreesWithRecords(t *testing.T) {
	sources, err := filepath.Glob("../../fixtures/openhands/*/native")
	if err != nil || len(sources) < 40 {
		t.Fatalf("got %d fixtures (%v), want at least 40", len(sources), err)
	}
	for _, shared := range []string{captures, "../../../shared/realdata"} {
		if _, err := os.Stat(shared); err != nil {
			t.Logf("%s is not there, left out", shared)
			continue
		}
		sources = append(sources, shared)
	}
	seen := agreement{}
	for _, source := range sources {
		t.Run(source, func(t *testing.T) { agree(t, convert(t, source), &seen) })
	}
	if seen.parents < 400 || seen.boundaries < 3 {
		t.Errorf("compared %+v, want hundreds of parents and some boundaries", seen)
	}
}

// Damaged logs: ids twice, parents that are nowhere or lead in circles, files that are missing, torn or no JSON.
func TestDamagedLogs(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 150
	}
	root := scratch(t)
	for seed := range n {
		id := fmt.Sprintf("%032x", seed)
		l := makeLog(uint64(seed), 3+seed%29)
		l.hasState = seed%3 > 0
		l.damage(rand.New(rand.NewPCG(uint64(seed), 11)))
		dir := filepath.Join(root, id)
		l.write(t, dir, id)
		spoil(t, rand.New(rand.NewPCG(uint64(seed), 13)), filepath.Join(dir, "events"))
	}
	seen := agreement{}
	agree(t, convert(t, root), &seen)
	if seen.broken < n/10 || seen.parents < n || seen.boundaries < n/20 {
		t.Errorf("compared %+v, want the damage to show", seen)
	}
	t.Logf("%+v", seen)
}

func (l *log) damage(r *rand.Rand) {
	for i := range l.events {
		e := &l.events[i]
		switch r.IntN(25) {
		case 0:
			e.parent = "00000000-0000-4000-8000-ffffffffffff"
		case 1:
			e.parent = l.events[r.IntN(len(l.events))].id // forward, itself, or in a circle
		case 2:
			e.id = l.events[r.IntN(len(l.events))].id
		}
	}
	if r.IntN(6) == 0 {
		l.leaf = "00000000-0000-4000-8000-eeeeeeeeeeee"
	}
}

// spoil removes, cuts or overwrites some files.
func spoil(t *testing.T, r *rand.Rand, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		switch r.IntN(40) {
		case 0:
			err = os.Remove(name)
		case 1:
			err = os.Truncate(name, int64(r.IntN(60)))
		case 2:
			err = os.WriteFile(name, []byte("\xff no JSON"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// agreement counts what was compared.
type agreement struct{ parents, broken, boundaries, views int }

func agree(t *testing.T, b *bundle.Bundle, seen *agreement) {
	t.Helper()
	for _, info := range b.Manifest().Streams {
		s := openSession(t, b, info)
		for item := range s.Items() {
			agreeItem(t, s, item, seen)
		}
		for _, kind := range []session.Kind{session.Live, session.Rebuilt} {
			sound(t, s, viewAt(t, s, "", kind))
		}
	}
}

func agreeItem(t *testing.T, s *session.Session, item int, seen *agreement) {
	t.Helper()
	first, end, p := s.Span(item)
	r := s.Record(p)
	if p < first || p >= end || !r.Primary || r.Item != item {
		t.Fatalf("%s, item %d: got primary %d in %d to %d", s.Info().ID, item, p, first, end)
	}
	if r.Type.String() == "gap" {
		return
	}
	want, known := anchor(s, item)
	if !known {
		seen.broken++
	}
	seen.parents++
	for i := first; i < end; i++ {
		got := s.Record(i)
		switch raw := lineOf(t, s, i); {
		case raw.Origin == "summary" && got.ID != r.ID:
			if got.Parent != p {
				t.Errorf("%s, summary %s: got parent %d, want its compaction", s.Info().ID, got.ID, got.Parent)
			}
		case got.Parent != want:
			t.Errorf("%s, record %s: got parent %d, the items say %d", s.Info().ID, got.ID, got.Parent, want)
		case i == p && !known && !slices.Contains(raw.Losses, "lineage"):
			t.Errorf("%s, record %s: got no loss of lineage, the items say that its parent is not known", s.Info().ID, got.ID)
		}
	}
	if r.Type.String() == "compaction" {
		agreeBoundary(t, s, p, seen)
	}
	v := viewAt(t, s, r.ID, session.Live)
	sound(t, s, v)
	if seen.views++; !known && v.Basis != session.Unknown {
		t.Errorf("%s at %s: got basis %s, want unknown, the parent is not known", s.Info().ID, r.ID, v.Basis)
	}
}

// anchor is the primary record of the nearest item above that is in context or an applied compaction.
func anchor(s *session.Session, item int) (record int, known bool) {
	for {
		up, known := s.ParentItem(item)
		if up == session.None {
			return session.None, known
		}
		first, end, p := s.Span(up)
		for i := first; i < end; i++ {
			if r := s.Record(i); r.InContext || r.Type.String() == "compaction" && applied(s, i) {
				return p, true
			}
		}
		item = up
	}
}

type recordLine struct {
	Origin, Phase, Summary, Extent string
	Losses                         []string
	Boundary                       *struct {
		After   string
		AtStart bool
	}
}

func lineOf(t testing.TB, s *session.Session, i int) (r recordLine) {
	t.Helper()
	raw, err := s.Line(i)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func applied(s *session.Session, i int) bool {
	raw, err := s.Line(i)
	var r recordLine
	return err == nil && json.Unmarshal(raw, &r) == nil && r.Phase == "applied"
}

// agreeBoundary compares where a summary stands with the view at its compaction.
func agreeBoundary(t *testing.T, s *session.Session, i int, seen *agreement) {
	t.Helper()
	r := lineOf(t, s, i)
	if r.Boundary == nil {
		return
	}
	seen.boundaries++
	view := items(s, viewAt(t, s, s.Record(i).ID, session.Live).Records)
	at := slices.Index(view, r.Summary)
	want := 0
	if !r.Boundary.AtStart {
		want = slices.Index(view, r.Boundary.After) + 1
	}
	if at < 0 || at != want {
		t.Errorf("%s, %s: the summary stands at %d of %d, want %d", s.Info().ID, s.Record(i).ID, at, len(view), want)
	}
}

// sound checks what holds for every view: each record once, all in context, with notes where it is not exact.
func sound(t *testing.T, s *session.Session, v *session.View) {
	t.Helper()
	have := map[int]bool{}
	for _, i := range v.Records {
		if r := s.Record(i); have[i] || !r.InContext {
			t.Errorf("%s at %s: got record %s twice or out of context", s.Info().ID, v.At.Name, r.ID)
		}
		have[i] = true
	}
	if v.Basis != session.Exact && len(v.Notes) == 0 {
		t.Errorf("%s at %s: got basis %s without a note", s.Info().ID, v.At.Name, v.Basis)
	}
}
