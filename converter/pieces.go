package converter

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// cutFile finds the items in the one file that holds them.
func (s *session) cutFile() error {
	var err error
	if s.pieces, err = s.cut(); err != nil {
		return err
	}
	if s.file == nil {
		if s.file, err = s.src.root.OpenFile(path.Join(s.src.dir, s.files.one)); err != nil {
			return err
		}
	}
	items := make([]formats.ItemRef, len(s.pieces.List))
	for i := range items {
		items[i] = formats.ItemRef{Ordinal: int64(i), Name: s.files.one}
	}
	s.files.items.Items = items
	s.whole, s.frames = sha256.New(), map[int32][]byte{}
	return nil
}

// cut finds the items. A document that holds more than them and plain values is none that was detected.
func (s *session) cut() (formats.Pieces, error) {
	folder, err := s.src.root.Folder(s.src.dir)
	if err != nil {
		return formats.Pieces{}, err
	}
	defer folder.Close() //nolint:errcheck // nothing was written
	in, err := folder.Open(s.files.one)
	if err != nil {
		return formats.Pieces{}, err
	}
	defer in.Close() //nolint:errcheck // nothing was written
	p, err := s.src.match.Files.Cut.Cut(in)
	if err == nil && p.Tangled {
		err = fmt.Errorf("%s: got other nested values beside the items, in which secrets could not be told", s.src.path)
	}
	return p, err
}

// idInDocument reads an id that stands beside the array of items.
func (s *session) idInDocument(from *entry.IDSource) string {
	if s.files.one == "" || len(s.src.match.Files.Cut.Arrays) == 0 {
		return ""
	}
	p, err := s.cut()
	if err != nil || len(p.List) == 0 {
		return ""
	}
	file, err := s.src.root.OpenFile(path.Join(s.src.dir, s.files.one))
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // nothing was written
	last := p.List[len(p.List)-1]
	head, tail := make([]byte, min(p.List[0].Start, s.limit)), make([]byte, min(p.Size-last.End, s.limit))
	if len(head) > 0 && file.ReadAt(head, 0) != nil || len(tail) > 0 && file.ReadAt(tail, p.Size-int64(len(tail))) != nil {
		return ""
	}
	if !last.Whole { // the document does not end: what stands before the items is all there is
		tail = []byte("]}")
	}
	if sc := scan(slices.Concat(head, tail), nil); sc.problem == "" {
		return string(text(&sc.doc, &from.Path))
	}
	return ""
}

// wholeFile holds what was read against what was cut: a file that changed in between is read once more.
func (s *session) wholeFile(ctx context.Context) error {
	if s.files.one == "" {
		return nil
	}
	if err := s.readFrame(int32(len(s.pieces.List))); err != nil {
		return s.cutAgain(ctx, err)
	}
	if [sha256.Size]byte(s.whole.Sum(nil)) != s.pieces.SHA256 {
		return s.cutAgain(ctx, errChanged)
	}
	s.whole = nil
	return nil
}

// cutAgain reads a file once more that changed while it was read; any other fault is as it is, and so is a second change.
func (s *session) cutAgain(ctx context.Context, err error) error {
	if s.files.one == "" || s.changed || !errors.Is(err, errChanged) {
		return err
	}
	s.changed = true
	s.store.reset()
	s.bodyIDs, s.taken = nil, 0
	s.file.Close() //nolint:errcheck // nothing was written
	s.file = nil
	return s.index(ctx)
}

// readPiece reads and scans one item of the file.
func (s *session) readPiece(r *row, sc *scanned) error {
	p := s.pieces.List[r.item]
	if s.whole != nil {
		if err := s.readFrame(r.item); err != nil {
			return err
		}
	}
	r.size = p.End - p.Start
	if r.size > s.limit || s.beyond(r) {
		sc.problem = gapTooLarge
		sum := sha256.New()
		err := s.hashSpan(sum, p.Start, p.End)
		sum.Sum(r.sha[:0])
		return err
	}
	raw := s.store.room()
	if int64(cap(raw)) < r.size {
		raw = make([]byte, 0, r.size)
	}
	raw = raw[:r.size]
	if err := s.file.ReadAt(raw, p.Start); err != nil {
		return errors.Join(errChanged, err)
	}
	raw = s.store.took(raw)
	if s.whole != nil {
		s.whole.Write(raw)
	}
	r.sha = sha256.Sum256(raw)
	s.scanItem(sc, raw)
	switch {
	case !p.Whole: // sound or not, it is not committed
		sc.problem, sc.offset = gapInvalidJSON, len(raw)
	case sc.problem == "":
		s.redact(entry.InTranscript, sc)
	}
	return nil
}

// hashSpan hashes a part of the file without holding it.
func (s *session) hashSpan(sum hash.Hash, from, to int64) error {
	var w io.Writer = sum
	if s.whole != nil {
		w = io.MultiWriter(sum, s.whole)
	}
	buf := make([]byte, min(to-from, 128<<10))
	for from < to {
		buf = buf[:min(int64(len(buf)), to-from)]
		if err := s.file.ReadAt(buf, from); err != nil {
			return errors.Join(errChanged, err)
		}
		w.Write(buf) //nolint:errcheck // a hash takes everything
		from += int64(len(buf))
	}
	return nil
}

// readFrame reads what stands before an item, or behind the last one, and keeps it where it is not the usual.
func (s *session) readFrame(i int32) error {
	from, to := int64(0), s.pieces.Size
	if i > 0 {
		from = s.pieces.List[i-1].End
	}
	if int(i) < len(s.pieces.List) {
		to = s.pieces.List[i].Start
	}
	if to-from > s.limit {
		return fmt.Errorf("%s: got %d bytes between items from byte %d on, want at most %d", s.src.path, to-from, from, s.limit)
	}
	frame := make([]byte, to-from)
	if len(frame) > 0 {
		if err := s.file.ReadAt(frame, from); err != nil {
			return errors.Join(errChanged, err)
		}
	}
	s.whole.Write(frame)
	usual := ""
	if i > 0 {
		usual = s.src.match.Files.Cut.Usual()
	}
	if string(frame) != usual {
		s.frames[i] = frame
	}
	return nil
}

// framed notes in the record that keeps an item what stands around it in the file.
func (s *session) framed(r *record.Record, item int32) error {
	if s.files.one == "" {
		return nil
	}
	var l list
	for _, side := range []struct {
		place string
		at    int32
	}{{"before", 0}, {"after", item + 1}} {
		frame, unusual := s.frames[side.at]
		if !unusual || (side.at == 0 && item > 0) {
			continue
		}
		redacted, err := s.frame(&l, side.place, frame)
		if err != nil {
			return err
		}
		if secret(redacted) {
			r.Lose(record.LossSecretOmitted)
		}
	}
	if l != nil {
		r.Meta = append(r.Meta, record.Meta{Key: record.Own + "serialization", Raw: append(l, ']')})
	}
	return nil
}

// maxFrame is the size above which the text around items stands in a blob.
const maxFrame = 1 << 10

func (s *session) frame(l *list, place string, frame []byte) ([]record.Redaction, error) {
	kept, redacted := s.cutter.redactFrame(frame)
	if len(redacted) == 0 && len(kept) <= maxFrame && utf8.Valid(kept) {
		l.text(place, string(kept))
		return nil, nil
	}
	n, err := s.blob(kept, "", redacted)
	if err != nil {
		return nil, err
	}
	l.place(place)
	l.blob(&n)
	*l = append(*l, '}')
	return redacted, nil
}
