package converter

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/record"
)

// itemID is the native id of a row's item, "" without one.
func (s *session) itemID(r *row) string {
	if id := s.files.items.Items[r.item].ID; id != "" {
		return id
	}
	return s.bodyIDs[r.item]
}

// itemPath is the path of a row's file, relative to the source.
func (s *session) itemPath(r *row) string { return string(s.appendItemPath(nil, r)) }

func (s *session) appendItemPath(dst []byte, r *row) []byte {
	if s.files.itemFolder != "." {
		dst = append(append(dst, s.files.itemFolder...), '/')
	}
	return append(dst, record.SpellName(s.files.items.Items[r.item].Name)...)
}

// recordID is the id of the primary record of a row's item.
func (s *session) recordID(i int32) string {
	r := &s.rows[i]
	if id, ok := s.names[i]; ok {
		return id
	}
	if !r.is(readable) {
		return fmt.Sprintf("gap:%d:%s", r.ordinal, record.SpellName(s.files.items.Items[r.item].ID))
	}
	if id := s.itemID(r); id != "" {
		return record.SpellName(id)
	}
	return fmt.Sprintf("item:%d", r.ordinal)
}

// ambiguous stands in the id table for ids that several items bear.
const ambiguous int32 = -1

// nameItems finds the row of every native id, and names items whose own id is taken.
func (s *session) nameItems() {
	s.ids = make(map[uint64]int32, len(s.rows))
	s.names = map[int32]string{}
	s.gapIDs = map[uint64]bool{}
	var foreign []int32 // rows whose ids are not UTF-8
	for i := range s.rows {
		r := &s.rows[i]
		_, taken := s.ids[s.keys[r.item].id]
		switch {
		case !r.is(readable):
			s.gapIDs[s.keys[r.item].id] = true
			s.nameGap(int32(i))
		case s.keys[r.item].id == 0:
		case taken:
			s.ids[s.keys[r.item].id] = ambiguous
			s.rename(int32(i))
			s.notice(record.IDDuplicate, s.names[int32(i)], "", fmt.Sprintf("got id %s once more, links to it are left out", quote(s.itemID(r))))
		default:
			s.ids[s.keys[r.item].id] = int32(i)
			if id := s.itemID(r); fixedID(id) || s.summaryShaped(id) {
				s.rename(int32(i))
			} else if !utf8.ValidString(id) {
				foreign = append(foreign, int32(i))
			}
		}
	}
	s.nameForeign(foreign)
	s.nameBodies()
}

// nameBodies lets ids that only bodies state resolve too.
func (s *session) nameBodies() {
	byBody := map[uint64]bool{}
	for i := range s.rows {
		r := &s.rows[i]
		if s.keys[r.item].body == 0 || s.keys[r.item].body == s.keys[r.item].id || !r.is(readable) {
			continue
		}
		s.notice(record.IDDiffersFromName, s.recordID(int32(i)), "", "got an id in the body that differs from the one in the name; the name's counts")
		switch _, taken := s.ids[s.keys[r.item].body]; {
		case !taken:
			s.ids[s.keys[r.item].body] = int32(i)
			byBody[s.keys[r.item].body] = true
		case byBody[s.keys[r.item].body]:
			s.ids[s.keys[r.item].body] = ambiguous
		}
	}
}

// fixedID says whether an id is one that records of the session itself bear, or could be one of a further record.
func fixedID(id string) bool {
	switch id {
	case "session", "state", "end":
		return true
	}
	for _, p := range [...]string{"inference:", "usage:", "gap:", "file:", "item:"} {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return strings.ContainsAny(id, "#~")
}

// rename gives an item whose id is taken the id <native id>~<ordinal>.
func (s *session) rename(i int32) {
	r := &s.rows[i]
	base := fmt.Sprintf("%s~%d", record.SpellName(s.itemID(r)), r.ordinal)
	s.names[i] = s.unused(base, i)
}

// nameGap keeps the ids of gaps apart: two spellings of one ordinal may share an id.
func (s *session) nameGap(i int32) {
	r := &s.rows[i]
	if !r.is(twinOrdinal) {
		return
	}
	base := fmt.Sprintf("gap:%d:%s", r.ordinal, record.SpellName(s.files.items.Items[r.item].ID))
	s.names[i] = s.unused(base, i)
}

// unused is base, or base-2, base-3, …: the first that no renamed item has.
func (s *session) unused(base string, i int32) string {
	id := base
	for n := 2; ; n++ {
		taken := false
		for j := i - 1; j >= 0 && s.rows[j].ordinal == s.rows[i].ordinal; j-- {
			taken = taken || s.names[j] == id
		}
		if !taken {
			return id
		}
		id = fmt.Sprintf("%s-%d", base, n)
	}
}

// find is the row that a native id names; ambiguous when several bear it, found only when its item is readable.
func (s *session) find(id uint64) (i int32, found, ambiguous bool) {
	i, ok := s.ids[id]
	if !ok || id == 0 {
		return none, false, false
	}
	if i < 0 {
		return none, false, true
	}
	return i, true, false
}
