package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// FileDigest is what a file of a bundle is as it stands, compressed or not.
type FileDigest struct {
	SHA256 string
	Bytes  int64
}

// tally makes a FileDigest of what is written to it.
type tally struct {
	sum   hash.Hash
	bytes int64
}

func newTally() *tally { return &tally{sum: sha256.New()} }

func (t *tally) Write(p []byte) (int, error) {
	t.bytes += int64(len(p))
	return t.sum.Write(p)
}

func (t *tally) digest() FileDigest { return FileDigest{hex.EncodeToString(t.sum.Sum(nil)), t.bytes} }

// StoredBlob is a blob and the file that it stands in.
type StoredBlob struct {
	BlobInfo
	Stored FileDigest
}

// TakeStream takes over a stream whole, as it stands in a file of another
// bundle or of what a run has left: linked, else copied, and read in any case.
// A file that is not the one of the digest is ErrDigest. The stream is closed.
// A failure leaves nothing behind, and the bundle as good as before.
func (w *Writer) TakeStream(from *Bundle, file string, digest StreamDigest) (*Stream, error) {
	path, err := w.beginStream()
	if err != nil {
		return nil, err
	}
	if err := from.take(file, path, digest.Stored); err != nil {
		w.dropStream()
		return nil, err
	}
	return &Stream{w: w, path: path, digest: digest, state: streamClosed}, nil
}

// TakeBlob adds a blob to a stream that is open or closed, as TakeStream does a
// stream.
func (s *Stream) TakeBlob(from *Bundle, b *StoredBlob) error {
	if s.state != streamOpen && s.state != streamClosed {
		return errStreamState
	}
	sum, err := sumOf(b.SHA256)
	if err != nil {
		return err
	}
	how, err := compressionOf(b.Compression)
	if err != nil {
		return fmt.Errorf("blob %s: %w", b.SHA256, err)
	}
	if how == None && b.Stored != (FileDigest{b.SHA256, b.Bytes}) {
		return fmt.Errorf("blob %s: %w", b.SHA256, ErrDigest)
	}
	e, err := s.w.takeBlob(from, b, sum, how)
	if err == nil {
		s.blobs = append(s.blobs, e)
	}
	return err
}

func sumOf(sha string) (sum [sha256.Size]byte, err error) {
	if err := checkSHA256(sha); err != nil {
		return sum, err
	}
	_, err = hex.Decode(sum[:], []byte(sha))
	return sum, err
}

// takeBlob takes a blob over unless it is there. It is claimed when its file is
// sound: until then others write it themselves.
func (w *Writer) takeBlob(from *Bundle, b *StoredBlob, sum [32]byte, how Compression) (*blobEntry, error) {
	w.mu.Lock()
	_, there := w.blobs[sum]
	w.made++
	temp := filepath.Join(w.temp, blobFolder, unnamedPrefix+strconv.Itoa(w.made))
	w.mu.Unlock()
	if !there {
		if err := from.take(blobPath(b.SHA256, how), temp, b.Stored); err != nil {
			return nil, err
		}
	}
	e, added, err := w.claimBlob(sum, b.Bytes, b.MediaType)
	if err != nil || !added {
		if !there {
			err = cmp.Or(err, os.Remove(temp))
		}
		return e, err
	}
	if there {
		return nil, fmt.Errorf("blob %s: %w", b.SHA256, os.ErrNotExist)
	}
	if err := os.Rename(temp, filepath.Join(w.temp, filepath.FromSlash(blobPath(b.SHA256, how)))); err != nil {
		w.fail(err)
		return nil, pathError(temp, err)
	}
	w.mu.Lock()
	e.compression, e.stored = how, b.Stored
	w.mu.Unlock()
	return e, nil
}

// take links a file of the bundle to a path, or copies it, and reads it: it must
// be what the digest says. Linked or not, it is what was read.
func (b *Bundle) take(name, to string, want FileDigest) error {
	f, size, err := b.open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if size != want.Bytes {
		return fmt.Errorf("%q: %d bytes, want %d: %w", name, size, want.Bytes, ErrDigest)
	}
	sum := newTally()
	content := io.LimitReader(f, size+1)
	if b.link(f, name, to) {
		_, err = io.Copy(sum, content)
	} else {
		err = copyTo(to, content, sum)
	}
	if err == nil && sum.digest() != want {
		err = ErrDigest
	}
	if err != nil {
		os.Remove(to)
		return pathError(name, err)
	}
	return nil
}

// StreamIs says whether a stream's file, as it stands, is the one of a digest.
func (b *Bundle) StreamIs(s *StreamInfo, want FileDigest) bool { return b.is(s.File, want) }

// BlobIs says whether a blob's file, as it stands, is the one that another bundle has.
func (b *Bundle) BlobIs(blob *StoredBlob) bool {
	how, err := compressionOf(blob.Compression)
	return err == nil && checkSHA256(blob.SHA256) == nil && b.is(blobPath(blob.SHA256, how), blob.Stored)
}

func (b *Bundle) is(name string, want FileDigest) bool {
	f, size, err := b.open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	sum := newTally()
	if size == want.Bytes {
		_, err = io.Copy(sum, io.LimitReader(f, size+1))
	}
	return err == nil && sum.digest() == want
}

// link links an open file of the bundle to a path. Files that their owner may
// not write are copied: so would a new one not be.
func (b *Bundle) link(f *os.File, name, to string) bool {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm()&0o600 != 0o600 {
		return false
	}
	if os.Link(filepath.Join(b.root.Name(), filepath.FromSlash(name)), to) != nil {
		return false // another file system, or one without links
	}
	linked, err := os.Lstat(to)
	if err == nil && os.SameFile(info, linked) {
		return true
	}
	os.Remove(to) // another bundle has taken the place of the one that is open
	return false
}

func copyTo(to string, content io.Reader, sum *tally) error {
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.MultiWriter(out, sum), content)
	return errors.Join(err, out.Close())
}

// StoredLines is Lines for a stream whose file has the digest's bytes when it is
// read to its end; otherwise it is ErrDigest.
func (b *Bundle) StoredLines(file string, how Compression, digest StreamDigest, limit int64, yield func(n int, line []byte) error) error {
	r, err := b.content(file, how, digest.Bytes)
	if err != nil {
		return err
	}
	defer r.Close()
	sum := newTally()
	err = lines(io.TeeReader(r, sum), limit, func(n int, line []byte, complete bool) error {
		if !complete {
			return ErrDigest
		}
		return yield(n, line)
	})
	if err == nil && sum.digest() != (FileDigest{digest.SHA256, digest.Bytes}) {
		err = ErrDigest
	}
	return err
}
