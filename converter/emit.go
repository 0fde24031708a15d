package converter

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"unsafe"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

var (
	errChanged   = errors.New("source changed while it was read")
	errSessionID = errors.New("session id that cannot name a stream")
)

// emit writes the stream's records.
func (s *session) emit(ctx context.Context) error {
	if err := s.open(); err != nil {
		return err
	}
	if s.run.o.NewCheck != nil {
		s.check = s.run.o.NewCheck()
	}
	if s.changed {
		s.notice(record.SourceChanged, "session", "", "got files that changed while they were read, read once more")
	}
	if err := s.headRecord(); err != nil {
		return err
	}
	holes := s.files.items.Holes
	var z zones
	for i := range s.rows {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for len(holes) > 0 && holes[0].First < s.rows[i].ordinal {
			if err := s.missing(holes[0], ""); err != nil {
				return err
			}
			holes = holes[1:]
		}
		if err := s.row(int32(i), &z); err != nil {
			return err
		}
	}
	if s.tailHole != nil {
		if err := s.missing(*s.tailHole, s.evidence); err != nil {
			return err
		}
	}
	return s.finish(&z)
}

// put writes one record and shows it to the check.
func (s *session) put(r *record.Record) error {
	s.store.line = record.AppendLine(s.store.line[:0], r)
	if err := s.out.Write(s.store.line[:len(s.store.line)-1]); err != nil {
		return &outputError{err}
	}
	s.count.add(r)
	if s.check != nil {
		s.state(r)
		s.check.Record(&s.store.facts)
	}
	return nil
}

func (s *session) headRecord() error {
	r := record.Record{Type: record.SessionInfo, ID: "session", Position: record.NoPosition(record.Transcript)}
	s.sessionInfo(&r, "head")
	notePath(&r, path.Join(s.src.from.prefix, s.src.dir))
	return s.put(&r)
}

// sessionInfo fills what both ends of a stream state.
func (s *session) sessionInfo(r *record.Record, phase string) {
	r.Set("sessionId", record.AppendString(nil, s.id))
	r.Set("agent", record.AppendString(nil, s.entry.Name))
	r.Set("format", record.AppendString(nil, s.src.match.Format.ID))
	r.Set("source", record.AppendString(nil, s.result.ID))
	r.Set("phase", record.AppendString(nil, phase))
}

// missing writes a gap of missing items.
func (s *session) missing(h formats.Hole, evidence string) error {
	r := record.Record{Type: record.Gap, ID: fmt.Sprintf("gap:%d-%d", h.First, h.Last), Position: record.NoPosition(record.Transcript)}
	r.Position.Ordinal = h.First
	if h.Last > h.First {
		r.Position.Through = h.Last
	}
	r.Set("reason", []byte(`"`+gapMissing+`"`))
	if evidence != "" {
		r.Meta = []record.Meta{{Key: record.Own + "gapEvidence", Raw: []byte(evidence)}}
	}
	return s.put(&r)
}

// row writes the records of one item.
func (s *session) row(i int32, z *zones) error {
	r := &s.rows[i]
	if !r.is(readable) {
		if i == s.torn {
			return nil // the last record keeps it
		}
		return s.unreadableItem(i)
	}
	sc, err := s.item(i)
	if err != nil {
		return err
	}
	if sc.problem != "" {
		return errChanged
	}
	e := &s.store.item
	*e = emission{s: s, i: i, r: r, sc: sc}
	return e.write(z)
}

// unreadableItem writes the gap of a file that is not readable.
func (s *session) unreadableItem(i int32) error {
	r := &s.rows[i]
	reason := gapReasons[r.gap]
	rec := record.Record{Type: record.Gap, ID: s.recordID(i), Position: s.position(r)}
	rec.Position.Path = s.itemPath(r)
	if s.reproduced(r) {
		rec.Position.Path = ""
	}
	rec.Set("reason", record.AppendString(nil, reason))
	rec.Set("path", record.AppendString(nil, s.itemPath(r)))
	rec.Lose(record.LossNativeUnreadable)
	switch reason {
	case gapUnreadable:
		s.notice(record.OddFile, rec.ID, "", fmt.Sprintf("%s: got a name that is no readable file", quote(s.itemPath(r))))
		rec.Position.Path = ""
	case gapTooLarge:
		rec.Meta = append(rec.Meta, fileMeta(s.nativePath(r), r.size, hex.EncodeToString(r.sha[:])))
		rec.Position.Path = ""
	default:
		notePath(&rec, s.nativePath(r))
		sc, err := s.item(i)
		if err != nil {
			return err
		}
		if reason != gapEmpty {
			evidence := record.AppendInt([]byte(`{"byte":`), int64(sc.offset))
			rec.Meta = append(rec.Meta, record.Meta{Key: record.Own + "gapEvidence", Raw: append(evidence, '}')})
		}
		raw, redacted := s.cutter.redactText(sc.raw)
		if rec.Native, err = s.blob(raw, reason, redacted); err != nil {
			return err
		}
		if secret(redacted) {
			rec.Lose(record.LossSecretOmitted)
		}
	}
	return s.put(&rec)
}

