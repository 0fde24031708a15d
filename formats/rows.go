package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Span is the bytes of a file from one place up to another.
type Span struct{ From, To int64 }

// Rows is where the rows of a file stand, for files of which each line that holds more than white space is a document by
// itself. A row ends with its line feed, and lines of white space belong to the row behind them, those at the end to the
// last one: the rows of a file are all of its bytes. A file of white space has none. It reads to the end and holds no content.
func Rows(r io.Reader) ([]Span, error) {
	var list []Span
	var at, from int64
	blank := true
	chunk := make([]byte, cutStep)
	for {
		n, err := r.Read(chunk)
		for part := chunk[:n]; len(part) > 0; {
			end := bytes.IndexByte(part, '\n')
			line := part
			if end >= 0 {
				line = part[:end]
			}
			blank = blank && inkAt(line) == len(line)
			at += int64(len(line))
			part = part[len(line):]
			if end < 0 {
				continue
			}
			at++
			part = part[1:]
			if !blank {
				list = append(list, Span{from, at})
				from, blank = at, true
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
	}
	switch {
	case !blank:
		list = append(list, Span{from, at})
	case len(list) > 0:
		list[len(list)-1].To = at
	}
	return list, nil
}
