package restore

import (
	"fmt"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// piece is one item of the file that holds all items of a source. Its file has no path of its own.
type piece struct {
	file
	before, after frame
	tail          bool // the end of the file that is no item: nothing stands around it
	index         int64
	within        string // the pointer to the array of items, where they stand in a document
}

// content is the item itself.
func (p *piece) content() frame {
	return frame{text: p.inline, blob: p.blob, cuts: p.cuts, named: p.own()}
}

// own are the item's cuts as pointers into the file: as if it were an array of its items, or as its document has them.
func (p *piece) own() []record.Redaction {
	list := make([]record.Redaction, len(p.cuts))
	for i, c := range p.cuts {
		list[i] = record.Redaction{Pointer: fmt.Sprintf("%s/%d%s", p.within, p.index, c.Pointer), Kind: c.Kind}
	}
	return list
}

// frame is what stands before or after an item. The text is borrowed until the next piece.
type frame struct {
	text []byte // unless blob says otherwise
	blob string
	cuts []record.Redaction
	// lacks is that the bundle does not have it; sha is then its hash, "" unknown.
	lacks bool
	sha   string
	// named are the cuts as they are listed for the file.
	named []record.Redaction
}

// inside says whether a record's bytes are an item of the one file, and not a file.
func (s *stream) inside(d *jsonscan.Doc) bool {
	at := d.Find(0, "position")
	return s.one != "" && d.Equal(d.Find(at, "family"), record.Transcript) && d.Find(at, "path") < 0
}

// give hands over a file, or a piece of one with what stands around it.
func (s *stream) give(f *file, inside bool, d *jsonscan.Doc, meta int) error {
	if !inside {
		return s.file(f)
	}
	s.places++
	p := piece{file: *f, index: s.places - 1, after: frame{text: []byte(s.names.cut.Usual())}}
	p.path, p.spelled = s.one, record.SpellPath(s.one)
	if s.envelope != nil {
		p.within = s.envelope.within
	}
	for e := range d.Children(d.Find(meta, record.Own+"serialization")) {
		one := frame{cuts: cuts(d, d.Find(e, "redacted"))}
		one.named = one.cuts
		text := d.Find(e, "text")
		if blob := d.Find(e, "blob"); blob >= 0 {
			one.blob = d.Text(d.Find(blob, "sha256"))
		} else if one.lacks = text < 0 && d.Find(e, "bytes") >= 0; one.lacks {
			one.sha = d.Text(d.Find(e, "sha256"))
		} else {
			one.text = d.AppendText(nil, text)
		}
		if d.Equal(d.Find(e, "place"), "before") {
			p.before = one
		} else {
			p.after = one
		}
	}
	return s.piece(&p)
}
