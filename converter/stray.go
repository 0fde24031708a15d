package converter

import (
	"errors"
	"path"

	"github.com/session-trace/ctx/formats"
)

// stray lists what stands in an item's place and cannot be read: it is no file of the source. Of what is no file at all
// nothing is listed but a folder's own files; its gap was noticed.
func (s *session) stray(r *row) {
	ref := &s.files.items.Items[r.item]
	at := path.Join(s.src.dir, s.files.itemFolder, ref.Name)
	reason := reasonUnreadable
	switch ref.Kind {
	case formats.KindOdd:
		return
	case formats.KindFolder:
		s.rest(s.files.itemFolder, []formats.Name{{Name: ref.Name, Kind: ref.Kind}})
		return
	case formats.KindLink:
		kind, err := s.src.root.Link(at)
		if err == nil && kind != formats.KindFile {
			return
		}
		if errors.Is(err, formats.ErrOutside) {
			reason = reasonOutside
		}
	}
	size, _, err := s.src.root.Stat(at)
	if err != nil {
		size = 0
	}
	s.loose.add(s.spelled(s.files.itemFolder), reason, 1, size)
}
