package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Line is one line of a file of lines.
type Line struct {
	Ordinal  int64  // from 0
	Raw      []byte // without its line feed and a CR before it; valid until yield returns
	Size     int64  // bytes of the line so counted, also where Raw is missing
	Complete bool   // false: the last line, and no line feed ends it
	TooLarge bool   // Size is over the limit; Raw is nil
}

const lineStep = 64 << 10

// Lines gives the lines of r in order. Only a line feed ends a line; a CR
// before it belongs to it, one elsewhere (also before the end of an incomplete
// line) is content. Empty lines count. At most limit bytes of a line are held,
// and a little. An error of yield ends the reading and is returned as it is.
func Lines(r io.Reader, limit int64, yield func(Line) error) error {
	l := lines{limit: limit, yield: yield}
	chunk := make([]byte, lineStep)
	for {
		n, err := r.Read(chunk)
		if fault := l.add(chunk[:n]); fault != nil {
			return fault
		}
		if errors.Is(err, io.EOF) {
			return l.end()
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", l.ordinal, err)
		}
	}
}

// lines cuts what is added into lines.
type lines struct {
	limit   int64
	yield   func(Line) error
	ordinal int64
	size    int64  // of the line begun
	held    []byte // its bytes, up to limit and one for a CR
	lastCR  bool   // its last byte is a CR
}

func (l *lines) add(chunk []byte) error {
	for len(chunk) > 0 {
		end := bytes.IndexByte(chunk, '\n')
		if end < 0 {
			l.hold(chunk)
			return nil
		}
		if err := l.complete(chunk[:end]); err != nil {
			return err
		}
		chunk = chunk[end+1:]
	}
	return nil
}

// hold keeps a part of a line, as long as it can still be within the limit.
func (l *lines) hold(part []byte) {
	if len(part) == 0 {
		return
	}
	l.size += int64(len(part))
	l.lastCR = part[len(part)-1] == '\r'
	if l.size <= l.limit+1 {
		l.held = append(l.held, part...)
	}
}

// complete yields the line that ends with these bytes, from the chunk itself
// where nothing of it was held.
func (l *lines) complete(part []byte) error {
	raw := part
	if l.size > 0 {
		l.hold(part)
		raw = l.held
	} else {
		l.size = int64(len(part))
		l.lastCR = len(part) > 0 && part[len(part)-1] == '\r'
	}
	if l.lastCR {
		l.size--
		raw = raw[:min(int64(len(raw)), l.size)]
	}
	return l.give(raw, true)
}

func (l *lines) give(raw []byte, complete bool) error {
	line := Line{Ordinal: l.ordinal, Raw: raw, Size: l.size, Complete: complete}
	if l.size > l.limit {
		line.Raw, line.TooLarge = nil, true
	}
	l.ordinal++
	l.size, l.held, l.lastCR = 0, l.held[:0], false
	return l.yield(line)
}

func (l *lines) end() error {
	if l.size == 0 {
		return nil
	}
	return l.give(l.held, false)
}
