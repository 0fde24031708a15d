// Package record holds the record types of the ctx record format and the module's only JSON encoder.
package record

// Type is the type of a record, in the order in which section 5 of the format lists them.
type Type uint8

// The record types. The zero Type is none of them.
const (
	SessionInfo Type = iota + 1
	Instructions
	Message
	Reasoning
	Inference
	ToolCall
	ToolResult
	Decision
	Assessment
	Compaction
	Plan
	Hook
	Lifecycle
	StateChange
	Error
	UsageSummary
	SessionLink
	Attachment
	Gap
	Vendor
)

// shape is one record type: its name and its payload members in the order in which they are written.
type shape struct {
	name    string
	members []string
}

// shapes is indexed by Type.
var shapes = [...]shape{
	SessionInfo: {"session_info", []string{
		"sessionId", "agent", "format", "source", "phase", "clock", "title", "workspace", "executionStatus",
		"head", "headNativeId", "requestedModels", "usageCoverage",
	}},
	Instructions: {"instructions", []string{"content", "dynamicContent", "tools"}},
	Message:      {"message", []string{"role", "origin", "content", "extendedContent", "sender"}},
	Reasoning:    {"reasoning", []string{"content", "encrypted"}},
	Inference:    {"inference", []string{"responseId", "requestedModel", "usage", "latencySeconds", "purpose"}},
	ToolCall:     {"tool_call", []string{"callId", "name", "arguments", "title", "risk", "executable"}},
	ToolResult: {"tool_result", []string{
		"call", "nativeCallId", "name", "status", "content", "extendedContent", "rendering",
	}},
	Decision:   {"decision", []string{"decision", "by", "reason", "call", "calls", "group"}},
	Assessment: {"assessment", []string{"analyzer", "policy", "risks"}},
	Compaction: {"compaction", []string{
		"phase", "forgotten", "forgottenUnknown", "extent", "summary", "offset", "boundary",
	}},
	Plan: {"plan", []string{"items"}},
	Hook: {"hook", []string{
		"event", "command", "success", "blocked", "exitCode", "output", "call", "message",
	}},
	Lifecycle:    {"lifecycle", []string{"event", "value"}},
	StateChange:  {"state_change", []string{"key", "value", "valuePointer"}},
	Error:        {"error", []string{"code", "detail", "retryable"}},
	UsageSummary: {"usage_summary", []string{"bucket", "usage", "cost", "childInclusion"}},
	SessionLink:  {"session_link", []string{"rel", "target", "call"}},
	Attachment:   {"attachment", []string{"path", "mediaType"}},
	Gap:          {"gap", []string{"reason", "path"}},
	Vendor:       {"vendor", []string{"name"}},
}

// MaxMembers bounds the payload members of any type.
const MaxMembers = 13

// Types lists every record type, in order.
func Types() []Type {
	all := make([]Type, 0, len(shapes)-1)
	for t := SessionInfo; t <= Vendor; t++ {
		all = append(all, t)
	}
	return all
}

// String is the type's name as written in a record, "" for no type.
func (t Type) String() string {
	if int(t) >= len(shapes) {
		return ""
	}
	return shapes[t].name
}

// TypeOf is the type with that name, 0 when there is none.
func TypeOf(name string) Type {
	for t := SessionInfo; t <= Vendor; t++ {
		if shapes[t].name == name {
			return t
		}
	}
	return 0
}

// Members lists the payload members of a type in the order in which they are written. The caller must not change it.
func Members(t Type) []string {
	if int(t) >= len(shapes) {
		return nil
	}
	return shapes[t].members
}

// MemberIndex is the place of a payload member within its type, -1 when the type has no such member.
func MemberIndex(t Type, member string) int {
	for i, m := range Members(t) {
		if m == member {
			return i
		}
	}
	return -1
}

// ContextByDefault says whether the model sees records of this type unless they say context:false.
func ContextByDefault(t Type) bool {
	switch t {
	case Instructions, Message, Reasoning, ToolCall, ToolResult:
		return true
	default:
		return false
	}
}

// OrderInItem ranks the records of one native item: inference first, then what the model produced, then the rest.
func OrderInItem(t Type) int {
	switch t {
	case Inference:
		return 0
	case Reasoning:
		return 1
	case Message:
		return 2
	case ToolCall:
		return 3
	case ToolResult:
		return 4
	case Compaction:
		return 5
	case Decision:
		return 7 // a summary message stands between a compaction and this
	case SessionLink:
		return 8
	case Assessment:
		return 9
	case Hook:
		return 10
	default:
		return 11
	}
}
