package entry

import (
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

func (l *loader) session(n int) {
	s := &l.e.Session
	l.each(l.get(n, "id"), func(c int) {
		switch {
		case l.get(c, "snapshot") >= 0:
			s.IDs = append(s.IDs, IDSource{Snapshot: true, Path: l.path(l.get(c, "snapshot"))})
		case l.get(c, "document") >= 0:
			s.IDs = append(s.IDs, IDSource{Document: true, Path: l.path(l.get(c, "document"))})
		case l.get(c, "attachment") >= 0:
			s.IDs = append(s.IDs, IDSource{File: l.text(l.get(c, "attachment")), Path: l.path(l.get(c, "path"))})
		default:
			s.IDs = append(s.IDs, IDSource{Folder: true})
		}
	})
	s.WithoutDashes = l.text(l.get(n, "compare")) == "without-dashes"
	s.Clock = l.text(l.get(n, "clock"))
	s.Time, s.HasTime = l.optional(l.get(n, "time"))
}

func (l *loader) snapshot(n int) {
	info := l.get(n, "sessionInfo")
	l.e.Snapshot = Snapshot{
		Title: l.get(info, "title"), Workspace: l.get(info, "workspace"),
		ExecutionStatus: l.get(info, "executionStatus"), RequestedModels: l.get(info, "requestedModels"),
		Destination: l.destination(l.get(l.get(n, "meta"), "destination")),
	}
}

// destination is a name that the entry's destinations must list.
func (l *loader) destination(n int) string {
	name := l.text(n)
	for _, d := range l.e.Destinations {
		if d == name {
			return name
		}
	}
	if n >= 0 {
		l.fault(n, "got a destination that the entry does not list, want one of its destinations")
	}
	return name
}

func (l *loader) tree(n int) {
	t := &l.e.Tree
	t.Stated = n >= 0
	t.Body = l.path(l.get(l.get(n, "id"), "body"))
	t.Parent = l.path(l.get(n, "parent"))
	t.Root = l.text(l.get(n, "root"))
	t.MissingPrevious = l.text(l.get(n, "missing")) == "previous"
	l.each(l.get(n, "neverParent"), func(c int) { t.NeverParent = append(t.NeverParent, l.cond(c)) })
	head := l.get(n, "head")
	t.Head, t.HasHead = l.optional(l.get(head, "is"))
	t.HeadNone = l.optionalCond(l.get(head, "none"))
	t.LastNot = l.texts(l.get(l.get(head, "else"), "lastNot"))
}

func (l *loader) groups(n int) {
	g := &l.e.Groups
	g.Stated = n >= 0
	g.Of = l.optionalCond(l.get(n, "of"))
	g.Key = l.path(l.get(n, "key"))
	g.Calls, g.HasCalls = l.optional(l.get(n, "calls"))
	g.SeparatedBy = l.optionalCond(l.get(n, "separatedBy"))
	g.Unless = l.optionalCond(l.get(n, "unlessSnapshot"))
	l.each(l.get(n, "purpose"), func(c int) {
		g.Purposes = append(g.Purposes, Purpose{l.cond(l.get(c, "when")), l.text(l.get(c, "is"))})
	})
}

func (l *loader) pair(n int) Pair {
	p := Pair{
		Calls: l.cond(l.get(n, "calls")), Key: l.path(l.get(n, "key")),
		Open: l.optionalCond(l.get(n, "open")), Update: l.text(l.get(n, "repeat")) == "update",
	}
	l.each(l.get(n, "results"), func(c int) {
		r := Result{When: l.cond(l.get(c, "when"))}
		l.each(l.get(c, "by"), func(b int) {
			if id := l.get(b, "id"); id >= 0 {
				r.By = append(r.By, Link{ByID: true, Path: l.path(id)})
				return
			}
			r.By = append(r.By, Link{Path: l.path(l.get(b, "key"))})
		})
		p.Results = append(p.Results, r)
	})
	return p
}

func (l *loader) context(n int) {
	c := &l.e.Context
	c.Kinds = l.texts(l.get(n, "kinds"))
	c.Kind, _ = ParsePath("kind")
	if by := l.get(n, "by"); by >= 0 {
		c.Kind = l.path(by)
	}
	if k := l.get(n, "compaction"); k >= 0 {
		c.Compaction = l.compaction(k)
	}
	l.each(l.get(n, "enforce"), func(e int) {
		c.Enforce = append(c.Enforce, Enforcement{l.text(l.get(e, "rule")), l.optionalCond(l.get(e, "starts"))})
	})
}

func (l *loader) compaction(n int) *Compaction {
	k := &Compaction{
		When: l.cond(l.get(n, "when")), Forgotten: l.path(l.get(n, "forgotten")),
		Summary: l.path(l.get(n, "summary")), Offset: l.path(l.get(n, "offset")),
		BeyondIsEnd:      l.text(l.get(n, "beyond")) == "end",
		UnknownIsSummary: l.text(l.get(n, "unknownSummary")) == "only-one",
	}
	id := l.get(n, "summaryId")
	if id < 0 {
		k.SummaryIDAfter = "-summary"
		return k
	}
	before, after, ok := strings.Cut(l.text(id), "{id}")
	if !ok || before+after == "" {
		l.fault(id, "got a summary id without {id} or equal to it, want text around {id}")
	}
	k.SummaryIDBefore, k.SummaryIDAfter = before, after
	return k
}

func (l *loader) usage(n int) {
	u := &l.e.Usage
	if u.Stated = n >= 0; !u.Stated {
		return
	}
	u.Ledgers = l.paths(l.get(n, "ledger"))
	reports := l.get(n, "reports")
	u.Rows, u.RowsName = l.path(l.get(reports, "each")), l.text(l.get(reports, "each"))
	u.RowJoin, u.RowModel = l.path(l.get(reports, "join")), l.path(l.get(reports, "requestedModel"))
	latencies := l.get(n, "latencies")
	u.Latencies, u.HasLatencies = l.optional(l.get(latencies, "each"))
	u.LatenciesName = l.text(l.get(latencies, "each"))
	u.LatencyJoin, u.LatencySeconds = l.path(l.get(latencies, "join")), l.path(l.get(latencies, "seconds"))
	costs := l.get(n, "costs")
	u.Costs, u.HasCosts = l.optional(l.get(costs, "each"))
	u.CostAmount, u.CostSeconds = l.path(l.get(costs, "amount")), l.path(l.get(costs, "epochSeconds"))
	l.each(l.get(n, "fields"), func(c int) {
		u.Fields = append(u.Fields, UsageField{l.name(c), l.path(c)})
	})
	totals := l.get(n, "totals")
	u.HasTotals = totals >= 0
	u.TotalUsage, u.TotalUsageName = l.path(l.get(totals, "usage")), l.text(l.get(totals, "usage"))
	u.TotalCost, u.TotalCostName = l.path(l.get(totals, "cost")), l.text(l.get(totals, "cost"))
	u.TotalDestination = l.destination(l.get(totals, "destination"))
	u.Destination = l.destination(l.get(n, "destination"))
	u.Unless = l.optionalCond(l.get(n, "unlessSnapshot"))
	evidence := l.get(n, "evidenceWithoutSnapshot")
	u.EvidenceWhen, u.EvidenceAt = l.optionalCond(l.get(evidence, "when")), l.path(l.get(evidence, "at"))
}

func (l *loader) secrets(n int) {
	s := &l.e.Secrets
	sets := l.get(n, "sets")
	l.each(l.get(n, "omit"), func(c int) {
		o := Omission{In: In(l.text(l.get(c, "in"))), When: l.optionalCond(l.get(c, "when"))}
		o.At, o.HasAt = l.optional(l.get(c, "at"))
		o.Text = l.text(l.get(c, "text")) == "json"
		o.Paths = l.paths(l.get(c, "paths"))
		if set := l.get(c, "set"); set >= 0 {
			named := l.get(sets, l.text(set))
			if named < 0 {
				l.fault(set, "got an unknown set, want one of the entry's sets")
			}
			o.Paths = append(o.Paths, l.paths(named)...)
		}
		s.Omit = append(s.Omit, o)
	})
	s.UserInfo = l.paths(l.get(n, "userInfo"))
	l.each(l.get(n, "masked"), func(c int) {
		if p := l.get(c, "prefix"); l.is(c, jsonscan.Object) {
			s.Prefixes = append(s.Prefixes, l.text(p))
			return
		}
		s.Masked = append(s.Masked, l.text(c))
	})
	s.Always = l.texts(l.get(n, "always"))
	s.Learn = l.paths(l.get(n, "learnFrom"))
}

func (l *loader) parts(n int) {
	p := &l.e.Parts
	p.Stated = n >= 0
	text, image := l.get(n, "text"), l.get(n, "image")
	p.TextWhen, p.ImageWhen = l.cond(l.get(text, "when")), l.cond(l.get(image, "when"))
	p.Text, p.HasText = l.optional(l.get(text, "text"))
	p.ImageURLs, p.HasImageURLs = l.optional(l.get(image, "urls"))
}
