package converter

import (
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

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
	if err := s.framed(r, e.r.item); err != nil {
		return err
	}
	if len(s.store.mapped.Unmapped) > 0 {
		r.Meta = append(r.Meta, record.Meta{Key: record.Own + "unmapped", Raw: record.AppendStrings(nil, s.store.mapped.Unmapped)})
	}
	return nil
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
