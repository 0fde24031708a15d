package restore

import (
	"encoding/base64"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// fileList is a list of files that the last record of a stream has, and why one without a blob was not kept.
type fileList struct{ name, reason string }

func lists() []fileList {
	return []fileList{{"file", ReasonSecrets}, {"uncommitted", ReasonTooLarge}, {"unfinished", ReasonSecrets}}
}

// list takes the files of one list. An empty file needs no blob; of one over a limit the hash is known.
func (s *stream) list(d *jsonscan.Doc, meta int, list fileList) error {
	for e := range d.Children(d.Find(meta, record.Own+list.name)) {
		f := listed(d, e, list.reason)
		if list.name == "file" && s.isAround(f.spelled) {
			continue // what stands around the items was told ahead of them
		}
		if s.one != "" && f.path == s.one {
			s.places++
			if err := s.piece(&piece{file: f, index: s.places - 1, tail: true}); err != nil {
				return err
			}
			continue
		}
		if err := s.file(&f); err != nil {
			return err
		}
	}
	return nil
}

// listed is one entry of a list.
func listed(d *jsonscan.Doc, e int, reason string) file {
	f := file{record: d.Text(d.Find(0, "id")), spelled: d.Text(d.Find(e, "path")), size: -1}
	f.path = bytesOf(d, e, f.spelled)
	f.cuts = cuts(d, d.Find(e, "redacted"))
	size, known := d.Int(d.Find(e, "bytes"))
	if known {
		f.size = size
	}
	blob := d.Find(e, "blob")
	switch {
	case blob >= 0:
		f.blob = d.Text(d.Find(blob, "sha256"))
	case !known:
		f.lacking = ReasonUnreadable
	case size > 0:
		f.lacking = reason
		if f.sha = d.Text(d.Find(e, "sha256")); f.sha != "" {
			f.lacking = ReasonTooLarge
		}
	}
	return f
}

// named gives the bytes of a path that our own notes spell out, the path itself when they do not.
func named(d *jsonscan.Doc, list int, spelled string) string {
	for e := range d.Children(list) {
		if d.Equal(d.Find(e, "path"), spelled) {
			return bytesOf(d, e, spelled)
		}
	}
	return spelled
}

// bytesOf is the path of one entry of a list as bytes; "", which is no path, when they are not what it spells.
func bytesOf(d *jsonscan.Doc, e int, spelled string) string {
	n := d.Find(e, "pathBytes")
	if n < 0 {
		return spelled
	}
	raw, err := base64.StdEncoding.DecodeString(d.Text(n))
	if err != nil || record.SpellPath(string(raw)) != spelled {
		return ""
	}
	return string(raw)
}
