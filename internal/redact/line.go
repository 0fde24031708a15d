package redact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

const kindSecret = "secret"

// fixed says whether a member of a record is one of a closed list of words, in which nothing goes.
func fixed(name string) bool {
	switch name {
	case "type", "phase", "role", "origin", "status", "rendering", "agent", "format", "source", "losses", "native",
		"extent", "decision", "by", "rel", "childInclusion", "clock", "usage", "usageCoverage", "cost", "_meta":
		return true
	}
	return false
}

// links says whether a member of a record is an id or a link: only values that are secrets wherever they stand go there.
func links(name string) bool {
	switch name {
	case "id", "position", "time", "parent", "inference", "sessionId", "head", "headNativeId", "responseId", "callId", "call",
		"calls", "nativeCallId", "group", "summary", "boundary", "forgotten", "forgottenUnknown", "path", "mediaType", "bucket":
		return true
	}
	return false
}

// lines rewrites the lines of one stream.
type lines struct {
	plan   *plan
	blobs  *blobs
	out    *bundle.Stream
	nodes  []jsonscan.Node
	count  counts
	losses map[string]bundle.Loss
	images images
}

// one is one line at work.
type one struct {
	cutter
	stream               *lines
	native, meta, losses int
	secret               bool // something went from native bytes
}

// rewrite gives a line without what goes, valid until the next call.
func (l *lines) rewrite(line []byte) ([]byte, error) {
	d, err := jsonscan.Scan(line, l.nodes, jsonscan.Options{})
	if err != nil {
		return nil, err
	}
	l.nodes = d.Nodes
	o := &one{
		stream: l, cutter: cutter{plan: l.plan, doc: &d, count: l.count},
		native: d.Find(0, "native"), meta: d.Find(0, "_meta"), losses: d.Find(0, "losses"),
	}
	o.payload()
	if err := o.facts(); err != nil {
		return nil, err
	}
	if err := o.bytes(); err != nil {
		return nil, err
	}
	o.loss()
	o.edits = sorted(o.edits)
	line = apply(line, o.edits, 0, len(line))
	return line, l.tally(line)
}

// payload edits the members that were made from native bytes.
func (o *one) payload() {
	for n := range o.doc.Children(0) {
		switch name := string(o.doc.Name(n)); {
		case fixed(name):
		case links(name):
			o.ids(n)
		case name == "value" && o.doc.Equal(o.doc.Find(0, "type"), "state_change"):
			o.small(n)
		default:
			o.tree(n)
		}
	}
	o.parts()
}

// maxSmall is the length, in characters, of the longest text that a state change states itself.
const maxSmall = 1024

// small edits a text that has a bound: where a token would make it too long, all of it goes.
func (o *one) small(n int) {
	before := len(o.edits)
	o.tree(n)
	if len(o.edits) == before {
		return
	}
	node := o.doc.Nodes[n]
	edits := sorted(slices.Clone(o.edits[before:]))
	if int(node.End-node.Start) > maxSmall || len(apply(o.doc.Raw, edits, int(node.Start), int(node.End))) > maxSmall {
		put := o.plan.tokens.of(o.doc.Text(n))
		o.edits = append(o.edits[:before], edit{int(node.Start) + 1, int(node.End) - 1, []byte(put), n})
	}
}

// facts edits _meta: the names in it are those of the entry or ours, all else is data.
func (o *one) facts() error {
	for n := range o.doc.Children(o.meta) {
		if !strings.HasPrefix(string(o.doc.Name(n)), record.Own) {
			o.tree(n)
			continue
		}
		for e := range o.doc.Children(n) {
			if err := o.entry(e); err != nil {
				return err
			}
		}
		if o.doc.Len(n) == 0 {
			o.tree(n)
		}
	}
	return nil
}

// entry edits one entry of our own bookkeeping; a blob that it names is rewritten.
func (o *one) entry(e int) error {
	blob := o.doc.Find(e, "blob")
	if blob < 0 {
		before := len(o.edits)
		o.tree(e)
		if text := o.doc.Find(e, "text"); text >= 0 && len(o.edits) > before {
			o.cutText(e, text)
		}
		return nil
	}
	for n := range o.doc.Children(e) {
		if name := string(o.doc.Name(n)); name != "blob" && name != "redacted" {
			o.tree(n)
		}
	}
	k, ref, err := o.blob(blob)
	if err != nil || k.raw == nil {
		return err
	}
	redacted := o.doc.Find(e, "redacted")
	o.replace(blob, ref)
	list := o.list(redacted, k.pointers)
	if redacted >= 0 {
		o.replace(redacted, list)
	} else {
		o.insert(blob, "redacted", list)
	}
	o.secret = true
	return nil
}

