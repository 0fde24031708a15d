package transcript

import "github.com/session-trace/ctx/internal/record"

// item is what the first pass keeps of one native item: the records that share its position.
type item struct {
	id          string // of the primary record
	parentID    string
	callID      string // record id of the call that the item answers, "" none
	first, last int    // its lines, from 1
	parent      int    // index of the item that holds parentID, -1 none
	under       int    // index of the item whose call this one answers and stands under, -1 none
	primary     record.Type
	author      string // of a message
	hasNative   bool
	answered    bool // a result answers a call of it
	tail        bool // no part of the transcript
	onChain     bool // its records are nodes of the session's tree: in context, or an applied compaction
	speaks      bool // holds a message, a call or a result in context
	rootless    bool // its parent is unknown: loss lineage
	aside       bool // on an abandoned branch
}

// place tells records of one item from those of the next.
type place struct{ family, ordinal, id string }

func placeOf(l *line) place {
	return place{l.text("position", "family"), l.literal("position", "ordinal"), l.text("position", "id")}
}

// joins says whether a record belongs to the item that the last one belongs to.
func (it *item) joins(l *line, here, last place) bool {
	return here == last && here.ordinal != "" && l.kind != record.Gap && it.primary != record.Gap &&
		!(it.hasNative && l.has("native"))
}

// take adds a record's facts to its item.
func (it *item) take(l *line) {
	if l.has("native") || it.id == "" {
		it.id, it.primary, it.parentID, it.callID = l.id, l.kind, l.text("parent"), ""
		if l.kind == record.ToolResult {
			it.callID = l.text("call")
		}
		if l.kind == record.Message {
			it.author = authorOf(l)
		}
	}
	it.hasNative = it.hasNative || l.has("native")
	it.answered = it.answered || l.kind == record.ToolResult
	it.rootless = it.rootless || l.holds("lineage", "losses")
	if l.kind == record.Message && l.text("origin") == "summary" && !l.has("native") {
		return // it stands beside the tree, its compaction within
	}
	if l.inContext() {
		it.onChain = true
		it.speaks = it.speaks || l.kind == record.Message || l.kind == record.ToolCall || l.kind == record.ToolResult
	}
	if l.kind == record.Compaction && l.text("phase") == "applied" {
		it.onChain = true
	}
}

// authorOf is a message's role, with its origin where that is another.
func authorOf(l *line) string {
	role, origin := l.at("role"), l.at("origin")
	switch {
	case l.Equal(role, "user") && l.Equal(origin, "user"):
		return "user"
	case l.Equal(role, "assistant") && l.Equal(origin, "agent"):
		return "assistant"
	default:
		return l.Text(role) + " (" + l.Text(origin) + ")"
	}
}
