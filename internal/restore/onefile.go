package restore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/record"
)

// oneFile is the file of a source that holds all its items, cut up as the conversion cut it.
type oneFile struct {
	file   *formats.File // nil when it cannot be read
	pieces formats.Pieces
	next   int  // piece that comes
	same   bool // all bytes so far are in the bundle as they are
	lacks  bool // an item of it is not in the bundle
	less   Redacted
}

// piece compares one item of the file, and what stands around it.
func (c *comparison) piece(p *piece) error {
	if c.one == nil {
		c.one = &oneFile{same: true}
		c.openOne(p)
	}
	o := c.one
	if o.file == nil {
		return nil
	}
	if o.next >= len(o.pieces.List) {
		if o.next == len(o.pieces.List) {
			o.next++
			c.unlike(p, "the bundle has more items than the %d of the source", len(o.pieces.List))
		}
		return nil
	}
	at := o.pieces.List[o.next]
	start, after := at.Start, o.pieces.Size
	if o.next++; o.next < len(o.pieces.List) {
		after = o.pieces.List[o.next].Start
	}
	if p.tail && o.next == 1 {
		start = 0
	}
	if p.tail == at.Whole {
		c.unlike(p, "item %d is whole in one of bundle and source, and not in the other", o.next-1)
		return nil
	}
	if o.next == 1 && !p.tail {
		c.span(p, p.before, 0, start)
	}
	if p.lacking != "" {
		c.lacksPiece(p, start, at.End)
	} else {
		c.span(p, frame{p.inline, p.blob, p.cuts, p.own()}, start, at.End)
	}
	if !p.tail {
		c.span(p, p.after, at.End, after)
	}
	return nil
}

func (c *comparison) unlike(p *piece, format string, args ...any) {
	c.one.same = false
	c.differ(&p.file, Changed, format, args...)
}

// openOne opens the file of the source, and cuts it up.
func (c *comparison) openOne(p *piece) {
	c.known[p.path] = true
	r, err := c.open(p.path)
	if err != nil {
		c.absent(&p.file, err)
		return
	}
	defer r.Close() //nolint:errcheck // nothing was written
	if c.one.pieces, err = c.s.names.cut.Cut(r); err == nil {
		c.one.file, err = c.root.OpenFile(path.Join(c.dir, p.path))
	}
	if err != nil {
		c.absent(&p.file, err)
	}
}

// span compares a part of the file with what the bundle has of it.
func (c *comparison) span(p *piece, kept frame, from, to int64) {
	src := make([]byte, to-from)
	if len(src) > 0 {
		if err := c.one.file.ReadAt(src, from); err != nil {
			c.one.same = false
			c.differ(&p.file, Unreadable, "%v", err)
			return
		}
	}
	have := kept.text
	if kept.blob != "" {
		var err error
		if have, err = c.s.bundle.Blob(kept.blob); err != nil {
			c.one.same = false
			c.differ(&p.file, Damaged, "record %.64q: %v", p.record, err)
			return
		}
	}
	switch {
	case len(kept.cuts) == 0 && !bytes.Equal(src, have):
		c.unlike(p, "the bytes from byte %d to %d differ from those of record %.64q", from, to, p.record)
	case len(kept.cuts) == 0:
	case !sameBut(src, have, kept.cuts):
		c.unlike(p, "the bytes from byte %d to %d differ beyond what record %.64q names as cut out", from, to, p.record)
	default:
		c.one.same = false
		c.one.less.add(p, kept.named)
	}
}

// lacksPiece notes an item that the bundle does not have, by its hash where it states one.
func (c *comparison) lacksPiece(p *piece, from, to int64) {
	c.one.same = false
	f := p.file
	f.size = to - from
	if !c.one.lacks {
		c.v.Lacking = append(c.v.Lacking, Lacking{Path: join(c.s.base, f.spelled), Reason: f.lacking, Bytes: -1})
	}
	c.one.lacks = true
	c.differ(&f, Unkept, "the bundle does not have the bytes from byte %d to %d: %.64s", from, to, p.lacking)
	sum := sha256.New()
	for at := from; at < to; {
		part := c.buf[:min(int64(len(c.buf)), to-at)]
		if err := c.one.file.ReadAt(part, at); err != nil {
			c.differ(&f, Unreadable, "%v", err)
			return
		}
		sum.Write(part)
		at += int64(len(part))
	}
	if f.sha != "" && hex.EncodeToString(sum.Sum(nil)) != f.sha {
		c.differ(&f, Changed, "the bytes from byte %d to %d are not those that were converted, by their hash", from, to)
	}
}

// lastPiece ends the comparison of the file.
func (c *comparison) lastPiece() error {
	defer c.o.advance()
	o := c.one
	if o.file == nil {
		return nil
	}
	f := file{path: c.s.one, spelled: record.SpellPath(c.s.one)}
	if o.next < len(o.pieces.List) {
		o.same = false
		c.differ(&f, Changed, "the bundle has %d items, the source has %d", o.next, len(o.pieces.List))
	}
	c.seen = append(c.seen, hashed{path: f.spelled, size: o.pieces.Size, sha: o.pieces.SHA256})
	c.v.Files++
	c.v.Bytes += o.pieces.Size
	if len(o.less.Cuts) > 0 {
		o.less.Path = join(c.s.base, f.spelled)
		c.v.Redacted = append(c.v.Redacted, o.less)
	}
	if o.same {
		c.v.Same++
	}
	return nil
}

func (c *comparison) closeOne() {
	if c.one != nil && c.one.file != nil {
		c.one.file.Close() //nolint:errcheck // nothing was written
	}
}
