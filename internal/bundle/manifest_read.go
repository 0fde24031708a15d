package bundle

import (
	"fmt"
	"strconv"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// ReadManifest reads manifest.json. Bytes that are no JSON object of this
// format are ErrNotBundle; a *ManifestError names the first member that is
// unknown, missing, doubled or of another type. Selection and Meta share raw's
// memory.
func ReadManifest(raw []byte) (*Manifest, error) {
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxManifestDepth})
	if err != nil {
		return nil, fmt.Errorf("%w: manifest.json: %w", ErrNotBundle, err)
	}
	if !doc.Equal(doc.Find(0, "format"), Format) {
		return nil, fmt.Errorf("%w: manifest.json does not have the format %s", ErrNotBundle, Format)
	}
	r := reader{doc: &doc}
	if doc.Has(jsonscan.DuplicateKey) {
		r.fail(doc.FirstDuplicate, "member stands twice")
	}
	m := new(Manifest)
	r.manifest(m)
	if r.fault != nil {
		return nil, r.fault
	}
	return m, nil
}

// ReadSource reads a source as the manifest has it.
func ReadSource(raw []byte) (SourceInfo, error) { return readOne(raw, (*reader).source) }

// ReadStream reads a stream as the manifest has it.
func ReadStream(raw []byte) (StreamInfo, error) { return readOne(raw, (*reader).stream) }

func readOne[T any](raw []byte, take func(*reader, int, *T)) (T, error) {
	var one T
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxManifestDepth})
	if err != nil {
		return one, err
	}
	r := reader{doc: &doc}
	take(&r, 0, &one)
	if r.fault != nil {
		return one, r.fault
	}
	return one, nil
}

const maxManifestDepth = 1000

// reader fills Go values from a scanned manifest and keeps the first fault.
type reader struct {
	doc   *jsonscan.Doc
	fault *ManifestError
}

func (r *reader) fail(i int, problem string) {
	if r.fault == nil {
		r.fault = &ManifestError{Pointer: r.doc.Pointer(i), Problem: problem}
	}
}

func (r *reader) manifest(m *Manifest) {
	r.object(0, []member{
		{"format", func(i int) { m.Format = r.text(i) }},
		{"version", func(i int) {
			if m.Version = r.number(i); m.Version != Version {
				r.fail(i, "got version "+strconv.FormatInt(m.Version, 10)+", want "+strconv.Itoa(Version))
			}
		}},
		{"converter", func(i int) { r.converter(i, &m.Converter) }},
		{"registry", func(i int) { m.Registry = all(r, i, r.entry) }},
		{"sources", func(i int) { m.Sources = all(r, i, r.source) }},
		{"streams", func(i int) { m.Streams = all(r, i, r.stream) }},
		{"blobs", func(i int) { m.Blobs = all(r, i, r.blob) }},
		{"unidentifiedSources", func(i int) { m.Unidentified = all(r, i, r.unidentified) }},
		{"selection", func(i int) { m.Selection = r.raw(i) }},
		{"rootSha256", func(i int) { m.RootSHA256 = r.text(i) }},
		{"_meta", func(i int) { m.Meta = r.raw(i) }},
	}, "_meta")
}

func (r *reader) converter(i int, c *Converter) {
	r.object(i, []member{
		{"name", func(i int) { c.Name = r.text(i) }},
		{"version", func(i int) { c.Version = r.text(i) }},
	})
}

func (r *reader) entry(i int, e *RegistryEntry) {
	r.object(i, []member{
		{"agent", func(i int) { e.Agent = r.text(i) }},
		{"entryVersion", func(i int) { e.EntryVersion = r.text(i) }},
		{"sha256", func(i int) { e.SHA256 = r.text(i) }},
	})
}

func (r *reader) source(i int, s *SourceInfo) {
	r.object(i, []member{
		{"id", func(i int) { s.ID = r.text(i) }},
		{"agent", func(i int) { s.Agent = r.text(i) }},
		{"format", func(i int) { s.Format = r.text(i) }},
		{"layout", func(i int) { s.Layout = r.text(i) }},
		{"path", func(i int) { s.Path = r.text(i) }},
		{"row", func(i int) { s.Row = r.number(i) }},
		{"rows", func(i int) { s.Rows = r.number(i) }},
		{"files", func(i int) { s.Files = r.number(i) }},
		{"bytes", func(i int) { s.Bytes = r.number(i) }},
		{"sha256", func(i int) { s.SHA256 = r.text(i) }},
		{"positions", func(i int) { s.Positions = all(r, i, func(i int, s *string) { *s = r.text(i) }) }},
	}, "row", "rows")
}

func (r *reader) stream(i int, s *StreamInfo) {
	r.object(i, []member{
		{"id", func(i int) { s.ID = r.text(i) }},
		{"sessionId", func(i int) { s.SessionID = r.text(i) }},
		{"agent", func(i int) { s.Agent = r.text(i) }},
		{"source", func(i int) { s.Source = r.text(i) }},
		{"file", func(i int) { s.File = r.text(i) }},
		{"compression", func(i int) { s.Compression = r.text(i) }},
		{"records", func(i int) { s.Records = r.number(i) }},
		{"items", func(i int) { s.Items = r.number(i) }},
		{"types", func(i int) { s.Types = keyed(r, i, func(i int, n *int64) { *n = r.number(i) }) }},
		{"gaps", func(i int) { s.Gaps = r.number(i) }},
		{"sha256", func(i int) { s.SHA256 = r.text(i) }},
		{"bytes", func(i int) { s.Bytes = r.number(i) }},
		{"losses", func(i int) { s.Losses = keyed(r, i, r.loss) }},
		{"evidence", func(i int) { s.Evidence = all(r, i, func(i int, n *int64) { *n = r.number(i) }) }},
	})
}

func (r *reader) loss(i int, l *Loss) {
	r.object(i, []member{
		{"count", func(i int) { l.Count = r.number(i) }},
		{"first", func(i int) { l.First = r.text(i) }},
	})
}

func (r *reader) blob(i int, b *BlobInfo) {
	r.object(i, []member{
		{"sha256", func(i int) { b.SHA256 = r.text(i) }},
		{"bytes", func(i int) { b.Bytes = r.number(i) }},
		{"mediaType", func(i int) { b.MediaType = r.text(i) }},
		{"compression", func(i int) { b.Compression = r.text(i) }},
	})
}

func (r *reader) unidentified(i int, u *Unidentified) {
	r.object(i, []member{
		{"path", func(i int) { u.Path = r.text(i) }},
		{"reason", func(i int) { u.Reason = r.text(i) }},
		{"files", func(i int) { u.Files = r.number(i) }},
		{"bytes", func(i int) { u.Bytes = r.number(i) }},
	})
}
