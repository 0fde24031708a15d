package restore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"path"
	"strconv"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// oneFile is the file of a source that holds all its items, cut up as the conversion cut it. Where the source is a row of
// the file, only that row is.
type oneFile struct {
	*tally
	span   formats.Span
	pieces formats.Pieces
	ready  bool // the source has it
	next   int  // piece that comes
	cut    Redacted
}

// tally is what comes out for one file, over all of its rows.
type tally struct {
	path string // the bundle's
	file *formats.File
	rows []formats.Span // where its rows are, nil when the source is all of it
	same bool           // all bytes so far are in the bundle as they are
	less Redacted
	size int64
	next int64 // the row that comes
	want int64 // how many rows the bundle states
	some bool  // not all of its streams are compared
}

// openFile takes up the file of a source: the one before, when the source is another row of it.
func (c *comparison) openFile() error {
	src := c.s.source
	if t := c.v.file; t != nil {
		c.one = &oneFile{tally: t}
	} else {
		c.one = &oneFile{tally: &tally{path: src.Path, same: true, want: src.Rows, some: c.s.some}}
		c.v.file = c.one.tally
	}
	o := c.one
	if o.file == nil {
		file, err := c.root.OpenFile(path.Join(c.dir, c.s.one))
		if err != nil {
			return err
		}
		o.file = file
	}
	o.span = formats.Span{To: math.MaxInt64}
	if src.Rows > 0 {
		if err := o.row(src.Row); err != nil {
			return err
		}
	}
	var err error
	o.pieces, err = c.s.names.cut.Cut(o.file.Section(o.span))
	o.ready = err == nil
	return err
}

var errNoRow = errors.New("the file has fewer rows")

// row finds a row of the file.
func (o *oneFile) row(n int64) error {
	if o.rows == nil {
		var err error
		if o.rows, err = formats.Rows(o.file.Section(formats.Span{To: math.MaxInt64})); err != nil {
			return err
		}
	}
	if n >= int64(len(o.rows)) {
		return errNoRow
	}
	o.span = o.rows[n]
	return nil
}

// readAt fills buf from a place in the file, or in the row.
func (o *oneFile) readAt(buf []byte, at int64) error {
	if len(buf) == 0 {
		return nil
	}
	return o.file.ReadAt(buf, o.span.From+at)
}

// hasFile opens the file once for each source; false: there is nothing to compare.
func (c *comparison) hasFile(f *file) bool {
	if c.one != nil {
		return c.one.ready
	}
	c.known[f.path] = true
	switch err := c.openFile(); {
	case err == nil:
	case errors.Is(err, errNoRow):
		c.one.same = false
		c.differ(f, Missing, "the source does not have row %d", c.s.source.Row)
	default:
		c.one.same = false
		c.absent(f, err)
	}
	return c.one.ready
}

// head compares the document that the items stand in.
func (c *comparison) head(e *envelope) error {
	if !c.hasFile(&e.file) {
		return nil
	}
	o := c.one
	open, end := o.pieces.Outside()
	if e.lacking != "" {
		c.lacksSpan(&e.file, formats.Span{To: open}, formats.Span{From: end, To: o.pieces.Size})
		return nil
	}
	src := make([]byte, open+o.pieces.Size-end)
	if err := errors.Join(o.readAt(src[:open], 0), o.readAt(src[open:], end)); err != nil {
		o.same = false
		c.differ(&e.file, Unreadable, "%v", err)
		return nil
	}
	have := e.bytes()
	switch {
	case len(e.cuts) == 0 && !bytes.Equal(src, have):
		c.unlike(&e.file, "what stands around the items%s differs from record %.64q", c.inRow(), e.record)
	case len(e.cuts) == 0:
	case !sameBut(src, have, e.plain()):
		c.unlike(&e.file, "what stands around the items%s differs beyond what record %.64q names as cut out", c.inRow(), e.record)
	default:
		o.same = false
		o.cut.add(e.record, e.cuts)
	}
	return nil
}

// piece compares one item of the file, and what stands around it.
func (c *comparison) piece(p *piece) error {
	if !c.hasFile(&p.file) {
		return nil
	}
	o := c.one
	if o.next >= len(o.pieces.List) {
		if o.next == len(o.pieces.List) {
			o.next++
			c.unlike(&p.file, "the bundle has more items%s than the %d of the source", c.inRow(), len(o.pieces.List))
		}
		return nil
	}
	at := o.pieces.List[o.next]
	start, after := at.Start, o.pieces.Size
	if o.next++; o.next < len(o.pieces.List) {
		after = o.pieces.List[o.next].Start
	}
	first := int64(0)
	if c.s.envelope != nil {
		var end int64
		if first, end = o.pieces.Outside(); first == end { // the tail of a document whose array has no items
			first = start
		} else {
			after = min(after, end)
		}
	}
	if p.tail && o.next == 1 {
		start = first
	}
	if p.tail == at.Whole {
		c.unlike(&p.file, "item %d%s is whole in one of bundle and source, and not in the other", o.next-1, c.inRow())
		return nil
	}
	if o.next == 1 && !p.tail {
		c.span(p, p.before, first, start)
	}
	if p.lacking != "" {
		c.lacksSpan(&p.file, formats.Span{From: start, To: at.End})
	} else {
		c.span(p, p.content(), start, at.End)
	}
	if !p.tail {
		c.span(p, p.after, at.End, max(after, at.End))
	}
	return nil
}

