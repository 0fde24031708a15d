package transcript

import (
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// index is what the first pass keeps of a stream.
type index struct {
	items  []item
	byID   map[string]int // items by the ids of their primary record and calls
	sum    Summary
	info   info
	broken int // index of the item where the active branch loses its parent, -1 none

	asked      string // Options.At
	found      int    // index of the item of the asked record, -1 none
	exact      bool
	candidates []string // ids that begin with asked, of different records, at most mostCandidates
	last       place
}

// info is what the last session_info says.
type info struct {
	format, workspace, clock, head string
	models                         []string
	coverage                       string // how many responses have usage, "" unknown
}

const mostCandidates = 10

// readIndex makes the first pass over a stream.
func readIndex(b *bundle.Bundle, s bundle.StreamInfo, at string) (*index, error) {
	ix := &index{byID: map[string]int{}, broken: -1, asked: at, found: -1}
	ix.sum = Summary{Stream: s.ID, Session: s.SessionID, Agent: s.Agent}
	var nodes []jsonscan.Node
	err := b.Lines(s, MaxLine, func(n int, raw []byte, _ bool) error {
		l, err := parseLine(raw, nodes)
		if l != nil {
			nodes = l.Nodes[:0]
		}
		if err != nil {
			ix.sum.Unreadable++
			ix.items = append(ix.items, item{first: n, last: n, parent: -1, under: -1})
			ix.last = place{}
			return nil
		}
		ix.add(n, l)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", s.ID, err)
	}
	ix.link()
	return ix, nil
}

// add takes one record in.
func (ix *index) add(n int, l *line) {
	here := placeOf(l)
	if len(ix.items) == 0 || !ix.items[len(ix.items)-1].joins(l, here, ix.last) {
		ix.items = append(ix.items, item{first: n, parent: -1, under: -1})
	}
	ix.last = here
	at := len(ix.items) - 1
	it := &ix.items[at]
	it.take(l)
	it.last = n
	it.tail = l.kind == record.SessionInfo || here.family != "transcript"
	if it.id == l.id || l.kind == record.ToolCall {
		if _, taken := ix.byID[l.id]; !taken {
			ix.byID[l.id] = at
		}
	}
	ix.ask(l.id, at)
	ix.sum.take(l)
	if l.kind == record.SessionInfo {
		ix.info.take(l)
	}
}

// ask compares a record's id with the one that was asked for.
func (ix *index) ask(id string, at int) {
	if ix.asked == "" || ix.exact || !strings.HasPrefix(id, ix.asked) {
		return
	}
	if id == ix.asked {
		ix.exact, ix.found = true, at
		return
	}
	// records of one item begin with its id
	if ix.found != at && len(ix.candidates) < mostCandidates {
		ix.candidates = append(ix.candidates, id)
	}
	ix.found = at
}

// take keeps what a session_info says.
func (f *info) take(l *line) {
	f.format, f.workspace, f.head = l.text("format"), l.text("workspace"), l.text("head")
	f.models = l.texts("requestedModels")
	if basis := l.text("clock", "basis"); basis != "" {
		f.clock = strings.TrimSuffix(basis+", "+l.text("clock", "offset"), ", ")
	}
	f.coverage = coverageText(l)
}

// coverageText says how many responses have usage, "" when nothing is known of it.
func coverageText(l *line) string {
	responses, ok := l.Int(l.at("usageCoverage", "responses"))
	if !ok {
		return ""
	}
	var parts []string
	if responses > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s with usage", l.literal("usageCoverage", "withUsage"), count(int(responses), "response")))
	}
	if left, ok := l.Int(l.at("usageCoverage", "leftOver")); ok && left > 0 {
		parts = append(parts, count(int(left), "row")+" of usage without a response")
	}
	return strings.Join(parts, ", ")
}

// link resolves parents and calls.
func (ix *index) link() {
	for i := range ix.items {
		it := &ix.items[i]
		if at, ok := ix.byID[it.parentID]; ok && at != i {
			it.parent = at
		} else if it.parentID != "" {
			it.rootless = true
		}
		if at, ok := ix.byID[it.callID]; ok && at != i && ix.items[at].primary != record.ToolResult {
			it.under = at
			ix.items[at].answered = true
		}
	}
	ix.sum.Branches = ix.leaves()
	ix.sum.BranchesExact = ix.sum.Gaps == 0 && ix.sum.Unreadable == 0
	for i := range ix.items {
		if ix.items[i].rootless {
			ix.sum.BranchesExact = false
		}
	}
}

// leaves counts the items with a message, a call or a result after which no other such item stands.
func (ix *index) leaves() int {
	passed := make([]bool, len(ix.items)) // something that speaks stands below
	for i := range ix.items {
		if !ix.items[i].speaks {
			continue
		}
		for p := ix.items[i].parent; p >= 0 && !passed[p]; p = ix.items[p].parent {
			passed[p] = true
		}
	}
	n := 0
	for i := range ix.items {
		if ix.items[i].speaks && !passed[i] {
			n++
		}
	}
	return n
}

// branch marks the items off the active branch, given where that ends.
func (ix *index) branch(head Head) {
	at, ok := ix.byID[head.Record]
	switch {
	case !ok && head.Known && head.Record == "":
		at = -1
	case !ok:
		at = ix.lastOnChain()
	}
	on := make([]bool, len(ix.items))
	for at >= 0 && !on[at] {
		on[at] = true
		if ix.items[at].rootless {
			ix.broken = at
		}
		at = ix.items[at].parent
	}
	for i := range ix.items {
		ix.items[i].aside = ix.items[i].onChain && !on[i] && i >= ix.broken
	}
	for i := range ix.items {
		if it := &ix.items[i]; !it.onChain && it.parent >= 0 {
			it.aside = ix.items[it.parent].onChain && ix.items[it.parent].aside
		}
	}
}

// lastOnChain is the index of the last item in context, -1 when there is none.
func (ix *index) lastOnChain() int {
	for i := len(ix.items) - 1; i >= 0; i-- {
		if ix.items[i].onChain {
			return i
		}
	}
	return -1
}
