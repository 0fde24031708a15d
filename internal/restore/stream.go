package restore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// file is one file of a source, as its stream tells it. The inline bytes are borrowed until the next one.
type file struct {
	path    string // relative to the source, the bytes of its names
	spelled string // the same as text
	record  string // id of the record
	inline  []byte // its bytes, unless blob or lacking says otherwise
	blob    string // hash of the blob that holds them
	size    int64  // of a lacking file: its bytes in the source, -1 unknown
	sha     string // of a lacking file, "" unknown
	lacking string // why the bundle does not have it, "" it has
	cuts    []record.Redaction
}

// stream reads one stream back.
type stream struct {
	bundle *bundle.Bundle
	info   *bundle.StreamInfo
	names  *names
	// dir is called with the source's path before the first file; its names are bytes.
	dir func(path string) error
	// file is called for each file.
	file func(f *file) error
	// piece is called for each item of the file that holds all of them, in its order; end after the last one. head is
	// called before, where the items stand in a document that is the state.
	head  func(e *envelope) error
	piece func(p *piece) error
	end   func() error

	source   *bundle.SourceInfo
	envelope *envelope // nil where the items stand in no such document
	nodes    []jsonscan.Node
	begun    bool
	some     bool   // other streams of the bundle were left out, as was asked for
	base     string // the folder of the source's files, below the root of the input, as text
	one      string // the file that holds all items, relative to that folder; "" where each has its own
	places   int64  // items of it so far
}

