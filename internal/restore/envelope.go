package restore

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// envelope is the document that the items of a source stand in, as the last record of its stream keeps it.
type envelope struct {
	file                  // of the document without its items
	open           int64  // the place in it where they stood
	before, after  []byte // the white space around it
	prefix, within string // what pointers into the document begin with, and those to items
}

// isAround says whether a file, by its path as text, is the document that the items stand in.
func (s *stream) isAround(spelled string) bool {
	return s.names.around() && spelled == path.Base(s.source.Path)
}

// readEnvelope reads the last record ahead of all others: what stands around the items comes before them in the file.
func (s *stream) readEnvelope(ctx context.Context) error {
	var last []byte
	err := s.bundle.Lines(*s.info, maxLine, func(_ int, line []byte, _ bool) error {
		last = append(last[:0], line...)
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("stream %s: %w", s.info.ID, err)
	}
	d, err := jsonscan.Scan(last, nil, jsonscan.Options{})
	if err != nil {
		return fmt.Errorf("stream %s: %w: %w", s.info.ID, ErrDamaged, err)
	}
	e := &envelope{file: file{record: d.Text(d.Find(0, "id")), lacking: ReasonSecrets, size: -1}}
	if s.source.Rows > 0 {
		e.prefix = fmt.Sprintf("/%d", s.source.Row)
		e.after = []byte{'\n'}
	}
	meta, native := d.Find(0, "_meta"), d.Find(0, "native")
	if d.Equal(d.Find(0, "phase"), "snapshot") && native >= 0 {
		if err := s.keptAround(e, &d, meta, native); err != nil {
			return fmt.Errorf("stream %s: %w", s.info.ID, err)
		}
	}
	for entry := range d.Children(d.Find(meta, record.Own+"file")) {
		if f := listed(&d, entry, ReasonSecrets); e.lacking != "" && s.isAround(f.spelled) {
			e.size, e.sha, e.lacking = f.size, f.sha, f.lacking
		}
	}
	s.envelope = e
	return nil
}

// keptAround takes the document that a record keeps.
func (s *stream) keptAround(e *envelope, d *jsonscan.Doc, meta, native int) error {
	e.lacking, e.cuts = "", cuts(d, d.Find(native, "redacted"))
	for i := range e.cuts {
		e.cuts[i].Pointer = e.prefix + e.cuts[i].Pointer
	}
	at := d.Find(meta, d.Text(d.Find(native, "meta")))
	if at < 0 {
		at = d.Find(native, "record")
	}
	switch sha := d.Text(d.Find(d.Find(native, "blob"), "sha256")); {
	case sha != "":
		var err error
		if e.inline, err = s.bundle.Blob(sha); err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	case at >= 0:
		e.inline = bytes.Clone(d.Value(at))
	default:
		return fmt.Errorf("record %.64q: %w: got native.meta that names no member", e.record, ErrDamaged)
	}
	for entry := range d.Children(d.Find(meta, record.Own+"serialization")) {
		text := d.AppendText(nil, d.Find(entry, "text"))
		if sha := d.Text(d.Find(d.Find(entry, "blob"), "sha256")); sha != "" {
			var err error
			if text, err = s.bundle.Blob(sha); err != nil {
				return fmt.Errorf("%w: %w", ErrDamaged, err)
			}
		}
		if d.Equal(d.Find(entry, "place"), "before") {
			e.before = text
		} else {
			e.after = text
		}
	}
	p, err := s.names.cut.Cut(bytes.NewReader(e.inline))
	if err != nil {
		return err
	}
	e.open, _ = p.Outside()
	e.within = e.prefix + "/" + p.Array
	return nil
}

// bytes are the document with the white space around it.
func (e *envelope) bytes() []byte { return slices.Concat(e.before, e.inline, e.after) }

// head and tail are what stands before and behind the items.
func (e *envelope) head() []byte { return slices.Concat(e.before, e.inline[:e.open]) }
func (e *envelope) tail() []byte { return slices.Concat(e.inline[e.open:], e.after) }

// plain are the cuts as pointers into the document.
func (e *envelope) plain() []record.Redaction {
	list := slices.Clone(e.cuts)
	for i := range list {
		list[i].Pointer = list[i].Pointer[len(e.prefix):]
	}
	return list
}
