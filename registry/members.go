package registry

import (
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// form is the shape that a record member must have.
type form uint8

const (
	formName    form = iota // a string, left out when empty
	formText                // a string, also an empty one
	formParts               // an array of content parts
	formList                // an array of objects, or of record ids
	formObject              //
	formFlag                // true or false
	formDenied              // false, or left out
	formInteger             // a safe integer
	formScalar              // a short string, a number or a flag, else a pointer
)

// formOf gives the members that entries may fill; all others are formName.
func formOf(member string) form {
	switch member {
	case "arguments":
		return formText
	case "content", "dynamicContent", "extendedContent":
		return formParts
	case "tools", "risks", "items", "calls":
		return formList
	case "target":
		return formObject
	case "executable":
		return formDenied
	case "success", "blocked", "retryable":
		return formFlag
	case "exitCode", "offset":
		return formInteger
	case "value":
		return formScalar
	default:
		return formName
	}
}

// fields are the members of the objects that a record member holds.
func fields(t record.Type, member string) []string {
	switch {
	case t == record.Reasoning && member == "content":
		return []string{"type", "text", "signature", "redacted", "url"}
	case formOf(member) == formParts:
		return []string{"type", "text", "url"}
	case member == "tools":
		return []string{"name", "description"}
	case member == "risks":
		return []string{"call", "risk"}
	case member == "items":
		return []string{"title", "status"}
	case member == "target":
		return []string{"agent", "sessionId"}
	default:
		return nil
	}
}

// choices are the words that a member may be; nil: any. The first one stands for all other words.
func choices(t record.Type, member string) []string {
	switch {
	case t == record.Message && member == "role":
		return []string{"unknown", "user", "assistant", "system", "tool"}
	case t == record.Message && member == "origin":
		return []string{"unknown", "user", "agent", "environment", "hook", "summary"}
	case t == record.ToolResult && member == "status":
		return []string{"unknown", "ok", "error", "rejected"}
	case t == record.ToolResult && member == "rendering":
		return []string{"not-persisted", "persisted"}
	case t == record.Decision && member == "by":
		return []string{"unknown", "user", "hook", "policy"}
	default:
		return nil
	}
}

// closed are the words of members where another word means that the entry is wrong, so the member is left out.
func closed(t record.Type, member string) []string {
	switch {
	case t == record.Decision && member == "decision":
		return []string{"approved", "rejected", "blocked", "superseded"}
	case t == record.Lifecycle && member == "event":
		return []string{"paused", "interrupted", "resumed", "status_changed", "started", "finished", "outcome_unknown"}
	case t == record.Compaction && member == "phase":
		return []string{"requested", "applied"}
	case t == record.SessionLink && member == "rel":
		return []string{"subagent", "child", "fork", "resume", "copy"}
	default:
		return nil
	}
}

// needed is the required member of a type that nothing can stand for, "" for none: its source must always have a value.
func needed(t record.Type) string {
	switch t {
	case record.Decision:
		return "decision"
	case record.Compaction:
		return "phase"
	default:
		return ""
	}
}

// fallback is the value of a required member that the source does not give, nil when the member may be missing.
func fallback(t record.Type, member string) []byte {
	switch {
	case t == record.Message && member == "content":
		return []byte("[]")
	case t == record.Vendor && member == "name":
		return []byte(`""`)
	}
	if words := choices(t, member); words != nil {
		return []byte(`"` + words[0] + `"`)
	}
	return nil
}

// kindFits says whether a value of that kind can be the member.
func (f form) kindFits(k jsonscan.Kind) bool {
	switch f {
	case formName, formText:
		return k == jsonscan.String
	case formParts, formList:
		return k == jsonscan.Array
	case formObject:
		return k == jsonscan.Object
	case formFlag:
		return k == jsonscan.True || k == jsonscan.False
	case formDenied:
		return k == jsonscan.False
	case formInteger:
		return k == jsonscan.Number
	default:
		return k == jsonscan.String || k == jsonscan.Number || k == jsonscan.True || k == jsonscan.False
	}
}

// fits is kindFits for a raw value.
func (f form) fits(v []byte) bool { return f.kindFits(kindOf(v)) }

// kindOf is the kind of a raw value, by its first byte.
func kindOf(v []byte) jsonscan.Kind {
	switch v[0] {
	case '{':
		return jsonscan.Object
	case '[':
		return jsonscan.Array
	case '"':
		return jsonscan.String
	case 't':
		return jsonscan.True
	case 'f':
		return jsonscan.False
	case 'n':
		return jsonscan.Null
	default:
		return jsonscan.Number
	}
}
