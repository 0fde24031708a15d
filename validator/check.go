package validator

import (
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// checkRecord judges what one record says about itself.
func (s *Session) checkRecord(f *record.Facts, at place) {
	s.checkPosition(f, at)
	s.checkID(f, at)
	s.checkNative(f, at)
	s.checkLosses(f, at)
	if f.OutOfContext && !record.ContextByDefault(f.Type) {
		s.fail(ruleContextMark, at, "got context:false on a "+f.Type.String()+", which is never in context")
	}
	if f.Time != "" && !isTime(f.Time) {
		s.fail(ruleTime, at, "got a time that is no ISO 8601 date and time")
	}
	if f.Parent != "" && !hasParent(f) {
		s.fail(ruleParent, at, "got a parent on a "+f.Type.String()+" that comes from no item, expected none")
	}
	if f.Type == record.Compaction {
		s.checkCompaction(f, at)
	}
}

// checkStream judges and counts what a record says about the stream.
func (s *Session) checkStream(f *record.Facts, at place) {
	s.checkUsage(f, at)
	if f.Time != "" && stageOf(f) == stageTranscript {
		s.zones.add(f.Time)
	}
	if f.Type == record.Compaction && f.Summary != "" {
		s.summaries++
		s.summarized[s.ids.of(f.Summary)] = true
	}
	if stageOf(f) == stageLast {
		s.checkLast(f, at)
	}
	if slices.ContainsFunc(f.Redacted, func(r record.Redaction) bool { return r.Kind != "secret" }) {
		s.note(record.SecretMemberOmitted, at, "members with masked or empty values were left out")
	}
}

func hasParent(f *record.Facts) bool {
	return stageOf(f) == stageTranscript && f.Type != record.Inference && f.Type != record.Gap
}

// checkPosition judges family, ordinal, path and through against the type.
func (s *Session) checkPosition(f *record.Facts, at place) {
	p, now := &f.Position, stageOf(f)
	want := record.Transcript
	if now >= stageUsage {
		want = record.CurrentState
	}
	if p.Family != want {
		s.fail(rulePosition, at, "got family "+quote(p.Family)+" on a "+f.Type.String()+", expected "+want)
	}
	if needs := now == stageTranscript; needs != (p.Ordinal >= 0) {
		s.fail(rulePosition, at, "got "+present(p.Ordinal >= 0, "an ordinal")+" on a "+f.Type.String()+", expected "+present(needs, "one"))
	}
	if p.Ordinal > record.MaxSafe || p.Through > record.MaxSafe {
		s.fail(rulePosition, at, "got an ordinal above 2^53-1")
	}
	s.checkPaths(f, at)
	if missing := f.Type == record.Gap && f.GapReason == gapMissing; p.Through >= 0 && (!missing || p.Through <= p.Ordinal) {
		s.fail(rulePosition, at, "got through "+number(p.Through)+" on ordinal "+number(p.Ordinal)+", expected it above the ordinal, on a gap of missing items")
	}
}

func present(is bool, what string) string {
	if is {
		return what
	}
	return "none"
}

func (s *Session) checkPaths(f *record.Facts, at place) {
	for _, path := range [...]string{f.Position.Path, f.Path} {
		if path != "" && !relative(path) {
			s.fail(rulePosition, at, "got path "+quote(path)+", expected one relative to the source")
			return
		}
	}
	switch now := stageOf(f); {
	case f.Position.Path != "" && !f.HasNative && f.Type != record.Gap && now != stageAttachments && now != stageLast:
		s.fail(rulePosition, at, "got a path on a record without native bytes, expected none")
	case f.Type == record.Attachment && f.Path != f.Position.Path:
		s.fail(rulePosition, at, "got position path "+quote(f.Position.Path)+", expected "+quote(f.Path))
	case stageOf(f) == stageLast && f.Phase == "snapshot" && f.Position.Path == "":
		s.fail(rulePosition, at, "got a state without the path of its file")
	case f.Type == record.Gap && (f.Path == "") != (f.GapReason == gapMissing):
		s.fail(rulePosition, at, "got "+present(f.Path != "", "a path")+" on a gap of reason "+quote(f.GapReason)+", expected one on all but missing")
	}
}

// checkID judges the ids that the format fixes.
func (s *Session) checkID(f *record.Facts, at place) {
	start, rest := fixedID(f)
	if f.Type == record.Attachment && f.Path == "" { // the rule position says so
		return
	}
	if tail, ok := strings.CutPrefix(f.ID, start); start == "" || ok && (tail == rest || f.Type == record.Gap && f.GapReason != gapMissing && furtherGap(tail, rest)) {
		return
	}
	s.fail(ruleRecordID, at, "got another id than "+quote(start+rest)+", which the format fixes for this "+f.Type.String())
}

// furtherGap says whether an id ends as that of a further gap at its ordinal does: in -2 and so on.
func furtherGap(tail, rest string) bool {
	text, ok := strings.CutPrefix(tail, rest+"-")
	n, err := strconv.Atoi(text)
	return ok && rest != "" && err == nil && n >= 2
}

// fixedID is the id that the format fixes for a record, in two parts; "" when it comes from the item.
func fixedID(f *record.Facts) (start, rest string) {
	switch now := stageOf(f); {
	case now == stageHead:
		return "session", ""
	case now == stageLast && f.Phase == "snapshot":
		return "state", ""
	case now == stageLast:
		return "end", ""
	case now == stageAttachments:
		return "file:", f.Path
	case now == stageUsage:
		return "usage:", f.Bucket
	case f.Type == record.Inference:
		return "inference:", f.ResponseID
	case f.Type == record.Gap && f.GapReason == gapMissing:
		return "gap:", number(f.Position.Ordinal) + "-" + number(max(f.Position.Ordinal, f.Position.Through))
	case f.Type == record.Gap:
		return "gap:" + number(f.Position.Ordinal) + ":", f.Position.ID
	default:
		return "", ""
	}
}

// checkNative judges whether a record that is no part of an item carries native bytes.
func (s *Session) checkNative(f *record.Facts, at place) {
	want, known, now := f.HasNative, true, stageOf(f)
	switch {
	case f.Type == record.Gap:
		want = slices.Contains([]string{"invalid-json", "not-utf8", "empty"}, f.GapReason)
	case now == stageLast:
		want = f.Phase == "snapshot"
	case now == stageAttachments:
		want = !slices.Contains(f.Meta, record.Own+"file")
	case now == stageHead, now == stageUsage, f.Type == record.Inference:
		want = false
	default:
		known = false
	}
	switch {
	case !known || want == f.HasNative:
	case want:
		s.fail(ruleNativeMissing, at, "got no native on a "+f.Type.String()+", expected the bytes of its file")
	case now != stageAttachments:
		s.fail(ruleNativePlace, at, "got native on a "+f.Type.String()+" that comes from no file, expected none")
	}
	if f.Type == record.Gap && f.HasNative && f.Reason != f.GapReason {
		s.fail(ruleNativePlace, at, "got native reason "+quote(f.Reason)+", expected the gap's "+quote(f.GapReason))
	}
}

// checkCompaction judges the members of one compaction.
func (s *Session) checkCompaction(f *record.Facts, at place) {
	applied := f.CompactionPhase == "applied"
	switch {
	case applied != (f.Extent != ""):
		s.fail(ruleCompaction, at, "got "+present(f.Extent != "", "an extent")+" on a compaction of phase "+quote(f.CompactionPhase)+", expected one on applied alone")
	case f.Extent == extentExact && f.Unknown > s.summaries:
		s.fail(ruleCompaction, at, "got extent exact beside "+number(int64(f.Unknown))+" unknown ids, expected unknown")
	case mistaken(f):
		s.fail(ruleCompaction, at, "got extent unknown without unknown ids, expected exact")
	}
	if (f.BoundaryAt != "" || f.AtStart) && (!f.HasOffset || f.Summary == "") {
		s.fail(ruleCompaction, at, "got a boundary without offset and summary, expected both")
	}
	if id, ok := s.repeated(f.Forgotten); ok {
		s.fail(ruleCompaction, at, "got forgotten id "+quote(id)+" twice, expected once")
	}
}

// repeated returns an id that occurs twice in a list.
func (s *Session) repeated(list []string) (string, bool) {
	s.scratch = s.scratch[:0]
	for _, id := range list {
		s.scratch = append(s.scratch, s.ids.of(id))
	}
	slices.Sort(s.scratch)
	for i := 1; i < len(s.scratch); i++ {
		if s.scratch[i] == s.scratch[i-1] {
			for _, id := range list {
				if s.ids.of(id) == s.scratch[i] {
					return id, true
				}
			}
		}
	}
	return "", false
}

// checkLast judges the last session_info against the whole stream.
func (s *Session) checkLast(f *record.Facts, at place) {
	if f.Head != "" {
		s.checkHead(f.Head, at)
		if f.HeadNativeID != "" {
			s.fail(ruleHeadLink, at, "got headNativeId beside head, expected one of them")
		}
	} else if f.HeadNativeID != "" && lossesOf(f)&lossLineage == 0 { // with the loss, several items bear it
		s.note(record.HeadMissing, at, "the stated head "+quote(f.HeadNativeID)+" is not in the log")
	}
	if slices.Contains(f.Meta, record.Own+"uncommitted") {
		s.uncommitted = true
		s.note(record.TailUncommitted, at, "the last file of the transcript was never completed")
	}
	for range f.Unfinished {
		s.note(record.WriteUnfinished, at, "a temporary file of an unfinished write is left over")
	}
	s.checkClock(f, at)
	s.headHash, s.headNative = s.hashed(f.Head), s.hashed(f.HeadNativeID)
	s.checkCoverage(f, at)
}

func (s *Session) checkHead(id string, at place) {
	to := s.rows.find(s.ids.of(id))
	switch {
	case to < 0 && s.blind:
	case to < 0 || s.rows.at(to).marks&markPrimary == 0 && s.rows.at(to).kind != record.Gap:
		s.fail(ruleHeadLink, at, "got head "+quote(id)+", expected the primary record of an item")
	}
}

// hasMetrics says whether a record keeps the ledger rows it was joined with.
func hasMetrics(f *record.Facts) bool {
	return slices.ContainsFunc(f.Meta, func(key string) bool {
		return strings.HasSuffix(key, "/metrics") && !strings.HasPrefix(key, record.Own)
	})
}
