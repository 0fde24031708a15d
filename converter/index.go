package converter

import (
	"context"
	"crypto/sha256"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// index reads every item once and keeps a row each, in the order of the stream.
func (s *session) index(ctx context.Context) error {
	if s.files.one != "" {
		if err := s.cutFile(); err != nil {
			return err
		}
	}
	items := s.files.items.Items
	s.rows, s.keys = make([]row, len(items)), make([]keys, len(items))
	if len(items) > manyItems {
		s.run.frugal()
	}
	if len(items) > 0 && s.folder == nil && s.files.one == "" {
		folder, err := s.src.root.Folder(path.Join(s.src.dir, s.files.itemFolder))
		if err != nil {
			return err
		}
		s.folder = folder
	}
	times := map[int32]string{} // of items that share an ordinal
	for i := range items {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		r := &s.rows[i]
		*r = row{
			ordinal: items[i].Ordinal, item: int32(i), up: none, parentRow: none, response: none, call: none,
			micros: noTime, projection: -1, laterProjection: -1, pair: -1, rule: -1,
		}
		twin := (i > 0 && items[i-1].Ordinal == r.ordinal) || (i+1 < len(items) && items[i+1].Ordinal == r.ordinal)
		sc, err := s.read(r)
		if err != nil {
			return s.cutAgain(ctx, err)
		}
		s.taken += r.size
		s.fill(r, sc)
		if twin {
			r.flags |= twinOrdinal
			times[r.item] = s.timeText(sc)
		}
		s.store.keep(sc)
		s.run.advance(1, r.size)
	}
	s.order(times)
	return s.wholeFile(ctx)
}

// order puts items that share an ordinal in the order of their times, then of their names' ids as spelled.
func (s *session) order(times map[int32]string) {
	if len(times) == 0 {
		return
	}
	items := s.files.items.Items
	slices.SortStableFunc(s.rows, func(a, b row) int {
		if a.ordinal != b.ordinal {
			if a.ordinal < b.ordinal {
				return -1
			}
			return 1
		}
		if c := strings.Compare(times[a.item], times[b.item]); c != 0 {
			return c
		}
		return strings.Compare(record.SpellName(items[a.item].ID), record.SpellName(items[b.item].ID))
	})
	if s.store.spent {
		return
	}
	kept := make([]scanned, len(s.rows))
	for i := range s.rows {
		kept[i] = s.store.kept[s.rows[i].item]
	}
	s.store.kept = kept
}

// read reads and scans the file of a row. Only faults that end the session are errors; the row notes all others.
func (s *session) read(r *row) (*scanned, error) {
	name := s.files.items.Items[r.item].Name
	sc := &s.store.around
	*sc = scanned{}
	if s.files.one != "" {
		return sc, s.readPiece(r, sc)
	}
	if s.beyond(r) {
		return sc, s.unread(r, sc, name, &formats.TooLargeError{})
	}
	raw, err := s.folder.Read(name, s.store.room(), s.limit)
	if err != nil {
		return sc, s.unread(r, sc, name, err)
	}
	raw = s.store.took(raw)
	r.size = int64(len(raw))
	r.sha = sha256.Sum256(raw)
	s.scanItem(sc, raw)
	if sc.problem == "" {
		s.redact(entry.InTranscript, sc)
	}
	return sc, nil
}

// scanItem looks at the bytes of an item. One that is sound and nests deeper than asked for is too large.
func (s *session) scanItem(sc *scanned, raw []byte) {
	*sc = scanWith(raw, s.store.tape(), jsonscan.Options{MaxDepth: s.run.depth(), NonFinite: true})
	if sc.problem == gapInvalidJSON && s.run.depth() < maxDepth {
		if *sc = scan(raw, nil); sc.problem == "" {
			*sc = scanned{problem: gapTooLarge}
		}
	}
}

// beyond says whether the item lies beyond what is read of one conversation. What is read does not depend on the order
// of reading: items count in their own order, at the first look.
func (s *session) beyond(r *row) bool {
	o := &s.run.o
	return (o.MaxItems > 0 && int64(r.item) >= o.MaxItems) || (o.MaxBytes > 0 && s.taken > o.MaxBytes)
}

// unread notes why a file was not read. One over a limit may be none that can be read at all.
func (s *session) unread(r *row, sc *scanned, name string, cause error) (err error) {
	var large *formats.TooLargeError
	switch {
	case errors.As(cause, &large):
		if r.sha, r.size, err = s.folder.Hash(name); err == nil {
			sc.problem = gapTooLarge
			return nil
		}
		r.sha, r.size = [sha256.Size]byte{}, 0
		return s.unread(r, sc, name, err)
	case errors.Is(cause, formats.ErrOutside):
		r.flags |= loose
	}
	sc.problem = gapUnreadable
	return nil
}

// link works out everything that needs all rows.
func (s *session) link() {
	s.nameItems()
	s.seen()
	s.tail()
	s.parents()
	s.walkTree()
	s.group()
	s.join()
	s.residues()
	s.lastCounters()
	s.pair()
	s.compactions()
	s.head()
	s.oddities()
	s.keys, s.gapIDs, s.callOf = nil, nil, nil
}

// summaryShaped says whether an id is one that the summary of a compaction could bear.
func (s *session) summaryShaped(id string) bool {
	k := s.entry.Context.Compaction
	return k != nil && k.SummaryIDBefore+k.SummaryIDAfter != "" && len(id) > len(k.SummaryIDBefore)+len(k.SummaryIDAfter) &&
		strings.HasPrefix(id, k.SummaryIDBefore) && strings.HasSuffix(id, k.SummaryIDAfter)
}

// nameForeign renames items whose ids are not UTF-8 and are spelled like another item's id.
func (s *session) nameForeign(rows []int32) {
	for _, i := range rows {
		if _, taken := s.ids[s.hash([]byte(record.SpellName(s.itemID(&s.rows[i]))))]; taken {
			s.rename(i)
		}
	}
}

// seen notes which items of a pair rule update an earlier one, and the types of all primary records.
func (s *session) seen() {
	type key struct {
		pair int8
		key  uint64
	}
	first := map[key]bool{}
	for i := range s.rows {
		r := &s.rows[i]
		if r.is(call) && s.entry.Pairs[r.pair].Update {
			if k := (key{r.pair, s.keys[r.item].key}); s.keys[r.item].key != 0 && first[k] {
				r.flags |= later
				r.projection = r.laterProjection
			} else {
				first[k] = true
			}
		}
		if r.is(readable) && r.projection >= 0 {
			r.primary = s.mapper.Primary(int(r.projection))
		}
	}
}
