package jsonscan

import "fmt"

// Reason says why bytes are no document.
type Reason uint8

// The reasons.
const (
	Syntax   Reason = iota + 1 // not the grammar of RFC 8259
	Empty                      // nothing, or only white space
	UTF8                       // not UTF-8 where the grammar was sound so far
	Depth                      // nested deeper than Options.MaxDepth
	Trailing                   // bytes after a complete value
	Size                       // longer than 4 GiB - 1
)

var reasonNames = [...]string{"unknown fault", "invalid JSON", "no JSON value", "invalid UTF-8", "nested too deeply", "bytes after the JSON value", "too large"}

// String returns the reason in words.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return reasonNames[0]
	}
	return reasonNames[r]
}

// Error is the only error of Scan.
type Error struct {
	// Offset is the first byte that cannot belong to a document, len(raw) where the bytes end too early.
	Offset int
	Reason Reason
}

// Error returns the place and the reason, and nothing of the content.
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }
