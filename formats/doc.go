// Package formats reads native conversations as ordered streams of raw bytes.
//
// It knows where bytes lie (folders of documents, single documents, files of
// lines) and nothing about what they mean. Every path is relative to one input
// folder, slash separated, and no read leaves that folder.
package formats