// cutText says that something went from the text of an entry.
func (o *one) cutText(e, text int) {
	list := o.list(o.doc.Find(e, "redacted"), []string{""})
	if redacted := o.doc.Find(e, "redacted"); redacted >= 0 {
		o.replace(redacted, list)
	} else {
		o.insert(text, "redacted", list)
	}
	o.secret = true
}

// blob rewrites a blob that a node names: an object with hash, size and media type.
func (o *one) blob(n int) (k kept, ref []byte, err error) {
	sha := o.doc.Text(o.doc.Find(n, "sha256"))
	raw, k, err := o.stream.blobs.read(sha, o.count)
	if err != nil {
		return k, nil, err
	}
	if k.raw != nil {
		raw = k.raw
	}
	media := o.doc.Text(o.doc.Find(n, "mediaType"))
	if sha, err = o.stream.out.Blob(raw, o.stream.blobs.mediaOf(sha, media)); err != nil {
		return k, nil, err
	}
	return k, reference(sha, len(raw), media), nil
}

// mediaOf is the media type that the manifest states for a blob.
func (b *blobs) mediaOf(sha, stated string) string {
	if m := b.media[sha]; m != "" {
		return m
	}
	return stated
}

// replace puts other bytes in the place of a node.
func (o *one) replace(n int, put []byte) {
	o.edits = append(o.edits, edit{int(o.doc.Nodes[n].Start), int(o.doc.Nodes[n].End), put, -1})
}

// insert adds a member after a node.
func (o *one) insert(after int, name string, value []byte) {
	end := int(o.doc.Nodes[after].End)
	put := append(record.AppendKey([]byte{'x'}, name)[1:], value...)
	o.edits = append(o.edits, edit{end, end, put, -1})
}

// list is the redactions of a node, which may be none, and further ones.
func (o *one) list(n int, pointers []string) []byte {
	var list []record.Redaction
	for e := range o.doc.Children(n) {
		list = append(list, record.Redaction{
			Pointer: o.plan.replace(o.doc.Text(o.doc.Find(e, "pointer"))), Kind: o.doc.Text(o.doc.Find(e, "kind")),
		})
	}
	for _, p := range pointers {
		if i := slices.IndexFunc(list, func(r record.Redaction) bool { return r.Pointer == p }); i >= 0 {
			list[i].Kind = kindSecret
			continue
		}
		list = append(list, record.Redaction{Pointer: p, Kind: kindSecret})
	}
	return record.AppendRedacted(nil, list)
}

// bytes edits the native bytes and says what went.
func (o *one) bytes() error {
	switch {
	case o.native < 0:
		return nil
	case o.doc.Find(o.native, "record") >= 0:
		return o.inline(o.doc.Find(o.native, "record"))
	case o.doc.Find(o.native, "blob") >= 0:
		return o.apart(o.doc.Find(o.native, "blob"))
	case o.doc.Find(o.native, "meta") >= 0:
		return o.state(o.doc.Find(o.meta, o.doc.Text(o.doc.Find(o.native, "meta"))))
	}
	return nil
}

// edited is what becomes of the bytes of a node; without edits in it they stay.
func (o *one) edited(at int) (kept, error) {
	nodes := o.changed(at)
	if len(nodes) == 0 {
		return kept{}, nil
	}
	inner := sorted(slices.Clone(o.edits))
	node := o.doc.Nodes[at]
	return pointersOf(apply(o.doc.Raw, inner, int(node.Start), int(node.End)), nodes)
}

func (o *one) inline(at int) error {
	o.tree(at)
	k, err := o.edited(at)
	if err != nil {
		return err
	}
	return o.write(k)
}

// write writes native again: inline while it can stand there, else as a blob.
func (o *one) write(k kept) error {
	pointers := o.doc.Find(o.native, "redacted")
	if k.raw == nil {
		if pointers >= 0 {
			o.replaceList(pointers)
		}
		return nil
	}
	o.secret = true
	out := []byte{'{'}
	if k.reason == "" {
		out = append(record.AppendKey(out, "record"), k.raw...)
	} else {
		sha, err := o.stream.out.Blob(k.raw, mediaJSON)
		if err != nil {
			return err
		}
		out = append(record.AppendKey(out, "blob"), reference(sha, len(k.raw), mediaJSON)...)
		out = record.AppendString(record.AppendKey(out, "reason"), k.reason)
	}
	out = append(record.AppendKey(out, "redacted"), o.list(pointers, k.pointers)...)
	o.replace(o.native, append(out, '}'))
	return nil
}

// replaceList edits the pointers of redactions that were there before: they hold names.
func (o *one) replaceList(n int) {
	for e := range o.doc.Children(n) {
		if pointer := o.doc.Find(e, "pointer"); o.doc.Kind(pointer) == jsonscan.String {
			o.known(pointer, false)
		}
	}
}

