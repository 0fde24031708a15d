package laws

import (
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
)

// whole is one bundle held against its folder.
type whole struct {
	Faults
	b     *bundle.Bundle
	files map[string]File // below the folder
	names []string        // their paths, sorted
	taken map[string]bool // files of the sources
}

// Whole holds a bundle against the folder that it was made of: every file is accounted for, every byte is kept or
// declared, every ordinal has its record, and the manifest counts what is there.
func Whole(folder string, b *bundle.Bundle) Faults {
	w := &whole{b: b, taken: map[string]bool{}}
	var err error
	if w.files, err = Disk(folder); err != nil {
		w.Add("whole", "%v", err)
		return w.Faults
	}
	w.names = sortedKeys(w.files)
	m := b.Manifest()
	if len(m.Streams) != len(m.Sources) {
		w.Add("whole", "got %d streams, want one for each of %d sources", len(m.Streams), len(m.Sources))
		return w.Faults
	}
	folders := map[string]string{} // raw paths of the sources, and their layouts
	for i := range m.Streams {
		if m.Streams[i].Source != m.Sources[i].ID {
			w.Add("whole", "stream %d is of source %s, want %s", i, m.Streams[i].Source, m.Sources[i].ID)
			continue
		}
		if raw, ok := w.stream(&m.Sources[i], &m.Streams[i]); ok {
			folders[raw] = m.Sources[i].Layout
		}
	}
	w.loose(folders, m.Unidentified)
	return w.Faults
}

// stream holds one stream against its source, whose path is returned as the file system spells it.
func (w *whole) stream(src *bundle.SourceInfo, s *bundle.StreamInfo) (raw string, ok bool) {
	list, err := readRows(w.b, *s)
	if err != nil || len(list) == 0 {
		w.Add("whole", "source %s: got %d records, %v", src.Path, len(list), err)
		return "", false
	}
	raw = list[0].rawPath(src.Path)
	one, folder := oneFile(src, raw)
	c := &cover{whole: w, src: src, files: w.below(folder), paths: map[string]string{}, one: one}
	if folder != raw {
		c.files = map[string]File{one.path: w.row(src, w.files[raw])}
	}
	for i := range list {
		c.record(&list[i])
	}
	c.tail(&list[len(list)-1])
	for p := range c.paths {
		w.taken[path.Join(folder, p)] = true
	}
	c.digest()
	w.ordinals(src.Path, list)
	w.counts(s, list)
	w.usage(src.Path, c.files["base_state.json"], list)
	return raw, true
}

// row is the row of a file that is a source, the whole file where all of it is. White space belongs to the row behind it,
// and at the end of the file to the last.
func (w *whole) row(src *bundle.SourceInfo, f File) File {
	if src.Rows == 0 {
		return f
	}
	var rows []string
	from := 0
	for at := 0; at < len(f.Data); {
		line := f.Data[at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if at += len(line); strings.Trim(line, " \t\r\n") != "" {
			rows = append(rows, f.Data[from:at])
			from = at
		}
	}
	if n := len(rows); n > 0 {
		rows[n-1] += f.Data[from:]
	}
	if int64(len(rows)) != src.Rows || src.Row >= src.Rows {
		w.Add("whole", "source %s: got row %d of %d, want %d", src.Path, src.Row, src.Rows, len(rows))
		return f
	}
	f.Data = rows[src.Row]
	return f
}

// below is the files below a folder.
func (w *whole) below(folder string) map[string]File {
	if folder == "." {
		return w.files
	}
	sub := map[string]File{}
	from, _ := slices.BinarySearch(w.names, folder+"/")
	for _, p := range w.names[from:] {
		rest, ok := strings.CutPrefix(p, folder+"/")
		if !ok {
			break
		}
		sub[rest] = w.files[p]
	}
	return sub
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
