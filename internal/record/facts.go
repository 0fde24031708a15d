package record

// Facts are what one record states about itself and others, as a session check needs them: the links, counts and
// marks of a line, without its content. The converter fills them while it builds a line, the validator from a line it reads.
// Strings and slices are valid only until the call that they are handed to returns.
type Facts struct {
	Type         Type
	ID           string
	Position     Position
	Time         string // text of the time member, "" none
	Parent       string
	Inference    string
	OutOfContext bool
	HasNative    bool // the record carries native bytes (native.record, native.blob or native.meta)
	Blob         string
	Reason       string // native.reason; on a gap without blob: ""
	Redacted     []Redaction
	Losses       []string
	Meta         []string // keys of _meta

	// session_info
	SessionID, Phase, Head, HeadNativeID string
	ClockBasis, ClockOffset, ClockProof  string
	Coverage                             *Coverage
	Unfinished                           int // entries of _meta rs.ctx/unfinished
	Unframed                             int // entries of _meta rs.ctx/serialization that are not kept

	// links of the payload: record ids
	Call         string   // tool_result, hook, session_link, decision
	Calls        []string // decision.calls, assessment.risks[].call
	Message      string   // hook.message
	Summary      string   // compaction.summary
	BoundaryAt   string   // compaction.boundary.after
	AtStart      bool     // compaction.boundary.atStart
	Forgotten    []string
	NativeCallID string

	// marks of the payload
	CallID                  string // tool_call
	NotExecutable           bool   // tool_call.executable is false
	Rendering               string // tool_result
	Status                  string // tool_result
	Role, Origin            string // message
	ResponseID              string // inference
	HasUsage                bool   // inference.usage or usage_summary.usage is there
	CompactionPhase, Extent string
	HasOffset               bool
	Unknown                 int    // number of compaction.forgottenUnknown
	Bucket                  string // usage_summary
	GapReason               string
	Path                    string // attachment.path, gap.path
}

// Coverage is session_info.usageCoverage.
type Coverage struct {
	Responses, WithUsage, LeftOver int64
	Complete                       bool
}
