package validator

import (
	"slices"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// parentState is what a native item says about its parent.
type parentState uint8

const (
	parentUnknown parentState = iota // the native value is not on the line
	parentUnsaid
	parentRoot
	parentStated
)

// stated is what the native value of a record states, as the entry reads it. Strings are views, as those of facts.
type stated struct {
	known          bool // there is an entry, and the record has native
	state          parentState
	parent, body   string   // native ids
	head           string   // of a state
	response       string   // of an item in a group
	key, link      string   // of a result: its call's key, and its call's native id
	offset         int64    // of a compaction; -1 none
	gone           []string // of a compaction: native ids that it forgets, but for those that may name a summary
	pair           int8     // of a call or a result: which rule of the entry it falls under, from 1; 0 unknown
	callID, bucket string
	ledger         bool         // of a state: its ledger could be read
	simple         bool         // each row of it has an id of its own
	rows           int64        // rows of it that are reports
	buckets        []string     // of it
	bare           bool         // of an inference: usage without its native row
	joined         bool         // of an inference: its native row names a bucket
	part           part         // what a further record of an item states
	parts          []part       // what the further records of the item must be
	links          []statedLink // of the item's records
	partsKnown     bool
	offsetFault    bool // a compaction's offset is not that of the native value
	contextFault   bool // the record says the opposite of what the entry says about the item's kind
	timeFault      bool // the record's time is not that of the native value
}

// stated reads what the session stage compares with other records.
func (c *lineCheck) stated(r *reading, f *record.Facts, x *stated) {
	*x = stated{offset: -1, parts: x.parts[:0], links: x.links[:0]}
	if n := r.num(r.doc.Find(0, "offset"), -1); f.Type == record.Compaction {
		x.offset = n
	}
	x.callID = f.CallID
	e := c.target.entry
	if e == nil {
		return
	}
	if f.Type == record.Inference && e.Usage.Destination != "" {
		bucket := r.doc.Find(r.doc.Find(c.m.meta, e.Destination(e.Usage.Destination)), "bucket")
		x.joined = r.doc.Kind(bucket) == jsonscan.String // its name may be empty
		x.bucket, x.bare = r.str(bucket), f.HasUsage && !x.joined
	}
	if !f.HasNative {
		return
	}
	x.known = true
	switch stageOf(f) {
	case stageLast:
		if t := &e.Tree; c.m.record >= 0 && t.HasHead && (t.HeadNone == nil || !t.HeadNone.Holds(r.doc, c.m.record, entry.SessionFacts{})) {
			x.head = r.str(e.Tree.Head.One(r.doc, c.m.record))
		}
		if c.m.record >= 0 && f.Blob == "" {
			c.ledgerOf(r, &e.Usage, x)
		}
	case stageTranscript:
		if c.m.record >= 0 {
			c.statedByItem(r, e, f, x)
		}
	}
}

func (c *lineCheck) statedByItem(r *reading, e *entry.Entry, f *record.Facts, x *stated) {
	d, at := r.doc, c.m.record
	if e.Tree.Stated {
		x.body, x.parent, x.state = c.text(r, &e.Tree.Body), c.text(r, &e.Tree.Parent), parentStated
		switch {
		case x.parent == "":
			x.state = parentUnsaid
		case e.Tree.Root != "" && x.parent == e.Tree.Root:
			x.state = parentRoot
		}
	}
	if g := &e.Groups; g.Stated && (g.Of == nil || g.Of.Holds(d, at, entry.SessionFacts{})) {
		x.response = c.text(r, &g.Key)
	}
	switch f.Type {
	case record.Compaction:
		c.statedByCompaction(r, e.Context.Compaction, x)
	case record.ToolResult:
		c.statedByResult(r, e, x)
	case record.ToolCall:
		x.pair = int8(1 + slices.IndexFunc(e.Pairs, func(p entry.Pair) bool { return p.Calls == nil || p.Calls.Holds(d, at, entry.SessionFacts{}) }))
	}
}

// statedByResult reads the links of a result of which just one kind of calls can be meant.
func (c *lineCheck) statedByResult(r *reading, e *entry.Entry, x *stated) {
	for i := range e.Pairs {
		p := &e.Pairs[i]
		for j := range p.Results {
			w := &p.Results[j]
			if p.Update || w.When != nil && !w.When.Holds(r.doc, c.m.record, entry.SessionFacts{}) {
				continue
			}
			x.pair = int8(i + 1)
			for k := range w.By {
				if w.By[k].ByID && x.link == "" {
					x.link = c.text(r, &w.By[k].Path)
				} else if !w.By[k].ByID && x.key == "" {
					x.key = c.text(r, &w.By[k].Path)
				}
			}
			return
		}
	}
}

// text is the string at a path of the native value, "" none.
func (c *lineCheck) text(r *reading, p *entry.Path) string {
	if !p.Stated() {
		return ""
	}
	return r.str(p.One(r.doc, c.m.record))
}

// timeOf compares a record's time with that of the native item on its line.
func (c *lineCheck) timeOf(r *reading, f *record.Facts, x *stated, found *lineFindings) {
	e := c.target.entry
	if e == nil || !e.Session.HasTime || c.m.record < 0 || stageOf(f) != stageTranscript {
		return
	}
	n := e.Session.Time.One(r.doc, c.m.record)
	if r.doc.Kind(n) != jsonscan.String {
		return
	}
	switch native := r.str(n); {
	case f.Time == "" && isTime(native):
		x.timeFault = true
		found.fail(ruleTime, "/time", "got no time beside one in the native value, expected it")
	case f.Time != "" && f.Time != native:
		x.timeFault = true
		found.fail(ruleTime, "/time", "got a time that is spelled otherwise in the native value, expected the same")
	}
}

// responseOf compares the response that a record belongs to with the one that its native item names.
func (c *lineCheck) responseOf(f *record.Facts, x *stated, found *lineFindings) {
	const start = "inference:"
	if f.Inference == "" {
		return
	}
	if x.response == "" {
		if e := c.target.entry; e != nil && e.Groups.Stated && c.m.record >= 0 && f.Type == record.ToolResult {
			found.fail(ruleInference, "/inference", "got an inference on a result, whose native value names no response, expected none")
		}
		return
	}
	if len(f.Inference) != len(start)+len(x.response) || f.Inference[len(start):] != x.response {
		found.fail(ruleInference, "/inference", "got inference "+quote(f.Inference)+", expected "+quote(start+x.response)+", which the native value names")
	}
}

// contextOf compares whether the model sees a record with what the entry says about the kind of its item.
func (c *lineCheck) contextOf(r *reading, f *record.Facts, x *stated, found *lineFindings) {
	e := c.target.entry
	if e == nil || c.m.record < 0 || !e.Context.Kind.Stated() || stageOf(f) != stageTranscript || !record.ContextByDefault(f.Type) {
		return
	}
	kind := r.str(e.Context.Kind.One(r.doc, c.m.record))
	if seen := slices.Contains(e.Context.Kinds, kind); seen == f.OutOfContext {
		x.contextFault = true
		found.fail(ruleContextMark, "/context", "got "+present(f.OutOfContext, "context:false")+" on an item of kind "+quote(kind)+", expected "+present(!seen, "it"))
	}
}
