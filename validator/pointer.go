package validator

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// omitted stands where a secret was cut out of a string.
const omitted = "<secret-omitted>"

// token begins what stands in place of something that was taken out of a bundle afterwards.
const token = "<redacted:"

// contentMembers are the members that hold content parts.
func contentMembers() [3]string { return [...]string{"content", "dynamicContent", "extendedContent"} }

// pointers judges what the members of a record say lies in native.record.
func (c *lineCheck) pointers(r *reading, f *record.Facts, cuts bool, found *lineFindings) {
	c.mediaOf(r, f, found)
	if c.m.record < 0 {
		return
	}
	d := r.doc
	for _, name := range contentMembers() {
		for part := range d.Children(d.Find(0, name)) {
			if p := d.Find(part, "pointer"); p >= 0 {
				c.part(r, part, p, found)
			}
		}
	}
	if f.Type == record.StateChange {
		if p := d.Find(0, "valuePointer"); p >= 0 && c.inNative(d, r.str(p)) < 0 {
			found.fail(rulePointer, d.Pointer(p), "got pointer "+quote(r.str(p))+", which names nothing in the native value")
		}
	}
	for i, cut := range f.Redacted {
		if cuts {
			c.redaction(d, i, &cut, found)
		}
	}
}

// mediaOf compares an attachment's media type with that of its bytes.
func (c *lineCheck) mediaOf(r *reading, f *record.Facts, found *lineFindings) {
	if f.Type != record.Attachment || !f.HasNative {
		return
	}
	want := r.str(r.doc.Find(r.doc.Find(c.m.native, "blob"), "mediaType"))
	if c.m.record >= 0 {
		want = mediaJSON
	}
	if have := r.str(r.doc.Find(0, "mediaType")); have != want {
		found.fail(ruleBlobHash, "/mediaType", "got "+quote(have)+", expected "+quote(want)+" as its bytes are")
	}
}

// inNative is the node that a pointer into the native value names, -1 none.
func (c *lineCheck) inNative(d *jsonscan.Doc, pointer string) int {
	if pointer == "" {
		return c.m.record
	}
	return d.At(d.Pointer(c.m.record) + pointer)
}

// part judges a content part against the native value that it points to.
func (c *lineCheck) part(r *reading, part, p int, found *lineFindings) {
	d, pointer := r.doc, r.str(p)
	to := c.inNative(d, pointer)
	if to < 0 {
		found.fail(rulePointer, d.Pointer(p), "got pointer "+quote(pointer)+", which names nothing in the native value")
		return
	}
	want := r.str(d.Find(part, "sha256"))
	if want != "" && pointer == "" {
		found.fail(rulePointer, d.Pointer(p), "got the whole native value as inline data, expected the string that holds it")
		return
	}
	if want == "" || d.Kind(to) != jsonscan.String {
		return
	}
	data, ok := inlineData(d.Text(to))
	if !ok {
		found.fail(rulePointer, d.Pointer(p), "got pointer "+quote(pointer)+", expected one that names inline data")
		return
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != want || r.num(d.Find(part, "bytes"), -1) != int64(len(data)) {
		found.fail(rulePointer, d.Pointer(part), "got sha256 "+quote(want)+" or another size than the inline data has, expected "+got+" of "+number(int64(len(data)))+" bytes")
	}
}

// inlineData is the bytes of a data URL.
func inlineData(url string) (data []byte, ok bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return nil, false
	}
	_, text, ok := strings.Cut(rest, ";base64,")
	if !ok {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(text)
	return data, err == nil
}

// redaction judges one entry of native.redacted: a member is gone, a string has the mark in place of what was cut.
func (c *lineCheck) redaction(d *jsonscan.Doc, i int, cut *record.Redaction, found *lineFindings) {
	at := "/native/redacted/" + number(int64(i))
	to := c.inNative(d, cut.Pointer)
	switch {
	case to >= 0 && d.Kind(to) == jsonscan.String && marked(d.Value(to)):
	case to >= 0 && bytes.Contains(d.Name(to), []byte(token)):
	case to >= 0:
		found.fail(ruleRedaction, at, "got a member at "+quote(cut.Pointer)+" that is said to be cut out, expected none, or "+omitted+" or a token in a string")
	case c.inNative(d, above(cut.Pointer)) < 0:
		found.fail(ruleRedaction, at, "got pointer "+quote(cut.Pointer)+", expected one into an object of the native value")
	}
}

// marked says whether a string has a mark in place of what was cut.
func marked(text []byte) bool {
	return bytes.Contains(text, []byte(omitted)) || bytes.Contains(text, []byte(token))
}

// above is the pointer to the value that holds the one at a pointer.
func above(pointer string) string { return pointer[:max(0, strings.LastIndexByte(pointer, '/'))] }
