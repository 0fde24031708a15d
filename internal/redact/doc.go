// Package redact writes a bundle again without what an audit finds in it.
//
// The new bundle has the same structure: what goes is replaced by a token wherever it stands, in native bytes and in the
// members made from them alike, and every other byte stays.
package redact
