package converter

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// index reads every item once and keeps a row each, in the order of the stream.
func (s *session) index(ctx context.Context) error {
	items := s.files.items.Items
	s.rows, s.keys = make([]row, len(items)), make([]keys, len(items))
	if len(items) > manyItems {
		s.run.frugal()
	}
	if len(items) > 0 && s.folder == nil {
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
			return err
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
	return nil
}

// order puts items that share an ordinal in the order of their times, then of their names' ids.
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
		return strings.Compare(items[a.item].ID, items[b.item].ID)
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
	*sc = scanWith(raw, s.store.tape(), jsonscan.Options{MaxDepth: s.run.depth(), NonFinite: true})
	if sc.problem == "" {
		s.redact(entry.InTranscript, sc)
	}
	return sc, nil
}

// beyond says whether the item lies beyond what is read of one conversation. What is read does not depend on the order
// of reading: items count in their own order, at the first look.
func (s *session) beyond(r *row) bool {
	o := &s.run.o
	return (o.MaxItems > 0 && int64(r.item) >= o.MaxItems) || (o.MaxBytes > 0 && s.taken > o.MaxBytes)
}

// unread notes why a file was not read.
func (s *session) unread(r *row, sc *scanned, name string, cause error) (err error) {
	var large *formats.TooLargeError
	switch {
	case errors.As(cause, &large):
		sc.problem = gapTooLarge
		r.sha, r.size, err = s.folder.Hash(name)
		return err
	case errors.Is(cause, formats.ErrOutside):
		r.flags |= loose
	}
	sc.problem = gapUnreadable
	return nil
}

// fill notes in the row what the session needs to know of an item.
func (s *session) fill(r *row, sc *scanned) {
	ref := &s.files.items.Items[r.item]
	s.keys[r.item].id = s.hashText(ref.ID)
	if sc.problem != "" {
		r.gap = gapIndex(sc.problem)
		return
	}
	r.flags |= readable
	d := &sc.doc
	k := s.kindOf(d)
	s.fillIDs(r, ref, d)
	s.fillKind(r, d, k)
	s.fillPair(r, d, k)
	s.fillGroup(r, d, k)
	s.fillCounters(r, d)
	if s.entry.Session.HasTime {
		if at, _, ok := parseTime(borrow(textAt(d, s.entry.Session.Time.One(d, 0)))); ok {
			r.micros = at
		}
	}
}

// timeText is the item's time as text, "" without a readable one.
func (s *session) timeText(sc *scanned) string {
	if sc.problem != "" || !s.entry.Session.HasTime {
		return ""
	}
	n := s.entry.Session.Time.One(&sc.doc, 0)
	if n < 0 || sc.doc.Kind(n) != jsonscan.String {
		return ""
	}
	t := sc.doc.Text(n)
	if _, _, ok := parseTime(t); !ok {
		return ""
	}
	return t
}

// text is the raw text of a string at a path, unescaped; nil when it is absent or empty.
func text(d *jsonscan.Doc, p *entry.Path) []byte {
	if !p.Stated() {
		return nil
	}
	return textAt(d, p.One(d, 0))
}

func textAt(d *jsonscan.Doc, n int) []byte {
	if n < 0 || d.Kind(n) != jsonscan.String {
		return nil
	}
	raw := d.Value(n)
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		return d.AppendText(nil, n)
	}
	return raw
}

func (s *session) fillIDs(r *row, ref *formats.ItemRef, d *jsonscan.Doc) {
	t := &s.entry.Tree
	body := text(d, &t.Body)
	s.keys[r.item].body = s.hash(body)
	if ref.ID == "" && len(body) > 0 {
		s.keys[r.item].id = s.keys[r.item].body
		if s.bodyIDs == nil {
			s.bodyIDs = map[int32]string{}
		}
		s.bodyIDs[r.item] = string(body)
	}
	parent := text(d, &t.Parent)
	switch {
	case len(parent) == 0:
	case t.Root != "" && string(parent) == t.Root:
		r.flags |= rootMark
	default:
		r.flags |= explicit
		s.keys[r.item].parent = s.hash(parent)
	}
}

func (s *session) fillKind(r *row, d *jsonscan.Doc, k *kind) {
	r.flags |= k.flags
	if k.compaction != entry.Never && s.holds(k.compaction, s.entry.Context.Compaction.When, d) {
		r.flags |= compaction
	}
	r.projection = int16(s.mapper.Match(d, entry.SessionFacts{Child: s.src.child}))
}

