package converter

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// errUnlike says that a stream of the run before is not what its manifest says.
var errUnlike = errors.New("stream differs from its manifest")

// unchanged is what the run before made of the source, when nothing shows that the source is another now.
func (s *session) unchanged() *remembered {
	if s.run.memory == nil {
		return nil
	}
	k := s.run.memory.sources[s.src.path]
	if k == nil || k.source.Layout != s.src.match.Layout.Name || k.source.Agent != s.entry.Name || !s.looks.same(&k.survey) {
		return nil
	}
	if s.run.o.Checksum && !s.sameContent(k) {
		return nil
	}
	return k
}

// sameContent reads the source's files and compares their hash with the one in the manifest.
func (s *session) sameContent(k *remembered) bool {
	sum := fileSum{hash: sha256.New()}
	for _, below := range s.paths() {
		sha, size, err := s.hashOf(below)
		if err != nil {
			return false
		}
		sum.add(record.SpellPath(below), size, &sha)
	}
	return sum.sum() == k.source.SHA256
}

// recalled takes over what the run before counted and found.
func (s *session) recalled(k *remembered) {
	s.id = k.stream.SessionID
	s.info = *k.source
	s.info.ID = s.result.ID
	s.result.Items, s.result.Files, s.result.Bytes = k.stream.Items, k.source.Files, k.source.Bytes
	s.count = countsOf(k.stream)
	s.digest = bundle.StreamDigest{SHA256: k.stream.SHA256, Bytes: k.stream.Bytes, Lines: k.stream.Records}
	s.found, s.loose, s.blobs, s.adopted = k.findings, k.loose, k.blobs, true
}

func countsOf(stream *bundle.StreamInfo) counts {
	c := counts{records: stream.Records, gaps: stream.Gaps, losses: stream.Losses}
	for _, t := range record.Types() {
		c.byType[t] = stream.Types[t.String()]
	}
	return c
}

// adopt copies the stream of the run before. Only the number of the source may differ: it stands in the first and in
// the last line.
func (s *session) adopt(ctx context.Context, k *remembered) error {
	s.recalled(k)
	if err := s.open(); err != nil {
		return err
	}
	before := []byte(`,"source":"` + k.source.ID + `","phase":"`)
	after := []byte(`,"source":"` + s.result.ID + `","phase":"`)
	old := s.run.memory.bundle
	err := old.Lines(*k.stream, maxLine, func(n int, line []byte, complete bool) error {
		if !complete {
			return errUnlike
		}
		if n == 1 || int64(n) == k.stream.Records {
			line = bytes.Replace(line, before, after, 1)
		}
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return s.out.Write(line)
	})
	if err != nil {
		return err
	}
	for _, sha := range k.blobs {
		raw, err := old.Blob(sha)
		if err != nil {
			return err
		}
		if _, err := s.out.Blob(raw, old.MediaType(sha)); err != nil {
			return &outputError{err}
		}
	}
	digest, err := s.out.Close()
	if err != nil {
		return &outputError{err}
	}
	if digest.Lines != s.digest.Lines || (k.source.ID == s.result.ID && digest.SHA256 != s.digest.SHA256) {
		return errUnlike
	}
	s.digest = digest
	return nil
}

// maxLine bounds a line of an adopted stream.
const maxLine = 1 << 30

// idle says whether the run before has made the very bundle that this one would, so that nothing needs to be written.
func (r *run) idle(ctx context.Context) (*Result, error) {
	sessions, err := r.work(ctx, 0, (*session).compare)
	if err != nil {
		return nil, err
	}
	if len(sessions) != len(r.memory.sources) {
		return nil, nil
	}
	for _, s := range sessions {
		if s.result.Err != nil {
			return nil, nil //nolint:nilerr // the source is worked again, and says so itself
		}
	}
	old := r.memory.bundle
	m, result, err := r.manifest(sessions, nil, func(*session, string) error { return nil })
	if err != nil {
		return nil, err
	}
	m.Format, m.Version, m.Blobs = bundle.Format, bundle.Version, old.Manifest().Blobs
	m.RootSHA256 = bundle.RootSHA256(m.Streams, m.Blobs)
	m.Registry = old.Manifest().Registry // the fingerprint holds the entries
	report, err := old.Report()
	if err != nil || !bytes.Equal(bytes.TrimSpace(report), record.AppendReport(nil, &result.Report)) ||
		!bytes.Equal(bytes.TrimSpace(old.RawManifest()), bytes.TrimSpace(m.AppendJSON(nil))) {
		return nil, nil //nolint:nilerr // a report that cannot be read is written anew
	}
	result.RootSHA256, result.Unchanged = m.RootSHA256, true
	return result, nil
}

var errDirty = errors.New("source changed since the run before")

// compare looks whether the source is unchanged.
func (s *session) compare(context.Context) error {
	s.listFiles()
	s.looks = s.survey()
	k := s.unchanged()
	if k == nil {
		return errDirty
	}
	s.recalled(k)
	return nil
}
