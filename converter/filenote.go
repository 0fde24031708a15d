package converter

import (
	"crypto/sha256"
	"encoding/base64"
	"path"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/record"
)

// list is a JSON array of files being built; nil has none.
type list []byte

// file adds a file by the bytes of its path; size -1 is unknown, sha "" left out.
func (l *list) file(path string, size int64, sha string, native *record.Native) {
	sep := byte(',')
	if *l == nil {
		sep = '['
	}
	out := record.AppendString(append(append(*l, sep), `{"path":`...), record.SpellPath(path))
	if !utf8.ValidString(path) {
		out = record.AppendString(record.AppendKey(out, "pathBytes"), base64.StdEncoding.EncodeToString([]byte(path)))
	}
	if size >= 0 {
		out = record.AppendInt(record.AppendKey(out, "bytes"), size)
	}
	if sha != "" {
		out = record.AppendString(record.AppendKey(out, "sha256"), sha)
	}
	*l = out
	if native != nil {
		l.blob(native)
	}
	*l = append(*l, '}')
}

// blob names the blob of the entry begun.
func (l *list) blob(native *record.Native) {
	out := record.AppendString(append(record.AppendKey(*l, "blob"), `{"sha256":`...), native.Blob)
	out = record.AppendInt(record.AppendKey(out, "bytes"), native.BlobBytes)
	out = append(record.AppendString(record.AppendKey(out, "mediaType"), native.MediaType), '}')
	if len(native.Redacted) > 0 {
		out = record.AppendRedacted(record.AppendKey(out, "redacted"), native.Redacted)
	}
	*l = out
}

// place begins an entry for what stands before or after an item in its file.
func (l *list) place(place string) {
	sep := byte(',')
	if *l == nil {
		sep = '['
	}
	*l = record.AppendString(append(append(*l, sep), `{"place":`...), place)
}

// lacking adds an entry for text around an item that is not kept.
func (l *list) lacking(place string, size int64, sha string) {
	l.place(place)
	out := record.AppendInt(record.AppendKey(*l, "bytes"), size)
	*l = append(record.AppendString(record.AppendKey(out, "sha256"), sha), '}')
}

// text adds an entry for text around an item.
func (l *list) text(place, text string) {
	l.place(place)
	*l = append(record.AppendString(record.AppendKey(*l, "text"), text), '}')
}

// fileMeta is our own note of a file that stands in no blob.
func fileMeta(path string, size int64, sha string) record.Meta {
	var l list
	l.file(path, size, sha, nil)
	return record.Meta{Key: record.Own + "file", Raw: append(l, ']')}
}

// notePath adds the bytes of a path that is no text, so that its name can be made again.
func notePath(r *record.Record, path string) {
	if !utf8.ValidString(path) {
		r.Meta = append(r.Meta, fileMeta(path, -1, ""))
	}
}

// nativePath is the path of a row's file, relative to the source, as its file system has it.
func (s *session) nativePath(r *row) string {
	return path.Join(s.files.itemFolder, s.files.items.Items[r.item].Name)
}

// hashOf is the hash and the size of a file of the source, however large.
func (s *session) hashOf(below string) (sha [sha256.Size]byte, size int64, err error) {
	if s.src.rows > 0 && below == s.files.one {
		err = s.cut()
		return s.pieces.SHA256, s.pieces.Size, err
	}
	folder, err := s.src.root.Folder(path.Join(s.src.dir, path.Dir(below)))
	if err != nil {
		return sha, 0, err
	}
	defer folder.Close() //nolint:errcheck // nothing was written
	return folder.Hash(path.Base(below))
}

// sizeOf is the size of a file that was read as a document, -1 when it was not.
func (s *session) sizeOf(below string) int64 {
	if s.around != nil && below == s.files.one {
		return s.around.size
	}
	spelled := record.SpellPath(below)
	for i := range s.files.files {
		if f := &s.files.files[i]; f.path == spelled {
			return f.size
		}
	}
	return -1
}
