package validator

import (
	"bytes"
	"errors"
	"strings"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/schemas"
)

const (
	maxInline      = 1 << 20 // bytes of native.record
	maxInlineDepth = 1000
	inlineAt       = 2        // native.record stands two levels deep in its line
	bigLine        = 16 << 20 // from here on a line's values are counted before they are listed
	maxValues      = 4 << 20
)

// lineCheck judges single lines. One goroutine may use it.
type lineCheck struct {
	set    *schemas.Set
	names  [record.Vendor + 1]string // of the schemas, by type
	target *target
	blobs  *blobSet     // nil: blobs are not checked
	doc    jsonscan.Doc // of the line at hand; its nodes are reused
	m      members
	most   int       // findings of a rule that are listed, as in Options
	x      expecting // what the records of the item at hand must state; reused
}

func newLineCheck(set *schemas.Set, t *target, blobs *blobSet) *lineCheck {
	c := &lineCheck{set: set, target: t, blobs: blobs}
	for _, t := range record.Types() {
		c.names[t] = "record/" + t.String()
	}
	return c
}

// target is what the records of a stream must agree with; empty members are not compared.
type target struct {
	sessionID, agent, format, source string
	keys                             map[string]bool // _meta keys of the agent, nil: not checked
	entry                            *entry.Entry    // nil: native values are not interpreted
	retained                         *retained       // nil: without an entry
	plan                             *plan           // nil: without projections
	stream                           string          // id
	from                             string          // where the members stand that are compared
	named                            bool            // each item has an id in its name
	length                           string          // how length markers begin
	child, unplaced                  bool            // the source lies in a child folder; that cannot be told
	folder, name                     string          // of the items: the folder, and the pattern of their names
}

// outcome is what the check of a line gave for the session stage.
type outcome struct {
	facts    record.Facts
	stated   stated
	readable bool // a record of a known type
	sound    bool // and of its schema
	lost     bool // what it is, where it stands or what it names cannot be read
}

// check judges one line, without its line feed.
func (c *lineCheck) check(raw []byte, complete bool, r *reading, out *outcome, found *lineFindings) {
	out.readable, out.sound, out.lost = false, false, false
	if !complete {
		found.fail(ruleJSON, "", "got a last line without a line feed, expected one")
	}
	if !c.scan(raw, r, found) {
		return
	}
	r.facts(&out.facts, &c.m)
	if out.readable = out.facts.Type != 0; !out.readable {
		found.fail(ruleSchema, "/type", "got type "+quote(r.str(r.doc.Find(0, "type")))+", expected a record type")
		return
	}
	found.id = out.facts.ID
	c.state(r)
	doubled := c.keys(r.doc, found)
	c.numbers(r.doc, found)
	sound, lost := c.schema(out.facts.Type, r.doc, found)
	out.sound, out.lost = sound && !doubled, lost
	c.inline(r.doc, found)
	before := found.n
	if c.secrets(r, found); found.n == before {
		c.retained(r.doc, &out.facts, found)
	}
	kept := found.n > before
	c.meta(r, &out.facts, out.sound, found)
	c.info(r, &out.facts, found)
	c.usage(r.doc, found)
	c.stated(r, &out.facts, &out.stated)
	if out.sound {
		c.place(&out.facts, found)
		c.pointers(r, &out.facts, !kept, found)
		c.usageRows(r, &out.facts, found)
		c.timeOf(r, &out.facts, &out.stated, found)
		c.nativeLinks(r, &out.facts, &out.stated, found)
		c.responseOf(&out.facts, &out.stated, found)
		c.contextOf(r, &out.facts, &out.stated, found)
		if found.n == 0 {
			c.projected(r, &out.facts, &out.stated, found)
		}
	}
	if c.blobs != nil && out.sound {
		c.refer(r, &out.facts, found)
	} else if c.blobs != nil {
		c.blobs.use(out.facts.Blob) // so that it is missed nowhere
	}
}

// scan makes the document of a line, or says why it is none.
func (c *lineCheck) scan(raw []byte, r *reading, found *lineFindings) bool {
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		found.fail(ruleJSON, "", "got a byte order mark, expected none")
		return false
	}
	if len(raw) > bigLine && !fits(raw) {
		found.fail(ruleJSON, "", "got a line that is no JSON or has more than "+number(maxValues)+" values")
		return false
	}
	var err error
	c.doc, err = jsonscan.Scan(raw, c.doc.Nodes, jsonscan.Options{})
	if err != nil {
		found.fail(ruleJSON, "", scanFault(err))
		return false
	}
	doc := &c.doc
	r.doc = doc
	if doc.Kind(0) != jsonscan.Object {
		found.fail(ruleJSON, "", "got "+doc.Kind(0).String()+", expected an object")
		return false
	}
	if doc.Has(jsonscan.LineBreak) {
		found.fail(ruleJSON, "", "got a carriage return, expected none")
	}
	return true
}

