package validator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"github.com/session-trace/ctx/internal/record"
)

const (
	blockBytes = 1 << 20
	blockLines = 4096
)

// block is consecutive lines of a stream with what their check gave. Its memory is reused.
type block struct {
	raw      []byte // whole lines; the last one of a stream may lack its line feed
	first    int    // number of the first line
	outcomes []outcome
	reading  reading
	findings lineLog
	done     chan struct{}
}

// cutter reads blocks off a stream.
type cutter struct {
	r     io.Reader
	limit int64
	rest  []byte // read, not given out; its memory is reused
	want  int    // bytes to read ahead; less where lines are tiny
	line  int    // number of the last line given out
	ended bool
}

// errLong says that a line is longer than the limit.
var errLong = errors.New("line too long")

// next fills a block; io.EOF when there are no further lines.
func (c *cutter) next(b *block) error {
	b.raw = append(b.raw[:0], c.rest...)
	c.rest = c.rest[:0]
	want := c.want
	if want == 0 {
		want = blockBytes
	}
	for {
		if err := c.fill(b, want); err != nil {
			return err
		}
		end, lines := cutLines(b.raw)
		switch {
		case end > 0:
			c.rest = append(c.rest, b.raw[end:]...)
			b.raw = b.raw[:end]
			c.want = blockBytes
			if lines == blockLines {
				c.want = max(2*end, blockBytes/16)
			}
			return c.give(b, lines)
		case c.ended && len(b.raw) == 0:
			return io.EOF
		case int64(len(b.raw)) > c.limit:
			return errLong
		case c.ended:
			return c.give(b, 1)
		}
		want = 2 * len(b.raw)
	}
}

func (c *cutter) give(b *block, lines int) error {
	b.first = c.line + 1
	c.line += lines
	return nil
}

// fill reads until the block has want bytes or the stream ends.
func (c *cutter) fill(b *block, want int) error {
	for !c.ended && len(b.raw) < want {
		if cap(b.raw) < want {
			b.raw = append(make([]byte, 0, want), b.raw...)
		}
		n, err := c.r.Read(b.raw[len(b.raw):want])
		b.raw = b.raw[:len(b.raw)+n]
		if errors.Is(err, io.EOF) {
			c.ended = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// cutLines finds the end of the last whole line, of at most blockLines lines.
func cutLines(raw []byte) (end, lines int) {
	for lines < blockLines {
		n := bytes.IndexByte(raw[end:], '\n')
		if n < 0 {
			break
		}
		end += n + 1
		lines++
	}
	return end, lines
}

// check judges the lines of a block.
func (b *block) check(c *lineCheck) {
	b.reading.forget()
	b.outcomes = b.outcomes[:0]
	b.findings.reset()
	b.findings.most = int64(record.Listing(c.most))
	for at, line := 0, b.first; at < len(b.raw); line++ {
		end, complete := len(b.raw), false
		if n := bytes.IndexByte(b.raw[at:], '\n'); n >= 0 {
			end, complete = at+n, true
		}
		if len(b.outcomes) < cap(b.outcomes) {
			b.outcomes = b.outcomes[:len(b.outcomes)+1]
		} else {
			b.outcomes = append(b.outcomes, outcome{})
		}
		found := lineFindings{log: &b.findings, line: line}
		c.check(b.raw[at:end], complete, &b.reading, &b.outcomes[len(b.outcomes)-1], &found)
		at = end + 1
	}
}

// streamState is a stream as far as it was taken in.
type streamState struct {
	session  *Session
	sum      hash.Hash
	bytes    int64
	bad      bool // some line is no record, or one that cannot be placed
	lost     int  // lines that are none
	progress func(int64)
}

// maxLost is how many lines may be no records before a stream is given up. Each costs memory, and a few compressed bytes
// may stand for any number of empty lines.
const maxLost = 1_000_000

// errLost says that more lines are no records.
var errLost = errors.New("too many lines that are no records")

func newStreamState(t *target, progress func(int64)) *streamState {
	s := &streamState{session: NewSession(), sum: sha256.New(), progress: progress}
	s.session.deep = newDeep(t.entry)
	return s
}

// take hands the lines of a checked block to the session stage, in order.
func (s *streamState) take(b *block) {
	s.sum.Write(b.raw)
	s.bytes += int64(len(b.raw))
	b.findings.into(&s.session.sum.Findings)
	for i := range b.outcomes {
		if o := &b.outcomes[i]; o.readable && !o.lost {
			s.session.take(&o.facts, o.sound, &o.stated)
		} else {
			s.bad = true
			s.lost++
			s.session.unreadable()
		}
	}
	s.bad = s.bad || s.session.twice
	if s.progress != nil {
		s.progress(int64(len(b.outcomes)))
	}
}

// desk is the memory in which one goroutine checks one stream after another.
type desk struct {
	block block
	rest  []byte // of the cutter
	check *lineCheck
}

// readAlone checks a stream in the caller's goroutine.
func (s *streamState) readAlone(ctx context.Context, c *cutter, d *desk) error {
	c.rest = d.rest[:0]
	defer func() { d.rest = c.rest }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.next(&d.block); err != nil {
			return err
		}
		d.block.check(d.check)
		if s.take(&d.block); s.lost > maxLost {
			return errLost
		}
	}
}