func (c *comparison) unlike(f *file, format string, args ...any) {
	c.one.same = false
	c.differ(f, Changed, format, args...)
}

// inRow says in which row something is, for messages.
func (c *comparison) inRow() string {
	if c.s.source.Rows == 0 {
		return ""
	}
	return " of row " + strconv.FormatInt(c.s.source.Row, 10)
}

// span compares a part of the file with what the bundle has of it.
func (c *comparison) span(p *piece, kept frame, from, to int64) {
	if kept.lacks {
		c.lacksSpan(&file{path: p.path, spelled: p.spelled, record: p.record, sha: kept.sha, lacking: ReasonTooLarge}, formats.Span{From: from, To: to})
		return
	}
	src := make([]byte, to-from)
	if err := c.one.readAt(src, from); err != nil {
		c.one.same = false
		c.differ(&p.file, Unreadable, "%v", err)
		return
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
		c.unlike(&p.file, "the bytes from byte %d to %d%s differ from those of record %.64q", from, to, c.inRow(), p.record)
	case len(kept.cuts) == 0:
	case !sameBut(src, have, kept.cuts):
		c.unlike(&p.file, "the bytes from byte %d to %d%s differ beyond what record %.64q names as cut out", from, to, c.inRow(), p.record)
	default:
		c.one.same = false
		c.one.cut.add(p.record, kept.named)
	}
}

// lacksSpan notes parts that the bundle does not have, by their hash where it states one.
func (c *comparison) lacksSpan(f *file, parts ...formats.Span) {
	o := c.one
	o.same = false
	l := Lacking{Path: join(c.s.base, f.spelled), Reason: f.lacking, Bytes: -1}
	l.row(c.s.source)
	if !c.lacks {
		c.v.Lacking = append(c.v.Lacking, l)
	} else if last := &c.v.Lacking[len(c.v.Lacking)-1]; last.Reason == ReasonSecrets {
		last.Reason = l.Reason
	}
	c.lacks = true
	if f.lacking != ReasonSecrets {
		c.differ(f, Unkept, "the bundle does not have the bytes from byte %d to %d%s: %.64s", parts[0].From, parts[len(parts)-1].To, c.inRow(), f.lacking)
	}
	sum := sha256.New()
	for _, part := range parts {
		if _, err := io.Copy(sum, o.file.Section(formats.Span{From: o.span.From + part.From, To: o.span.From + part.To})); err != nil {
			c.differ(f, Unreadable, "%v", err)
			return
		}
	}
	if f.sha != "" && hex.EncodeToString(sum.Sum(nil)) != f.sha {
		c.differ(f, Changed, "the bytes from byte %d to %d%s are not those that were converted, by their hash", parts[0].From, parts[len(parts)-1].To, c.inRow())
	}
}

// lastPiece ends the comparison of the file, or of a row of it.
func (c *comparison) lastPiece() error {
	o, src := c.one, c.s.source
	if o.ready {
		f := file{path: c.s.one, spelled: record.SpellPath(c.s.one)}
		if o.next < len(o.pieces.List) {
			o.same = false
			c.differ(&f, Changed, "the bundle has %d items%s, the source has %d", o.next, c.inRow(), len(o.pieces.List))
		}
		c.seen = append(c.seen, hashed{path: f.spelled, size: o.pieces.Size, sha: o.pieces.SHA256})
		o.size += o.pieces.Size
		if !c.lacks {
			o.less.Path = join(c.s.base, f.spelled)
			o.less.add(o.cut.Record, o.cut.Cuts)
		}
	}
	if src.Rows == 0 {
		c.v.endFile()
		c.o.advance()
		return nil
	}
	c.v.absent(o.tally, src.Row)
	if o.tally.next = src.Row + 1; o.tally.next >= o.want {
		c.v.endFile()
	}
	return nil
}

// goesOn says whether a source is another row of the file at work.
func (t *tally) goesOn(src *bundle.SourceInfo) bool {
	return src.Rows > 0 && t.path == src.Path && t.want == src.Rows
}

// absent notes the rows before a number that no stream of the bundle is made of.
func (v *Verdict) absent(t *tally, row int64) {
	if t.next < row && !t.some {
		v.Lacking = append(v.Lacking, absent(t.path, t.next, row, t.want))
		if v.whole {
			v.differ(t.path, Unkept, "the bundle does not have %d rows from row %d on", row-t.next, t.next)
		}
	}
}

// endFile ends the comparison of a file that holds many items, once all of its rows were compared.
func (v *Verdict) endFile() {
	t := v.file
	if v.file = nil; t == nil || t.file == nil {
		return
	}
	t.file.Close() //nolint:errcheck // nothing was written
	if t.want > 0 {
		v.absent(t, t.want)
		if n := int64(len(t.rows)); n > t.want {
			v.differ(t.path, Added, "the source has %d rows, the bundle accounts for %d", n, t.want)
		}
	}
	v.Files++
	v.Bytes += t.size
	if len(t.less.Cuts) > 0 {
		v.Redacted = append(v.Redacted, t.less)
	}
	if t.same {
		v.Same++
	}
}
