package restore

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// plain compares a file that the bundle has whole.
func (c *comparison) plain(f *file, r io.Reader) {
	kept, done, err := c.kept(f)
	if err != nil {
		c.differ(f, Damaged, "record %.64q: %v", f.record, err)
		return
	}
	at, err := equal(r, kept, c.buf)
	if e := done(); e != nil {
		c.differ(f, Damaged, "record %.64q: %v", f.record, e)
		return
	}
	switch {
	case err != nil:
		c.differ(f, Unreadable, "%v", err)
	case at >= 0:
		c.differ(f, Changed, "the bytes differ from byte %d on", at)
	default:
		c.v.Same++
	}
}

// kept reads what the bundle has of a file; done says, after the last byte, whether it was what the bundle states.
func (c *comparison) kept(f *file) (r io.Reader, done func() error, err error) {
	if f.blob == "" {
		return bytes.NewReader(f.inline), func() error { return nil }, nil
	}
	blob, err := c.s.bundle.BlobReader(f.blob)
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.New()
	tee := io.TeeReader(blob, sum)
	return tee, func() error {
		defer blob.Close() //nolint:errcheck // nothing was written
		if _, err := io.Copy(io.Discard, tee); err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != f.blob {
			return fmt.Errorf("blob %s: %w", f.blob, ErrDamaged)
		}
		return nil
	}, nil
}

const chunk = 64 << 10

// equal is the place of the first byte in which two readers differ, -1 when they do not. buf holds two chunks.
func equal(a, b io.Reader, buf []byte) (int64, error) {
	x, y := buf[:chunk], buf[chunk:2*chunk]
	for at := int64(0); ; {
		n, errA := io.ReadFull(a, x)
		m, errB := io.ReadFull(b, y)
		for i := range min(n, m) {
			if x[i] != y[i] {
				return at + int64(i), nil
			}
		}
		if err := cmp.Or(broken(errA), broken(errB)); err != nil {
			return 0, err
		}
		if n != m {
			return at + int64(min(n, m)), nil
		}
		if at += int64(n); n < chunk {
			return -1, nil
		}
	}
}

// broken is an error that is not the end.
func broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// redacted compares a file of which the bundle has what the cuts leave.
func (c *comparison) redacted(f *file, r io.Reader) {
	src, err := readAtMost(r, c.o.maxFile())
	if err != nil {
		c.differ(f, Unreadable, "%v", err)
		return
	}
	kept := f.inline
	if f.blob != "" {
		if kept, err = c.s.bundle.Blob(f.blob); err != nil {
			c.differ(f, Damaged, "record %.64q: %v", f.record, err)
			return
		}
	}
	if !sameBut(src, kept, f.cuts) {
		c.differ(f, Changed, "the bytes differ beyond what the bundle names as cut out")
		return
	}
	c.v.Redacted = append(c.v.Redacted, Redacted{join(c.s.base, f.spelled), f.record, f.cuts})
}

var errTooLarge = errors.New("too large to apply cuts to")

func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	var buf bytes.Buffer
	n, err := buf.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = errTooLarge
	}
	return buf.Bytes(), err
}