// read reads the stream to its end. A stream that is not as the manifest states is ErrDamaged, known at its end.
func (s *stream) read(ctx context.Context) error {
	if s.names.around() {
		if err := s.readEnvelope(ctx); err != nil {
			return err
		}
	}
	sum, size := sha256.New(), int64(0)
	err := s.bundle.Lines(*s.info, maxLine, func(n int, line []byte, complete bool) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		sum.Write(line)
		if size += int64(len(line)); complete {
			sum.Write([]byte{'\n'})
			size++
		}
		if err := s.line(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("stream %s: %w", s.info.ID, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != s.info.SHA256 || size != s.info.Bytes {
		return fmt.Errorf("stream %s: %w: got other lines than the manifest states", s.info.ID, ErrDamaged)
	}
	if !s.begun {
		return s.begin(nil, -1)
	}
	if s.places > 0 || s.envelope != nil {
		return s.end()
	}
	return nil
}

// release drops what only the reading needed: all streams of a bundle are listed.
func (s *stream) release() {
	s.dir, s.file, s.head, s.piece, s.end = nil, nil, nil, nil, nil
	s.nodes, s.envelope = nil, nil
}

// line takes the files out of one record.
func (s *stream) line(line []byte) error {
	d, err := jsonscan.Scan(line, s.nodes, jsonscan.Options{})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.nodes = d.Nodes
	meta := d.Find(0, "_meta")
	if !s.begun {
		if err := s.begin(&d, meta); err != nil {
			return err
		}
	}
	native := d.Find(0, "native")
	switch {
	case d.Find(native, "record") >= 0, d.Find(native, "blob") >= 0, d.Find(native, "meta") >= 0:
		if err := s.native(&d, native, meta); err != nil {
			return err
		}
	case d.Equal(d.Find(0, "type"), record.Gap.String()) && !d.Equal(d.Find(0, "reason"), "missing"):
		return s.gap(&d, meta)
	}
	if !d.Equal(d.Find(0, "type"), record.SessionInfo.String()) || d.Equal(d.Find(0, "phase"), "head") {
		return nil
	}
	for _, list := range lists() {
		if err := s.list(&d, meta, list); err != nil {
			return err
		}
	}
	return nil
}

// begin hands over the path of the source.
func (s *stream) begin(d *jsonscan.Doc, meta int) error {
	s.begun = true
	p := s.source.Path
	if d != nil {
		p = named(d, d.Find(meta, record.Own+"file"), p)
	}
	s.base, s.one = s.source.Path, s.names.one(p)
	if s.names.alone() {
		s.base, p = path.Dir(s.base), path.Dir(p)
	}
	if err := s.dir(p); err != nil || s.envelope == nil {
		return err
	}
	e := s.envelope
	e.path, e.spelled = s.one, path.Base(s.source.Path)
	return s.head(e)
}

// native takes the file whose bytes a record keeps.
func (s *stream) native(d *jsonscan.Doc, native, meta int) error {
	f := file{record: d.Text(d.Find(0, "id"))}
	inside := s.inside(d)
	if !inside {
		if err := s.place(d, meta, &f); err != nil || s.isAround(f.spelled) {
			return err
		}
	}
	f.cuts = cuts(d, d.Find(native, "redacted"))
	if blob := d.Find(native, "blob"); blob >= 0 {
		f.blob = d.Text(d.Find(blob, "sha256"))
		return s.give(&f, inside, d, meta)
	}
	at := d.Find(native, "record")
	if at < 0 {
		at = d.Find(meta, d.Text(d.Find(native, "meta")))
	}
	if at < 0 {
		return fmt.Errorf("record %.64q: %w: got native.meta that names no member", f.record, ErrDamaged)
	}
	f.inline = d.Value(at)
	return s.give(&f, inside, d, meta)
}

// place finds the path of a record's file.
func (s *stream) place(d *jsonscan.Doc, meta int, f *file) error {
	at := d.Find(0, "position")
	switch p := d.Find(at, "path"); {
	case p >= 0:
		f.spelled = d.Text(p)
		f.path = named(d, d.Find(meta, record.Own+"file"), f.spelled)
		return nil
	default:
		ordinal, ok := d.Int(d.Find(at, "ordinal"))
		if ok {
			f.path, ok = s.names.item(ordinal, d.Text(d.Find(at, "id")))
		}
		if !ok {
			return fmt.Errorf("record %.64q: %w: its position names none", f.record, ErrPlace)
		}
		f.spelled = f.path
		return nil
	}
}

// gap takes a file that could not be read, or was not.
func (s *stream) gap(d *jsonscan.Doc, meta int) error {
	f := file{record: d.Text(d.Find(0, "id")), spelled: d.Text(d.Find(0, "path")), lacking: d.Text(d.Find(0, "reason")), size: -1}
	own := d.Find(meta, record.Own+"file")
	f.path = named(d, own, f.spelled)
	for e := range d.Children(own) {
		if n, ok := d.Int(d.Find(e, "bytes")); ok {
			f.size = n
		}
		f.sha = d.Text(d.Find(e, "sha256"))
	}
	return s.give(&f, s.inside(d), d, meta)
}

// cuts reads a list of redactions.
func cuts(d *jsonscan.Doc, list int) []record.Redaction {
	var found []record.Redaction
	for e := range d.Children(list) {
		found = append(found, record.Redaction{Pointer: d.Text(d.Find(e, "pointer")), Kind: d.Text(d.Find(e, "kind"))})
	}
	return found
}

var errSource = errors.New("stream names no source of the manifest")

// streams prepares the streams that are asked for, in the manifest's order.
func streams(b *bundle.Bundle, o *Options) ([]*stream, error) {
	m := b.Manifest()
	list, err := entries(b, o.Registry)
	if err != nil {
		return nil, err
	}
	var found []*stream
	known := map[[3]string]*names{}
	for i := range m.Streams {
		info := &m.Streams[i]
		if !o.selected(info.ID) {
			continue
		}
		src := source(m, info)
		if src == nil {
			return nil, fmt.Errorf("stream %.64q: %w: %w", info.ID, ErrDamaged, errSource)
		}
		key := [3]string{src.Agent, src.Format, src.Layout}
		if _, ok := known[key]; !ok {
			if known[key], err = namesOf(list, src); err != nil {
				return nil, err
			}
		}
		found = append(found, &stream{bundle: b, info: info, names: known[key], source: src, some: len(o.Streams) > 0})
	}
	return found, nil
}
