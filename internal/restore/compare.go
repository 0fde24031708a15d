package restore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/session-trace/ctx/formats"
)

// comparison holds one stream against its source.
type comparison struct {
	v     *Verdict
	s     *stream
	roots *roots
	o     *Options

	root   *formats.Root
	dir    string // of the source below the root
	folder *formats.Folder
	at     string // path of the folder

	seen  []hashed        // files of the source that the stream names
	known map[string]bool // by the bytes of their paths
	bad   bool            // some file differs
	one   *oneFile        // the file that holds all items, nil before its first one
	lacks bool            // a part of it is not in the bundle
	buf   []byte
}

// hashed is one file of the source.
type hashed struct {
	path string
	size int64
	sha  [sha256.Size]byte
}

var errNoSource = errors.New("the source is not there")

// begin finds the source's folder.
func (c *comparison) begin(dir string) error {
	c.known = map[string]bool{}
	root, below, ok := c.roots.find(dir)
	if ok {
		if _, kind, err := root.Stat(below); err != nil || kind != formats.KindFolder {
			ok = false
		}
	}
	if !ok {
		c.v.differ(c.s.source.Path, Missing, "the folder of stream %s is not in the source", c.s.info.ID)
		return errNoSource
	}
	c.root, c.dir = root, below
	c.buf = make([]byte, 2*chunk)
	return nil
}

func (c *comparison) close() {
	if c.folder != nil {
		c.folder.Close() //nolint:errcheck // nothing was written
		c.folder = nil
	}
}

// differ notes a difference of a file.
func (c *comparison) differ(f *file, kind, format string, args ...any) {
	c.bad = c.bad || kind != Unkept && kind != Added
	c.v.differ(join(c.s.base, f.spelled), kind, format, args...)
}

// file compares one file. Only a canceled context ends the reading of a stream; all else is a difference.
func (c *comparison) file(f *file) error {
	defer c.o.advance()
	if err := checkPath(f.path); err != nil {
		c.differ(f, Damaged, "record %.64q: %v", f.record, err)
		return nil
	}
	if c.known[f.path] {
		c.differ(f, Damaged, "record %.64q: a second record has this file", f.record)
		return nil
	}
	c.known[f.path] = true
	r, err := c.open(f.path)
	switch {
	case f.lacking == ReasonUnreadable:
		c.lacking(f, r, err)
	case err != nil:
		c.absent(f, err)
	default:
		c.opened(f, r)
	}
	if r != nil {
		r.Close() //nolint:errcheck // nothing was written
	}
	return nil
}

// absent notes a file that cannot be opened.
func (c *comparison) absent(f *file, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, formats.ErrNotFolder) {
		c.differ(f, Missing, "the source does not have it")
		return
	}
	c.differ(f, Unreadable, "%v", err)
}

// open opens a file of the source, its folder kept open for the next one.
func (c *comparison) open(p string) (io.ReadCloser, error) {
	dir, name := path.Split(path.Join(c.dir, p))
	dir = path.Clean(dir)
	if c.folder == nil || c.at != dir {
		c.close()
		c.folder = nil
		folder, err := c.root.Folder(dir)
		if err != nil {
			return nil, err
		}
		c.folder, c.at = folder, dir
	}
	return c.folder.Open(name)
}

// opened compares a file that is there.
func (c *comparison) opened(f *file, r io.Reader) {
	sum := sha256.New()
	counted := &counter{r: io.TeeReader(r, sum)}
	switch {
	case f.lacking != "":
		c.lacking(f, counted, nil)
	case len(f.cuts) > 0:
		c.redacted(f, counted)
	default:
		c.plain(f, counted)
	}
	if _, err := io.Copy(io.Discard, counted); err != nil {
		c.differ(f, Unreadable, "%v", err)
		return
	}
	h := hashed{path: f.spelled, size: counted.n}
	sum.Sum(h.sha[:0])
	c.seen = append(c.seen, h)
	if f.lacking != "" && f.sha != "" && hex.EncodeToString(h.sha[:]) != f.sha {
		c.differ(f, Changed, "not the file that was converted, by its hash")
	}
	c.v.Files++
	c.v.Bytes += counted.n
}

// lacking notes a file that the bundle does not have. What cannot be read in the source either is no difference.
func (c *comparison) lacking(f *file, r io.Reader, err error) {
	if f.lacking == ReasonUnreadable && (err != nil || r == nil) {
		return
	}
	c.v.Lacking = append(c.v.Lacking, f.missing(c.s.base))
	if f.lacking != ReasonSecrets {
		c.differ(f, Unkept, "the bundle does not have it: %.64s", f.lacking)
	}
}

// counter counts what is read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// total compares the hash over all files of the source, which also covers what was cut out or not kept. When files were
// named already it says nothing more.
func (c *comparison) total() {
	slices.SortStableFunc(c.seen, func(a, b hashed) int { return cmp.Compare(a.path, b.path) })
	sum, size := sha256.New(), int64(0)
	for i := range c.seen {
		h := &c.seen[i]
		fmt.Fprintf(sum, "%x %d %s\n", h.sha, h.size, h.path)
		size += h.size
	}
	src := c.s.source
	if c.bad || hex.EncodeToString(sum.Sum(nil)) == src.SHA256 && size == src.Bytes && int64(len(c.seen)) == src.Files {
		return
	}
	c.v.differ(src.Path, Unlike, "got %d files of %d bytes whose hash is not that of the %d files of %d bytes that were converted; what differs was cut out or is not in the bundle",
		len(c.seen), size, src.Files, src.Bytes)
}
