package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxWindow is the largest window that a zstd frame may ask for, that of the format.
	maxWindow = 8 << 20
	// Up to freeBytes may come out of anything. From there on it may be at most maxRatio times what went in: records and
	// blobs stay well below that, and bytes made to fill a disk or memory far above.
	freeBytes = 256 << 20
	maxRatio  = 200
)

// Expanded is bytes as they were before they were compressed, bounded by what went in.
type Expanded struct {
	source io.Reader
	in     *counted // nil: nothing was compressed
	out    int64
	close  func()
	bound  *BoundError
}

// Plain gives the bytes of r as they are.
func Plain(r io.Reader) *Expanded { return &Expanded{source: r} }

// Zstd decompresses what must be zstd.
func Zstd(r io.Reader) (*Expanded, error) {
	in := &counted{r: r}
	d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return &Expanded{source: d, in: in, close: d.Close}, nil
}

// Detect decompresses zstd and gzip, which their first bytes tell, and gives anything else as it is.
func Detect(r io.Reader) (*Expanded, error) {
	in := &counted{r: r}
	head := bufio.NewReaderSize(in, 64<<10)
	start, err := head.Peek(4)
	switch {
	case isZstd(start):
		return Zstd(head)
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(head)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return &Expanded{source: z, in: in}, nil
	case err != nil && err != io.EOF: //nolint:errorlint // Peek returns it as it is
		return nil, err
	}
	return Plain(head), nil
}

// isZstd says whether bytes begin a frame, or one that is skipped: some tools begin with that.
func isZstd(start []byte) bool {
	return len(start) == 4 && (bytes.Equal(start, []byte("\x28\xb5\x2f\xfd")) || start[0]&0xf0 == 0x50 && bytes.Equal(start[1:], []byte("\x2a\x4d\x18")))
}

// Read implements io.Reader.
func (x *Expanded) Read(p []byte) (int, error) {
	if x.bound != nil {
		return 0, x.bound
	}
	n, err := x.source.Read(p)
	x.out += int64(n)
	if x.in != nil && x.out > freeBytes && x.out/maxRatio > x.in.n {
		x.bound = &BoundError{
			Problem: fmt.Sprintf("%d compressed bytes give more than %d, over %d times as many", x.in.n, x.out, maxRatio),
			Hint:    "when it is sound all the same, decompress it first",
		}
		return 0, x.bound
	}
	return n, err
}

// Bound is the *BoundError that ended the reading, nil when none did.
func (x *Expanded) Bound() error {
	if x.bound == nil {
		return nil
	}
	return x.bound
}

// Close lets go of what decompressing needs, not of what is read from.
func (x *Expanded) Close() error {
	if x.close != nil {
		x.close()
		x.close = nil
	}
	return nil
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
