package session

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// keepLines is the size of a stream, in bytes, up to which its lines stay in memory once one was asked for.
const keepLines = 16 << 20

// lineReader reads lines again. It goes forward, and begins anew to go back.
type lineReader struct {
	kept   []byte // the whole stream
	source io.ReadCloser
	at     int64
	buf    []byte
}

// Line reads the line of a record again, without its line feed. It is valid until the next call. Lines are cheap in
// ascending order; to go back in a long stream costs a pass over what stands before.
func (s *Session) Line(i int) ([]byte, error) {
	r, l := &s.recs[i], &s.lines
	if s.info.Bytes <= keepLines {
		if err := s.keep(); err != nil {
			return nil, err
		}
		if end := r.offset + int64(r.size); end <= int64(len(l.kept)) {
			return l.kept[r.offset:end:end], nil
		}
		return nil, fmt.Errorf("stream %s: %w", s.info.ID, io.ErrUnexpectedEOF)
	}
	line, err := s.seek(r)
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("stream %s, line %d: %w", s.info.ID, i+1, err)
	}
	return line, nil
}

func (s *Session) keep() error {
	if s.lines.kept != nil {
		return nil
	}
	source, err := s.bundle.Stream(s.info)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // read only
	kept := make([]byte, s.info.Bytes)
	if _, err := io.ReadFull(source, kept); err != nil {
		return fmt.Errorf("stream %s: %w", s.info.ID, err)
	}
	s.lines.kept = kept
	return nil
}

func (s *Session) seek(r *row) ([]byte, error) {
	l := &s.lines
	if l.source == nil || r.offset < l.at {
		s.Close()
		source, err := s.bundle.Stream(s.info)
		if err != nil {
			return nil, err
		}
		l.source, l.at = source, 0
	}
	if _, err := io.CopyN(io.Discard, l.source, r.offset-l.at); err != nil {
		return nil, unexpected(err)
	}
	if cap(l.buf) < int(r.size) {
		l.buf = make([]byte, r.size)
	}
	line := l.buf[:r.size]
	if _, err := io.ReadFull(l.source, line); err != nil {
		return nil, unexpected(err)
	}
	l.at = r.offset + int64(r.size)
	return line, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Lines reads the lines of records in the order asked for, in at most two passes over the stream: records that stand
// behind a later one of the list are held in memory meanwhile. A line is valid until yield returns; an error of yield
// ends the reading and is returned as it is.
func (s *Session) Lines(records []int, yield func(i int, line []byte) error) error {
	ahead, err := s.ahead(records)
	if err != nil {
		return err
	}
	for n, i := range records {
		line, ok := ahead[n]
		if !ok {
			if line, err = s.Line(i); err != nil {
				return err
			}
		}
		if err := yield(i, line); err != nil {
			return err
		}
	}
	return nil
}

// ahead reads the lines that would make the reader go back.
func (s *Session) ahead(records []int) (map[int][]byte, error) {
	lines := map[int][]byte{}
	if s.info.Bytes <= keepLines {
		return lines, nil
	}
	var early []int
	lowest := len(s.recs)
	for n := len(records) - 1; n >= 0; n-- {
		if records[n] > lowest {
			early = append(early, n)
		}
		lowest = min(lowest, records[n])
	}
	slices.SortFunc(early, func(a, b int) int { return records[a] - records[b] })
	for _, n := range early {
		line, err := s.Line(records[n])
		if err != nil {
			return nil, err
		}
		lines[n] = append([]byte(nil), line...)
	}
	return lines, nil
}

// Close lets go of what Line holds open. The session can still be used.
func (s *Session) Close() {
	if s.lines.source != nil {
		s.lines.source.Close() //nolint:errcheck,gosec // read only
		s.lines.source = nil
	}
}
