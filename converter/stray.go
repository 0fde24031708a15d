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
	reason, size := reasonUnreadable, int64(0)
	switch ref.Kind {
	case formats.KindOdd:
		return
	case formats.KindFolder:
		if s.files.itemFolder == "." {
			return // looked at with the other folders of the source
		}
		s.rest(s.files.itemFolder, []formats.Name{{Name: ref.Name, Kind: ref.Kind}})
		return
	case formats.KindFile:
		size, _ = sizeOf(s.src.root, at, ref.Kind)
	case formats.KindLink:
		kind, err := s.src.root.Link(at)
		if err == nil && kind != formats.KindFile {
			return
		}
		if errors.Is(err, formats.ErrOutside) {
			reason = reasonOutside
		}
		if err == nil {
			size, _ = sizeOf(s.src.root, at, ref.Kind)
		}
	}
	s.loose.add(s.spelled(s.files.itemFolder), reason, 1, size)
}
