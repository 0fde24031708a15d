package converter

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash/maphash"
	"slices"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// around is the document that the array of items stands in, without the items: the state of the session.
type around struct {
	size        int64 // of its bytes, white space around it too
	sum         uint64
	again       maphash.Hash // of the same bytes, read a second time
	lead, trail []byte       // white space around the document
}

// same says whether what stands around the items was the same each time that it was read.
func (a *around) same() bool { return a == nil || a.again.Sum64() == a.sum }

// readAround reads the state of a session that stands around its items.
func (s *session) readAround() error {
	if err := s.cut(); err != nil {
		return err
	}
	open, end := s.pieces.Outside()
	a := &around{size: open + s.pieces.Size - end}
	a.again.SetSeed(s.seed)
	s.around = a
	if a.size > s.limit {
		return s.largeAround(open, end)
	}
	raw := make([]byte, a.size)
	if err := errors.Join(s.readAt(raw[:open], 0), s.readAt(raw[open:], end)); err != nil {
		return errors.Join(errChanged, err)
	}
	a.sum = maphash.Bytes(s.seed, raw)
	doc := bytes.TrimLeft(raw, space)
	a.lead = bytes.Clone(raw[:len(raw)-len(doc)])
	doc = bytes.TrimRight(doc, space)
	a.trail = bytes.Clone(raw[len(a.lead)+len(doc):])
	from := s.src.span.From
	return s.takeState(s.files.one, doc, &stateFile{
		file: s.file, from: from + int64(len(a.lead)), gap: formats.Span{From: from + open, To: from + end},
	})
}

const space = " \t\r\n"

// largeAround accounts for a state over the limit of an item.
func (s *session) largeAround(open, end int64) error {
	sum := sha256.New()
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, part := range [...]formats.Span{{From: 0, To: open}, {From: end, To: s.pieces.Size}} {
		if err := s.readSpan(part.From, part.To, sum, &h); err != nil {
			return err
		}
	}
	s.around.sum = h.Sum64()
	s.tooLarge(sourceFile{s.files.one, s.around.size, [sha256.Size]byte(sum.Sum(nil))})
	return nil
}

// plainAround says whether the document holds its items in the one array that was found: items elsewhere, under the name
// once more or under one with escapes, are none, and what the entry names in items would stay in the state.
func (s *session) plainAround(d *jsonscan.Doc) bool {
	plain := true
	for c := range d.Children(0) {
		name, _ := jsonscan.AppendUnescape(nil, d.Name(c))
		if k := d.Kind(c); (k == jsonscan.Array && d.Len(c) > 0 || k == jsonscan.Object) &&
			slices.Contains(s.src.match.Files.Cut.Arrays, string(name)) {
			plain = false
		}
	}
	return plain
}

// readInner is readFrame where the state stands around the items: what is a part of it is read once more and kept there.
func (s *session) readInner(i int32, from, to int64) error {
	open, end := s.pieces.Outside()
	if len(s.pieces.List) == 0 || open == end {
		open, end = to, to
	}
	open = min(max(open, from), to)
	end = min(max(end, open), to)
	if err := s.readSpan(from, open, s.whole, &s.around.again); err != nil {
		return err
	}
	if len(s.pieces.List) > 0 {
		if err := s.noteFrame(i, open, end); err != nil {
			return err
		}
	}
	return s.readSpan(end, to, s.whole, &s.around.again)
}

// aroundDocument notes the white space around the state, where it is not the usual.
func (s *session) aroundDocument(r *record.Record) error {
	if s.around == nil || s.snapshot == nil {
		return nil
	}
	var l list
	usual := ""
	if s.src.rows > 0 {
		usual = "\n"
	}
	for _, side := range [...]struct {
		place, usual string
		text         []byte
	}{{"before", "", s.around.lead}, {"after", usual, s.around.trail}} {
		if string(side.text) == side.usual {
			continue
		}
		if _, err := s.frame(&l, side.place, side.text); err != nil {
			return err
		}
	}
	if l != nil {
		r.Meta = append(r.Meta, record.Meta{Key: record.Own + "serialization", Raw: append(l, ']')})
	}
	return nil
}
