package validator

import (
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// sessionInfo reads a member of a session_info.
func (r *reading) sessionInfo(f *record.Facts, m *members, name string, i int) bool {
	switch name {
	case "sessionId":
		f.SessionID, m.sessionID = r.str(i), i
	case "agent":
		m.agent = i
	case "format":
		m.format = i
	case "source":
		m.src = i
	case "phase":
		f.Phase, f.CompactionPhase = r.str(i), r.str(i)
	case "head":
		f.Head = r.str(i)
	case "headNativeId":
		f.HeadNativeID = r.str(i)
	case "clock":
		f.ClockBasis, f.ClockOffset = r.str(r.doc.Find(i, "basis")), r.str(r.doc.Find(i, "offset"))
		f.ClockProof = r.str(r.doc.Find(i, "evidence"))
	case "usageCoverage":
		f.Coverage = r.coverage(i)
	default:
		return false
	}
	return true
}

func (r *reading) coverage(i int) *record.Coverage {
	if r.doc.Kind(i) != jsonscan.Object {
		return nil
	}
	return &record.Coverage{
		Responses: r.num(r.doc.Find(i, "responses"), -1),
		WithUsage: r.num(r.doc.Find(i, "withUsage"), -1),
		LeftOver:  r.num(r.doc.Find(i, "leftOver"), -1),
		Complete:  r.doc.Kind(r.doc.Find(i, "complete")) == jsonscan.True,
	}
}

// payload reads a member of the other types. A name means the same in all types that have it.
func (r *reading) payload(f *record.Facts, m *members, name string, i int) {
	switch name {
	case "call":
		f.Call = r.str(i)
	case "calls":
		f.Calls = r.strs(i)
	case "risks":
		f.Calls = r.risks(i)
	case "message":
		f.Message = r.str(i)
	case "nativeCallId":
		f.NativeCallID = r.str(i)
	case "callId":
		f.CallID = r.str(i)
	case "executable":
		f.NotExecutable = r.doc.Kind(i) == jsonscan.False
	case "rendering":
		f.Rendering = r.str(i)
	case "status":
		f.Status = r.str(i)
	case "role":
		f.Role = r.str(i)
	case "origin":
		f.Origin = r.str(i)
	case "responseId":
		f.ResponseID = r.str(i)
	case "usage":
		f.HasUsage, m.usage = true, i
	case "bucket":
		f.Bucket = r.str(i)
	case "reason":
		f.GapReason = r.str(i)
	case "path":
		f.Path = r.str(i)
	default:
		r.compaction(f, name, i)
	}
}

func (r *reading) compaction(f *record.Facts, name string, i int) {
	switch name {
	case "extent":
		f.Extent = r.str(i)
	case "offset":
		f.HasOffset = true
	case "summary":
		f.Summary = r.str(i)
	case "boundary":
		f.BoundaryAt = r.str(r.doc.Find(i, "after"))
		f.AtStart = r.doc.Kind(r.doc.Find(i, "atStart")) == jsonscan.True
	case "forgotten":
		f.Forgotten = r.strs(i)
	case "forgottenUnknown":
		f.Unknown = r.doc.Len(i)
	}
}

// risks is the calls that an assessment names by record id.
func (r *reading) risks(i int) []string {
	start := len(r.list)
	r.each(i, func(c int) {
		if call := r.str(r.doc.Find(c, "call")); call != "" {
			r.list = append(r.list, call)
		}
	})
	return r.list[start:len(r.list):len(r.list)]
}
