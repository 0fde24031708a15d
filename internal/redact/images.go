package redact

import (
	"bytes"
	"fmt"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// images are the inline images that go, by the item that they stand in and their JSON pointer, with what stands there
// instead. The records made from an item may stand before the one that keeps its bytes.
type images map[string]map[string]string

// gather looks for them in one stream.
func (m images) gather(r *run, s *bundle.StreamInfo) error {
	var nodes []jsonscan.Node
	err := r.from.Lines(*s, maxLine, func(n int, line []byte, _ bool) error {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if !bytes.Contains(line, []byte(`"native"`)) {
			return nil
		}
		d, err := jsonscan.Scan(line, nodes, jsonscan.Options{})
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		nodes = d.Nodes
		raw := d.Value(d.Find(d.Find(0, "native"), "record"))
		if blob := d.Find(d.Find(0, "native"), "blob"); blob >= 0 {
			if raw, err = r.from.Blob(d.Text(d.Find(blob, "sha256"))); err != nil {
				return err
			}
		}
		m.item(r.plan, itemOf(&d), raw)
		return nil
	})
	return err
}

// item looks for them in the bytes of an item. Bytes that are no JSON have none.
func (m images) item(p *plan, item string, raw []byte) {
	if !bytes.Contains(raw, []byte("data:")) {
		return
	}
	d, err := jsonscan.Scan(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		return
	}
	for n := range d.Nodes {
		if d.Kind(n) != jsonscan.String || !isData(d.Value(n)[1:]) {
			continue
		}
		c := cutter{plan: p, doc: &d, count: counts{}}
		c.free(n, false)
		if len(c.edits) == 0 {
			continue
		}
		if m[item] == nil {
			m[item] = map[string]string{}
		}
		m[item][d.Pointer(n)] = string(c.edits[0].put)
	}
}

// itemOf tells the items of a stream apart: their records share a position.
func itemOf(d *jsonscan.Doc) string {
	at := d.Find(0, "position")
	return string(d.Value(d.Find(at, "family"))) + string(d.Value(d.Find(at, "ordinal"))) + string(d.Value(d.Find(at, "id")))
}

// parts gives content parts of images that went the token as their address.
func (o *one) parts() {
	gone := o.stream.images[itemOf(o.doc)]
	if gone == nil {
		return
	}
	for n := range o.doc.Nodes {
		if o.doc.Kind(n) != jsonscan.Object || !o.doc.Equal(o.doc.Find(n, "type"), "image") || within(o.doc, o.native, n) {
			continue
		}
		if put, ok := gone[o.doc.Text(o.doc.Find(n, "pointer"))]; ok {
			o.replace(n, append(record.AppendString([]byte(`{"type":"image","url":`), put), '}'))
		}
	}
}

// within says whether a node lies below another, which may be none.
func within(d *jsonscan.Doc, outer, n int) bool {
	return outer >= 0 && n > outer && n < int(d.Nodes[outer].Next)
}
