package schemas

import (
	"cmp"
	"slices"
	"strings"
)

// Problem is one way in which a document breaks its schema.
type Problem struct {
	Pointer string // JSON pointer to the value; to the object where a member is missing
	Message string // found, then expected; names, codes and numbers, never content
}

const (
	maxProblems = 1000
	maxQuoted   = 64 // bytes of the document in one message, or in one step of a pointer
)

type problems struct{ list []Problem }

func (p *problems) add(at []string, message string) {
	p.list = append(p.list, Problem{Pointer: pointer(at), Message: message})
}

// sorted is what was found, each once, in an order that depends on the document alone.
func (p *problems) sorted() []Problem {
	slices.SortFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	list := slices.Compact(p.list)
	return list[:min(len(list), maxProblems):min(len(list), maxProblems)]
}

// pointer writes a path as a JSON pointer; a step longer than 64 bytes is cut and ends in an ellipsis.
func pointer(at []string) string {
	var b strings.Builder
	for _, step := range at {
		b.WriteByte('/')
		step = strings.ReplaceAll(cut(step), "~", "~0")
		b.WriteString(strings.ReplaceAll(step, "/", "~1"))
	}
	return b.String()
}

// cut bounds what is quoted, at a character's border.
func cut(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
}
