package diff

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// Bounds of what is read: the bytes of a line, and the lines of a stream, of which each takes a row in memory.
const (
	maxLine = 1 << 30
	maxRows = 1 << 24
)

// sum is the beginning of a SHA-256: long enough that nobody finds two texts with the same.
type sum [16]byte

func sumOf(parts ...[]byte) (s sum) {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	var whole [sha256.Size]byte
	copy(s[:], h.Sum(whole[:0]))
	return s
}

// index is what is kept of the lines of one stream.
type index struct {
	keys    []sum // of the record's id, or of the whole line where it has none
	lines   []sum // of the line with its line feed, if it has one
	offsets []int64
	sizes   []int32 // with the line feed
}

// read makes the index of a stream.
func read(ctx context.Context, b *bundle.Bundle, s bundle.StreamInfo) (*index, error) {
	x := new(index)
	var nodes []jsonscan.Node
	offset := int64(0)
	err := b.Lines(s, maxLine, func(n int, line []byte, complete bool) error {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n > maxRows {
			return fmt.Errorf("line %d: more lines than are compared", n)
		}
		end := lineEnd(complete)
		doc, err := jsonscan.Scan(line, nodes[:0], jsonscan.Options{MaxDepth: maxDepth})
		nodes = doc.Nodes
		key := sumOf([]byte("line"), line)
		if id, ok := idOf(&doc, err); ok {
			key = sumOf([]byte("id"), []byte(id))
		}
		x.keys = append(x.keys, key)
		x.lines = append(x.lines, sumOf(withoutSource(&doc, err, s.Source), end))
		x.offsets = append(x.offsets, offset)
		x.sizes = append(x.sizes, int32(len(line)+len(end)))
		offset += int64(len(line) + len(end))
		return nil
	})
	return x, err
}

func lineEnd(complete bool) []byte {
	if complete {
		return []byte{'\n'}
	}
	return nil
}

// idOf is the id of the record on a line that was scanned.
func idOf(doc *jsonscan.Doc, err error) (string, bool) {
	if err != nil {
		return "", false
	}
	n := doc.Find(0, "id")
	return doc.Text(n), doc.Kind(n) == jsonscan.String
}

// ownSource is the node of the member that gives the number of the stream's own source, or -1. Sources are numbered anew
// in each bundle, so that this number alone is no difference.
func ownSource(doc *jsonscan.Doc, err error, source string) int {
	if err != nil || !doc.Equal(doc.Find(0, "type"), "session_info") {
		return -1
	}
	n := doc.Find(0, "source")
	if !doc.Equal(n, source) {
		return -1
	}
	return n
}

// withoutSource is a line without the number of its own source.
func withoutSource(doc *jsonscan.Doc, err error, source string) []byte {
	n := ownSource(doc, err, source)
	if n < 0 {
		return doc.Raw
	}
	node := doc.Nodes[n]
	return append(append([]byte(nil), doc.Raw[:node.Start]...), doc.Raw[node.End:]...)
}

// cursor reads lines of a stream again. It goes forward, and begins anew to go back.
type cursor struct {
	bundle *bundle.Bundle
	info   bundle.StreamInfo
	reader io.ReadCloser
	at     int64
}

// line reads the bytes of a row, which the caller owns.
func (c *cursor) line(x *index, row int32) ([]byte, error) {
	offset := x.offsets[row]
	if c.reader == nil || offset < c.at {
		c.close()
		r, err := c.bundle.Stream(c.info)
		if err != nil {
			return nil, err
		}
		c.reader, c.at = r, 0
	}
	if _, err := io.CopyN(io.Discard, c.reader, offset-c.at); err != nil {
		return nil, changed(err)
	}
	line := make([]byte, x.sizes[row])
	if _, err := io.ReadFull(c.reader, line); err != nil {
		return nil, changed(err)
	}
	c.at = offset + int64(len(line))
	return line, nil
}

// changed says what it means that a line is not there the second time.
func changed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the stream became shorter while it was read")
	}
	return err
}

func (c *cursor) close() {
	if c.reader != nil {
		c.reader.Close() //nolint:errcheck,gosec // read only
		c.reader = nil
	}
}