func (s *session) fillPair(r *row, d *jsonscan.Doc, k *kind) {
	for i := range k.pairs {
		p, v := &s.entry.Pairs[i], &k.pairs[i]
		isCall := s.holds(v.calls, p.Calls, d)
		rule := -1
		for j := range p.Results {
			if s.holds(v.results[j], p.Results[j].When, d) {
				rule = j
				break
			}
		}
		if !isCall && rule < 0 {
			continue
		}
		r.pair, r.rule = int8(i), int8(rule)
		s.keys[r.item].key = s.hash(text(d, &p.Key))
		if isCall {
			r.flags |= call
			if p.Open == nil || p.Open.Holds(d, 0, entry.SessionFacts{}) {
				r.flags |= open
			}
			if p.Update {
				r.laterProjection = int16(s.mapper.Match(d, entry.SessionFacts{Later: true, Child: s.src.child}))
			}
		}
		if rule >= 0 {
			r.flags |= result
			s.fillLinks(r, d, &p.Results[rule])
		}
		return
	}
}

// fillLinks notes the id and the key by which a result names its call.
func (s *session) fillLinks(r *row, d *jsonscan.Doc, rule *entry.Result) {
	s.keys[r.item].key = 0
	for i := range rule.By {
		v := s.hash(text(d, &rule.By[i].Path))
		if rule.By[i].ByID {
			s.keys[r.item].link = v
		} else {
			s.keys[r.item].key = v
		}
	}
}

func (s *session) fillGroup(r *row, d *jsonscan.Doc, k *kind) {
	g := &s.entry.Groups
	if s.ungrouped() {
		return
	}
	if g.SeparatedBy != nil && s.holds(k.separator, g.SeparatedBy, d) {
		r.flags |= separator
	}
	if !s.holds(k.grouped, g.Of, d) {
		return
	}
	key := text(d, &g.Key)
	s.keys[r.item].group = s.hash(key)
	if s.keys[r.item].group == 0 || !g.HasCalls {
		return
	}
	if d.Find(0, g.Calls.Root()) < 0 {
		return
	}
	g.Calls.Each(d, 0, func(n int) bool {
		if id := textAt(d, n); len(id) > 0 {
			r.flags |= callsNamed
			s.nameCall(s.hash(id), r.item, string(key))
		}
		return true
	})
}

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
	return append(dst, spellName(s.files.items.Items[r.item].Name)...)
}

// recordID is the id of the primary record of a row's item.
func (s *session) recordID(i int32) string {
	r := &s.rows[i]
	if id, ok := s.names[i]; ok {
		return id
	}
	if !r.is(readable) {
		return fmt.Sprintf("gap:%d:%s", r.ordinal, spellName(s.files.items.Items[r.item].ID))
	}
	if id := s.itemID(r); id != "" {
		return spellName(id)
	}
	return fmt.Sprintf("item:%d", r.ordinal)
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

// summaryShaped says whether an id is one that the summary of a compaction could bear.
func (s *session) summaryShaped(id string) bool {
	k := s.entry.Context.Compaction
	return k != nil && k.SummaryIDBefore+k.SummaryIDAfter != "" && len(id) > len(k.SummaryIDBefore)+len(k.SummaryIDAfter) &&
		strings.HasPrefix(id, k.SummaryIDBefore) && strings.HasSuffix(id, k.SummaryIDAfter)
}

// nameForeign renames items whose ids are not UTF-8 and are spelled like another item's id.
func (s *session) nameForeign(rows []int32) {
	for _, i := range rows {
		if _, taken := s.ids[s.hash([]byte(spellName(s.itemID(&s.rows[i]))))]; taken {
			s.rename(i)
		}
	}
}

// rename gives an item whose id is taken the id <native id>~<ordinal>.
func (s *session) rename(i int32) {
	r := &s.rows[i]
	base := fmt.Sprintf("%s~%d", spellName(s.itemID(r)), r.ordinal)
	s.names[i] = s.unused(base, i)
}

// nameGap keeps the ids of gaps apart: two spellings of one ordinal may share an id.
func (s *session) nameGap(i int32) {
	r := &s.rows[i]
	if !r.is(twinOrdinal) {
		return
	}
	base := fmt.Sprintf("gap:%d:%s", r.ordinal, spellName(s.files.items.Items[r.item].ID))
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
