package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/session"
	"github.com/session-trace/ctx/registry"
)

// stream writes records straight into a bundle, since a converted one of this size would cost a file an event.
func stream(t testing.TB, how bundle.Compression, each func(write func(line string))) *bundle.Bundle {
	t.Helper()
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	e := reg.Entries()[0]
	dir := filepath.Join(scratch(t), "bundle")
	w, err := bundle.Create(dir, bundle.WriterOptions{Compress: how})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Stream()
	if err != nil {
		t.Fatal(err)
	}
	records := int64(0)
	write := func(line string) {
		records++
		if err := s.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"type":"session_info","id":"session","position":{"family":"transcript"},"sessionId":"s-1","agent":"` + e.Name + `","format":"f","phase":"head"}`)
	each(write)
	write(`{"type":"session_info","id":"end","position":{"family":"current-state"},"sessionId":"s-1","agent":"` + e.Name + `","format":"f","phase":"end"}`)
	if _, err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Name("openhands-s1"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Blob(e.Raw, "application/json"); err != nil {
		t.Fatal(err)
	}
	err = w.Commit(&bundle.Manifest{
		Converter: bundle.Converter{Name: "test", Version: "1"},
		Registry:  []bundle.RegistryEntry{{Agent: e.Name, EntryVersion: e.Version, SHA256: e.SHA256}},
		Sources:   []bundle.SourceInfo{{ID: "s1", Agent: e.Name, Format: "f", Layout: "sdk", Path: ".", SHA256: e.SHA256, Positions: []string{"transcript"}}},
		Streams: []bundle.StreamInfo{{
			ID: "openhands-s1", SessionID: "s-1", Agent: e.Name, Source: "s1", Types: map[string]int64{}, Losses: map[string]bundle.Loss{},
			Items: records, Evidence: []int64{},
		}},
		Unidentified: []bundle.Unidentified{}, Selection: []byte(`{"policy":"all"}`),
	}, []byte("{}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() }) //nolint:errcheck,gosec // read only
	return b
}

// lines are the records of an event. Only what a session is built from is true of them.
func (e *logged) lines(t testing.TB, i int) []string {
	t.Helper()
	raw, err := json.Marshal(e.native(i))
	if err != nil {
		t.Fatal(err)
	}
	kind, more := "message", `"role":"user","origin":"user","content":[]`
	switch e.kind {
	case "ActionEvent":
		kind, more = "tool_call", `"callId":"`+e.callID+`","name":"n"`
	case "ObservationEvent":
		kind, more = "tool_result", `"call":"`+e.action+`","status":"ok","rendering":"persisted"`
	case "Condensation":
		list, err := json.Marshal(e.forgets)
		if err != nil {
			t.Fatal(err)
		}
		kind, more = "compaction", fmt.Sprintf(`"phase":"applied","extent":"exact","forgotten":%s,"summary":"%s-summary","offset":%d`, list, e.id, *e.offset)
	}
	position := fmt.Sprintf(`"position":{"family":"transcript","ordinal":%d,"id":"%s"}`, i, e.id)
	var list []string
	if e.kind == "ActionEvent" {
		list = append(list, fmt.Sprintf(`{"type":"reasoning","id":"%s#reasoning",%s,"content":[]}`, e.id, position))
	}
	list = append(list, fmt.Sprintf(`{"type":"%s","id":"%s",%s,%s,"native":{"record":%s}}`, kind, e.id, position, more, raw))
	if e.kind == "Condensation" {
		list = append(list, fmt.Sprintf(`{"type":"message","id":"%s-summary",%s,"role":"user","origin":"summary","content":[]}`, e.id, position))
	}
	return list
}

// shape says how the events of a large log hang together.
type shape struct {
	name    string
	events  int // of the smaller of two logs, 0 for the usual
	compact int // a compaction every so many events, 0 none
	forget  int // how many events each forgets
	late    bool
	wide    bool // all events hang below the first
	chained bool // batches and loops that fall one after the other when the view is rebuilt
}

func large(t testing.TB, how bundle.Compression, n int, sh shape) *bundle.Bundle {
	t.Helper()
	id := func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", 1, i) }
	return stream(t, how, func(write func(string)) {
		for i := range n {
			e := logged{id: id(i), kind: "ActionEvent", runs: true, callID: fmt.Sprintf("k%d", i/2), response: fmt.Sprintf("r%d", i/2)}
			switch {
			case sh.compact > 0 && i%sh.compact == sh.compact-1:
				e.kind = "Condensation"
				at := i / 2
				if !sh.late {
					at = 2
				}
				e.offset, e.summary = &at, new(string)
				for j := i - sh.forget; j < i; j++ {
					e.forgets = append(e.forgets, id(j))
				}
			case sh.chained:
				// each batch joins two keys, and each key two batches: one call without an answer drops them all
				e.response, e.callID = fmt.Sprintf("r%d", (i+2)/4), fmt.Sprintf("k%d", i/4)
				if i%2 == 1 && i < n-4 {
					e.kind, e.action = "ObservationEvent", id(i-1)
				}
			case i%2 == 1:
				e.kind, e.action = "ObservationEvent", id(i-1)
			}
			if sh.wide && i > 0 {
				e.parent = id(0)
			}
			for _, line := range e.lines(t, i) {
				write(line)
			}
		}
	})
}

func shapes() []shape {
	return []shape{
		{name: "deep", events: 25_000},
		{name: "wide", wide: true},
		{name: "compactions", compact: 50, forget: 45},
		{name: "compactions that forget little and stand late", compact: 50, forget: 2, late: true},
		{name: "drops one after the other", chained: true},
	}
}

// Time and memory grow with the events, not with their square: of four times the events it may cost ten times as much.
func TestLargeSessionsAreLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 100,000 events several times")
	}
	for _, sh := range shapes() {
		t.Run(sh.name, func(t *testing.T) {
			n := max(sh.events, 10_000)
			a, _ := work(t, large(t, bundle.None, n, sh))
			b, held := work(t, large(t, bundle.None, 4*n, sh))
			t.Logf("%v for %d events, %v for %d, %d bytes an event held", a, n, b, 4*n, held/int64(4*n))
			if b > 10*a {
				t.Errorf("got %v for %d events and %v for four times as many, want at most ten times as much", a, n, b)
			}
			if held > int64(4*n)*600 {
				t.Errorf("got %d bytes held for %d events, want at most 600 each", held, 4*n)
			}
		})
	}
}

// work opens the session and makes its views, three times, and tells the shortest processor time and what the session holds.
func work(t *testing.T, b *bundle.Bundle) (shortest time.Duration, held int64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var s *session.Session
	for range 3 {
		start := spent(t)
		var err error
		s, err = session.Open(context.Background(), b, b.Manifest().Streams[0], session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []session.Kind{session.Live, session.Rebuilt} {
			viewAt(t, s, "", kind)
		}
		s.OpenCalls()
		s.Tips()
		if d := spent(t) - start; shortest == 0 || d < shortest {
			shortest = d
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	held = int64(after.HeapAlloc) - int64(before.HeapAlloc)
	runtime.KeepAlive(s)
	return shortest, held
}
