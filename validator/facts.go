package validator

import (
	"bytes"
	"unsafe"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// reading fills the facts of one line from its scanned bytes. Strings are views of the line, or of text where it has
// escapes, so that a record costs no allocation; they hold until the block of the line is used again.
type reading struct {
	doc  *jsonscan.Doc
	text []byte   // unescaped texts of a block
	list []string // elements of the string lists of a block
	cuts []record.Redaction
}

// forget makes room for another block.
func (r *reading) forget() { r.text, r.list, r.cuts = r.text[:0], r.list[:0], r.cuts[:0] }

// view is b as a string that shares its memory; b must not change while it is used.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// str is the text of a string node, "" for anything else.
func (r *reading) str(i int) string {
	if r.doc.Kind(i) != jsonscan.String {
		return ""
	}
	v := r.doc.Value(i)
	if v = v[1 : len(v)-1]; bytes.IndexByte(v, '\\') < 0 {
		return view(v)
	}
	start := len(r.text)
	r.text = r.doc.AppendText(r.text, i)
	return view(r.text[start:])
}

// key is the name of a member.
func (r *reading) key(i int) string {
	name := r.doc.Name(i)
	if bytes.IndexByte(name, '\\') < 0 {
		return view(name)
	}
	start := len(r.text)
	r.text, _ = jsonscan.AppendUnescape(r.text, name)
	return view(r.text[start:])
}

func (r *reading) num(i int, otherwise int64) int64 {
	if n, ok := r.doc.Int(i); ok {
		return n
	}
	return otherwise
}

// each calls f for the members or elements of a node.
func (r *reading) each(i int, f func(child int)) {
	for c := range r.doc.Children(i) {
		f(c)
	}
}

// strs is the strings of an array.
func (r *reading) strs(i int) []string {
	start := len(r.list)
	if r.doc.Kind(i) == jsonscan.Array {
		r.each(i, func(c int) { r.list = append(r.list, r.str(c)) })
	}
	return r.list[start:len(r.list):len(r.list)]
}

// keys is the names of an object's members.
func (r *reading) keys(i int) []string {
	start := len(r.list)
	if r.doc.Kind(i) == jsonscan.Object {
		r.each(i, func(c int) { r.list = append(r.list, r.key(c)) })
	}
	return r.list[start:len(r.list):len(r.list)]
}

// members is where the parts of a record stand that are looked into beyond the facts.
type members struct {
	native, record, meta, usage   int
	sessionID, agent, format, src int
}

// facts reads the facts of the record that the document is.
func (r *reading) facts(f *record.Facts, m *members) {
	*f = record.Facts{Position: record.NoPosition("")}
	*m = members{-1, -1, -1, -1, -1, -1, -1, -1}
	for i := range r.doc.Children(0) {
		if name := r.key(i); !r.envelope(f, m, name, i) && !r.sessionInfo(f, m, name, i) {
			r.payload(f, m, name, i)
		}
	}
}

// envelope reads a member that any type may have.
func (r *reading) envelope(f *record.Facts, m *members, name string, i int) bool {
	switch name {
	case "type":
		f.Type = record.TypeOf(r.str(i))
	case "id":
		f.ID = r.str(i)
	case "position":
		r.position(&f.Position, i)
	case "time":
		f.Time = r.str(i)
	case "parent":
		f.Parent = r.str(i)
	case "inference":
		f.Inference = r.str(i)
	case "context":
		f.OutOfContext = r.doc.Kind(i) == jsonscan.False
	case "native":
		m.native = i
		r.native(f, m, i)
	case "losses":
		f.Losses = r.strs(i)
	case "_meta":
		m.meta = i
		f.Meta = r.keys(i)
		f.Unfinished = r.doc.Len(r.doc.Find(i, record.Own+"unfinished"))
		if list := r.doc.Find(i, record.Own+"serialization"); list >= 0 {
			for e := range r.doc.Children(list) {
				if r.doc.Kind(e) == jsonscan.Object && r.doc.Find(e, "text") < 0 && r.doc.Find(e, "blob") < 0 {
					f.Unframed++
				}
			}
		}
	default:
		return false
	}
	return true
}

func (r *reading) position(p *record.Position, at int) {
	for i := range r.doc.Children(at) {
		switch r.key(i) {
		case "family":
			p.Family = r.str(i)
		case "ordinal":
			p.Ordinal = r.num(i, -1)
		case "id":
			p.ID = r.str(i)
		case "path":
			p.Path = r.str(i)
		case "through":
			p.Through = r.num(i, -1)
		}
	}
}

func (r *reading) native(f *record.Facts, m *members, at int) {
	for i := range r.doc.Children(at) {
		switch r.key(i) {
		case "record":
			m.record, f.HasNative = i, true
		case "blob":
			f.Blob, f.HasNative = r.str(r.doc.Find(i, "sha256")), true
		case "meta":
			f.HasNative = true
		case "reason":
			f.Reason = r.str(i)
		case "redacted":
			start := len(r.cuts)
			r.each(i, func(c int) {
				r.cuts = append(r.cuts, record.Redaction{Pointer: r.str(r.doc.Find(c, "pointer")), Kind: r.str(r.doc.Find(c, "kind"))})
			})
			f.Redacted = r.cuts[start:len(r.cuts):len(r.cuts)]
		}
	}
}
