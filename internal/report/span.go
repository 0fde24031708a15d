package report

import (
	"errors"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// maxSpans is the longest text, in bytes, in which values are looked for; of a longer one only the line is told.
const maxSpans = 16 << 20

// text is a JSON text in which values are looked for.
type text struct {
	doc   jsonscan.Doc
	fault int // first byte that is no JSON, -1 none
	ruler *ruler
}

// newText reads a text whose first line has that number. It uses the memory of nodes.
func newText(raw []byte, first int, nodes []jsonscan.Node) *text {
	t := &text{fault: -1, ruler: newRuler(raw, first)}
	if len(raw) > maxSpans {
		return t
	}
	var err error
	if t.doc, err = jsonscan.Scan(raw, nodes[:0], jsonscan.Options{}); err != nil {
		t.doc = jsonscan.Doc{}
		if fault, ok := errors.AsType[*jsonscan.Error](err); ok {
			t.fault = fault.Offset
		}
	}
	return t
}

// region is where the value that a finding is about stands, or the nearest one around it.
func (t *text) region(f *record.Finding) Region {
	if t.fault >= 0 {
		return t.ruler.point(t.fault)
	}
	if len(t.doc.Nodes) == 0 {
		return Region{Line: t.ruler.first}
	}
	n := t.doc.Nodes[t.node(f)]
	return t.ruler.region(int(n.Start), int(n.End))
}

// node is the value that a finding's pointer names. Notices come from who read the source and point into the native value,
// errors into the record; either may mean the other.
func (t *text) node(f *record.Finding) int {
	own, native := f.Pointer, "/native/record"+f.Pointer
	if f.Severity == record.NoticeSeverity && f.Pointer != "" {
		own, native = native, own
	}
	for _, p := range [...]string{own, native} {
		if n := t.doc.At(p); n >= 0 {
			return n
		}
	}
	return t.near(own)
}

// near is the innermost value on the way to where a pointer leads.
func (t *text) near(pointer string) int {
	for {
		cut := strings.LastIndexByte(pointer, '/')
		if cut < 0 {
			return 0
		}
		pointer = pointer[:cut]
		if n := t.doc.At(pointer); n >= 0 {
			return n
		}
	}
}