// rawItem is the bytes of an item that is not readable as JSON.
func (s *session) rawItem(i int32) ([]byte, error) {
	sc, err := s.item(i)
	if err != nil {
		return nil, err
	}
	return sc.raw, nil
}

// position is where an item's records stand.
func (s *session) position(r *row) record.Position {
	return record.Position{
		Family: record.Transcript, Ordinal: r.ordinal, Through: -1, ID: spellName(s.files.items.Items[r.item].ID),
	}
}

// reproduced says whether the layout's name pattern gives the item's path from its ordinal and id.
func (s *session) reproduced(r *row) bool {
	ref := &s.files.items.Items[r.item]
	return s.src.match.Files.Items.Item.Reproduces(ref.Name, ref.Ordinal, ref.ID) && spellName(ref.Name) == ref.Name
}

// emission is one item on its way into the stream.
type emission struct {
	s  *session
	i  int32
	r  *row
	sc *scanned

	item registry.Item
	base record.Record // what all records of the item share
	own  record.Record // the response that it begins
}

func (e *emission) write(z *zones) error {
	s := e.s
	s.store.made = s.store.made[:0]
	it := &e.item
	*it = registry.Item{
		Doc: &e.sc.doc, ID: s.recordID(e.i), Projection: int(e.r.projection),
		Facts: entry.SessionFacts{Later: e.r.is(later), Child: s.src.child}, Refs: e,
	}
	s.mapper.Map(it, &s.store.mapped)
	s.note(it.ID, &s.store.mapped)
	base := &e.base
	base.Position, base.Time = s.position(e.r), e.time(it.ID, z)
	if e.r.is(firstMember) {
		base.Inference = e.inferenceID()
		if err := e.inference(base); err != nil {
			return err
		}
	}
	if p := e.r.parentRow; p >= 0 {
		base.Parent = s.recordID(p)
	}
	if e.r.response >= 0 && base.Inference == "" {
		base.Inference = e.inferenceID()
	}
	for n := range s.store.mapped.Records {
		if err := e.record(n, base); err != nil {
			return err
		}
	}
	if e.i == s.evident {
		return e.counters(base)
	}
	return nil
}

// note gathers the notices of mapping one item.
func (s *session) note(id string, out *registry.Out) {
	for _, n := range out.Notices {
		s.notice(n.Code, id, n.Pointer, n.Message)
	}
	for _, name := range out.Unmapped {
		if s.unmapped == nil {
			s.unmapped = map[string]*unmappedCount{}
		}
		c := s.unmapped[name]
		if c == nil {
			c = &unmappedCount{first: id}
			s.unmapped[name] = c
		}
		c.count++
	}
}

const inferencePrefix = "inference:"

// inferenceID is the id of the record of a member's response.
func (e *emission) inferenceID() string {
	if id, ok := e.s.joined[e.i]; ok {
		return inferencePrefix + id
	}
	start := len(e.s.store.made)
	e.s.store.made = append(append(e.s.store.made, inferencePrefix...), text(&e.sc.doc, &e.s.entry.Groups.Key)...)
	return borrow(e.s.store.made[start:])
}

// time is the item's time as spelled; one that is no ISO 8601 time is left out.
func (e *emission) time(id string, z *zones) []byte {
	if !e.s.entry.Session.HasTime {
		return nil
	}
	d := &e.sc.doc
	n := e.s.entry.Session.Time.One(d, 0)
	if n < 0 || d.Kind(n) == jsonscan.Null {
		return nil
	}
	raw := textAt(d, n)
	_, zone, ok := parseTime(borrow(raw))
	if ok && len(raw)+2 == len(d.Value(n)) {
		z.add(zone)
		return d.Value(n)
	}
	if !ok {
		e.s.notice(record.TimeUnreadable, id, d.Pointer(n), "got a time that is no ISO 8601 date and time, left out")
		return nil
	}
	z.add(zone)
	return record.AppendString(nil, string(raw))
}

