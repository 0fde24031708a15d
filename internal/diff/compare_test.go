package diff_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/diff"
)

// made is a bundle to be written as it stands, sound or not.
type made struct {
	streams  []string // id, text, id, text…
	source   string   // id of the source of all streams
	sources  string   // JSON of the list, "" one source at "x"
	registry string   // JSON of the list, "" empty
	blobs    string
	loose    string // JSON of unidentifiedSources
	version  string // of the converter
	meta     string // JSON, "" none
	report   string
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// write writes a bundle and opens it.
func (m made) write(t testing.TB) *bundle.Bundle {
	t.Helper()
	dir := t.TempDir()
	source := or(m.source, "s1")
	var list []string
	for i := 0; i < len(m.streams); i += 2 {
		id, text := m.streams[i], m.streams[i+1]
		put(t, filepath.Join(dir, "streams", id+".jsonl"), text)
		list = append(list, fmt.Sprintf(`{"id":%q,"sessionId":%q,"agent":"a","source":%q,"file":"streams/%s.jsonl","compression":"none",`+
			`"records":%d,"items":0,"types":{},"gaps":0,"sha256":"","bytes":%d,"losses":{},"evidence":[]}`,
			id, id, source, id, strings.Count(text, "\n"), len(text)))
	}
	meta := ""
	if m.meta != "" {
		meta = `,"_meta":` + m.meta
	}
	sources := fmt.Sprintf(`[{"id":%q,"agent":"a","format":"f","layout":"l","path":"x","files":1,"bytes":1,"sha256":"","positions":[]}]`, source)
	put(t, filepath.Join(dir, "manifest.json"), fmt.Sprintf(`{"format":"ctx-bundle","version":1,"converter":{"name":"ctx","version":%q},"registry":%s,`+
		`"sources":%s,"streams":[%s],"blobs":%s,"unidentifiedSources":%s,"selection":{"policy":"all"},"rootSha256":""%s}`,
		or(m.version, "1"), or(m.registry, "[]"), or(m.sources, sources), strings.Join(list, ","), or(m.blobs, "[]"), or(m.loose, "[]"), meta))
	if m.report != "" {
		put(t, filepath.Join(dir, "report.json"), m.report)
	}
	b, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// stream is the text of a stream: a record for each word, "id" or "id=value". A word in brackets stands as a line as it is.
func stream(words string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(words) {
		if line, ok := strings.CutPrefix(word, "!"); ok {
			b.WriteString(line + "\n")
			continue
		}
		id, value, _ := strings.Cut(word, "=")
		fmt.Fprintf(&b, `{"type":"message","id":%q,"v":%q}`+"\n", id, value)
	}
	return b.String()
}

// told is one line about each record that differs: change, id, lines.
func told(s *diff.Stream) []string {
	var out []string
	for _, r := range s.Records {
		word := fmt.Sprintf("%s %s %d %d", r.Change, r.ID, r.LineA, r.LineB)
		if r.Moved && r.Change != diff.Moved {
			word += " moved"
		}
		for _, p := range r.Places.List {
			word += fmt.Sprintf(" %s:%s>%s", p.Pointer, p.Old, p.New)
		}
		out = append(out, word)
	}
	return out
}

func TestStreams(t *testing.T) {
	tests := []struct {
		want   []string
		counts [4]int64 // added, removed, changed, moved
		name   string
		a, b   string
	}{
		{nil, [4]int64{}, "the same", stream("a b c"), stream("a b c")},
		{nil, [4]int64{}, "both empty", "", ""},
		{[]string{"added a 0 1"}, [4]int64{1, 0, 0, 0}, "empty and not", "", stream("a")},
		{[]string{`changed b 2 2 /v:"1">"2"`}, [4]int64{0, 0, 1, 0}, "changed", stream("a b=1 c"), stream("a b=2 c")},
		{[]string{"added x 0 1", "removed b 2 0", "added y 0 4"}, [4]int64{2, 1, 0, 0}, "added and removed", stream("a b c"), stream("x a c y")},
		{[]string{"moved d 4 1"}, [4]int64{0, 0, 0, 1}, "only one moved", stream("a b c d"), stream("d a b c")},
		{[]string{"moved a 1 4"}, [4]int64{0, 0, 0, 1}, "and the other way", stream("a b c d"), stream("b c d a")},
		{
			[]string{`changed d 4 1 moved /v:"1">"2"`, "added x 0 5"},
			[4]int64{1, 0, 1, 1},
			"moved, changed and added",
			stream("a b c d=1"), stream("d=2 a b c x"),
		},
		{[]string{`changed a 2 2 /v:"2">"3"`}, [4]int64{0, 0, 1, 0}, "an id twice: each with its like", stream("a=1 a=2"), stream("a=1 a=3")},
		{[]string{"removed a 2 0"}, [4]int64{0, 1, 0, 0}, "an id twice and once", stream("a=1 a=2"), stream("a=1")},
		{[]string{"removed  2 0", "added  0 2"}, [4]int64{1, 1, 0, 0}, "lines that are no records", stream("a !x !y b"), stream("a !z !y b")},
		{[]string{"removed  1 0", "added  0 1"}, [4]int64{1, 1, 0, 0}, "an id that is no text", stream(`!{"id":1}`), stream(`!{"id":2}`)},
		{[]string{"removed  1 0"}, [4]int64{0, 1, 0, 0}, "an empty line", "\n" + stream("a"), stream("a")},
		{
			[]string{`changed a 1 1 :…ge","id":"a","v":""}` + "\n>" + `…ge","id":"a","v":""}`},
			[4]int64{0, 0, 1, 0},
			"no line feed at the end",
			stream("a"), strings.TrimSuffix(stream("a"), "\n"),
		},
		{
			[]string{`changed a 1 1 :{"type":"message","id":"a"}>{"id":"a","type":"message"}`},
			[4]int64{0, 0, 1, 0},
			"the order of members",
			`{"type":"message","id":"a"}` + "\n", `{"id":"a","type":"message"}` + "\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := diff.Compare(t.Context(), made{streams: []string{"one", tt.a}}.write(t), made{streams: []string{"one", tt.b}}.write(t), diff.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			var counts [4]int64
			for i := range r.Streams {
				s := &r.Streams[i]
				got, counts = told(s), [4]int64{s.Added, s.Removed, s.Changed, s.Moved}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("records (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.counts, counts); d != "" {
				t.Errorf("counts (-want +got):\n%s", d)
			}
			if got := r.Different(); got != (tt.a != tt.b) {
				t.Errorf("different %v, want %v", got, tt.a != tt.b)
			}
		})
	}
}

func TestFacts(t *testing.T) {
	entry := func(sha string) string { return `[{"agent":"a","entryVersion":"1","sha256":"` + sha + `"}]` }
	blob := func(sha, compression string) string {
		return `{"sha256":"` + sha + `","bytes":1,"mediaType":"text/plain","compression":"` + compression + `"}`
	}
	source := func(id, path string) string {
		return `{"id":"` + id + `","agent":"a","format":"f","layout":"l","path":"` + path + `","files":1,"bytes":1,"sha256":"","positions":[]}`
	}
	type row struct {
		Kind, Name string
		Change     diff.Change
		Informs    bool
	}
	tests := []struct {
		want      []row
		different bool
		name      string
		a, b      made
	}{
		{nil, false, "nothing", made{}, made{}},
		{[]row{{"converter", "", diff.Changed, true}}, false, "another release", made{}, made{version: "2"}},
		{
			[]row{{"registry", "a", diff.Changed, true}},
			false, "another entry, and its blob",
			made{registry: entry("e1"), blobs: "[" + blob("e1", "none") + "]"},
			made{registry: entry("e2"), blobs: "[" + blob("e2", "none") + "]"},
		},
		{nil, false, "how a blob is stored", made{blobs: "[" + blob("b", "none") + "]"}, made{blobs: "[" + blob("b", "zstd") + "]"}},
		{
			[]row{{"blob", "b", diff.Removed, false}, {"blob", "c", diff.Added, false}},
			true, "blobs",
			made{blobs: "[" + blob("b", "none") + "]"},
			made{blobs: "[" + blob("c", "none") + "]"},
		},
		{
			[]row{{"source", "w", diff.Added, false}},
			true, "a source before another",
			made{sources: "[" + source("s1", "x") + "]", streams: []string{"one", `{"type":"session_info","id":"session","source":"s1"}` + "\n"}},
			made{
				sources: "[" + source("s1", "w") + "," + source("s2", "x") + "]", source: "s2",
				streams: []string{"one", `{"type":"session_info","id":"session","source":"s2"}` + "\n"},
			},
		},
		{
			[]row{{"unidentified", "p", diff.Changed, false}, {"unidentified", "q", diff.Added, false}},
			true, "unidentified",
			made{loose: `[{"path":"p","reason":"unreadable","files":1,"bytes":1}]`},
			made{loose: `[{"path":"p","reason":"unreadable","files":2,"bytes":1},{"path":"q","reason":"unreadable","files":1,"bytes":1}]`},
		},
		{[]row{{"meta", "", diff.Added, false}}, true, "_meta", made{}, made{meta: "{}"}},
		{
			[]row{{"finding", "notice odd-file", diff.Changed, false}},
			true, "findings",
			made{report: `{"findings":[]}`},
			made{report: `{"findings":[{"rule":"odd-file","severity":"notice","count":2}]}`},
		},
		{nil, false, "a report that is none", made{report: `{"findings":7}`}, made{report: `[[[`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := diff.Compare(t.Context(), tt.a.write(t), tt.b.write(t), diff.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []row
			for _, f := range r.Facts {
				got = append(got, row{f.Kind, f.Name, f.Change, f.Informs})
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
			if d := cmp.Diff([]diff.Stream(nil), r.Streams, cmpopts.IgnoreUnexported(diff.Stream{})); d != "" {
				t.Errorf("streams (-want +got):\n%s", d)
			}
			if got := r.Different(); got != tt.different {
				t.Errorf("different %v, want %v", got, tt.different)
			}
		})
	}
}

// Streams of one bundle alone, in the order of their ids, and those that were not asked for.
func TestStreamSets(t *testing.T) {
	a := made{streams: []string{"p", stream("a"), "q", stream("a b")}}.write(t)
	b := made{streams: []string{"o", stream("a b c"), "q", stream("a")}}.write(t)
	say := func(o diff.Options) (out []string) {
		r, err := diff.Compare(t.Context(), a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Streams {
			out = append(out, fmt.Sprintf("%s %s %d %d", s.Change, s.ID, s.RecordsA, s.RecordsB))
		}
		return out
	}
	if d := cmp.Diff([]string{"added o 0 3", "removed p 1 0", "changed q 2 1"}, say(diff.Options{Jobs: 3})); d != "" {
		t.Errorf("all (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"removed p 1 0"}, say(diff.Options{Streams: []string{"p"}})); d != "" {
		t.Errorf("one (-want +got):\n%s", d)
	}
}

// A stream that cannot be read is named, and keeps no other from being compared.
func TestUnreadableStream(t *testing.T) {
	a := made{streams: []string{"gone", stream("a"), "one", stream("a")}}
	left, right := a.write(t), made{streams: []string{"gone", stream("a"), "one", stream("b")}}.write(t)
	broken := made{streams: []string{"gone/../x", stream("a")}}.write(t)
	dir := t.TempDir()
	put(t, filepath.Join(dir, "manifest.json"), string(left.RawManifest()))
	put(t, filepath.Join(dir, "streams", "one.jsonl"), stream("a"))
	without, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer without.Close()
	r, err := diff.Compare(t.Context(), without, right, diff.Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `stream "gone" of A: `) {
		t.Errorf("got error %v, want one about the stream gone of A", err)
	}
	if r == nil || len(r.Streams) != 1 || r.Compared != 1 {
		t.Errorf("got %+v, want the other stream compared", r)
	}
	if _, err := diff.Compare(t.Context(), broken, broken, diff.Options{}); !errors.Is(err, bundle.ErrUnsafe) {
		t.Errorf("got error %v, want %v", err, bundle.ErrUnsafe)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	b := made{streams: []string{"one", stream("a")}}.write(t)
	if r, err := diff.Compare(ctx, b, b, diff.Options{}); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v and %v, want the context's error", r, err)
	}
}

// Long records that all moved are read in batches, both streams from the beginning for each, and come out in order.
func TestBatches(t *testing.T) {
	var there, back []string
	long := strings.Repeat("x", 1<<20)
	for i := range 40 {
		there = append(there, fmt.Sprintf(`{"id":"%02d","v":"%s1"}`+"\n", i, long))
		back = append([]string{fmt.Sprintf(`{"id":"%02d","v":"%s2"}`+"\n", i, long)}, back...)
	}
	a := made{streams: []string{"one", strings.Join(there, "")}}.write(t)
	b := made{streams: []string{"one", strings.Join(back, "")}}.write(t)
	r, err := diff.Compare(t.Context(), a, b, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Streams[0]
	if len(s.Records) != 40 || s.Changed != 40 || s.Moved != 39 {
		t.Fatalf("got %d listed, %d changed, %d moved, want 40, 40, 39", len(s.Records), s.Changed, s.Moved)
	}
	for i, rec := range s.Records {
		if rec.ID != fmt.Sprintf("%02d", i) || rec.LineB != 40-i || rec.Places.Total != 1 || !strings.HasSuffix(rec.Places.List[0].New, `x2"`) {
			t.Errorf("record %d: got %+v", i, rec)
		}
	}
}

// Random changes of random streams are counted as a plain way of counting does it, whatever the limit of the list.
func TestRandom(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		a, b := words(rng), words(rng)
		left, right := made{streams: []string{"one", stream(strings.Join(a, " "))}}, made{streams: []string{"one", stream(strings.Join(b, " "))}}
		limit := rng.IntN(6)
		r, err := diff.Compare(t.Context(), left.write(t), right.write(t), diff.Options{Max: limit})
		if err != nil {
			t.Fatal(err)
		}
		var got [4]int64
		if len(r.Streams) > 0 {
			s := &r.Streams[0]
			got = [4]int64{s.Added, s.Removed, s.Changed, s.Moved}
			if limit > 0 && len(s.Records) != min(limit, int(s.Differing())) || limit == 0 && len(s.Records) != int(s.Differing()) {
				t.Errorf("seed %d: %d of %d records listed with limit %d", seed, len(s.Records), s.Differing(), limit)
			}
		}
		if d := cmp.Diff(plain(a, b), got); d != "" {
			t.Fatalf("seed %d: %v and %v (-want +got):\n%s", seed, a, b, d)
		}
	}
}

// words are records with few ids, each once, and few values.
func words(rng *rand.Rand) []string {
	var out []string
	for _, id := range rng.Perm(12)[:rng.IntN(12)] {
		out = append(out, fmt.Sprintf("%d=%d", id, rng.IntN(2)))
	}
	return out
}

// plain counts added, removed, changed and moved records without any cleverness.
func plain(a, b []string) (n [4]int64) {
	at := map[string]int{}
	for j, word := range b {
		id, _, _ := strings.Cut(word, "=")
		at[id] = j
	}
	var order []int
	for _, word := range a {
		id, _, _ := strings.Cut(word, "=")
		j, ok := at[id]
		if !ok {
			n[1]++
			continue
		}
		if b[j] != word {
			n[2]++
		}
		order = append(order, j)
	}
	n[0] = int64(len(b) - len(order))
	best := make([]int, len(order))
	longest := 0
	for i := range order {
		best[i] = 1
		for k := range i {
			if order[k] < order[i] {
				best[i] = max(best[i], best[k]+1)
			}
		}
		longest = max(longest, best[i])
	}
	n[3] = int64(len(order) - longest)
	return n
}
