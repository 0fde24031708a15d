package validator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

const testEntry = `{"name":"dev.agent","aliases":["agent"],"version":"1.2.0","evidence":[{},{}],"destinations":{"state":{},"metrics":{}}}`

// made is a bundle about to be made: a sound one, of which a test changes one thing.
type made struct {
	lines    []string // of the only stream, without line feeds
	tail     string   // bytes after the last line's line feed
	noFeed   bool     // the last line has none
	blobs    []string
	media    map[string]string // by blob, else application/octet-stream
	manifest func(*bundle.Manifest)
	report   func(*record.Report)
	after    func(t *testing.T, dir string) // once it is written
	compress bundle.Compression
	entry    string
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

const tornBytes = "{\"kind\":\"Mess\xff"

func sound() *made {
	position := func(n int, id string) string {
		return fmt.Sprintf(`"position":{"family":"transcript","ordinal":%d,"id":%q},"time":"2026-01-02T03:04:0%d.000001"`, n, id, n)
	}
	lines := []string{
		`{"type":"session_info","id":"session","position":{"family":"transcript"},"sessionId":"s-1","agent":"dev.agent","format":"agent-events","source":"s1","phase":"head"}`,
		`{"type":"instructions","id":"e0",` + position(0, "e0") + `,"content":[{"type":"text","text":"be brief"}],"native":{"record":{"kind":"System","n":1.50}}}`,
		`{"type":"message","id":"e1",` + position(1, "e1") + `,"parent":"e0","role":"user","origin":"user","content":[],"native":{"record":{"kind":"Message"}}}`,
		`{"type":"inference","id":"inference:r1",` + position(2, "e2") + `,"responseId":"r1","usage":{"inputTokens":5},"_meta":{"dev.agent/metrics":{"bucket":"main"}}}`,
		`{"type":"tool_call","id":"e2",` + position(2, "e2") + `,"parent":"e1","inference":"inference:r1","callId":"c1","name":"ls","arguments":"{}","native":{"record":{"kind":"Action"}}}`,
		`{"type":"tool_result","id":"e3",` + position(3, "e3") + `,"parent":"e2","call":"e2","status":"ok","content":[],"rendering":"not-persisted","native":{"record":{"kind":"Observation"}},"losses":["model-rendering"]}`,
		`{"type":"gap","id":"gap:4:e4","position":{"family":"transcript","ordinal":4,"id":"e4"},"reason":"not-utf8","path":"events/4","native":{"blob":{"sha256":"` + hashOf(tornBytes) + `","bytes":` + fmt.Sprint(len(tornBytes)) + `,"mediaType":"application/octet-stream"},"reason":"not-utf8"},"losses":["native-unreadable"]}`,
		`{"type":"message","id":"e5",` + position(5, "e5") + `,"parent":"e3","role":"assistant","origin":"agent","content":[{"type":"text","text":"done"}],"native":{"record":{"kind":"Message"}}}`,
		`{"type":"usage_summary","id":"usage:main","position":{"family":"current-state"},"bucket":"main","usage":{"inputTokens":5},"childInclusion":"unknown"}`,
		`{"type":"session_info","id":"state","position":{"family":"current-state","path":"state.json"},"sessionId":"s-1","agent":"dev.agent","format":"agent-events","phase":"snapshot","head":"e5","usageCoverage":{"responses":1,"withUsage":1,"leftOver":0,"complete":true},"native":{"meta":"dev.agent/state"},"_meta":{"dev.agent/state":{"id":"s-1"}}}`,
	}
	return &made{lines: lines, blobs: []string{tornBytes}, media: map[string]string{}, entry: testEntry}
}

// edit replaces text in the line of the record with the id; all must be there.
func (m *made) edit(id, old, text string) {
	for i, line := range m.lines {
		if strings.Contains(line, `"id":"`+id+`","position"`) {
			if !strings.Contains(line, old) {
				panic(id + " lacks " + old)
			}
			m.lines[i] = strings.Replace(line, old, text, 1)
			return
		}
	}
	panic("no record " + id)
}

func (m *made) insert(i int, line string) { m.lines = slices.Insert(m.lines, i, line) }

// text is the bytes of the stream.
func (m *made) text() string {
	text := strings.Join(m.lines, "\n")
	if !m.noFeed {
		text += "\n"
	}
	return text + m.tail
}

// counts is what the manifest says about the lines, worked out without this package.
func (m *made) counts(s *bundle.StreamInfo) {
	s.Types, s.Losses = map[string]int64{}, map[string]bundle.Loss{}
	places := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(m.text(), "\n"), "\n") {
		s.Records++
		var r struct {
			Type, ID string
			Losses   []string
			Position struct {
				Ordinal *int64
				ID      string
			}
			Native json.RawMessage
		}
		if json.Unmarshal([]byte(line), &r) != nil {
			continue
		}
		if record.TypeOf(r.Type) != 0 {
			s.Types[r.Type]++
		}
		if r.Type == "gap" {
			s.Gaps++
		} else if r.Position.Ordinal != nil && r.Native != nil && r.Type != "inference" && !places[r.Position.ID] {
			s.Items++
			places[r.Position.ID] = true
		}
		for _, code := range r.Losses {
			l := s.Losses[code]
			if l.Count++; l.Count == 1 {
				l.First = r.ID
			}
			s.Losses[code] = l
		}
	}
	text := m.text()
	s.SHA256, s.Bytes = hashOf(text), int64(len(text))
}

