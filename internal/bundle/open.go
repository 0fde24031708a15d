package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sync"
)

// Bundle is an open bundle. Its methods may be used by several goroutines at
// once.
type Bundle struct {
	root     *os.Root
	held     *os.File // see OpenHeld, nil for Open
	manifest *Manifest
	raw      []byte
	blobs    map[string]*BlobInfo
	decoders sync.Pool // *zstd.Decoder
}

// maxManifest bounds manifest.json and report.json, in bytes.
const maxManifest = 1 << 30

// Open opens the bundle at a path of the operating system and reads its
// manifest. ErrNotBundle: there is no manifest.json of our format; a
// *ManifestError: there is, but it is faulty.
func Open(path string) (*Bundle, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, pathError(path, err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%q: %w: not a folder", path, ErrNotBundle)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, pathError(path, err)
	}
	b := &Bundle{root: root}
	if err := b.readManifest(); err != nil {
		root.Close()
		return nil, fmt.Errorf("%q: %w", path, err)
	}
	return b, nil
}

func (b *Bundle) readManifest() error {
	raw, err := b.readFile(manifestName, maxManifest)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrUnsafe) {
		return fmt.Errorf("%w: %w", ErrNotBundle, err)
	}
	if err != nil {
		return err
	}
	m, err := ReadManifest(raw)
	if faulty, ok := errors.AsType[*ManifestError](err); ok {
		faulty.Raw = raw
	}
	if err != nil {
		return err
	}
	b.raw, b.manifest = raw, m
	b.blobs = make(map[string]*BlobInfo, len(m.Blobs))
	for i := range m.Blobs {
		b.blobs[m.Blobs[i].SHA256] = &m.Blobs[i]
	}
	return nil
}

// Close closes the bundle.
func (b *Bundle) Close() error {
	if b.held != nil {
		b.held.Close()
	}
	return b.root.Close()
}

// Manifest returns the manifest; it is the bundle's and not to be changed.
func (b *Bundle) Manifest() *Manifest { return b.manifest }

// RawManifest returns the bytes of manifest.json, not to be changed.
func (b *Bundle) RawManifest() []byte { return b.raw }

// Report returns the bytes of report.json.
func (b *Bundle) Report() ([]byte, error) { return b.readFile(reportName, maxManifest) }

// readFile reads a file of at most limit bytes.
func (b *Bundle) readFile(name string, limit int64) ([]byte, error) {
	f, size, err := b.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, fmt.Errorf("%q: %d bytes, over the limit of %d", name, size, limit)
	}
	raw, err := readAtMost(f, size, limit)
	if err != nil {
		return nil, pathError(name, err)
	}
	return raw, nil
}

var errLonger = errors.New("more bytes than allowed")

// readAtMost reads to the end, which must come within limit bytes. hint is the
// size that is expected.
func readAtMost(r io.Reader, hint, limit int64) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, min(hint, limit)+bytes.MinRead))
	n, err := buf.ReadFrom(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, errLonger
	}
	return buf.Bytes(), nil
}

// open opens a regular file of the bundle. No link is followed, not in the
// folders above it either, and nothing blocks.
func (b *Bundle) open(name string) (f *os.File, size int64, err error) {
	if dir := path.Dir(name); dir != "." {
		info, err := b.root.Lstat(dir)
		if err != nil {
			return nil, 0, pathError(name, err)
		}
		if !info.IsDir() {
			return nil, 0, fmt.Errorf("%q: %w: %s is not a folder", name, ErrUnsafe, dir)
		}
	}
	before, err := b.root.Lstat(name)
	if err != nil {
		return nil, 0, pathError(name, err)
	}
	if !before.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%q: %w: not a regular file", name, ErrUnsafe)
	}
	f, err = b.root.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, 0, pathError(name, err)
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, 0, fmt.Errorf("%q: %w: changes while it is opened", name, ErrUnsafe)
	}
	return f, after.Size(), nil
}
