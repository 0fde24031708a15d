package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
)

// Options says how a scan is done.
type Options struct {
	Jobs     int                    // files at once; 0: GOMAXPROCS
	Progress func(records int64)    // called with what was looked at since the last call; nil: not
	Skip     func(path string) bool // of a folder: files that are never opened; nil: none
}

// Bounds of what is held in memory at once, in bytes. A longer file is looked at in pieces, as text.
const (
	maxLine  = 256 << 20
	maxWhole = 64 << 20
	piece    = 8 << 20
	overlap  = 64 << 10
)

// work is one file or stream to look at.
type work func(p *part) error

// Bundle looks at all that a bundle keeps: streams, blobs, manifest and report.
func Bundle(ctx context.Context, b *bundle.Bundle, d *Detector, o Options) (*Result, error) {
	m := b.Manifest()
	list := []work{
		func(p *part) error { return d.ownFile(p, "manifest.json", b.RawManifest()) },
		func(p *part) error {
			raw, err := b.Report()
			if err != nil {
				return err
			}
			return d.ownFile(p, "report.json", raw)
		},
	}
	for i := range m.Streams {
		list = append(list, func(p *part) error { return d.stream(ctx, p, b, &m.Streams[i], o) })
	}
	for i := range m.Blobs {
		list = append(list, func(p *part) error { return d.blob(p, b, &m.Blobs[i]) })
	}
	return run(ctx, list, o.Jobs)
}

// run does all work, several at once, and joins what it gives in order.
func run(ctx context.Context, list []work, jobs int) (*Result, error) {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	parts, faults := make([]part, len(list)), make([]error, len(list))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(jobs, len(list)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				faults[i] = list[i](&parts[i])
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return join(parts), nil
}

// ownFile looks at a document of the bundle's own.
func (d *Detector) ownFile(p *part, file string, raw []byte) error {
	d.bytes(p, raw, 0, Finding{File: file})
	p.Files++
	return nil
}

// stream looks at the lines of a stream.
func (d *Detector) stream(ctx context.Context, p *part, b *bundle.Bundle, s *bundle.StreamInfo, o Options) error {
	p.Files++
	p.Streams++
	var nodes []jsonscan.Node
	err := b.Lines(*s, maxLine, func(n int, line []byte, _ bool) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.Records++
		p.Bytes += int64(len(line)) + 1
		if o.Progress != nil {
			o.Progress(1)
		}
		doc, err := jsonscan.Scan(line, nodes, jsonscan.Options{})
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		nodes = doc.Nodes
		at := Finding{Stream: s.ID, File: s.File, Line: n, JSON: true}
		d.Document(&doc, func(pl *Place) {
			if at.Record == "" {
				at.Record = doc.Text(doc.Find(0, "id"))
			}
			p.add(d, at.in(&doc, pl, 0), &pl.Hit)
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("stream %q: %w", s.ID, err)
	}
	return nil
}

// in is the finding at a place of a document that begins at an offset.
func (f Finding) in(doc *jsonscan.Doc, pl *Place, offset int64) Finding {
	f.Pointer, f.JSON, f.Key = doc.Pointer(pl.Node), true, pl.Key
	if pl.Key {
		// the name itself is what must not be shown
		f.Pointer = parentOf(f.Pointer)
	}
	f.Offset, f.Length = offset+int64(pl.Start), pl.End-pl.Start
	return f
}

func parentOf(pointer string) string {
	for i := len(pointer) - 1; i >= 0; i-- {
		if pointer[i] == '/' {
			return pointer[:i]
		}
	}
	return ""
}

func (d *Detector) blob(p *part, b *bundle.Bundle, info *bundle.BlobInfo) error {
	r, err := b.BlobReader(info.SHA256)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it is only read
	if err := d.reader(p, r, "blobs/"+info.SHA256); err != nil {
		return fmt.Errorf("blob %s: %w", info.SHA256, err)
	}
	return nil
}

// reader looks at a file: as a document when it is one and not too long, else as text.
func (d *Detector) reader(p *part, r io.Reader, file string) error {
	p.Files++
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, r, maxWhole+1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if buf.Len() <= maxWhole {
		d.bytes(p, buf.Bytes(), 0, Finding{File: file})
		return nil
	}
	return d.pieces(p, io.MultiReader(&buf, r), file)
}

// bytes looks at bytes that begin at an offset of a file.
func (d *Detector) bytes(p *part, raw []byte, offset int64, at Finding) {
	p.Bytes += int64(len(raw))
	body := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	skipped := int64(len(raw) - len(body))
	if doc, err := jsonscan.Scan(body, nil, jsonscan.Options{NonFinite: true}); err == nil {
		lines := lineCount{raw: raw}
		d.Document(&doc, func(pl *Place) {
			f := at.in(&doc, pl, offset+skipped)
			f.Line = lines.at(int(f.Offset - offset))
			p.add(d, f, &pl.Hit)
		})
		return
	}
	d.text(p, raw, offset, 0, &lineCount{raw: raw}, at)
}

// text looks at bytes as text; hits that end by from are known.
func (d *Detector) text(p *part, raw []byte, offset int64, from int, lines *lineCount, at Finding) {
	for _, h := range d.Find(raw) {
		if h.End <= from {
			continue
		}
		at.Offset, at.Length = offset+int64(h.Start), h.End-h.Start
		at.Line = lines.at(h.Start)
		p.add(d, at, &h)
	}
}

// pieces looks at a long file in pieces that overlap, so that what lies across their border is seen.
func (d *Detector) pieces(p *part, r io.Reader, file string) error {
	buf := make([]byte, 0, piece+overlap)
	var offset int64
	line := 0
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		known := min(len(buf), overlap)
		buf = buf[:len(buf)+n]
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		p.Bytes += int64(n)
		lines := lineCount{raw: buf, line: line}
		if offset == 0 {
			known = 0
		}
		d.text(p, buf, offset, known, &lines, Finding{File: file})
		if err != nil {
			return nil
		}
		cut := len(buf) - overlap
		line += bytes.Count(buf[:cut], []byte{'\n'})
		offset += int64(cut)
		buf = append(buf[:0], buf[cut:]...)
	}
}

// lineCount tells the lines of places that are asked for mostly in order.
type lineCount struct {
	raw  []byte
	pos  int
	line int // line feeds before pos
}

func (l *lineCount) at(pos int) int {
	if pos < l.pos {
		return l.line + 1 - bytes.Count(l.raw[pos:l.pos], []byte{'\n'})
	}
	l.line += bytes.Count(l.raw[l.pos:pos], []byte{'\n'})
	l.pos = pos
	return l.line + 1
}
