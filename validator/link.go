package validator

import (
	"cmp"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// linkKind is what a link says about the record that it names.
type linkKind uint8

const (
	linkParent linkKind = iota
	linkResult
	linkCall
	linkMessage
	linkForgotten
	linkBoundary
)

// link is a link whose target was not seen, or not judged, when it was met. Its strings are its own.
type link struct {
	kind   linkKind
	from   int32
	own    string // id of the record that has it
	target string
}

func clone(s string) string { return strings.Clone(s) }

// linksOf judges the links of a record, or keeps those whose target has not come yet.
func (s *Session) linksOf(f *record.Facts, index int32, at place) {
	if f.Parent != "" {
		s.link(linkParent, f.Parent, index, at)
	}
	s.inferenceOf(f, at)
	if f.Call != "" {
		kind := linkCall
		if f.Type == record.ToolResult {
			kind = linkResult
		}
		s.link(kind, f.Call, index, at)
	}
	for _, call := range f.Calls {
		if call != "" {
			s.link(linkCall, call, index, at)
		}
	}
	if f.Message != "" {
		s.link(linkMessage, f.Message, index, at)
	}
	for _, id := range f.Forgotten {
		s.link(linkForgotten, id, index, at)
	}
	if f.BoundaryAt != "" {
		s.link(linkBoundary, f.BoundaryAt, index, at)
	}
	if f.Type == record.ToolCall {
		s.rows.at(index).open = s.calls.open(f.ID)
	}
}

// link judges a link at once if the item of its target is complete.
func (s *Session) link(kind linkKind, target string, index int32, at place) {
	hash := s.ids.of(target)
	to := s.rows.find(hash)
	switch {
	case to >= 0 && !s.inOpenItem(to):
		s.judge(link{kind, index, at.id, target}, to)
	case to >= 0:
		s.item.links = append(s.item.links, link{kind, index, clone(at.id), clone(target)})
	default:
		s.links[hash] = append(s.links[hash], link{kind, index, clone(at.id), clone(target)})
	}
}

func (s *Session) inOpenItem(index int32) bool {
	return s.item.open && index >= s.item.members[0].index
}

// arrived hands the links that wait for a record to its item, or judges them when it belongs to none.
func (s *Session) arrived(hash uint64, index int32) {
	if len(s.links) == 0 {
		return
	}
	waiting, ok := s.links[hash]
	if !ok {
		return
	}
	delete(s.links, hash)
	if s.inOpenItem(index) {
		s.item.links = append(s.item.links, waiting...)
		return
	}
	for _, l := range waiting {
		s.judge(l, index)
	}
}

func (s *Session) closeItemLinks() {
	for _, l := range s.item.links {
		s.judge(l, s.rows.find(s.ids.of(l.target)))
	}
	s.item.links = s.item.links[:0]
}

// judge checks a link against the record that it names.
func (s *Session) judge(l link, to int32) {
	at, target := place{int(l.from) + 1, l.own}, s.rows.at(to)
	switch l.kind {
	case linkParent:
		s.judgeParent(l, at, to)
	case linkResult:
		s.judgeResult(at, to)
	case linkCall:
		if target.kind != record.ToolCall {
			s.fail(ruleCall, at, "got a "+target.kind.String()+" as call "+quote(l.target)+", expected a tool_call")
		}
	case linkMessage:
		if target.kind != record.Message {
			s.fail(ruleMessage, at, "got a "+target.kind.String()+" as message "+quote(l.target)+", expected a message")
		}
	case linkForgotten:
		if target.marks&(markPrimary|markSummary) == 0 && target.kind != record.Gap && !s.summarized[s.ids.of(l.target)] {
			s.fail(ruleCompaction, at, "got forgotten id "+quote(l.target)+", which is neither a primary record nor a summary")
		}
	case linkBoundary:
		if target.marks&(markPrimary|markSummary) == 0 || target.kind == record.Gap || l.ownSummary() {
			s.fail(ruleBoundary, at, "got boundary after "+quote(l.target)+", expected the primary record of another item or another summary")
		}
	}
}

// ownSummary says whether a link names its own record or the summary of it. Where parents lead forward, a view may hold what
// comes later in the log.
func (l *link) ownSummary() bool {
	return l.target == l.own || strings.TrimSuffix(l.target, "-summary") == l.own
}

func (s *Session) judgeParent(l link, at place, to int32) {
	from, target := s.rows.at(l.from), s.rows.at(to)
	own := to == l.from || from.marks&markSummary == 0 && s.sameItem(l, to)
	switch {
	case own:
		s.parentFault(l.from)
		s.fail(ruleParent, at, "got the record's own item as parent, expected another one")
		return
	case target.marks&markPrimary == 0 || target.kind == record.Gap:
		s.parentFault(l.from)
		s.fail(ruleParent, at, "got parent "+quote(l.target)+", a "+target.kind.String()+" that is not the primary record of an item")
	case target.marks&(markInContext|markApplied) == 0:
		s.parentFault(l.from)
		s.fail(ruleParent, at, "got parent "+quote(l.target)+", a "+target.kind.String()+" outside the context, expected its nearest ancestor in context")
	}
	from.parent = to
	if to > l.from {
		from.marks |= markForward
		s.forwards = true
	}
}

// parentFault notes that a record's parent is at fault in itself, so that it is not judged twice.
func (s *Session) parentFault(row int32) {
	if s.deep != nil {
		s.deep.judged[row] = true
	}
}

// sameItem says whether a link's two ends are records of one item: the target's id is the start of the owner's, or the reverse.
func (s *Session) sameItem(l link, to int32) bool {
	n := len(l.target)
	return s.rows.at(to).marks&markPrimary != 0 && len(l.own) > n && l.own[n] == '#' && l.own[:n] == l.target
}

// inferenceOf checks the link to a model response, which always stands before its members.
func (s *Session) inferenceOf(f *record.Facts, at place) {
	if f.Type == record.Inference && f.Inference != "" {
		s.fail(ruleInference, at, "got an inference of an inference, expected none")
		return
	}
	if f.Inference == "" {
		return
	}
	to := s.rows.find(s.ids.of(f.Inference))
	switch {
	case to < 0 && s.blind:
	case to < 0:
		s.fail(ruleInference, at, "got inference "+quote(f.Inference)+", expected a record that stands before")
	case s.rows.at(to).kind != record.Inference:
		s.fail(ruleInference, at, "got a "+s.rows.at(to).kind.String()+" as inference "+quote(f.Inference)+", expected an inference")
	}
}

// closeLinks reports the links whose target never came, in the order of their lines.
func (s *Session) closeLinks() {
	if s.blind {
		return
	}
	var all []link
	for _, waiting := range s.links {
		all = append(all, waiting...)
	}
	slices.SortFunc(all, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.kind, b.kind), cmp.Compare(a.target, b.target))
	})
	for _, l := range all {
		if l.kind == linkParent {
			s.parentFault(l.from)
		}
		if l.kind == linkForgotten && s.summarized[s.ids.of(l.target)] { // the rule compaction-summary says so
			continue
		}
		s.fail(linkRule(l.kind), place{int(l.from) + 1, l.own}, "got "+quote(l.target)+", which no record of the stream is")
	}
}

func linkRule(k linkKind) string {
	switch k {
	case linkParent:
		return ruleParent
	case linkMessage:
		return ruleMessage
	case linkForgotten:
		return ruleCompaction
	case linkBoundary:
		return ruleBoundary
	default:
		return ruleCall
	}
}
