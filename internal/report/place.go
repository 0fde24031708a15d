package report

import (
	"bytes"
	"unicode/utf8"
)

// Place is where something can be seen: a file, and what it is about in it.
type Place struct {
	File string // slash separated; of a compressed file the lines are those of its content
	Region
}

// Region is a part of a file. Lines and columns count from 1, columns in UTF-16 code units; EndColumn is the one after the
// last. A number that is not known is 0; a line without a column is all of it.
type Region struct {
	Line, Column       int
	EndLine, EndColumn int
}

// ruler tells the line and column of places in one text. It goes on from the place before where it can, so that many
// places in one long line cost little more than one.
type ruler struct {
	raw          []byte
	first        int // number of the first line
	at           int
	line, column int
}

func newRuler(raw []byte, first int) *ruler {
	r := &ruler{raw: raw, first: first}
	r.rewind()
	return r
}

// rewind goes to the beginning. A byte order mark is no part of the text.
func (r *ruler) rewind() {
	r.at, r.line, r.column = 0, r.first, 1
	if r.first == 1 && bytes.HasPrefix(r.raw, []byte("\xef\xbb\xbf")) {
		r.at = 3
	}
}

// measure returns the line and column of a byte.
func (r *ruler) measure(to int) (line, column int) {
	if to < r.at {
		r.rewind()
	}
	for to = min(to, len(r.raw)); r.at < to; {
		c, n := utf8.DecodeRune(r.raw[r.at:to])
		r.at += n
		switch {
		case c == '\n':
			r.line, r.column = r.line+1, 1
		case c > 0xffff:
			r.column += 2
		default:
			r.column++
		}
	}
	return r.line, r.column
}

// region is the part of the text between two bytes.
func (r *ruler) region(start, end int) Region {
	var out Region
	out.Line, out.Column = r.measure(start)
	out.EndLine, out.EndColumn = r.measure(end)
	return out
}

// point is the part of the text from a byte to the end of its line.
func (r *ruler) point(at int) Region {
	var out Region
	out.Line, out.Column = r.measure(at)
	return out
}
