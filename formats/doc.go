// Package formats reads native conversations as ordered streams of raw bytes.
//
// It knows where bytes lie and nothing about what they mean. Every path is
// relative to one input folder, slash separated, and no read leaves that
// folder. There are five readers:
//
//   - json-directory, one document an item: Root.List, Directory, then
//     Folder.Read for each item or ReadAhead for many;
//   - json-document, one document in all: Root.Read;
//   - json-lines, one item a line, json-marked, items between other text, each
//     after a line that marks it, and json-elements, items in an array:
//     Folder.Open, then a Cutter.
package formats
