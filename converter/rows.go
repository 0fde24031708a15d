package converter

import (
	"fmt"
	"strconv"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
)

// rows notes a file of which each row is a source by itself.
func (f *finder) rows(src *source, p string) error {
	file, err := src.root.OpenFile(p)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	size, err := file.Size()
	if err != nil {
		return err
	}
	spans, err := formats.Rows(file.Section(formats.Span{To: size}))
	if err != nil {
		return err
	}
	at, err := src.root.Stamp(p)
	if err != nil {
		return err
	}
	for i, span := range spans {
		row := *src
		row.row, row.rows, row.span, row.seen = int64(i), int64(len(spans)), span, at.ModTime
		row.key += "-" + strconv.Itoa(i)
		f.sources = append(f.sources, &row)
	}
	return nil
}

// id tells the source from all others.
func (s *source) id() string { return bundle.RowKey(s.path, s.row, s.rows) }

// label is the source as messages name it.
func (s *source) label() string { return place(s.path, s.row, s.rows) }

// stands says whether the row stands where it was seen. A file that only grew has all its rows where they were.
func (s *session) stands() error {
	ends := []int64{s.src.span.From}
	if s.src.row < s.src.rows-1 {
		ends = append(ends, s.src.span.To)
	}
	var last [1]byte
	for _, at := range ends {
		if at == 0 {
			continue
		}
		if err := s.file.ReadAt(last[:], at-1); err != nil || last[0] != '\n' {
			return fmt.Errorf("%s: stands no longer where it was seen: %w", s.src.label(), errChanged)
		}
	}
	return nil
}
