package converter

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"unsafe"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

var (
	errChanged   = errors.New("source changed while it was read")
	errSessionID = errors.New("session id that cannot name a stream")
)

// emit writes the stream's records.
func (s *session) emit(ctx context.Context) error {
	if err := s.open(); err != nil {
		return err
	}
	if s.run.o.NewCheck != nil {
		s.check = s.run.o.NewCheck()
	}
	if s.changed {
		s.notice(record.SourceChanged, "session", "", "got files that changed while they were read, read once more")
	}
	if err := s.headRecord(); err != nil {
		return err
	}
	holes := s.files.items.Holes
	var z zones
	for i := range s.rows {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for len(holes) > 0 && holes[0].First < s.rows[i].ordinal {
			if err := s.missing(holes[0], ""); err != nil {
				return err
			}
			holes = holes[1:]
		}
		if err := s.row(int32(i), &z); err != nil {
			return err
		}
	}
	if s.tailHole != nil {
		if err := s.missing(*s.tailHole, s.evidence); err != nil {
			return err
		}
	}
	return s.finish(&z)
}

// put writes one record and shows it to the check.
func (s *session) put(r *record.Record) error {
	s.store.line = record.AppendLine(s.store.line[:0], r)
	if err := s.out.Write(s.store.line[:len(s.store.line)-1]); err != nil {
		return &outputError{err}
	}
	s.count.add(r)
	if s.check != nil {
		s.state(r)
		s.check.Record(&s.store.facts)
	}
	return nil
}

func (s *session) headRecord() error {
	r := record.Record{Type: record.SessionInfo, ID: "session", Position: record.NoPosition(record.Transcript)}
	s.sessionInfo(&r, "head")
	notePath(&r, path.Join(s.src.from.prefix, s.src.at()))
	return s.put(&r)
}

// sessionInfo fills what both ends of a stream state.
func (s *session) sessionInfo(r *record.Record, phase string) {
	r.Set("sessionId", record.AppendString(nil, s.id))
	r.Set("agent", record.AppendString(nil, s.entry.Name))
	r.Set("format", record.AppendString(nil, s.src.match.Format.ID))
	r.Set("source", record.AppendString(nil, s.result.ID))
	r.Set("phase", record.AppendString(nil, phase))
}

// missing writes a gap of missing items.
func (s *session) missing(h formats.Hole, evidence string) error {
	r := record.Record{Type: record.Gap, ID: fmt.Sprintf("gap:%d-%d", h.First, h.Last), Position: record.NoPosition(record.Transcript)}
	r.Position.Ordinal = h.First
	if h.Last > h.First {
		r.Position.Through = h.Last
	}
	r.Set("reason", []byte(`"`+gapMissing+`"`))
	if evidence != "" {
		r.Meta = []record.Meta{{Key: record.Own + "gapEvidence", Raw: []byte(evidence)}}
	}
	return s.put(&r)
}

// row writes the records of one item.
func (s *session) row(i int32, z *zones) error {
	r := &s.rows[i]
	if !r.is(readable) {
		if i == s.torn {
			return nil // the last record keeps it
		}
		return s.unreadableItem(i)
	}
	sc, err := s.item(i)
	if err != nil {
		return err
	}
	if sc.problem != "" {
		return errChanged
	}
	s.spilt = false
	e := &s.store.item
	*e = emission{s: s, i: i, r: r, sc: sc}
	return e.write(z)
}

// unreadableItem writes the gap of a file that is not readable.
func (s *session) unreadableItem(i int32) error {
	r := &s.rows[i]
	reason := gapReasons[r.gap]
	rec := record.Record{Type: record.Gap, ID: s.recordID(i), Position: s.position(r)}
	rec.Position.Path = s.itemPath(r)
	if s.reproduced(r) {
		rec.Position.Path = ""
	}
	rec.Set("reason", record.AppendString(nil, reason))
	rec.Set("path", record.AppendString(nil, s.itemPath(r)))
	rec.Lose(record.LossNativeUnreadable)
	switch reason {
	case gapUnreadable:
		s.notice(record.OddFile, rec.ID, "", fmt.Sprintf("%s: got a name that is no readable file", quote(s.itemPath(r))))
		rec.Position.Path = ""
	case gapTooLarge:
		rec.Meta = append(rec.Meta, fileMeta(s.nativePath(r), r.size, hex.EncodeToString(r.sha[:])))
		if s.files.one != "" {
			rec.Meta = append(rec.Meta, record.Meta{Key: record.Own + "gapEvidence", Raw: []byte(`{"complete":true}`)})
		}
		rec.Position.Path = ""
	default:
		notePath(&rec, s.nativePath(r))
		sc, err := s.item(i)
		if err != nil {
			return err
		}
		if reason != gapEmpty {
			evidence := record.AppendInt([]byte(`{"byte":`), int64(sc.offset))
			rec.Meta = append(rec.Meta, record.Meta{Key: record.Own + "gapEvidence", Raw: append(evidence, '}')})
		}
		raw, redacted := s.redactTorn(sc.raw)
		if rec.Native, err = s.blob(raw, reason, redacted); err != nil {
			return err
		}
		if secret(redacted) {
			rec.Lose(record.LossSecretOmitted)
		}
	}
	if err := s.framed(&rec, r.item); err != nil {
		return err
	}
	return s.put(&rec)
}

// rawItem is the bytes of an item that is not readable as JSON.
func (s *session) rawItem(i int32) ([]byte, error) {
	sc, err := s.item(i)
	if err != nil {
		return nil, err
	}
	return sc.raw, nil
}

// position is where an item's records stand.
func (s *session) position(r *row) record.Position {
	return record.Position{
		Family: record.Transcript, Ordinal: r.ordinal, Through: -1, ID: record.SpellName(s.files.items.Items[r.item].ID),
	}
}

// reproduced says whether the layout's name pattern gives the item's path from its ordinal and id, or one file is the path
// of all.
func (s *session) reproduced(r *row) bool {
	ref := &s.files.items.Items[r.item]
	if s.files.one != "" {
		return true
	}
	return s.src.match.Files.Items.Item.Reproduces(ref.Name, ref.Ordinal, ref.ID) && record.SpellName(ref.Name) == ref.Name
}

// note gathers the notices of mapping one item.
func (s *session) note(id string, out *registry.Out) {
	for _, n := range out.Notices {
		s.notice(n.Code, id, n.Pointer, n.Message)
	}
	for _, name := range out.Unmapped {
		if s.unmapped == nil {
			s.unmapped = map[string]*unmappedCount{}
		}
		c := s.unmapped[name]
		if c == nil {
			c = &unmappedCount{first: id}
			s.unmapped[name] = c
		}
		c.count++
	}
}

// secret says whether something was left out that was no mask and not empty.
func secret(list []record.Redaction) bool {
	for _, r := range list {
		if r.Kind == kindSecret {
			return true
		}
	}
	return false
}

// quoted is a text as a JSON string, in memory that holds until the next item.
func (s *session) quoted(text string) []byte {
	start := len(s.store.made)
	s.store.made = record.AppendString(s.store.made, text)
	return s.store.made[start:]
}

// borrow is b as a string that is valid as long as b is not changed.
func borrow(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(&b[0], len(b))
}
