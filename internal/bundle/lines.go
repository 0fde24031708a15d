package bundle

import (
	"bytes"
	"errors"
	"io"
)

const lineStep = 64 << 10

// Lines gives the lines of a stream in order: n from 1, the line without its
// line feed and valid until yield returns, complete unless it is the last and
// has no line feed. A line of more than limit bytes ends the reading with a
// *LongLineError; an error of yield ends it and is returned as it is.
func (b *Bundle) Lines(s StreamInfo, limit int64, yield func(n int, line []byte, complete bool) error) error {
	r, err := b.Stream(s)
	if err != nil {
		return err
	}
	defer r.Close()
	return lines(r, limit, yield)
}

func lines(r io.Reader, limit int64, yield func(n int, line []byte, complete bool) error) error {
	buf := make([]byte, 0, lineStep)
	n, searched := 0, 0
	for {
		rest := buf
		for {
			end := bytes.IndexByte(rest[searched:], '\n')
			if end < 0 {
				break
			}
			line := rest[:searched+end]
			rest, searched = rest[len(line)+1:], 0
			if n++; int64(len(line)) > limit {
				return &LongLineError{Line: n, Limit: limit}
			}
			if err := yield(n, line, true); err != nil {
				return err
			}
		}
		if searched = len(rest); int64(searched) > limit {
			return &LongLineError{Line: n + 1, Limit: limit}
		}
		buf = append(buf[:0], rest...)
		more, err := fill(r, buf)
		buf = more
		if errors.Is(err, io.EOF) && len(buf) > searched {
			continue // what came with the end may hold lines
		}
		if errors.Is(err, io.EOF) {
			return last(buf, n+1, yield)
		}
		if err != nil {
			return err
		}
	}
}

func last(line []byte, n int, yield func(n int, line []byte, complete bool) error) error {
	if len(line) == 0 {
		return nil
	}
	return yield(n, line, false)
}

// fill appends what one read gives, with more room when there is little.
func fill(r io.Reader, buf []byte) ([]byte, error) {
	if cap(buf)-len(buf) < lineStep/2 {
		buf = append(make([]byte, 0, 2*cap(buf)), buf...)
	}
	n, err := r.Read(buf[len(buf):cap(buf)])
	return buf[:len(buf)+n], err
}
