package redact

import (
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// documents makes the manifest that the streams have now, and gives the report.
func (r *run) documents(w *bundle.Writer, m *bundle.Manifest) ([]byte, error) {
	totals := map[string]int64{}
	m.Streams = slices.Clone(m.Streams)
	ids := map[string]string{}
	for i := range m.Streams {
		s := &m.Streams[i]
		ids[s.ID] = r.streamID(s.ID)
		s.ID, s.SessionID, s.Losses = ids[s.ID], r.plan.replace(s.SessionID), r.parts[i].losses
		for code, l := range s.Losses {
			totals[code] += l.Count
		}
	}
	m.Sources = slices.Clone(m.Sources)
	for i := range m.Sources {
		m.Sources[i].Path = r.name(m.Sources[i].Path)
	}
	m.Unidentified = slices.Clone(m.Unidentified)
	for i := range m.Unidentified {
		m.Unidentified[i].Path = r.name(m.Unidentified[i].Path)
	}
	var err error
	if m.Selection, err = r.object(m.Selection); err != nil {
		return nil, err
	}
	if m.Meta, err = r.manifestMeta(w, m.Meta); err != nil {
		return nil, err
	}
	return r.report(totals, ids)
}

// streamID is a stream's id without what goes. A token is spelled there as in the id of a session.
func (r *run) streamID(id string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("<:>", c) {
			return '_'
		}
		return c
	}, r.plan.replace(id))
}

// name is a path without what goes.
func (r *run) name(text string) string {
	raw := []byte(text)
	var out []byte
	pos := 0
	for _, s := range r.plan.free(raw) {
		out = append(append(out, raw[pos:s.start]...), r.plan.tokens.of(s.value)...)
		pos = s.end
	}
	return string(append(out, raw[pos:]...))
}

// object is a document without what goes.
func (r *run) object(raw []byte) ([]byte, error) {
	if raw == nil {
		return nil, nil
	}
	k, err := r.plan.cut(raw, counts{})
	if err != nil || k.raw == nil {
		return raw, err
	}
	return k.raw, nil
}

// manifestMeta is the manifest's _meta without what goes, the blobs that it names rewritten, and with what the bundle was
// made from.
func (r *run) manifestMeta(w *bundle.Writer, raw []byte) ([]byte, error) {
	out := []byte{'{'}
	own := record.Own + "derivedFrom"
	var before []byte
	if raw != nil {
		d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
		if err != nil {
			return nil, err
		}
		for n := range d.Children(0) {
			if string(d.Name(n)) == own {
				before = d.Value(n)
				continue
			}
			c := cutter{plan: r.plan, doc: &d, count: counts{}}
			c.tree(n)
			if err := r.named(w, &c, n); err != nil {
				return nil, err
			}
			c.edits = sorted(c.edits)
			node := d.Nodes[n]
			out = append(record.AppendKey(out, string(d.Name(n))), apply(raw, c.edits, int(node.Start), int(node.End))...)
		}
	}
	return append(r.appendDerived(record.AppendKey(out, own), before), '}'), nil
}

// named rewrites the blobs that a node names somewhere below it.
func (r *run) named(w *bundle.Writer, c *cutter, at int) error {
	for n := at; n < int(c.doc.Nodes[at].Next); n++ {
		if string(c.doc.Name(n)) != "blob" || c.doc.Kind(n) != jsonscan.Object {
			continue
		}
		sha, media := c.doc.Text(c.doc.Find(n, "sha256")), c.doc.Text(c.doc.Find(n, "mediaType"))
		raw, k, err := r.blobs.read(sha, c.count)
		if err != nil {
			return err
		}
		if k.raw != nil {
			raw = k.raw
		}
		if sha, err = w.Blob(raw, r.blobs.mediaOf(sha, media)); err != nil {
			return err
		}
		c.edits = append(c.edits, edit{int(c.doc.Nodes[n].Start), int(c.doc.Nodes[n].End), reference(sha, len(raw), media), -1})
	}
	return nil
}

// report is report.json without what goes, with the losses that the streams have now.
func (r *run) report(totals map[string]int64, ids map[string]string) ([]byte, error) {
	raw, err := r.from.Report()
	if err != nil {
		return nil, err
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return nil, err
	}
	c := cutter{plan: r.plan, doc: &d, count: counts{}}
	for n := range d.Children(0) {
		switch string(d.Name(n)) {
		case "losses":
			c.edits = append(c.edits, edit{int(d.Nodes[n].Start), int(d.Nodes[n].End), record.AppendLosses(nil, totals), -1})
		case "selection":
			c.tree(n)
		case "findings":
			c.findings(n, ids)
		}
	}
	c.edits = sorted(c.edits)
	return apply(raw, c.edits, 0, len(raw)), nil
}

// findings edits the places and messages of findings.
func (c *cutter) findings(at int, ids map[string]string) {
	for f := range c.doc.Children(at) {
		for n := range c.doc.Children(f) {
			switch string(c.doc.Name(n)) {
			case "stream":
				if id := ids[c.doc.Text(n)]; id != "" {
					c.edits = append(c.edits, edit{int(c.doc.Nodes[n].Start), int(c.doc.Nodes[n].End), record.AppendString(nil, id), -1})
				}
			case "record", "pointer":
				c.known(n, false)
			case "message":
				c.message(n)
			}
		}
	}
}

// message edits a message, which quotes names and cuts long ones off: of a value there may be the beginning alone.
func (c *cutter) message(n int) {
	text := c.doc.Text(n)
	tail := text
	var out []byte
	for {
		end := cutOff(tail)
		if end < 0 {
			break
		}
		if at, value := c.plan.values.Tail(tail[:end]); at >= 0 {
			out = append(append(out, tail[:at]...), c.plan.tokens.of(c.plan.values.Value(value))...)
		} else {
			out = append(out, tail[:end]...)
		}
		out = append(out, tail[end])
		tail = tail[end+1:]
	}
	if out = append(out, tail...); string(out) != text {
		put := []byte(c.plan.replace(string(out)))
		node := c.doc.Nodes[n]
		c.edits = append(c.edits, edit{int(node.Start), int(node.End), record.AppendString(nil, string(put)), n})
		return
	}
	c.free(n, false)
}

// cutOff is where a name in a message was cut off, -1: none was.
func cutOff(text string) int {
	for i := range text {
		if strings.HasPrefix(text[i:], `..."`) || strings.HasPrefix(text[i:], `"…`) || strings.HasPrefix(text[i:], `…"`) {
			return i
		}
	}
	return -1
}
