package bundle

import (
	"maps"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// AppendJSON appends the manifest as one line of JSON, its members in a fixed
// order, maps by key.
func (m *Manifest) AppendJSON(dst []byte) []byte {
	dst = text(append(dst, '{'), "format", m.Format)
	dst = number(dst, "version", m.Version)
	dst = text(append(record.AppendKey(dst, "converter"), '{'), "name", m.Converter.Name)
	dst = append(text(dst, "version", m.Converter.Version), '}')
	dst = list(dst, "registry", m.Registry, appendEntry)
	dst = list(dst, "sources", m.Sources, appendSource)
	dst = list(dst, "streams", m.Streams, appendStream)
	dst = list(dst, "blobs", m.Blobs, appendBlob)
	dst = list(dst, "unidentifiedSources", m.Unidentified, appendUnidentified)
	dst = append(record.AppendKey(dst, "selection"), m.Selection...)
	dst = text(dst, "rootSha256", m.RootSHA256)
	if m.Meta != nil {
		dst = append(record.AppendKey(dst, "_meta"), m.Meta...)
	}
	return append(dst, '}', '\n')
}

// AppendJSON appends the source as the manifest has it.
func (s *SourceInfo) AppendJSON(dst []byte) []byte {
	return append(appendSource(append(dst, '{'), s), '}')
}

// AppendJSON appends the stream as the manifest has it.
func (s *StreamInfo) AppendJSON(dst []byte) []byte {
	return append(appendStream(append(dst, '{'), s), '}')
}

func appendEntry(dst []byte, e *RegistryEntry) []byte {
	dst = text(dst, "agent", e.Agent)
	dst = text(dst, "entryVersion", e.EntryVersion)
	return text(dst, "sha256", e.SHA256)
}

func appendSource(dst []byte, s *SourceInfo) []byte {
	dst = text(dst, "id", s.ID)
	dst = text(dst, "agent", s.Agent)
	dst = text(dst, "format", s.Format)
	dst = text(dst, "layout", s.Layout)
	dst = text(dst, "path", s.Path)
	if s.Rows > 0 {
		dst = number(number(dst, "row", s.Row), "rows", s.Rows)
	}
	dst = number(dst, "files", s.Files)
	dst = number(dst, "bytes", s.Bytes)
	dst = text(dst, "sha256", s.SHA256)
	return record.AppendStrings(record.AppendKey(dst, "positions"), s.Positions)
}

func appendStream(dst []byte, s *StreamInfo) []byte {
	dst = text(dst, "id", s.ID)
	dst = text(dst, "sessionId", s.SessionID)
	dst = text(dst, "agent", s.Agent)
	dst = text(dst, "source", s.Source)
	dst = text(dst, "file", s.File)
	dst = text(dst, "compression", s.Compression)
	dst = number(dst, "records", s.Records)
	dst = number(dst, "items", s.Items)
	dst = append(record.AppendKey(dst, "types"), '{')
	for _, name := range sortedKeys(s.Types) {
		dst = number(dst, name, s.Types[name])
	}
	dst = number(append(dst, '}'), "gaps", s.Gaps)
	dst = text(dst, "sha256", s.SHA256)
	dst = number(dst, "bytes", s.Bytes)
	dst = appendLosses(dst, s.Losses)
	dst = append(record.AppendKey(dst, "evidence"), '[')
	for i, index := range s.Evidence {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendInt(dst, index)
	}
	return append(dst, ']')
}

func appendLosses(dst []byte, losses map[string]Loss) []byte {
	dst = append(record.AppendKey(dst, "losses"), '{')
	for _, code := range sortedKeys(losses) {
		dst = number(append(record.AppendKey(dst, code), '{'), "count", losses[code].Count)
		dst = append(text(dst, "first", losses[code].First), '}')
	}
	return append(dst, '}')
}

func appendBlob(dst []byte, b *BlobInfo) []byte {
	dst = text(dst, "sha256", b.SHA256)
	dst = number(dst, "bytes", b.Bytes)
	dst = text(dst, "mediaType", b.MediaType)
	return text(dst, "compression", b.Compression)
}

func appendUnidentified(dst []byte, u *Unidentified) []byte {
	dst = text(dst, "path", u.Path)
	dst = text(dst, "reason", u.Reason)
	dst = number(dst, "files", u.Files)
	return number(dst, "bytes", u.Bytes)
}

func text(dst []byte, name, value string) []byte {
	return record.AppendString(record.AppendKey(dst, name), value)
}

func number(dst []byte, name string, value int64) []byte {
	return record.AppendInt(record.AppendKey(dst, name), value)
}

func list[T any](dst []byte, name string, items []T, one func([]byte, *T) []byte) []byte {
	dst = append(record.AppendKey(dst, name), '[')
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(one(append(dst, '{'), &items[i]), '}')
	}
	return append(dst, ']')
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