func scanFault(err error) string {
	var fault *jsonscan.Error
	if errors.As(err, &fault) && fault.Reason == jsonscan.Empty {
		return "got a blank line, expected a JSON object"
	}
	return "got " + err.Error() + ", expected a JSON object"
}

// fits says whether a large line is JSON whose list of values stays within bounds.
func fits(raw []byte) bool {
	if _, err := jsonscan.Scan(raw, nil, jsonscan.Options{NoTape: true}); err != nil {
		return false
	}
	values, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == ',' || c == '[' || c == '{'):
			values++
		}
	}
	return values <= maxValues
}

// keys reports a doubled key and half a surrogate pair, with the rule of the place where they stand.
func (c *lineCheck) keys(d *jsonscan.Doc, found *lineFindings) (doubled bool) {
	if doubled = d.Has(jsonscan.DuplicateKey); doubled {
		found.fail(c.placed(d, d.FirstDuplicate, ruleJSON), d.Pointer(d.FirstDuplicate), "got a duplicate key, expected each key once")
	}
	if d.Has(jsonscan.LoneSurrogate) && (!within(d, c.m.meta, d.FirstSurrogate) || within(d, c.m.record, d.FirstSurrogate)) {
		found.fail(c.placed(d, d.FirstSurrogate, ruleJSON), d.Pointer(d.FirstSurrogate), "got half a surrogate pair, expected U+FFFD in a record and a blob for native bytes")
	}
	return doubled
}

// placed is native-inline inside native.record, else the rule given.
func (c *lineCheck) placed(d *jsonscan.Doc, i int, otherwise string) string {
	if within(d, c.m.record, i) {
		return ruleNativeInline
	}
	return otherwise
}

// within says whether node i lies in the value of node in.
func within(d *jsonscan.Doc, in, i int) bool {
	return in >= 0 && i >= in && i < int(d.Nodes[in].Next)
}

// schema reports what breaks the schema of the record's type, and whether that leaves open what the record is, where it
// stands or what it names.
func (c *lineCheck) schema(t record.Type, d *jsonscan.Doc, found *lineFindings) (sound, lost bool) {
	if c.set.Accept(c.names[t], d) {
		return true, false
	}
	problems, err := c.set.Check(c.names[t], d.Raw)
	if err != nil {
		found.fail(ruleSchema, "", "got a record that cannot be checked: "+err.Error())
		return false, false
	}
	for _, p := range problems {
		if n := d.At(p.Pointer); d.Kind(n) != jsonscan.Number || jsonscan.SafeNumber(d.Value(n)) { // reported as such
			found.fail(ruleOf(t, d, p.Pointer), p.Pointer, p.Message)
		}
		lost = lost || structural(p.Pointer)
	}
	return len(problems) == 0, lost
}

// structural says whether other records hang on the member at a pointer; "" is a member that is not there.
func structural(pointer string) bool {
	switch top, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/"); top {
	case "", "type", "id", "position", "parent", "inference", "context", "native", "phase", "responseId", "bucket",
		"call", "calls", "callId", "message", "forgotten", "forgottenUnknown", "summary", "offset", "boundary", "extent":
		return true
	default:
		return false
	}
}

// ruleOf is the rule about the member at a pointer, schema where none is about it alone.
func ruleOf(t record.Type, d *jsonscan.Doc, pointer string) string {
	top, rest, below := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch {
	case top == "time":
		return ruleTime
	case top == "context":
		return ruleContextMark
	case top == "losses" && below:
		return ruleLossUnknown
	case top == "_meta" && below:
		return ruleMetaKey
	case top == "native" && !below && (t == record.Inference || t == record.Gap):
		return ruleNativePlace
	case top == "parent" && t == record.Inference:
		return ruleInference
	case top == "parent" && (t == record.Gap || t == record.SessionInfo || t == record.Attachment):
		return ruleParent
	case top == "usage" && t != record.Inference && t != record.UsageSummary:
		return ruleUsagePlace
	case top == "position" && (rest == "through" || rest == "ordinal") && d.Kind(d.At(pointer)) == jsonscan.Number:
		return rulePosition
	default:
		return ruleSchema
	}
}
