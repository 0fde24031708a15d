package entry

import "slices"

// Verdict says what the kind of an item alone tells of a condition.
type Verdict uint8

// The verdicts.
const (
	Open   Verdict = iota // the rest of the item decides
	Always                // it holds for every item of the kind
	Never                 // it holds for none
)

// ByKind judges the condition for all items whose member at path is kind. A missing condition holds always.
func (c *Cond) ByKind(path, kind string) Verdict {
	if c == nil || c.Empty() {
		return Always
	}
	texts, ok := c.Texts(path)
	switch {
	case !ok:
		return Open
	case !slices.Contains(texts, kind):
		return Never
	case len(c.tests) == 1 && len(c.any) == 0 && len(c.uses) == 0:
		return Always
	default:
		return Open
	}
}
