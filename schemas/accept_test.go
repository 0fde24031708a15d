package schemas

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/session-trace/ctx/internal/jsonscan"
)

func tree(t testing.TB, raw []byte) any {
	t.Helper()
	var v any
	numbers := json.NewDecoder(bytes.NewReader(raw))
	numbers.UseNumber()
	if err := numbers.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestAcceptAgreesWithCheck holds the plans against jsonschema on documents that are sound, nearly sound, or broken.
// What is accepted must be sound, always; what is sound must be accepted, unless its spelling is one that a plan does not read.
func TestAcceptAgreesWithCheck(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 30
	}
	s := set(t)
	docs := map[string][]any{}
	var all []any
	for _, name := range Names() {
		for _, kind := range []string{"full", "least"} {
			doc := tree(t, good(t, kind, name))
			docs[name] = append(docs[name], doc)
			all = append(all, doc)
		}
	}
	m := newMutator(3, all)
	var sound, broken, passed int
	for _, name := range Names() {
		for round := range rounds {
			doc := docs[name][round%2]
			for range m.IntN(4) {
				doc = m.mutate(doc)
			}
			raw := []byte(spelling{m.Rand, round%3 == 0}.write(doc))
			scan := scanned(t, raw)
			found, accepted := check(t, s, name, raw), s.Accept(name, scan)
			switch {
			case accepted && len(found) > 0:
				t.Fatalf("%s: accepted, but %v\n%s", name, found[0], raw)
			case !accepted && len(found) == 0 && plainlySpelled(scan):
				t.Fatalf("%s: sound, but not accepted\n%s", name, raw)
			case len(found) > 0:
				broken++
			case accepted:
				passed++
			}
			if len(found) == 0 {
				sound++
			}
		}
	}
	t.Logf("%d sound, of which %d accepted; %d broken", sound, passed, broken)
	if sound < rounds || broken < rounds || passed*2 < sound {
		t.Errorf("got %d sound (%d accepted) and %d broken documents, want plenty of each", sound, passed, broken)
	}
}

// plainlySpelled says that a document has no escapes and no numbers with fraction or exponent, nor unsafe ones.
func plainlySpelled(d *jsonscan.Doc) bool {
	if bytes.IndexByte(d.Raw, '\\') >= 0 {
		return false
	}
	for i := range d.Nodes {
		if d.Kind(i) == jsonscan.Number {
			if n, ok := d.Int(i); !ok || n == 0 && len(d.Value(i)) > 1 {
				return false
			}
		}
	}
	return true
}

// TestAcceptLeavesOddDocuments: what a plan does not look at is left to Check.
func TestAcceptLeavesOddDocuments(t *testing.T) {
	s := set(t)
	const name = "record/vendor"
	for _, tt := range []struct {
		want bool
		doc  string
	}{
		{true, `{"type":"vendor","id":"a","position":{"family":"transcript"},"name":"n"}`},
		{true, `{"type":"vendor","id":"\u0061","position":{"family":"transcript"},"name":"n"}`},
		{true, `{"type":"v\u0065ndor","id":"a","position":{"family":"transcript"},"name":"n"}`},
		{true, `{"type":"vendor","id":"a","position":{"family":"transcript"},"name":"n","native":{"record":{"\u0061":1.5}}}`},
		{false, `{"type":"vendor","id":"a","position":{"family":"transcript"},"n\u0061me":"n"}`},
		{false, `{"type":"vendor","id":"a","position":{"family":"transcript"},"name":"n","name":"m"}`},
		{false, `{"type":"vendor","id":"a","position":{"family":"transcript"},"name":"\ud800"}`},
		{false, `{"type":"vendor","id":"a","position":{"family":"transcript","ordinal":1.0},"name":"n"}`},
		{false, `{"type":"vendor","id":"a","position":{"family":"transcript"},"name":"n","native":{"record":{"n":1e999}}}`},
	} {
		if got := s.Accept(name, scanned(t, []byte(tt.doc))); tt.want != got {
			t.Errorf("%s: want %v, got %v", tt.doc, tt.want, got)
		}
	}
	if s.Accept("record/none", scanned(t, []byte(`{}`))) || s.Accept(name, &jsonscan.Doc{}) {
		t.Error("accepted without a schema or a document")
	}
}

// TestAcceptDoesNotAllocate on a usual record.
func TestAcceptDoesNotAllocate(t *testing.T) {
	s := set(t)
	for _, name := range Names() {
		doc := scanned(t, good(t, "full", name))
		if want, got := 0.0, testing.AllocsPerRun(20, func() { s.Accept(name, doc) }); want != got {
			t.Errorf("%s: want %v allocations, got %v", name, want, got)
		}
	}
}

func FuzzAccept(f *testing.F) {
	names := Names()
	for i, name := range names {
		f.Add(uint8(i), good(f, "full", name))
		f.Add(uint8(i), good(f, "least", name))
	}
	s := set(f)
	f.Fuzz(func(t *testing.T, which uint8, raw []byte) {
		name := names[int(which)%len(names)]
		doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
		if err != nil || !s.Accept(name, &doc) {
			return
		}
		if found := check(t, s, name, raw); len(found) > 0 {
			t.Fatalf("%s: accepted, but %v", name, found[0])
		}
	})
}
