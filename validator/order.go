package validator

import "github.com/session-trace/ctx/internal/record"

// stage is a part of a stream; parts follow each other in this order.
type stage uint8

const (
	stageStart stage = iota
	stageHead
	stageTranscript
	stageUsage
	stageAttachments
	stageLast
)

var stageNames = [...]string{"start", "head", "transcript", "usage summaries", "attachments", "last session_info"}

func stageOf(f *record.Facts) stage {
	switch {
	case f.Type == record.SessionInfo && f.Phase == "head":
		return stageHead
	case f.Type == record.SessionInfo:
		return stageLast
	case f.Type == record.Attachment:
		return stageAttachments
	case f.Type == record.UsageSummary && f.Position.Family != record.Transcript:
		return stageUsage
	default:
		return stageTranscript
	}
}

// order checks the place of a record among the parts of the stream and within the tail.
func (s *Session) order(f *record.Facts, at place) {
	now := stageOf(f)
	switch {
	case now == stageHead:
		s.head(f, at)
	case now == stageLast:
		s.tail(at)
	}
	switch {
	case s.lasts > 0 && now != stageLast:
		s.fail(ruleTail, at, "got a record after the last session_info, expected none")
	case now == stageHead: // judged above
	case now < s.stage:
		s.fail(ruleOrder, at, "got the "+stageNames[now]+" after the "+stageNames[s.stage]+", expected before")
	case now == s.stage && (now == stageUsage || now == stageAttachments):
		s.orderTail(f, at)
	}
	if now >= s.stage {
		s.stage, s.previous = now, tailKey(f)
	}
}

func (s *Session) head(f *record.Facts, at place) {
	s.heads++
	if at.line > 1 || s.heads > 1 {
		s.fail(ruleHead, at, "got a head on line "+number(int64(at.line))+", expected the only one on line 1")
		return
	}
	s.sum.SessionID = clone(f.SessionID)
}

func (s *Session) tail(at place) {
	if s.lasts++; s.lasts > 1 {
		s.fail(ruleTail, at, "got a second last session_info, expected one")
	}
}

func tailKey(f *record.Facts) string {
	switch f.Type {
	case record.UsageSummary:
		return clone(f.Bucket)
	case record.Attachment:
		return clone(f.Path)
	default:
		return ""
	}
}

func (s *Session) orderTail(f *record.Facts, at place) {
	if key := tailKey(f); key < s.previous {
		s.fail(ruleOrder, at, "got "+quote(key)+" after "+quote(s.previous)+", expected the order of their bytes")
	}
}
