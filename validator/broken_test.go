package validator_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/stage"
	"github.com/session-trace/ctx/registry"
	"github.com/session-trace/ctx/validator"
)

// broken is a sound bundle about to be broken. What is not broken on purpose is sealed again: counts, hashes and the
// report follow from the lines and blobs.
type broken struct {
	m      bundle.Manifest
	lines  [][]string // of each stream
	end    []string   // what follows the last line
	blobs  map[string]string
	media  map[string]string
	late   []edit // of manifest.json and report.json, once they are sealed
	report string
	extra  map[string]string // further files by path
	gone   []string
}

// edit is one change of a bundle, with the words that name it.
type edit struct {
	name string
	do   func(b *broken)
}

func (b *broken) copy() *broken {
	c := *b
	c.m.Sources, c.m.Blobs, c.m.Registry = slices.Clone(b.m.Sources), slices.Clone(b.m.Blobs), slices.Clone(b.m.Registry)
	c.m.Streams = slices.Clone(b.m.Streams)
	c.lines, c.end = nil, slices.Clone(b.end)
	for _, l := range b.lines {
		c.lines = append(c.lines, slices.Clone(l))
	}
	c.blobs, c.media, c.extra = map[string]string{}, map[string]string{}, map[string]string{}
	for k, v := range b.blobs {
		c.blobs[k], c.media[k] = v, b.media[k]
	}
	return &c
}

func sha(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// bases makes the sound bundles, each once.
type bases struct {
	mu   sync.Mutex
	made map[string]*broken
}

func (l *bases) get(t *testing.T, name string) *broken {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.made[name]; b != nil {
		return b.copy()
	}
	reg, err := registry.Load(nil)
	check(t, err)
	dir := filepath.Join(t.TempDir(), "b")
	_, err = converter.Convert(context.Background(), converter.Options{
		Sources: []string{filepath.Join("..", "fixtures", "openhands", name, "native")}, Out: dir, Registry: reg,
		NewCheck: stage.New,
	})
	check(t, err)
	made := read(t, dir)
	l.made[name] = made
	return made.copy()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir string) *broken {
	t.Helper()
	f, err := bundle.Open(dir)
	check(t, err)
	defer f.Close()
	b := &broken{m: *f.Manifest(), blobs: map[string]string{}, media: map[string]string{}}
	for _, s := range b.m.Streams {
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(s.File)))
		check(t, err)
		b.lines = append(b.lines, strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n"))
		b.end = append(b.end, "\n")
	}
	for _, x := range b.m.Blobs {
		raw, err := f.Blob(x.SHA256)
		check(t, err)
		b.blobs[x.SHA256], b.media[x.SHA256] = string(raw), x.MediaType
	}
	raw, err := f.Report()
	check(t, err)
	b.report = string(raw)
	return b
}

// seal works out manifest and report again and writes the bundle.
func (b *broken) seal(t *testing.T) string {
	t.Helper()
	for i := range b.m.Streams {
		b.count(i)
	}
	b.m.Blobs = nil
	for _, k := range sortedOf(b.blobs) {
		b.m.Blobs = append(b.m.Blobs, bundle.BlobInfo{SHA256: k, Bytes: int64(len(b.blobs[k])), MediaType: b.media[k], Compression: "none"})
	}
	b.m.RootSHA256 = bundle.RootSHA256(b.m.Streams, b.m.Blobs)
	dir := filepath.Join(t.TempDir(), "b")
	b.write(t, dir, b.report)
	report := b.validate(t, dir)
	text := string(record.AppendReport(nil, b.exported(report)))
	manifest := string(b.m.AppendJSON(nil))
	for _, e := range b.late {
		l := &broken{lines: [][]string{{manifest, text}}}
		e.do(l)
		manifest, text = l.lines[0][0], l.lines[0][1]
	}
	b.write(t, dir, text)
	b.spoil(t, dir, manifest)
	return dir
}

// exported is the report that a producer writes of the bundle: its counts, and the notices that were found.
func (b *broken) exported(report *record.Report) *record.Report {
	kept := &record.Report{Losses: map[string]int64{}, Selection: b.m.Selection, UnidentifiedSources: int64(len(b.m.Unidentified))}
	for _, s := range b.m.Streams {
		kept.Streams++
		kept.Records, kept.Items, kept.Gaps = kept.Records+s.Records, kept.Items+s.Items, kept.Gaps+s.Gaps
		for code, l := range s.Losses {
			kept.Losses[code] += l.Count
		}
	}
	for _, f := range report.Findings.Sorted() {
		if f.Severity == record.NoticeSeverity {
			kept.Findings.Add(f)
		}
	}
	return kept
}

