package converter

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"path"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// cutFile finds the items in the one file that holds them.
func (s *session) cutFile() error {
	if err := s.cut(); err != nil {
		return err
	}
	items := make([]formats.ItemRef, len(s.pieces.List))
	for i := range items {
		items[i] = formats.ItemRef{Ordinal: int64(i), Name: s.files.one}
	}
	s.files.items.Items = items
	s.whole, s.frames = sha256.New(), map[int32]frame{}
	return nil
}

// cut opens the file and finds the items, once. A document that holds more than them and plain values is none that was
// detected, unless that is the state.
func (s *session) cut() error {
	if s.file != nil {
		return nil
	}
	file, err := s.src.root.OpenFile(path.Join(s.src.dir, s.files.one))
	if err != nil {
		return err
	}
	s.file = file
	all := formats.Span{To: math.MaxInt64}
	if s.src.rows > 0 {
		all = s.src.span
		if err := s.stands(); err != nil {
			return err
		}
	}
	s.pieces, err = s.src.match.Files.Cut.Cut(file.Section(all))
	if err == nil && s.pieces.Tangled && !s.src.match.Format.Document.Around {
		err = fmt.Errorf("%s: got other nested values beside the items, in which secrets could not be told", s.src.label())
	}
	return err
}

// readAt reads bytes of the file, or of the row that is the source.
func (s *session) readAt(buf []byte, at int64) error { return s.file.ReadAt(buf, s.src.span.From+at) }

// idInDocument reads an id that stands beside the array of items.
func (s *session) idInDocument(from *entry.IDSource) string {
	if s.files.one == "" || len(s.src.match.Files.Cut.Arrays) == 0 || s.cut() != nil {
		return ""
	}
	open, end := s.pieces.Outside()
	if s.pieces.Open == 0 || open+s.pieces.Size-end > s.limit {
		return ""
	}
	doc := make([]byte, open+s.pieces.Size-end)
	if s.readAt(doc[:open], 0) != nil || s.readAt(doc[open:], end) != nil {
		return ""
	}
	if n := len(s.pieces.List); s.pieces.Close == 0 || (n > 0 && !s.pieces.List[n-1].Whole) { // no end: what stands before the items is all there is
		doc = append(doc[:open], "]}"...)
	}
	if sc := scan(doc, nil); sc.problem == "" {
		return string(text(&sc.doc, &from.Path))
	}
	return ""
}

// idInItem is the id of the first item, where that stands for the session's: the file names none.
func (s *session) idInItem() string {
	if !s.src.match.Layout.ItemKey || s.files.one == "" || s.cut() != nil || len(s.pieces.List) == 0 {
		return ""
	}
	first := s.pieces.List[0]
	if first.End-first.Start > s.limit {
		return ""
	}
	raw := make([]byte, first.End-first.Start)
	if s.readAt(raw, first.Start) != nil {
		return ""
	}
	if sc := scan(raw, nil); sc.problem == "" {
		if id := string(text(&sc.doc, &s.entry.Tree.Body)); usableID(id) {
			return id
		}
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
	if [sha256.Size]byte(s.whole.Sum(nil)) != s.pieces.SHA256 || !s.around.same() {
		return s.cutAgain(ctx, errChanged)
	}
	s.whole = nil
	return nil
}

// cutAgain reads a file once more that changed while it was read; any other fault is as it is, and so is a second change.
// One that is the state, too, is left to a new session.
func (s *session) cutAgain(ctx context.Context, err error) error {
	if s.files.one == "" || s.changed || !errors.Is(err, errChanged) || s.around != nil {
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
	if err := s.readAt(raw, p.Start); err != nil {
		return errors.Join(errChanged, err)
	}
	raw = s.store.took(raw)
	if s.whole != nil {
		s.whole.Write(raw)
	}
	r.sha = sha256.Sum256(raw)
	s.scanItem(sc, raw)
	switch {
	case sc.problem == gapTooLarge:
	case !p.Whole: // sound or not, it is not committed
		sc.problem, sc.offset = gapInvalidJSON, len(raw)
	case sc.problem == "":
		s.redact(entry.InTranscript, sc)
	}
	return nil
}

// hashSpan hashes a part of the file without holding it.
func (s *session) hashSpan(sum hash.Hash, from, to int64) error {
	if s.whole != nil {
		return s.readSpan(from, to, sum, s.whole)
	}
	return s.readSpan(from, to, sum)
}

// readSpan hands a part of the file to hashes.
func (s *session) readSpan(from, to int64, sums ...io.Writer) error {
	w := io.MultiWriter(sums...)
	buf := make([]byte, min(to-from, 128<<10))
	for from < to {
		buf = buf[:min(int64(len(buf)), to-from)]
		if err := s.readAt(buf, from); err != nil {
			return errors.Join(errChanged, err)
		}
		w.Write(buf) //nolint:errcheck // a hash takes everything
		from += int64(len(buf))
	}
	return nil
}

// redactTorn redacts an item that cannot be read. In a file of many it may be the rest of what the item before it begins.
func (s *session) redactTorn(raw []byte) (kept []byte, list []record.Redaction) {
	if s.spilt && s.files.one != "" {
		return s.cutter.redactRest(raw)
	}
	kept, list, s.spilt = s.cutter.redactTorn(raw)
	return kept, list
}
