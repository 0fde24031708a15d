package converter

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// errUnlike says that a stream of an earlier run is not what was remembered of it.
var errUnlike = errors.New("stream differs from what was remembered")

// looked is what a source looked like before it was read, and what earlier runs made of it when it looked the same.
type looked struct {
	survey survey
	alike  []*remembered
}

// lookAround looks at the source whose files are listed.
func (s *session) lookAround() *looked {
	l := &looked{survey: s.survey()}
	var known []*remembered
	if m := s.run.memory; m != nil && m.sources[s.src.id()] != nil {
		known = append(known, m.sources[s.src.id()])
	}
	content := ""
	for _, k := range append(known, s.run.finished[s.src.id()]...) {
		if k.source.Format != s.src.match.Format.ID || k.source.Layout != s.src.match.Layout.Name || k.source.Agent != s.entry.Name ||
			!l.survey.same(&k.survey) {
			continue
		}
		if s.run.o.Checksum && content == "" {
			content = s.contentSum()
		}
		if !s.run.o.Checksum || content == k.source.SHA256 {
			l.alike = append(l.alike, k)
		}
	}
	return l
}

// contentSum reads the source's files and is the hash over them that the manifest has; "-" when one cannot be read.
func (s *session) contentSum() string {
	sum := fileSum{hash: sha256.New()}
	for _, below := range s.paths() {
		sha, size, err := s.hashOf(below)
		if err != nil {
			return "-"
		}
		sum.add(record.SpellPath(below), size, &sha)
	}
	return sum.sum()
}

// takeOver takes over what an earlier run has made of the source, when nothing shows that the source is another now;
// false: there is nothing to be had.
func (s *session) takeOver(ctx context.Context) (bool, error) {
	l := s.run.looked[s.src]
	if l == nil {
		s.listFiles()
		l = s.lookAround()
		s.relist()
	}
	for _, k := range l.alike {
		err := s.adopt(ctx, k)
		if err == nil || isOutput(err) || ctx.Err() != nil {
			s.looks = l.survey
			return true, err
		}
		if !k.left {
			s.run.spoiled.Store(true)
		}
		s.relist()
	}
	s.looks = l.survey
	return false, nil
}

// recalled takes over what an earlier run counted and found.
func (s *session) recalled(k *remembered) {
	s.id = k.stream.SessionID
	s.info = k.source
	s.info.ID = s.result.ID
	s.result.Items, s.result.Files, s.result.Bytes = k.stream.Items, k.source.Files, k.source.Bytes
	s.count = countsOf(&k.stream)
	s.digest = k.digest()
	s.found, s.loose, s.adopted = record.Remembered(slices.Clone(k.findings), k.tallies), k.loose, k
	for i := range k.blobs {
		s.blobs = append(s.blobs, k.blobs[i].SHA256)
	}
}

func countsOf(stream *bundle.StreamInfo) counts {
	c := counts{records: stream.Records, gaps: stream.Gaps, losses: stream.Losses}
	for _, t := range record.Types() {
		c.byType[t] = stream.Types[t.String()]
	}
	return c
}

// adopt takes over one stream with its blobs: as it stands, or line by line when the number of the source differs.
// A fault of what is taken over is errUnlike or another error that leaves the bundle as good as it was.
func (s *session) adopt(ctx context.Context, k *remembered) error {
	s.recalled(k)
	err := errUnlike
	for i := len(k.files) - 1; i >= 0 && err != nil && !isOutput(err); i-- {
		if k.source.ID == s.result.ID {
			s.out, err = s.run.writer.TakeStream(k.from, k.files[i], s.digest)
		} else {
			err = s.renumber(ctx, k, k.files[i])
		}
	}
	if err != nil {
		return err
	}
	for i := range k.blobs {
		if err := s.out.TakeBlob(k.from, &k.blobs[i]); err != nil {
			return err
		}
	}
	return nil
}

// renumber copies a stream under another number of its source: that stands in the first and in the last line.
func (s *session) renumber(ctx context.Context, k *remembered, file string) error {
	s.drop()
	if err := s.open(); err != nil {
		return err
	}
	before := []byte(`,"source":"` + k.source.ID + `","phase":"`)
	after := []byte(`,"source":"` + s.result.ID + `","phase":"`)
	err := k.from.StoredLines(file, s.run.o.Compress, k.digest(), maxLine, func(n int, line []byte) error {
		if n == 1 || int64(n) == k.stream.Records {
			line = bytes.Replace(line, before, after, 1)
		}
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(line) == 0 {
			return errUnlike // its hash tells only at the end, and no stream takes such a line
		}
		if err := s.out.Write(line); err != nil {
			return &outputError{err}
		}
		return nil
	})
	if err != nil {
		return err
	}
	digest, err := s.out.Close()
	if err != nil {
		return &outputError{err}
	}
	if digest.Lines != k.stream.Records {
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
	if !r.memory.holds(m, record.AppendReport(nil, &result.Report)) {
		return nil, nil
	}
	result.RootSHA256, result.Unchanged = m.RootSHA256, true
	return result, nil
}

var errDirty = errors.New("source changed since the run before")

// compare looks whether the source is unchanged.
func (s *session) compare(context.Context) error {
	defer s.close()
	s.listFiles()
	l := s.lookAround()
	s.run.mu.Lock()
	s.run.looked[s.src] = l
	s.run.mu.Unlock()
	if len(l.alike) == 0 || l.alike[0].left {
		return errDirty
	}
	s.recalled(l.alike[0])
	return nil
}
