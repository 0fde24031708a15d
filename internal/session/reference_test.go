package session_test

import (
	"slices"
	"strings"
)

// This is a slow second opinion, written from how the SDK works and from nothing in the package: lists of events,
// loops until nothing changes, no index.

// logged is one event of a made log.
type logged struct {
	id, kind       string
	parent         string // "" none stated
	callID, action string // tool_call_id, action_id
	response       string
	runs, thinks   bool // an action that could run; one with thinking blocks
	forgets        []string
	summary        *string
	offset         *int
}

// log is one made conversation.
type log struct {
	events   []logged
	leaf     string
	noHead   bool // head_is_empty
	hasState bool
}

const rootMark = "__root__"

func (l *log) index(id string) int {
	return slices.IndexFunc(l.events, func(e logged) bool { return e.id == id })
}

func (l *log) parentOf(i int) string {
	switch p := l.events[i].parent; {
	case p == rootMark:
		return ""
	case p != "":
		return p
	case i == 0:
		return ""
	default:
		return l.events[i-1].id
	}
}

// pathTo is the events from the root to one, which is the last.
func (l *log) pathTo(id string) []logged {
	var path []logged
	for id != "" {
		i := l.index(id)
		path = append(path, l.events[i])
		id = l.parentOf(i)
	}
	slices.Reverse(path)
	return path
}

func (l *log) activeLeaf() string {
	if l.leaf != "" {
		return l.leaf
	}
	if l.noHead {
		return ""
	}
	for i := len(l.events) - 1; i >= 0; i-- {
		if k := l.events[i].kind; k != "ConversationStateUpdateEvent" && k != "ConversationErrorEvent" {
			return l.events[i].id
		}
	}
	return ""
}

// activeBranch is the path to the leaf; in a log from before there were trees, it is the log.
func (l *log) activeBranch() []logged {
	old := l.leaf == "" && !l.noHead
	for _, e := range l.events {
		old = old && e.parent == ""
	}
	if old {
		return l.events
	}
	return l.pathTo(l.activeLeaf())
}

func observes(e logged) bool {
	return e.kind == "ObservationEvent" || e.kind == "UserRejectObservation" || e.kind == "AgentErrorEvent"
}

func acts(e logged) bool { return e.kind == "ActionEvent" }

func convertible(e logged) bool {
	return observes(e) || acts(e) || e.kind == "SystemPromptEvent" || e.kind == "MessageEvent" || e.kind == "CondensationSummaryEvent"
}

// live applies the compactions of a branch in order. deduced says whether a summary was taken for an unknown id.
func (l *log) live(branch []logged) (view []logged, basis string) {
	basis = "exact"
	for _, e := range branch {
		switch {
		case e.kind == "Condensation":
			gone := slices.Clone(e.forgets)
			var unknown, summaries []string
			for _, id := range gone {
				if l.index(id) < 0 && !l.isSummary(id) && !slices.Contains(unknown, id) {
					unknown = append(unknown, id)
				}
			}
			for _, v := range view {
				if v.kind == "summary" {
					summaries = append(summaries, v.id)
				}
			}
			if len(unknown) == 1 && len(summaries) == 1 {
				gone = append(gone, summaries[0])
				if basis == "exact" {
					basis = "deduced"
				}
			} else if len(unknown) > 0 {
				basis = "unknown"
			}
			view = slices.DeleteFunc(view, func(v logged) bool { return slices.Contains(gone, v.id) })
			if e.summary != nil && e.offset != nil {
				view = slices.Insert(view, min(*e.offset, len(view)), logged{id: e.id + "-summary", kind: "summary"})
			}
		case e.kind == "MysteryEvent":
			basis = "unknown"
		case convertible(e):
			view = append(view, e)
		}
	}
	return view, basis
}

// isSummary says whether an id names the summary of an event of the log.
func (l *log) isSummary(id string) bool {
	of, ok := strings.CutSuffix(id, "-summary")
	if !ok {
		return false
	}
	i := l.index(of)
	return i >= 0 && l.events[i].summary != nil
}

// enforced drops events until no rule drops any more, from the first rule on again after each drop.
func enforced(view, branch []logged) []logged {
	for {
		drop := violations(view, branch)
		if len(drop) == 0 {
			return view
		}
		view = slices.DeleteFunc(slices.Clone(view), func(v logged) bool { return drop[v.id] })
	}
}

func violations(view, branch []logged) map[string]bool {
	for _, rule := range []func(view, branch []logged) map[string]bool{repeatedResults, halfBatches, unmatched, halfLoops} {
		if drop := rule(view, branch); len(drop) > 0 {
			return drop
		}
	}
	return nil
}

func repeatedResults(view, _ []logged) map[string]bool {
	drop, have := map[string]bool{}, map[string]bool{}
	for _, v := range view {
		if observes(v) {
			if have[v.callID] {
				drop[v.id] = true
			}
			have[v.callID] = true
		}
	}
	return drop
}

func halfBatches(view, branch []logged) map[string]bool {
	drop := map[string]bool{}
	for _, e := range branch {
		if acts(e) && !contains(view, e.id) {
			for _, v := range view {
				if acts(v) && v.response == e.response {
					drop[v.id] = true
				}
			}
		}
	}
	return drop
}

func unmatched(view, _ []logged) map[string]bool {
	drop := map[string]bool{}
	for _, v := range view {
		has := func(of func(logged) bool) bool {
			return slices.ContainsFunc(view, func(o logged) bool { return of(o) && o.callID == v.callID })
		}
		if (acts(v) && !has(observes)) || (observes(v) && !has(acts)) {
			drop[v.id] = true
		}
	}
	return drop
}

func halfLoops(view, branch []logged) map[string]bool {
	drop := map[string]bool{}
	var loop []logged
	finish := func() {
		if slices.ContainsFunc(loop, func(e logged) bool { return !contains(view, e.id) }) {
			for _, e := range loop {
				if contains(view, e.id) {
					drop[e.id] = true
				}
			}
		}
		loop = nil
	}
	for _, e := range branch {
		switch {
		case acts(e) && e.thinks:
			finish()
			loop = []logged{e}
		case (acts(e) || observes(e)) && loop != nil:
			loop = append(loop, e)
		default:
			finish()
		}
	}
	finish()
	return drop
}

func contains(list []logged, id string) bool {
	return slices.ContainsFunc(list, func(e logged) bool { return e.id == id })
}

// pending are the calls that wait for an answer.
func pending(branch []logged) []string {
	list := []string{}
	for i, e := range branch {
		if !acts(e) || !e.runs {
			continue
		}
		answered := slices.ContainsFunc(branch[i+1:], func(o logged) bool {
			if o.kind == "AgentErrorEvent" {
				return o.callID == e.callID
			}
			return observes(o) && o.action == e.id
		})
		if !answered {
			list = append(list, e.id)
		}
	}
	return list
}

func idsOf(events []logged) []string {
	list := []string{}
	for _, e := range events {
		list = append(list, e.id)
	}
	return list
}
