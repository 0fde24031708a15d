package diff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/session-trace/ctx/internal/bundle"
)

// pair is one stream in both bundles.
type pair struct {
	a, b   *bundle.Bundle
	sa, sb bundle.StreamInfo

	stateA, stateB int // what the manifests say about it: their nodes
}

// compare is what differs between the lines of the two streams. Most streams are equal: their bytes are compared first,
// and an index is made only of those that are not.
func (p *pair) compare(ctx context.Context, o *Options) (*Stream, error) {
	lines, same, err := p.same(ctx)
	if err != nil {
		return nil, err
	}
	s := &Stream{ID: p.sa.ID, Change: Changed, RecordsA: lines, RecordsB: lines}
	if same {
		return s, nil
	}
	x, err := read(ctx, p.a, p.sa)
	if err != nil {
		return nil, on("A", err)
	}
	y, err := read(ctx, p.b, p.sb)
	if err != nil {
		return nil, on("B", err)
	}
	s.RecordsA, s.RecordsB = int64(len(x.keys)), int64(len(y.keys))
	wanted := match(s, x, y, o.Max)
	s.Records, err = p.details(ctx, x, y, wanted, o.Max)
	return s, err
}

// on says in which of the two bundles something could not be read.
func on(side string, err error) error { return fmt.Errorf("%s: %w", side, err) }

// chunk is what is read of each stream at once, in bytes.
const chunk = 64 << 10

// same compares the bytes of both streams, and counts the lines of streams that are the same.
func (p *pair) same(ctx context.Context) (lines int64, same bool, err error) {
	ra, err := p.a.Stream(p.sa)
	if err != nil {
		return 0, false, on("A", err)
	}
	defer ra.Close() //nolint:errcheck // read only
	rb, err := p.b.Stream(p.sb)
	if err != nil {
		return 0, false, on("B", err)
	}
	defer rb.Close() //nolint:errcheck // read only
	bufA, bufB := make([]byte, chunk), make([]byte, chunk)
	for ctx.Err() == nil {
		n, endA, err := full(ra, bufA)
		if err != nil {
			return 0, false, on("A", err)
		}
		m, _, err := full(rb, bufB)
		if err != nil {
			return 0, false, on("B", err)
		}
		if !bytes.Equal(bufA[:n], bufB[:m]) {
			return 0, false, nil
		}
		lines += int64(bytes.Count(bufA[:n], []byte{'\n'}))
		if endA {
			return lines, true, nil
		}
	}
	return 0, false, ctx.Err()
}

// full fills a buffer unless the end comes first.
func full(r io.Reader, buf []byte) (n int, end bool, err error) {
	n, err = io.ReadFull(r, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return n, true, nil
	}
	return n, false, err
}

// wanted is a record that is listed: its rows in both streams, -1 for none.
type wanted struct {
	a, b   int32
	change Change
	moved  bool
}

// match counts what differs and lists it in the order of A, what came in before the record of A that follows it in B.
func match(s *Stream, x, y *index, limit int) []wanted {
	partner, rest := pairUp(x.keys, y.keys)
	left := moved(partner)
	var list []wanted
	add := func(w wanted) {
		s.differing++
		if limit == 0 || len(list) < limit {
			list = append(list, w)
		}
	}
	s.Added = int64(len(rest))
	for i, j := range partner {
		w := wanted{a: int32(i), b: j, moved: left != nil && left[i]}
		for j >= 0 && !w.moved && len(rest) > 0 && rest[0] < j {
			add(wanted{a: -1, b: rest[0], change: Added})
			rest = rest[1:]
		}
		if w.change = s.count(w, j >= 0 && x.lines[i] != y.lines[j]); w.change != "" {
			add(w)
		}
	}
	for _, j := range rest {
		add(wanted{a: -1, b: j, change: Added})
	}
	return list
}

// count adds a record of A to the totals and says what became of it, "" nothing.
func (s *Stream) count(w wanted, differs bool) (change Change) {
	if w.moved {
		s.Moved++
		change = Moved
	}
	switch {
	case w.b < 0:
		s.Removed++
		change = Removed
	case differs:
		s.Changed++
		change = Changed
	}
	return change
}

// equal says whether nothing about the stream differs.
func (s *Stream) equal() bool {
	return s.Change == Changed && s.Added+s.Removed+s.Changed+s.Moved+s.Manifest.Total == 0
}