// apart rewrites native bytes that stand in a blob. They come inline where nothing but what went kept them apart.
func (o *one) apart(at int) error {
	reason := o.doc.Text(o.doc.Find(o.native, "reason"))
	redacted := o.doc.Find(o.native, "redacted")
	k, ref, err := o.blobOrInline(at, reason)
	if err != nil {
		return err
	}
	if k.raw == nil {
		if redacted >= 0 {
			o.replaceList(redacted)
		}
		return nil
	}
	o.secret = true
	if ref == nil {
		k.reason = ""
		return o.write(k)
	}
	o.replace(at, ref)
	if node := o.doc.Find(o.native, "reason"); o.readable() && k.reason != reason && node >= 0 {
		o.replace(node, record.AppendString(nil, k.reason))
	}
	list := o.list(redacted, k.pointers)
	if redacted >= 0 {
		o.replace(redacted, list)
		return nil
	}
	o.insert(o.doc.Elem(o.native, o.doc.Len(o.native)-1), "redacted", list)
	return nil
}

// readable says whether the record's native bytes are a document: those of a gap are not, and attachments may be anything.
func (o *one) readable() bool {
	kind := o.doc.Text(o.doc.Find(0, "type"))
	return kind != "gap" && kind != "attachment"
}

// blobOrInline is blob, without a reference when the bytes can stand inline now.
func (o *one) blobOrInline(at int, reason string) (kept, []byte, error) {
	_, k, err := o.stream.blobs.read(o.doc.Text(o.doc.Find(at, "sha256")), o.count)
	if err != nil {
		return k, nil, err
	}
	if k.raw != nil && k.reason == "" && reason != "" && o.doc.Text(o.doc.Find(0, "type")) != "gap" && !o.isState() {
		return k, nil, nil
	}
	return o.blob(at)
}

// isState says whether the record is the state of a session, whose bytes stand in _meta when they can.
func (o *one) isState() bool { return o.doc.Text(o.doc.Find(0, "type")) == "session_info" }

// state says what went from bytes that stand in _meta. Where they grew too long they become a blob.
func (o *one) state(at int) error {
	redacted := o.doc.Find(o.native, "redacted")
	if at < 0 {
		return nil
	}
	k, err := o.edited(at)
	if err != nil {
		return err
	}
	if k.raw == nil {
		if redacted >= 0 {
			o.replaceList(redacted)
		}
		return nil
	}
	o.secret = true
	list := o.list(redacted, k.pointers)
	if k.reason == "" {
		if redacted >= 0 {
			o.replace(redacted, list)
		} else {
			o.insert(o.doc.Find(o.native, "meta"), "redacted", list)
		}
		return nil
	}
	sha, err := o.stream.out.Blob(k.raw, mediaJSON)
	if err != nil {
		return err
	}
	out := append(record.AppendKey([]byte{'{'}, "blob"), reference(sha, len(k.raw), mediaJSON)...)
	out = record.AppendString(record.AppendKey(out, "reason"), k.reason)
	out = append(append(record.AppendKey(out, "redacted"), list...), '}')
	o.replace(o.native, out)
	o.remove(o.meta, at)
	return nil
}

// remove takes a member out of its object, with one comma; the object goes too when nothing is left.
func (o *one) remove(object, member int) {
	if o.doc.Len(object) == 1 {
		o.remove(0, object)
		return
	}
	node := o.doc.Nodes[member]
	start, end := int(node.KeyStart)-1, int(node.End)
	raw := o.doc.Raw
	switch {
	case raw[end] == ',':
		end++
	case raw[start-1] == ',':
		start--
	}
	o.edits = append(o.edits, edit{start, end, nil, -1})
}

// loss declares what went from native bytes.
func (o *one) loss() {
	if !o.secret {
		return
	}
	var codes []string
	for n := range o.doc.Children(o.losses) {
		codes = append(codes, o.doc.Text(n))
	}
	if slices.Contains(codes, record.LossSecretOmitted) {
		return
	}
	codes = append(codes, record.LossSecretOmitted)
	slices.Sort(codes)
	list := record.AppendStrings(nil, codes)
	switch {
	case o.losses >= 0:
		o.replace(o.losses, list)
	case o.native >= 0:
		// outside of what replaces native itself
		o.insert(o.native, "losses", list)
	default:
		o.insert(o.doc.Find(0, "position"), "losses", list)
	}
}

// tally counts the losses of a line as it is now.
func (l *lines) tally(line []byte) error {
	d, err := jsonscan.Scan(line, l.nodes, jsonscan.Options{})
	if err != nil {
		return fmt.Errorf("after the edit: %w", err)
	}
	l.nodes = d.Nodes
	for n := range d.Children(d.Find(0, "losses")) {
		code := d.Text(n)
		loss, ok := l.losses[code]
		if !ok {
			loss.First = d.Text(d.Find(0, "id"))
		}
		loss.Count++
		l.losses[code] = loss
	}
	return nil
}
