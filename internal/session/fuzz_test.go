package session

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/registry"
)

// FuzzRecords reads lines that no converter wrote: nothing crashes, walks end, and every view names records once.
func FuzzRecords(f *testing.F) {
	reg, err := registry.Load(nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, stream := range []string{
		`{"type":"message","id":"a","position":{"family":"transcript","ordinal":0,"id":"a"},"native":{"record":{"kind":"MessageEvent","parent_id":"b"}}}` + "\n" +
			`{"type":"compaction","id":"b","position":{"family":"transcript","ordinal":1,"id":"b"},"phase":"applied","extent":"unknown","forgotten":["a"],"forgottenUnknown":["x"],"summary":"b-summary","offset":9,"native":{"record":{"kind":"Condensation","parent_id":"a"}}}` + "\n" +
			`{"type":"message","id":"b-summary","position":{"family":"transcript","ordinal":1,"id":"b"},"origin":"summary"}`,
		`{"type":"reasoning","id":"a#reasoning","position":{"family":"transcript","ordinal":3,"id":"a"}}` + "\n" +
			`{"type":"tool_call","id":"a","position":{"family":"transcript","ordinal":3,"id":"a"},"inference":"inference:r","native":{"record":{"kind":"ActionEvent","tool_call_id":"k","llm_response_id":"r","action":{}}}}` + "\n" +
			`{"type":"tool_result","id":"c","position":{"family":"transcript","ordinal":3,"id":"c"},"call":"a","native":{"record":{"kind":"ObservationEvent","tool_call_id":"k","action_id":"a"}}}` + "\n" +
			`{"type":"inference","id":"inference:r","position":{"family":"transcript","ordinal":3}}` + "\n" +
			`{"type":"session_info","id":"state","position":{"family":"current-state"},"phase":"snapshot","head":"c"}`,
		`{"type":"gap","id":"gap:0:x","position":{"family":"transcript","ordinal":0,"id":"x"},"reason":"empty","native":{"blob":{"sha256":"x"}}}` + "\n" +
			`{"type":"vendor","id":"v","position":{"family":"transcript","ordinal":1,"id":"v"},"native":{"blob":{"sha256":"x"}}}`,
	} {
		f.Add([]byte(stream))
	}
	f.Fuzz(func(t *testing.T, stream []byte) { exercise(t, reg.Entries()[0], bytes.Split(stream, []byte{'\n'})) })
}

// exercise reads lines and asks for all that there is, unless a line is no record.
func exercise(t *testing.T, e *entry.Entry, lines [][]byte) (read bool) {
	t.Helper()
	s := newSession(nil, bundle.StreamInfo{}, e)
	r := &reading{s: s, base: None, blobs: func(string) ([]byte, error) { return nil, os.ErrNotExist }}
	for _, line := range lines {
		if r.line(line) != nil {
			return false
		}
	}
	r.finish()
	s.OpenCalls()
	s.Tips()
	s.Children()
	s.Pairs()
	for i := range s.recs {
		s.OnBranch(i)
		s.Chain(i)
		at, err := s.Point(s.id(int32(i)))
		if err != nil {
			continue
		}
		for _, kind := range []Kind{Live, Rebuilt} {
			once(t, s.View(at, kind))
		}
	}
	return true
}

// Streams whose lines were shuffled, doubled, left out, or bear each other's ids.
func TestShuffledRecords(t *testing.T) {
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../fixtures/openhands/*/expected/streams/*.jsonl")
	if err != nil || len(files) < 40 {
		t.Fatalf("got %d streams (%v), want at least 40", len(files), err)
	}
	read := 0
	for n, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSuffix(raw, []byte{'\n'}), []byte{'\n'})
		for seed := range uint64(40) {
			if exercise(t, reg.Entries()[0], shuffled(lines, rand.New(rand.NewPCG(seed, uint64(n))))) {
				read++
			}
		}
	}
	if read < len(files)*30 {
		t.Errorf("got %d streams read, want most of %d", read, len(files)*40)
	}
}

func shuffled(lines [][]byte, r *rand.Rand) [][]byte {
	lines = slices.Clone(lines)
	for range 1 + r.IntN(6) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(4) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines[i] = lines[j]
		case 2:
			if len(lines) > 2 {
				lines = slices.Delete(lines, i, i+1)
			}
		default:
			if a, b := idOf(lines[i]), idOf(lines[j]); len(a) > 0 && len(b) > 0 {
				lines[i] = bytes.ReplaceAll(lines[i], a, b)
			}
		}
	}
	return lines
}

func idOf(line []byte) []byte {
	_, rest, _ := bytes.Cut(line, []byte(`"id":"`))
	id, _, _ := bytes.Cut(rest, []byte{'"'})
	return id
}

func once(t *testing.T, v *View) {
	t.Helper()
	have := map[int]bool{}
	for _, i := range v.Records {
		if have[i] {
			t.Fatalf("record %d stands twice in the view", i)
		}
		have[i] = true
	}
}
