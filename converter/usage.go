package converter

import (
	"fmt"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// usage is the counters of a ledger row or a total, as raw JSON; nil when there is none above zero. Counters that are
// no safe natural numbers are left out with a notice.
func (s *session) usage(d *jsonscan.Doc, n int, recordID string) []byte {
	start := len(s.store.made)
	out := append(s.store.made, '{')
	for i := range s.entry.Usage.Fields {
		f := &s.entry.Usage.Fields[i]
		c := f.Path.One(d, n)
		if unstated(d, c) {
			continue
		}
		v, ok := d.Int(c)
		switch {
		case !ok || v < 0:
			s.notice(record.UsageInvalid, recordID, s.placeOf(d, c), fmt.Sprintf("got a counter %s that is no natural number up to 2^53-1, left out", f.Path.String()))
		case v > 0:
			out = append(record.AppendKey(out, f.Member), d.Value(c)...)
		}
	}
	if len(out) == start+1 {
		return nil
	}
	s.store.made = append(out, '}')
	return s.store.made[start:len(s.store.made):len(s.store.made)]
}

// fillInference fills the record of a response from its ledger row.
func (s *session) fillInference(g *group, r *record.Record) error {
	if g.row < 0 {
		if len(s.ledger.rows) > 0 {
			r.Lose(record.LossAccountingJoin)
		}
		return nil
	}
	u := &s.entry.Usage
	row := &s.ledger.rows[g.row]
	d, n, err := s.at(row.piece)
	if err != nil {
		return err
	}
	if v := u.RowModel.One(d, n); v >= 0 && d.Kind(v) == jsonscan.String && len(d.Value(v)) > 2 {
		r.Set("requestedModel", s.cutter.clean(s.cleanText(d, v)))
	}
	if v := s.usage(d, n, r.ID); v != nil {
		r.Set("usage", v)
	}
	start := len(s.store.made)
	out := record.AppendString(append(s.store.made, `{"bucket":`...), s.ledger.buckets[row.bucket].name)
	out = append(record.AppendKey(out, singular(u.RowsName)), d.Value(n)...)
	if u.HasLatencies {
		if out, err = s.latencies(row, r, out); err != nil {
			return err
		}
	}
	s.store.made = append(out, '}')
	if u.Destination != "" {
		s.meta(r, u.Destination, s.store.made[start:])
	}
	return nil
}

// latencies appends the latency rows of a ledger row's bucket with its id, and states how long the response took when
// there is just one.
func (s *session) latencies(row *ledgerRow, r *record.Record, out []byte) ([]byte, error) {
	u := &s.entry.Usage
	list := s.ledger.of(row.bucket, row.id)
	out = append(record.AppendKey(out, u.LatenciesName), '[')
	for i := range list {
		d, n, err := s.at(list[i].piece)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		start := len(out)
		out = append(out, d.Value(n)...)
		v := u.LatencySeconds.One(d, n)
		if len(list) > 1 || v < 0 || d.Kind(v) != jsonscan.Number || !s.safe(d, v, r.ID) {
			continue
		}
		from := start + int(d.Nodes[v].Start-d.Nodes[n].Start)
		r.Set("latencySeconds", out[from:from+len(d.Value(v))])
	}
	return append(out, ']'), nil
}

// cleanText is a string of a document as a normalized member carries it.
func (s *session) cleanText(d *jsonscan.Doc, n int) []byte {
	start := len(s.store.made)
	s.store.made, _ = jsonscan.AppendClean(s.store.made, d.Value(n))
	return s.store.made[start:]
}

// safe says whether a number may stand in a record; one that may not is noticed.
func (s *session) safe(d *jsonscan.Doc, n int, recordID string) bool {
	if jsonscan.SafeNumber(d.Value(n)) {
		return true
	}
	s.notice(record.UnsafeNumber, recordID, s.placeOf(d, n), "got a number in the ledger that a double cannot hold, left out of the record")
	return false
}

// placeOf is the pointer of a node into the document that it stands in, "" when only a piece of it was read.
func (s *session) placeOf(d *jsonscan.Doc, n int) string {
	if s.snapshot != nil && d != s.snapshot.doc {
		return ""
	}
	return d.Pointer(n)
}

// singular is the name of one row of a list named in the plural.
func singular(name string) string {
	if n := len(name); n > 1 && name[n-1] == 's' {
		return name[:n-1]
	}
	return name
}

// key is the _meta key of a destination.
func (s *session) key(destination string) string {
	if s.metaKeys == nil {
		s.metaKeys = map[string]string{}
	}
	if s.metaKeys[destination] == "" {
		s.metaKeys[destination] = s.entry.Destination(destination)
	}
	return s.metaKeys[destination]
}

// meta adds a native fact to a record, on one line. Facts with numbers that a double cannot hold, or that cannot stand
// in a line for another reason, stay where the native bytes are.
func (s *session) meta(r *record.Record, destination string, raw []byte) {
	if s.snapshot == nil || s.snapshot.odd { // some part of the document cannot stand in a line, perhaps not this one
		sc := scan(raw, nil)
		if sc.problem != "" || sc.contentReason() != "" {
			s.notice(record.UnsafeNumber, r.ID, "", fmt.Sprintf("got %s that cannot stand in a record, kept in the native bytes alone", destination))
			return
		}
		if sc.doc.Has(jsonscan.LineBreak) {
			raw = jsonscan.Compact(nil, sc.doc)
		}
	}
	r.Meta = append(r.Meta, record.Meta{Key: s.key(destination), Raw: s.cutter.cleanFact(raw)})
}