// inference writes the record of the response that the item begins.
func (e *emission) inference(base *record.Record) error {
	s := e.s
	g := &s.groups[e.r.response]
	r := &e.own
	r.Type, r.ID, r.Position, r.Time = record.Inference, base.Inference, base.Position, base.Time
	r.Set("responseId", s.quoted(r.ID[len(inferencePrefix):]))
	for i := range s.entry.Groups.Purposes {
		if p := &s.entry.Groups.Purposes[i]; p.When.Holds(&e.sc.doc, 0, entry.SessionFacts{}) {
			r.Set("purpose", s.quoted(p.Is))
			break
		}
	}
	if err := s.fillInference(g, r); err != nil {
		return err
	}
	return s.put(r)
}

// record writes the n-th record of the item, and the summary that a compaction brings.
func (e *emission) record(n int, base *record.Record) error {
	s := e.s
	r := &s.store.mapped.Records[n]
	r.Position, r.Time, r.Parent, r.Inference = base.Position, base.Time, base.Parent, base.Inference
	r.OutOfContext = record.ContextByDefault(r.Type) && !e.r.is(inContext)
	if r.Type == record.ToolResult && e.r.is(result) {
		e.pairOf(r)
	}
	var summary record.Record
	var summed bool
	if r.Type == record.Compaction && e.r.is(compaction) {
		summary, summed = s.fillCompaction(e.i, e.sc, r)
	}
	if n == s.store.mapped.Primary {
		if err := e.primary(r); err != nil {
			return err
		}
	}
	if err := s.put(r); err != nil || !summed {
		return err
	}
	summary.Position, summary.Time, summary.Inference, summary.Parent = base.Position, base.Time, base.Inference, r.ID
	return s.put(&summary)
}

// pairOf names the call of a result, or its id as spelled.
func (e *emission) pairOf(r *record.Record) {
	if e.r.call >= 0 {
		r.Set("call", e.s.quoted(e.s.recordID(e.r.call)))
		return
	}
	rule := &e.s.entry.Pairs[e.r.pair].Results[e.r.rule]
	for i := range rule.By {
		if rule.By[i].ByID {
			continue
		}
		if n := rule.By[i].Path.One(&e.sc.doc, 0); n >= 0 && len(textAt(&e.sc.doc, n)) > 0 {
			r.Set("nativeCallId", e.s.cleanText(&e.sc.doc, n))
			return
		}
	}
}

// primary adds what stands on the primary record alone: the native bytes, losses of the item, our own notes.
func (e *emission) primary(r *record.Record) error {
	s := e.s
	var err error
	if r.Native, err = s.keep(e.sc); err != nil {
		return err
	}
	if !s.reproduced(e.r) {
		r.Position.Path = s.itemPath(e.r)
		notePath(r, s.nativePath(e.r))
	}
	if e.sc.doc.Has(jsonscan.DuplicateKey) {
		s.notice(record.DuplicateKey, r.ID, e.sc.doc.Pointer(e.sc.doc.FirstDuplicate), "got a member twice in one object, the last one counts")
	}
	if e.r.is(lineage) || s.store.mapped.Ambiguous {
		r.Lose(record.LossLineage)
	}
	if secret(e.sc.redacted) {
		r.Lose(record.LossSecretOmitted)
	}
	if len(s.store.mapped.Unmapped) > 0 {
		r.Meta = append(r.Meta, record.Meta{Key: record.Own + "unmapped", Raw: record.AppendStrings(nil, s.store.mapped.Unmapped)})
	}
	return nil
}

// secret says whether something was left out that was no mask and not empty.
func secret(list []record.Redaction) bool {
	for _, r := range list {
		if r.Kind == kindSecret {
			return true
		}
	}
	return false
}

// Ref resolves a native id that the item names.
func (e *emission) Ref(native []byte, want record.Type) (string, registry.RefState) {
	i, found, several := e.s.find(e.s.hash(native))
	switch {
	case several:
		return "", registry.RefAmbiguous
	case !found || (want != 0 && e.s.rows[i].primary != want):
		return "", registry.RefUnknown
	default:
		return e.s.recordID(i), registry.RefFound
	}
}

// quoted is a text as a JSON string, in memory that holds until the next item.
func (s *session) quoted(text string) []byte {
	start := len(s.store.made)
	s.store.made = record.AppendString(s.store.made, text)
	return s.store.made[start:]
}

// borrow is b as a string that is valid as long as b is not changed.
func borrow(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(&b[0], len(b))
}
