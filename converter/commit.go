package converter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// namer gives streams their ids.
type namer struct {
	bySession map[string]int
	folded    map[string]bool
}

func newNamer() *namer {
	return &namer{bySession: map[string]int{}, folded: map[string]bool{}}
}

// maxStreamID bounds a stream id, in bytes, before what tells it from others.
const maxStreamID = 120

// name is the id of a session's stream. duplicate says that an earlier source has the same session.
func (n *namer) name(alias, session, path string) (id string, duplicate bool) {
	bare := withoutDashes(session)
	base := safeName(alias + "-" + bare)
	key := alias + "\x00" + bare // not the name: sessions may differ in what a name cannot hold
	n.bySession[key]++
	if k := n.bySession[key]; k > 1 {
		duplicate = true
		id = fmt.Sprintf("%s-%d", base, k)
	} else {
		id = base
	}
	if len(id) > maxStreamID || n.folded[strings.ToLower(id)] || deviceName(id) {
		sum := sha256.Sum256([]byte(session + "\x00" + path))
		id = id[:min(len(id), maxStreamID)] + "-" + hex.EncodeToString(sum[:4])
	}
	n.folded[strings.ToLower(id)] = true
	return id, duplicate
}

// safeName replaces what a file name should not hold.
func safeName(s string) string {
	var b strings.Builder
	for _, r := range s {
		if (r >= 'A' && r <= 'Z') || (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') || r == '.' || r == '_' || r == '-' {
			b.WriteRune(r)
			continue
		}
		b.WriteByte('_')
	}
	return b.String()
}

// deviceName says whether Windows takes a name for a device.
func deviceName(id string) bool {
	name, _, _ := strings.Cut(strings.ToLower(id), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '1' && name[3] <= '9'
}

// outputError is a fault of the bundle being written, as against one of a source.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

func isOutput(err error) bool {
	var e *outputError
	return errors.As(err, &e)
}

// commit names the streams in the order of their sources, and writes the manifest and the report.
func (r *run) commit(sessions, failed []*session) (*Result, error) {
	m, result, err := r.manifest(sessions, failed, r.named)
	if err != nil {
		return nil, err
	}
	if err := r.entries(m); err != nil {
		return nil, err
	}
	report := append(record.AppendReport(nil, &result.Report), '\n')
	if result.Unchanged, err = r.stands(m, report, sessions); err != nil {
		return nil, err
	}
	if result.Unchanged {
		err = r.writer.Abort()
	} else {
		err = r.writer.Commit(m, report)
	}
	if err != nil {
		return nil, err
	}
	result.RootSHA256, result.Gone = m.RootSHA256, r.gone(sessions)
	if r.o.Update {
		result.Forgotten = r.remember(m.RootSHA256, sessions)
	}
	return result, nil
}

// stands says whether the very bundle that was made stands at its place already, so that nobody needs to be disturbed:
// a source was looked at again and found to be the same. What was not taken over from it is read, as the rest was.
func (r *run) stands(m *bundle.Manifest, report []byte, sessions []*session) (bool, error) {
	if r.memory == nil || r.spoiled.Load() {
		return false, nil
	}
	if err := r.writer.Fill(m); err != nil {
		return false, err
	}
	if !r.memory.holds(m, report) {
		return false, nil
	}
	for i, s := range sessions {
		if (s.adopted == nil || s.adopted.left) && !r.memory.bundle.StreamIs(&m.Streams[i], s.digest.Stored) {
			return false, nil
		}
	}
	for i := range m.Blobs {
		b, ok := r.writer.Stored(m.Blobs[i].SHA256)
		if !ok || !r.memory.bundle.BlobIs(&b) {
			return false, nil
		}
	}
	return true, nil
}

// holds says whether the bundle before has this manifest and report.
func (m *memory) holds(man *bundle.Manifest, report []byte) bool {
	old, err := m.bundle.Report()
	return err == nil && bytes.Equal(bytes.TrimSpace(old), bytes.TrimSpace(report)) &&
		bytes.Equal(bytes.TrimSpace(m.bundle.RawManifest()), bytes.TrimSpace(man.AppendJSON(nil)))
}

// gone is how many sources of the run before have given no stream now.
func (r *run) gone(sessions []*session) (n int) {
	if r.memory == nil {
		return 0
	}
	have := map[string]bool{}
	for _, s := range sessions {
		have[s.src.id()] = true
	}
	for path := range r.memory.sources {
		if !have[path] {
			n++
		}
	}
	return n
}

// manifest puts the manifest and the result together; call tells each session its stream's id.
func (r *run) manifest(sessions, failed []*session, call func(*session, string) error) (*bundle.Manifest, *Result, error) {
	m := &bundle.Manifest{Converter: bundle.Converter{Name: "ctx", Version: Version}, Selection: r.selection()}
	if m.Selection == nil {
		m.Selection = []byte(`{"policy":"all"}`)
	}
	names := newNamer()
	for _, s := range sessions {
		if err := r.name(m, s, names, call); err != nil {
			return nil, nil, err
		}
	}
	result := r.summary(append(slices.Clone(sessions), failed...), m)
	m.Unidentified = result.Unidentified
	return m, result, nil
}

// name gives one stream its id and its places in the manifest.
func (r *run) name(m *bundle.Manifest, s *session, names *namer, call func(*session, string) error) error {
	id, duplicate := names.name(s.entry.Alias(), s.id, s.src.id())
	if err := call(s, id); err != nil {
		return err
	}
	if duplicate {
		s.named.Notice(record.SessionDuplicate, "session", "", fmt.Sprintf("got session %s once more, in %s", quote(s.id), quote(s.src.label())))
	}
	s.result.Stream, s.result.SessionID = id, s.id
	s.stream = s.streamInfo(id, "")
	m.Sources = append(m.Sources, s.info)
	m.Streams = append(m.Streams, s.stream)
	return nil
}

// streamInfo is what the manifest says of the stream; file "": where it stands under its id.
func (s *session) streamInfo(id, file string) bundle.StreamInfo {
	compression, suffix := "none", ""
	if s.run.o.Compress == bundle.Zstd {
		compression, suffix = "zstd", ".zst"
	}
	if file == "" {
		file = "streams/" + id + ".jsonl" + suffix
	}
	evidence := make([]int64, 0, len(s.src.match.Layout.Evidence))
	for _, e := range s.src.match.Layout.Evidence {
		evidence = append(evidence, int64(e))
	}
	return bundle.StreamInfo{
		ID: id, SessionID: s.id, Agent: s.entry.Name, Source: s.result.ID, File: file,
		Compression: compression, Records: s.count.records, Items: s.result.Items, Types: s.count.types(), Gaps: s.count.gaps,
		SHA256: s.digest.SHA256, Bytes: s.digest.Bytes, Losses: s.count.losses, Evidence: evidence,
	}
}

// entries keeps the bytes of the registry entries used.
func (r *run) entries(m *bundle.Manifest) error {
	used := map[string]bool{}
	for i := range m.Sources {
		used[m.Sources[i].Agent] = true
	}
	for _, e := range r.registry.Entries() {
		if !used[e.Name] {
			continue
		}
		if _, err := r.writer.Blob(e.Raw, mediaJSON); err != nil {
			return err
		}
		m.Registry = append(m.Registry, bundle.RegistryEntry{Agent: e.Name, EntryVersion: e.Version, SHA256: e.SHA256})
	}
	return nil
}

// summary puts the report together; m is nil for a dry run.
func (r *run) summary(sessions []*session, m *bundle.Manifest) *Result {
	result := &Result{Report: record.Report{Losses: map[string]int64{}, Selection: r.selection()}, Unused: r.finder.unused()}
	loose := looseFiles{}
	loose.merge(r.finder.loose)
	result.Report.Findings.Merge(&r.finder.findings)
	shared := map[string]bool{} // files of rows that are accounted for
	for _, s := range sessions {
		shared[s.src.path] = shared[s.src.path] || (s.src.rows > 0 && s.result.Err == nil)
	}
	for _, s := range sessions {
		if errors.Is(s.result.Err, errSkipped) {
			continue
		}
		if s.result.Err != nil {
			r.failed(result, s, loose, shared)
			continue
		}
		loose.merge(s.loose)
		r.sum(result, s)
	}
	if m != nil && result.Streams == 0 {
		result.Report.Findings.Notice(record.BundleEmpty, "", "", "got no stream: no source of a known format was converted")
	}
	slices.SortStableFunc(result.Sources, func(a, b SourceResult) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Row, b.Row))
	})
	result.Unidentified = loose.sorted()
	result.Report.UnidentifiedSources = int64(len(result.Unidentified))
	return result
}