// write makes the bundle and opens it.
func (m *made) write(t *testing.T) *bundle.Bundle {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "b")
	m.writeTo(t, dir)
	b, err := bundle.Open(dir)
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

// writeTo makes the bundle in a folder that is not there yet.
func (m *made) writeTo(t *testing.T, dir string) {
	t.Helper()
	w, err := bundle.Create(dir, bundle.WriterOptions{Compress: m.compress})
	must(t, err)
	s, err := w.Stream()
	must(t, err)
	if m.compress == bundle.None {
		must(t, s.Write([]byte("{}"))) // rewrite puts the real lines there
	} else {
		for _, line := range m.lines {
			must(t, s.Write([]byte(line)))
		}
	}
	_, err = s.Close()
	must(t, err)
	must(t, s.Name("agent-s1"))
	for _, blob := range append([]string{m.entry}, m.blobs...) {
		media := m.media[blob]
		if blob == m.entry {
			media = "application/json"
		} else if media == "" {
			media = "application/octet-stream"
		}
		_, err := w.Blob([]byte(blob), media)
		must(t, err)
	}
	info := bundle.StreamInfo{ID: "agent-s1", SessionID: "s-1", Agent: "dev.agent", Source: "s1", Evidence: []int64{1}}
	m.counts(&info)
	report := &record.Report{Streams: 1, Records: info.Records, Gaps: info.Gaps, Items: info.Items, Losses: map[string]int64{}}
	for code, l := range info.Losses {
		report.Losses[code] = l.Count
	}
	if m.report != nil {
		m.report(report)
	}
	manifest := &bundle.Manifest{
		Converter: bundle.Converter{Name: "ctx", Version: "0"},
		Registry:  []bundle.RegistryEntry{{Agent: "dev.agent", EntryVersion: "1.2.0", SHA256: hashOf(m.entry)}},
		Sources: []bundle.SourceInfo{{
			ID: "s1", Agent: "dev.agent", Format: "agent-events", Layout: "plain", Path: "one", Files: 7, Bytes: 100,
			SHA256: hashOf(""), Positions: []string{"transcript", "current-state"},
		}},
		Streams: []bundle.StreamInfo{info}, Selection: []byte(`{"policy":"all"}`),
	}
	must(t, w.Commit(manifest, record.AppendReport(nil, report)))
	m.rewrite(t, dir, &info)
	if m.after != nil {
		m.after(t, dir)
	}
}

// rewrite puts the real lines, which the writer might refuse, in place of the ones it was given.
func (m *made) rewrite(t *testing.T, dir string, info *bundle.StreamInfo) {
	t.Helper()
	b, err := bundle.Open(dir)
	must(t, err)
	manifest := b.Manifest()
	b.Close()
	s := &manifest.Streams[0]
	s.Records, s.Bytes, s.SHA256 = info.Records, info.Bytes, info.SHA256
	if m.compress == bundle.None {
		must(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(s.File)), []byte(m.text()), 0o644))
	}
	manifest.RootSHA256 = bundle.RootSHA256(manifest.Streams, manifest.Blobs)
	if m.manifest != nil {
		m.manifest(manifest)
	}
	must(t, os.WriteFile(filepath.Join(dir, "manifest.json"), manifest.AppendJSON(nil), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rulesOf lists severity and rule of all findings, each once, sorted.
func rulesOf(fs *record.Findings) []string {
	set := map[string]bool{}
	for _, f := range fs.Sorted() {
		set[string(f.Severity)+" "+f.Rule] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

func listed(r *record.Report) string {
	var b strings.Builder
	for _, f := range r.Findings.Sorted() {
		fmt.Fprintf(&b, "%s %s line %d %s %s: %s\n", f.Severity, f.Rule, f.Line, f.Record, f.Pointer, f.Message)
	}
	return b.String()
}
