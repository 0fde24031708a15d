package validator

import (
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// losses is a set of core loss codes, one bit each in the order of record.CoreLosses.
type losses uint8

const (
	lossAccounting losses = 1 << iota
	lossBoundary
	lossLineage
	lossRendering
	lossNative
	lossSecret
	lossZone
	lossCoverage
)

func lossBit(code string) losses {
	switch code {
	case record.LossAccountingJoin:
		return lossAccounting
	case record.LossContextBoundary:
		return lossBoundary
	case record.LossLineage:
		return lossLineage
	case record.LossModelRendering:
		return lossRendering
	case record.LossNativeUnreadable:
		return lossNative
	case record.LossSecretOmitted:
		return lossSecret
	case record.LossTimeZone:
		return lossZone
	case record.LossUsageCoverage:
		return lossCoverage
	default:
		return 0
	}
}

func lossesOf(f *record.Facts) losses {
	var l losses
	for _, code := range f.Losses {
		l |= lossBit(code)
	}
	return l
}

// codes lists the codes of a set, sorted.
func (l losses) codes() []string {
	var list []string
	for i, code := range record.CoreLosses() {
		if l&(1<<i) != 0 {
			list = append(list, code)
		}
	}
	return list
}

const (
	gapMissing    = "missing"
	gapUnreadable = "unreadable"
	naiveLocal    = "naive-local"
	extentExact   = "exact"
	extentUnknown = "unknown"
)

// impliedByItem is what the payload of one record of an item implies; it may stand on the record or on the item's primary.
func impliedByItem(f *record.Facts) losses {
	switch {
	case f.Type == record.ToolResult && f.Rendering == "not-persisted":
		return lossRendering
	case f.Type == record.Compaction && (f.Extent == extentUnknown && !mistaken(f) || f.HasOffset && f.Summary != "" && f.BoundaryAt == "" && !f.AtStart):
		return lossBoundary
	default:
		return 0
	}
}

// mistaken says whether a compaction states an unknown extent for no reason, which the rule compaction says.
func mistaken(f *record.Facts) bool {
	return f.Extent == extentUnknown && f.Unknown == 0 && len(f.Forgotten) > 0 && lossesOf(f)&lossLineage == 0
}

func allowedByItem(f *record.Facts) losses {
	if f.Type == record.Compaction && mistaken(f) {
		return lossBoundary
	}
	return 0
}

// impliedHere is what a record implies that must stand on it alone.
func impliedHere(f *record.Facts) losses {
	var l losses
	if slices.ContainsFunc(f.Redacted, func(r record.Redaction) bool { return r.Kind == "secret" }) {
		l |= lossSecret
	}
	if f.Unframed > 0 {
		l |= lossNative
	}
	switch {
	case f.Type == record.Gap && f.GapReason != gapMissing:
		l |= lossNative
	case stageOf(f) == stageLast:
		if f.ClockBasis == naiveLocal && f.ClockOffset == "" {
			l |= lossZone
		}
		if c := f.Coverage; c != nil && !c.Complete && !(c.Responses == c.WithUsage && c.WithUsage > 0) {
			l |= lossCoverage
		}
	}
	return l
}

// possible is what a record may declare without showing why.
func possible(f *record.Facts) losses {
	if stageOf(f) == stageTranscript && slices.Contains(f.Meta, record.Own+"serialization") {
		return lossSecret | lossLineage // in the text around its item
	}
	switch {
	case stageOf(f) == stageLast:
		return lossSecret | lossNative | lossLineage
	case f.Type == record.Inference:
		if f.HasUsage {
			return 0
		}
		return lossAccounting
	case f.Type == record.UsageSummary && stageOf(f) == stageUsage:
		return lossAccounting
	case f.Type == record.UsageSummary:
		return lossAccounting | lossLineage
	case f.HasNative && f.Type != record.Gap && f.Type != record.Attachment:
		return lossLineage
	default:
		return 0
	}
}

// checkLosses judges the losses that do not depend on other records of the item.
func (s *Session) checkLosses(f *record.Facts, at place) {
	have, here := lossesOf(f), impliedHere(f)
	s.undeclared(here&^have, at)
	s.unfounded(have&^(here|possible(f)|lossRendering|lossBoundary), at)
	if stageOf(f) != stageTranscript || f.Type == record.Gap {
		s.unfounded(have&(lossRendering|lossBoundary), at)
	}
	for i, code := range f.Losses {
		if lossBit(code) == 0 && !vendorCode(code) {
			s.fail(ruleLossUnknown, at, "got loss "+quote(code)+", expected a core code or <agent name>/<code>")
		}
		if slices.Contains(f.Losses[:i], code) {
			s.fail(ruleLossUnfounded, at, "got loss "+quote(code)+" twice, expected once")
		}
	}
}

func vendorCode(code string) bool {
	agent, name, ok := strings.Cut(code, "/")
	return ok && agent != "" && name != ""
}

// closeItemLosses judges the losses that may stand on a record or on its item's primary.
func (s *Session) closeItemLosses() {
	it := &s.item
	var implied, onPrimary losses
	for i := range it.members {
		implied |= it.members[i].implied
	}
	if it.primary >= 0 {
		onPrimary = it.members[it.primary].losses
	}
	for i := range it.members {
		m := &it.members[i]
		if missing := m.implied &^ (m.losses | onPrimary); missing != 0 {
			s.undeclared(missing, s.placeOf(m))
		}
		founded := m.implied | m.allowed
		if i == it.primary {
			founded |= implied
		}
		if wrong := m.losses & (lossRendering | lossBoundary) &^ founded; wrong != 0 {
			s.unfounded(wrong, s.placeOf(m))
		}
	}
}

func (s *Session) undeclared(l losses, at place) {
	for _, code := range l.codes() {
		s.fail(ruleLossUndeclared, at, "got no loss "+code+", expected it: the record implies it")
	}
}

func (s *Session) unfounded(l losses, at place) {
	for _, code := range l.codes() {
		s.fail(ruleLossUnfounded, at, "got loss "+code+", expected none: nothing in the record implies it")
	}
}
