package converter

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/maphash"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/record"
)

// frame is what stands before an item of a file, or behind the last one, where it is not the usual.
type frame struct {
	from, to int64
	raw      []byte            // nil for a longer one, which is read again when it is written
	sum      uint64            // of a longer one's bytes
	large    bool              // over the limit of an item: not kept
	sha      [sha256.Size]byte // of a large one's bytes
}

// heldFrame is the size above which the text around items is not held between the phases; above maxFrame it stands in a blob.
const (
	heldFrame = 4 << 10
	maxFrame  = 1 << 10
)

// readFrame reads what stands before an item, or behind the last one, and notes where it is not the usual.
func (s *session) readFrame(i int32) error {
	from, to := int64(0), s.pieces.Size
	if i > 0 {
		from = s.pieces.List[i-1].End
	}
	if int(i) < len(s.pieces.List) {
		to = s.pieces.List[i].Start
	}
	if s.around != nil {
		return s.readInner(i, from, to)
	}
	return s.noteFrame(i, from, to)
}

// noteFrame reads a frame, and notes it unless it is the usual.
func (s *session) noteFrame(i int32, from, to int64) error {
	if to-from > s.limit {
		sum := sha256.New()
		if err := s.readSpan(from, to, sum, s.whole); err != nil {
			return err
		}
		s.frames[i] = frame{from: from, to: to, large: true, sha: [sha256.Size]byte(sum.Sum(nil))}
		return nil
	}
	raw, err := s.span(from, to)
	if err != nil {
		return err
	}
	s.whole.Write(raw)
	usual := ""
	if i > 0 {
		usual = s.src.match.Files.Cut.Usual()
	}
	switch {
	case string(raw) == usual:
	case len(raw) > heldFrame:
		s.frames[i] = frame{from: from, to: to, sum: maphash.Bytes(s.seed, raw)}
	default:
		s.frames[i] = frame{raw: raw}
	}
	return nil
}

// span reads a part of the file.
func (s *session) span(from, to int64) ([]byte, error) {
	raw := make([]byte, to-from)
	if len(raw) == 0 {
		return raw, nil
	}
	if err := s.readAt(raw, from); err != nil {
		return nil, errors.Join(errChanged, err)
	}
	return raw, nil
}

// text is the bytes of a frame that is kept.
func (s *session) text(f *frame) ([]byte, error) {
	if f.raw != nil {
		return f.raw, nil
	}
	raw, err := s.span(f.from, f.to)
	if err == nil && maphash.Bytes(s.seed, raw) != f.sum {
		err = errChanged
	}
	return raw, err
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
		f, unusual := s.frames[side.at]
		if !unusual || (side.at == 0 && item > 0) {
			continue
		}
		if f.large {
			l.lacking(side.place, f.to-f.from, hex.EncodeToString(f.sha[:]))
			r.Lose(record.LossNativeUnreadable)
			continue
		}
		raw, err := s.text(&f)
		if err != nil {
			return err
		}
		redacted, err := s.frame(&l, side.place, raw)
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

// frame adds what stands on one side of an item.
func (s *session) frame(l *list, place string, raw []byte) ([]record.Redaction, error) {
	kept, redacted := s.cutter.redactFrame(raw)
	if s.spilt && place == "after" {
		kept, redacted = s.cutter.redactRest(raw)
	}
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