// spoil changes what is written.
func (b *broken) spoil(t *testing.T, dir, manifest string) {
	t.Helper()
	if manifest != string(b.m.AppendJSON(nil)) {
		check(t, os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(manifest), 0o644))
	}
	for name, text := range b.extra {
		check(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, name := range b.gone {
		check(t, os.Remove(filepath.Join(dir, name)))
	}
}

func sortedOf[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (b *broken) write(t *testing.T, dir, report string) {
	t.Helper()
	for _, d := range []string{"streams", "blobs"} {
		check(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	put := func(name, text string) {
		check(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644))
	}
	for i, s := range b.m.Streams {
		put(s.File, b.text(i))
	}
	for k, v := range b.blobs {
		put("blobs/"+k, v)
	}
	put("manifest.json", string(b.m.AppendJSON(nil)))
	put("report.json", report)
}

func (b *broken) text(i int) string { return strings.Join(b.lines[i], "\n") + b.end[i] }

func (b *broken) validate(t *testing.T, dir string) *record.Report {
	t.Helper()
	f, err := bundle.Open(dir)
	if faulty, ok := errors.AsType[*bundle.ManifestError](err); ok { // found before anything else is looked at
		report := &record.Report{}
		report.Findings.Add(record.Finding{Rule: "manifest", Severity: record.ErrorSeverity, Pointer: "/", Message: faulty.Error()})
		return report
	}
	check(t, err)
	defer f.Close()
	report, err := validator.Validate(context.Background(), f, validator.Options{Jobs: 1})
	check(t, err)
	return report
}

// count fills a stream's entry of the manifest from its lines, without the validator.
func (b *broken) count(i int) {
	s := &b.m.Streams[i]
	s.Records, s.Items, s.Gaps, s.Types, s.Losses = 0, 0, 0, map[string]int64{}, map[string]bundle.Loss{}
	for _, line := range strings.SplitAfter(b.text(i), "\n") {
		if line == "" {
			continue
		}
		s.Records++
		d, err := jsonscan.Scan([]byte(line), nil, jsonscan.Options{})
		if err != nil || d.Kind(0) != jsonscan.Object {
			continue
		}
		kind := d.Text(d.Find(0, "type"))
		if record.TypeOf(kind) == 0 {
			continue
		}
		s.Types[kind]++
		switch {
		case kind == "gap":
			s.Gaps++
		case d.Find(0, "native") >= 0 && d.At("/position/ordinal") >= 0 && kind != "inference":
			s.Items++
		}
		for n := range d.Children(d.Find(0, "losses")) {
			code := d.Text(n)
			l := s.Losses[code]
			if l.Count++; l.First == "" {
				l.First = d.Text(d.Find(0, "id"))
			}
			s.Losses[code] = l
		}
	}
	s.SHA256, s.Bytes = sha(b.text(i)), int64(len(b.text(i)))
}

// at finds a line: "message" is the first of that type, "message:2" the third, "manifest" and "report" the documents.
// A leading "2/" means the second stream.
func (b *broken) at(sel string) *string {
	stream := 0
	if n, rest, ok := strings.Cut(sel, "/"); ok {
		stream, _ = strconv.Atoi(n)
		stream, sel = stream-1, rest
	}
	kind, nth, _ := strings.Cut(sel, ":")
	want, _ := strconv.Atoi(nth)
	switch kind {
	case "manifest":
		return &b.lines[0][0]
	case "report":
		return &b.lines[0][1]
	case "last":
		return &b.lines[stream][len(b.lines[stream])-1]
	}
	for i := range b.lines[stream] {
		if strings.HasPrefix(b.lines[stream][i], `{"type":"`+kind+`"`) {
			if want == 0 {
				return &b.lines[stream][i]
			}
			want--
		}
	}
	panic("no line " + sel)
}

func (b *broken) index(sel string) (stream, line int) {
	p := b.at(sel)
	for i := range b.lines {
		for j := range b.lines[i] {
			if &b.lines[i][j] == p {
				return i, j
			}
		}
	}
	panic(sel)
}

// of puts a change off until manifest and report are sealed where it is about them.
func of(sel, name string, do func(line *string)) edit {
	e := edit{name: name, do: func(b *broken) { do(b.at(sel)) }}
	if !strings.HasPrefix(sel, "manifest") && !strings.HasPrefix(sel, "report") {
		return e
	}
	return edit{name, func(b *broken) { b.late = append(b.late, e) }}
}

// errorsOf lists the rules of the errors, and the findings without a place to open.
func errorsOf(r *record.Report) (rules string, homeless []string) {
	set := map[string]bool{}
	for _, f := range r.Findings.Sorted() {
		if f.Severity == record.ErrorSeverity {
			set[f.Rule] = true
			if f.Line == 0 && f.Pointer == "" && f.Stream == "" && f.Rule != "report" && f.Rule != "stray-file" {
				homeless = append(homeless, f.Rule+": "+f.Message)
			}
		}
	}
	return strings.Join(sortedOf(set), " "), homeless
}

func TestViolations(t *testing.T) {
	all := &bases{made: map[string]*broken{}}
	for _, v := range violations() {
		name := v.base + " " + v.edit.name
		t.Run(name, func(t *testing.T) {
			b := all.get(t, v.base)
			func() {
				defer func() {
					if r := recover(); r != nil {
						t.Fatalf("%s: %v", name, r)
					}
				}()
				v.edit.do(b)
			}()
			report := b.validate(t, b.seal(t))
			got, homeless := errorsOf(report)
			if got != v.want {
				t.Errorf("got %q, want %q\n%s", got, v.want, listed(report))
			}
			for _, f := range homeless {
				t.Errorf("no place: %s", f)
			}
		})
	}
}

func listed(r *record.Report) string {
	var b strings.Builder
	for _, f := range r.Findings.Sorted() {
		if f.Severity == record.ErrorSeverity {
			fmt.Fprintf(&b, "    %s line %d %s %s: %s\n", f.Rule, f.Line, f.Record, f.Pointer, f.Message)
		}
	}
	return b.String()
}
