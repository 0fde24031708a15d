package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the largest window that a zstd frame may ask for.
const maxWindow = 8 << 20

// Stream opens the uncompressed lines of a stream. The reader ends at most one
// byte after the bytes that s states, so that a longer stream is noticed and
// an endless one is not read.
func (b *Bundle) Stream(s StreamInfo) (io.ReadCloser, error) {
	how, err := compressionOf(s.Compression)
	if err != nil {
		return nil, fmt.Errorf("stream %.64q: %w", s.ID, err)
	}
	if err := checkStreamID(s.ID); err != nil {
		return nil, err
	}
	if s.File != streamPath(s.ID, how) {
		return nil, fmt.Errorf("stream %q: got file %.64q, want %q: %w", s.ID, s.File, streamPath(s.ID, how), ErrUnsafe)
	}
	return b.content(s.File, how, s.Bytes)
}

// BlobReader opens the uncompressed bytes of a blob of the manifest, bounded
// as a stream is. They are not compared with the hash.
func (b *Bundle) BlobReader(sha string) (io.ReadCloser, error) {
	if err := checkSHA256(sha); err != nil {
		return nil, err
	}
	info := b.blobs[sha]
	if info == nil {
		return nil, fmt.Errorf("blob %s: not in the manifest: %w", sha, os.ErrNotExist)
	}
	how, err := compressionOf(info.Compression)
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", sha, err)
	}
	return b.content(blobPath(sha, how), how, info.Bytes)
}

// maxBlob bounds the blobs that Blob holds in memory, in bytes.
const maxBlob = 1 << 30

// Blob returns the bytes of a blob, which the caller owns. Bytes that are not
// those of the hash, or not as many as the manifest states, are ErrDigest.
func (b *Bundle) Blob(sha string) ([]byte, error) {
	r, err := b.BlobReader(sha)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	want := b.blobs[sha].Bytes
	if want > maxBlob {
		return nil, fmt.Errorf("blob %s: %d bytes, over the limit of %d", sha, want, maxBlob)
	}
	// the manifest may claim any size: let the bytes themselves ask for memory
	data, err := readAtMost(r, min(want, frameSize), want)
	if err != nil && !errors.Is(err, errLonger) {
		return nil, fmt.Errorf("blob %s: %w", sha, err)
	}
	if sum := sha256.Sum256(data); err != nil || int64(len(data)) != want || hex.EncodeToString(sum[:]) != sha {
		return nil, fmt.Errorf("blob %s: %w", sha, ErrDigest)
	}
	return data, nil
}

// content opens a file and gives at most size+1 bytes of what it holds.
func (b *Bundle) content(name string, how Compression, size int64) (io.ReadCloser, error) {
	f, _, err := b.open(name)
	if err != nil {
		return nil, err
	}
	c := &content{name: name, file: f, bundle: b, source: f}
	if how == Zstd {
		if err := b.decode(c); err != nil {
			f.Close()
			return nil, err
		}
	}
	c.left = size + 1
	return c, nil
}

func (b *Bundle) decode(c *content) error {
	var err error
	if d, ok := b.decoders.Get().(*zstd.Decoder); ok {
		c.decoder, err = d, d.Reset(c.file)
	} else {
		c.decoder, err = zstd.NewReader(c.file, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	}
	if err != nil {
		return pathError(c.name, err)
	}
	c.source = c.decoder
	return nil
}

// content is one open file, uncompressed and cut.
type content struct {
	name    string
	bundle  *Bundle
	file    *os.File
	decoder *zstd.Decoder // nil for a plain file
	source  io.Reader
	left    int64
}

func (c *content) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, io.EOF
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.source.Read(p)
	c.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = pathError(c.name, err)
	} else if err != nil {
		err = io.EOF
	}
	return n, err
}

func (c *content) Close() error {
	if c.decoder != nil {
		if c.decoder.Reset(nil) == nil {
			c.bundle.decoders.Put(c.decoder)
		}
		c.decoder = nil
		c.source, c.left = nil, 0
	}
	return c.file.Close()
}
