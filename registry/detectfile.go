package registry

import (
	"bytes"
	"errors"
	"io"
	"path"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// How much of a file is read to find its first readable item: so far something must look like one, and so far one must be.
const (
	beginsWithin = 64 << 10
	endsWithin   = 8 << 20
)

// DetectFile says which entries take one file of the folder for a source by itself. Of one entry only the first format
// counts; agent limits it to one entry, nil for all. Only a regular file can be one.
func (r *Registry) DetectFile(s *Site, n formats.Name, agent *entry.Entry) []Match {
	if n.Kind != formats.KindFile {
		return nil
	}
	var list []Match
	for _, f := range r.formats {
		if (agent != nil && f.entry != agent) || !f.spec.Qualified {
			continue
		}
		for i := range f.spec.Layouts {
			y := &f.spec.Layouts[i]
			if y.Takes(n.Name) && f.holds(f.spec.Detect, s, found{true, n.Name, y.Rows}) {
				m := Match{Entry: f.entry, Format: f.spec, Layout: y, Files: &f.files, File: n.Name}
				list = m.unlessEntry(list)
			}
		}
	}
	return list
}

// first holds a condition against the first readable item of a file.
func (f *format) first(cond *entry.Cond, s *Site, has found) bool {
	if has.file == "" || f.files.Cut == nil {
		return false
	}
	for _, limit := range [...]int{beginsWithin, endsWithin} {
		raw, all, err := beginning(s.Root, path.Join(s.Path, has.file), limit)
		if err != nil {
			return false
		}
		doc, begun := f.firstItem(raw, has.rows)
		if doc != nil {
			return cond.Holds(doc, 0, entry.SessionFacts{}) && !f.tangled(s, has.file)
		}
		if all || !begun {
			return false
		}
	}
	return false
}

// firstItem is the first readable item in the beginning of a file, nil without one; begun says that something looks as if
// one came further on. A first row may be long before its items, and rows may have none.
func (f *format) firstItem(raw []byte, rows bool) (doc *jsonscan.Doc, begun bool) {
	parts := []formats.Span{{From: 0, To: int64(len(raw))}}
	if rows {
		parts, _ = formats.Rows(bytes.NewReader(raw)) // memory can be read
		begun = len(parts) == 1 && bytes.HasPrefix(bytes.TrimLeft(TrimBOM(raw), " \t\r\n"), []byte("{"))
	}
	for _, part := range parts {
		part := raw[part.From:part.To]
		p, err := f.files.Cut.Cut(bytes.NewReader(part))
		if err != nil {
			return nil, false
		}
		begun = begun || len(p.List) > 0 || (rows && p.Open > 0)
		for _, one := range p.List {
			doc, err := jsonscan.Scan(TrimBOM(part[one.Start:one.End]), nil, jsonscan.Options{NonFinite: true})
			if one.Whole && err == nil && doc.Kind(0) == jsonscan.Object {
				return &doc, true
			}
		}
	}
	return nil, begun
}

// tangled says whether a document holds more than its items and plain values, so that secrets in it could not be told. What
// stands around the items is no such thing where it is the state, for which the entry names secrets.
func (f *format) tangled(s *Site, file string) bool {
	if len(f.files.Cut.Arrays) == 0 || f.spec.Document.Around {
		return false
	}
	folder, err := s.Root.Folder(s.Path)
	if err != nil {
		return true
	}
	defer folder.Close() //nolint:errcheck // nothing was written
	in, err := folder.Open(file)
	if err != nil {
		return true
	}
	defer in.Close() //nolint:errcheck // nothing was written
	p, err := f.files.Cut.Cut(in)
	return err != nil || p.Tangled
}

// beginning is up to limit bytes of a file, and whether they are all of it.
func beginning(root *formats.Root, at string, limit int) (raw []byte, all bool, err error) {
	folder, err := root.Folder(path.Dir(at))
	if err != nil {
		return nil, false, err
	}
	defer folder.Close() //nolint:errcheck // nothing was written
	file, err := folder.Open(path.Base(at))
	if err != nil {
		return nil, false, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	raw = make([]byte, limit)
	n, err := io.ReadFull(file, raw)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return raw[:n], true, nil
	}
	return raw[:n], false, err
}