// sum adds one session to the result.
func (r *run) sum(result *Result, s *session) {
	res := &s.result
	var findings record.Findings
	findings.Merge(&s.found)
	findings.Merge(&s.named)
	findings.InStream(res.Stream)
	res.Records, res.Gaps = s.count.records, s.count.gaps
	res.Errors = findings.Total(record.ErrorSeverity)
	res.Notices = findings.Total(record.NoticeSeverity)
	rep := &result.Report
	for _, code := range slices.Sorted(maps.Keys(s.count.losses)) {
		res.Losses += s.count.losses[code].Count
		rep.Losses[code] += s.count.losses[code].Count
	}
	if s.adopted != nil && s.adopted.left {
		result.Resumed++
	}
	if res.Stream != "" {
		rep.Streams++
		result.Streams++
	}
	rep.Records += res.Records
	rep.Items += res.Items
	rep.Gaps += res.Gaps
	rep.Findings.Merge(&findings)
	result.Sources = append(result.Sources, *res)
}

// failed notes a source that was recognised and gave no stream: all its files are then files of no source. A file of rows is
// one when none of them gave a stream.
func (r *run) failed(result *Result, s *session, loose looseFiles, shared map[string]bool) {
	result.Sources = append(result.Sources, s.result)
	if s.src.rows > 0 {
		if shared[s.src.path] {
			return
		}
		shared[s.src.path] = true
	}
	reason := reasonUnreadable
	if errors.Is(s.result.Err, errSessionID) {
		reason = reasonUnqualified
	}
	src, findings := s.src, &result.Report.Findings
	for _, n := range src.names {
		p := path.Join(src.dir, n.Name)
		switch {
		case n.Kind != formats.KindFolder:
			noteFile(loose, findings, src.root, src.from.spelled, p, n, reason)
		case src.claims(n.Name):
			sub, err := src.root.List(p)
			if err != nil {
				loose.add(src.from.spelled(p), reasonUnreadable, 0, 0)
			}
			wholeFolder(loose, findings, src.root, src.from.spelled, p, sub, reason, 0)
		}
	}
}
