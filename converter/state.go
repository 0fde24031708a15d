package converter

import (
	"bytes"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// state fills the facts of a record for the check. They borrow the record's bytes.
func (s *session) state(r *record.Record) {
	f := &s.store.facts
	calls, forgotten, meta := f.Calls[:0], f.Forgotten[:0], f.Meta[:0]
	*f = record.Facts{
		Type: r.Type, ID: r.ID, Position: r.Position, Time: word(r.Time), Parent: r.Parent, Inference: r.Inference,
		OutOfContext: r.OutOfContext, HasNative: !r.Native.None(), Blob: r.Native.Blob, Reason: r.Native.Reason,
		Redacted: r.Native.Redacted, Losses: r.Losses,
	}
	for i := range r.Meta {
		meta = append(meta, r.Meta[i].Key)
		switch r.Meta[i].Key {
		case record.Own + "unfinished":
			f.Unfinished = elements(r.Meta[i].Raw)
		case record.Own + "serialization":
			f.Unframed = unframed(r.Meta[i].Raw)
		}
	}
	f.Calls, f.Forgotten, f.Meta = calls, forgotten, meta
	switch r.Type {
	case record.SessionInfo:
		s.stateSession(f, r)
	case record.Compaction:
		stateCompaction(f, r)
	case record.Assessment:
		f.Calls = callsIn(f.Calls, r.Get("risks"))
	case record.Decision:
		f.Calls = stringsIn(f.Calls, r.Get("calls"))
		f.Call = word(r.Get("call"))
	default:
		statePayload(f, r)
	}
}

func statePayload(f *record.Facts, r *record.Record) {
	switch r.Type {
	case record.Message:
		f.Role, f.Origin = word(r.Get("role")), word(r.Get("origin"))
	case record.ToolCall:
		f.CallID = word(r.Get("callId"))
		f.NotExecutable = string(r.Get("executable")) == "false"
	case record.ToolResult:
		f.Call, f.NativeCallID = word(r.Get("call")), word(r.Get("nativeCallId"))
		f.Status, f.Rendering = word(r.Get("status")), word(r.Get("rendering"))
	case record.Hook:
		f.Call, f.Message = word(r.Get("call")), word(r.Get("message"))
	case record.SessionLink:
		f.Call = word(r.Get("call"))
	case record.Inference:
		f.ResponseID, f.HasUsage = word(r.Get("responseId")), r.Get("usage") != nil
	case record.UsageSummary:
		f.Bucket, f.HasUsage = word(r.Get("bucket")), r.Get("usage") != nil
	case record.Gap:
		f.GapReason, f.Path = word(r.Get("reason")), word(r.Get("path"))
	case record.Attachment:
		f.Path = word(r.Get("path"))
	}
}

func (s *session) stateSession(f *record.Facts, r *record.Record) {
	f.SessionID, f.Phase = word(r.Get("sessionId")), word(r.Get("phase"))
	f.Head, f.HeadNativeID = word(r.Get("head")), word(r.Get("headNativeId"))
	f.ClockBasis, f.ClockOffset = s.tailClock.basis, s.tailClock.offset
	if f.Phase != "head" {
		f.Coverage = s.coverage
	}
}

func stateCompaction(f *record.Facts, r *record.Record) {
	f.CompactionPhase, f.Extent = word(r.Get("phase")), word(r.Get("extent"))
	f.Forgotten = stringsIn(f.Forgotten, r.Get("forgotten"))
	f.Unknown = len(stringsIn(nil, r.Get("forgottenUnknown")))
	f.Summary, f.HasOffset = word(r.Get("summary")), r.Get("offset") != nil
	boundary := r.Get("boundary")
	if after, ok := bytes.CutPrefix(boundary, []byte(`{"after":`)); ok {
		f.BoundaryAt = word(after[:len(after)-1])
	}
	f.AtStart = string(boundary) == `{"atStart":true}`
}

// word is the text of a raw JSON string, "" for anything else. Texts without escapes are borrowed.
func word(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return borrow(inner)
	}
	text, _ := jsonscan.AppendUnescape(nil, inner)
	return string(text)
}

// elements is the number of elements of a raw JSON array.
func elements(raw []byte) int {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return 0
	}
	return d.Len(0)
}

// unframed is the number of entries of raw JSON that have neither text nor a blob.
func unframed(raw []byte) (n int) {
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return 0
	}
	each(&d, 0, func(e int) {
		if d.Find(e, "text") < 0 && d.Find(e, "blob") < 0 {
			n++
		}
	})
	return n
}

// stringsIn appends the strings of a raw JSON array.
func stringsIn(list []string, raw []byte) []string {
	if raw == nil {
		return list
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return list
	}
	each(&d, 0, func(n int) { list = append(list, d.Text(n)) })
	return list
}

// callsIn appends the calls that the risks of an assessment name.
func callsIn(list []string, raw []byte) []string {
	if raw == nil {
		return list
	}
	d, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return list
	}
	each(&d, 0, func(n int) {
		if c := d.Find(n, "call"); c >= 0 {
			list = append(list, d.Text(c))
		}
	})
	return list
}
