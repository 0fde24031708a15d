package jsonscan

import (
	"strconv"
	"strings"
)

// Trail makes the JSON pointers of many nodes of one document, best in their order: it goes on from the node before,
// where a walk from the root for each of a million elements would take for ever. The zero Trail is ready.
type Trail struct {
	steps []place // of the last pointer, from the root
	text  []byte
}

type place struct{ child, index int }

// Reset readies the trail for another document.
func (t *Trail) Reset() { t.steps = t.steps[:0] }

// Pointer is Doc.Pointer.
func (t *Trail) Pointer(d *Doc, n int) string {
	t.text = t.text[:0]
	for parent, k := 0, 0; parent != n; k++ {
		at := place{parent + 1, 0}
		if k < len(t.steps) && t.steps[k].child <= n {
			at = t.steps[k]
		}
		for int(d.Nodes[at.child].Next) <= n {
			at = place{int(d.Nodes[at.child].Next), at.index + 1}
		}
		if k == len(t.steps) || t.steps[k].child != at.child {
			t.steps = append(t.steps[:k], at)
		}
		t.token(d, at)
		parent = at.child
	}
	return string(t.text)
}

// token appends one part of a pointer: an index, or a name with its escapes.
func (t *Trail) token(d *Doc, at place) {
	t.text = append(t.text, '/')
	name := d.Name(at.child)
	if name == nil {
		t.text = strconv.AppendInt(t.text, int64(at.index), 10)
		return
	}
	start := len(t.text)
	t.text, _ = AppendUnescape(t.text, name)
	if plain := string(t.text[start:]); strings.ContainsAny(plain, "~/") {
		escaped := strings.ReplaceAll(strings.ReplaceAll(plain, "~", "~0"), "/", "~1")
		t.text = append(t.text[:start], escaped...)
	}
}
