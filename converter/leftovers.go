package converter

import (
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// leftovers keeps what is no item: length markers, the uncommitted tail, writes that never finished.
func (s *session) leftovers(r *record.Record) error {
	var files, uncommitted, unfinished list
	slices.SortFunc(s.files.markers, func(a, b marker) int { return strings.Compare(a.path, b.path) })
	for _, m := range s.files.markers {
		raw, err := s.readDocument(m.path)
		switch {
		case err != nil:
			err = s.lost(m.path, err)
		case len(raw) == 0:
			files.file(m.path, 0, "", nil)
		default:
			kept, redacted := s.cutter.redactText(raw)
			err = s.leftover(&files, m.path, len(raw), kept, redacted)
		}
		if err != nil {
			return err
		}
	}
	for _, below := range s.notKept {
		files.file(below, s.sizeOf(below), "", nil)
	}
	if s.torn >= 0 {
		if err := s.tornTail(&uncommitted); err != nil {
			return err
		}
	}
	slices.Sort(s.files.unfinished)
	for _, below := range s.files.unfinished {
		if err := s.unfinishedWrite(&unfinished, below); err != nil {
			return err
		}
	}
	for i := range s.large {
		f := &s.large[i]
		files.file(f.path, f.size, hex.EncodeToString(f.sha[:]), nil)
	}
	for _, m := range []struct {
		name string
		list list
	}{{"file", files}, {"uncommitted", uncommitted}, {"unfinished", unfinished}} {
		if m.list != nil {
			r.Meta = append(r.Meta, record.Meta{Key: record.Own + m.name, Raw: append(m.list, ']')})
		}
	}
	return s.aroundDocument(r)
}

// leftover keeps the bytes of a file of a size, after redaction.
func (s *session) leftover(l *list, path string, size int, kept []byte, redacted []record.Redaction) error {
	n, err := s.blob(kept, "", redacted)
	if err != nil {
		return err
	}
	l.file(path, int64(size), "", &n)
	return nil
}

// unfinishedWrite keeps a temporary file of a write that never finished. One of a document for which the entry names
// secrets is not kept, complete or not; the check notices every list of such writes.
func (s *session) unfinishedWrite(l *list, below string) error {
	raw, err := s.readDocument(below)
	if err != nil {
		return s.lost(below, err)
	}
	if s.files.itemFolder != path.Dir(below) || s.isUnfinished(path.Base(below)) {
		s.notKept = append(s.notKept, below)
		l.file(below, int64(len(raw)), "", nil)
		return nil
	}
	sc := scan(raw, nil)
	if sc.problem == "" {
		s.redact(entry.InTranscript, &sc)
	} else {
		sc.raw, sc.redacted, _ = s.cutter.redactTorn(raw)
	}
	n, err := s.blob(sc.raw, "", sc.redacted)
	if err != nil {
		return err
	}
	l.file(below, int64(len(raw)), "", &n)
	return nil
}
