package validator_test

import (
	"slices"
	"strings"
)

// violation is one way to break a sound bundle, and the rules that say so: one, but where two facts of the bundle differ
// from what they should be.
type violation struct {
	want, base string
	edit       edit
}

// violations lists a bundle for each demand of the format that a producer can fail. Bases are cases of fixtures/openhands.
func violations() []violation {
	sound := []violation{
		{"", "basic", edit{"nothing", func(*broken) {}}},
		{"", "every-kind", edit{"nothing", func(*broken) {}}},
	}
	return slices.Concat(sound, fileViolations(), manifestViolations(), envelopeViolations(), nativeViolations(), linkViolations())
}

// lastInfo is the line of the last session_info.
const lastInfo = "session_info:1"

// lines changes the lines of the first stream.
func lines(name string, do func(l []string) []string) edit {
	return edit{name, func(b *broken) { b.lines[0] = do(b.lines[0]) }}
}

// extra puts a file beside those of the bundle, or in place of one.
func extra(path, text string) edit {
	return edit{"extra " + path, func(b *broken) { b.extra[path] = text }}
}

// gone takes a file away.
func gone(path string) edit {
	return edit{"gone " + path, func(b *broken) { b.gone = append(b.gone, path) }}
}

// blob is the hash of the first blob that is no registry entry.
func (b *broken) blob() string {
	keys := sortedOf(b.blobs)
	return keys[slices.IndexFunc(keys, func(k string) bool { return k != b.m.Registry[0].SHA256 })]
}

// blobBytes changes the bytes of that blob's file.
func blobBytes(name string, change func(s string) string) edit {
	return edit{name, func(b *broken) { b.extra["blobs/"+b.blob()] = change(b.blobs[b.blob()]) }}
}

// everywhere replaces text in the lines of all streams.
func everywhere(old, text string) edit {
	return edit{"everywhere " + short(old) + " -> " + short(text), func(b *broken) {
		for i := range b.lines {
			for j, l := range b.lines[i] {
				b.lines[i][j] = strings.ReplaceAll(l, old, text)
			}
		}
	}}
}
