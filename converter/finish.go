package converter

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// finish writes the tail of the stream and sums it up.
func (s *session) finish(z *zones) error {
	for _, b := range s.ledger.sortedBuckets() {
		if err := s.usageSummary(&b); err != nil {
			return err
		}
	}
	if err := s.writeAttachments(); err != nil {
		return err
	}
	if err := s.lastRecord(z); err != nil {
		return err
	}
	var err error
	if s.digest, err = s.out.Close(); err != nil {
		return &outputError{err}
	}
	s.unmappedNotices()
	s.grown()
	if s.check != nil {
		s.checked = s.check.Close()
	}
	s.sourceInfo()
	return nil
}

// unmappedNotices notes members that no projection reads: the entry's drift from what is written.
func (s *session) unmappedNotices() {
	for _, name := range slices.Sorted(maps.Keys(s.unmapped)) {
		c := s.unmapped[name]
		s.findings.Add(record.Finding{
			Rule: record.MemberUnmapped, Severity: record.NoticeSeverity, Record: c.first, Count: c.count,
			Message: fmt.Sprintf("got member %s in %d items, which no projection reads and no entry line names; kept in native", quote(name), c.count),
		})
	}
}

func (s *session) usageSummary(b *bucket) error {
	r := record.Record{Type: record.UsageSummary, ID: "usage:" + b.name, Position: record.NoPosition(record.CurrentState)}
	r.Set("bucket", record.AppendString(nil, b.name))
	r.Set("childInclusion", []byte(`"unknown"`))
	if s.entry.Usage.HasTotals {
		if err := s.totals(&r, b); err != nil {
			return err
		}
	}
	if b.lost {
		r.Lose(record.LossAccountingJoin)
	}
	return s.put(&r)
}

// totals fills the cumulative counters of a bucket.
func (s *session) totals(r *record.Record, b *bucket) error {
	out := record.AppendString([]byte(`{"bucket":`), b.name)
	if b.total != nil {
		d, n, err := s.at(*b.total)
		if err != nil {
			return err
		}
		out = s.totalUsage(r, out, d, n)
	}
	if b.cost != nil {
		d, n, err := s.at(*b.cost)
		if err != nil {
			return err
		}
		out = s.totalCost(r, out, d, n)
	}
	s.meta(r, s.entry.Usage.TotalDestination, append(out, '}'))
	return nil
}

// totalUsage states the counters that a bucket accumulated, and appends them to its native ones.
func (s *session) totalUsage(r *record.Record, out []byte, d *jsonscan.Doc, n int) []byte {
	if v := s.usage(d, n, r.ID); v != nil && d.Kind(n) == jsonscan.Object {
		r.Set("usage", v)
	}
	return append(record.AppendKey(out, s.entry.Usage.TotalUsageName), d.Value(n)...)
}

// totalCost states the cost that a bucket accumulated, and appends it to its native counters.
func (s *session) totalCost(r *record.Record, out []byte, d *jsonscan.Doc, n int) []byte {
	if d.Kind(n) == jsonscan.Number && !zeroNumber(d.Value(n)) && s.safe(d, n, r.ID) {
		v := append([]byte(`{"amount":`), d.Value(n)...)
		r.Set("cost", append(v, `,"basis":"reported"}`...))
	}
	return append(record.AppendKey(out, s.entry.Usage.TotalCostName), d.Value(n)...)
}

// zeroNumber says whether a number is zero, however it is spelled.
func zeroNumber(literal []byte) bool {
	for _, c := range literal {
		switch {
		case c == 'e' || c == 'E':
			return true
		case c >= '1' && c <= '9':
			return false
		}
	}
	return true
}

// lastRecord writes what the whole stream comes to: the current state.
func (s *session) lastRecord(z *zones) error {
	r := record.Record{Type: record.SessionInfo, ID: s.lastID(), Position: record.NoPosition(record.CurrentState)}
	phase := "end"
	if s.snapshot != nil {
		phase = "snapshot"
		r.Position.Path = record.SpellPath(s.files.snapshot)
	}
	s.sessionInfo(&r, phase)
	if c, ok := s.clock(z); ok {
		s.tailClock = c
		r.Set("clock", appendClock(nil, c))
		if c.basis == basisNaive && c.offset == "" {
			r.Lose(record.LossTimeZone)
		}
	}
	s.leaf(&r)
	s.cover(&r)
	if s.snapshot != nil {
		s.keepSnapshot(&r)
	}
	if err := s.leftovers(&r); err != nil {
		return err
	}
	if len(s.notKept)+len(s.large) > 0 {
		r.Lose(record.LossNativeUnreadable)
	}
	if len(s.notKept) > 0 {
		r.Lose(record.LossSecretOmitted)
	}
	slices.Sort(r.Losses)
	return s.put(&r)
}

// leaf states the head.
func (s *session) leaf(r *record.Record) {
	switch {
	case s.headRow >= 0:
		r.Set("head", record.AppendString(nil, s.recordID(s.headRow)))
	case s.headID != "":
		r.Set("headNativeId", record.AppendString(nil, s.headID))
	}
	if s.headLost {
		r.Lose(record.LossLineage)
	}
}

// cover states how many responses have usage.
func (s *session) cover(r *record.Record) {
	var c record.Coverage
	for i := range s.groups {
		if s.groups[i].repeated {
			continue
		}
		c.Responses++
		if s.groups[i].row >= 0 {
			c.WithUsage++
		}
	}
	c.LeftOver = s.ledger.leftOver
	if c.Responses == 0 && len(s.ledger.rows) == 0 {
		return
	}
	c.Complete = c.Responses == c.WithUsage && c.Responses > 0
	s.coverage = &c
	out := record.AppendInt([]byte(`{"responses":`), c.Responses)
	out = record.AppendInt(record.AppendKey(out, "withUsage"), c.WithUsage)
	out = record.AppendInt(record.AppendKey(out, "leftOver"), c.LeftOver)
	out = record.AppendBool(record.AppendKey(out, "complete"), c.Complete)
	r.Set("usageCoverage", append(out, '}'))
	if !c.Complete {
		r.Lose(record.LossUsageCoverage)
	}
}

// keepSnapshot states what the snapshot says, and where its bytes stand.
func (s *session) keepSnapshot(r *record.Record) {
	n := s.snapshot
	for _, one := range n.info.Notices {
		s.notice(one.Code, r.ID, one.Pointer, one.Message)
	}
	r.Set("title", s.cutter.clean(n.info.Title))
	r.Set("workspace", s.cutter.clean(n.info.Workspace))
	r.Set("executionStatus", s.cutter.clean(n.info.ExecutionStatus))
	r.Set("requestedModels", s.cutter.cleanSet(n.info.RequestedModels))
	if secret(n.redacted) {
		r.Lose(record.LossSecretOmitted)
	}
	if n.duplicate != "" {
		s.notice(record.DuplicateKey, r.ID, n.duplicate, "got a member twice in one object, the last one counts")
	}
	key := s.entry.Destination(s.entry.Snapshot.Destination)
	switch {
	case n.kept == nil:
		r.Native = n.native
		if n.flat != nil && s.entry.Snapshot.Destination != "" {
			r.Meta = append(r.Meta, record.Meta{Key: key, Raw: n.flat})
		}
	case s.entry.Snapshot.Destination == "":
		r.Native = record.Native{Record: n.kept, Redacted: n.redacted}
	default:
		r.Native = record.Native{Meta: key, Redacted: n.redacted}
		r.Meta = append(r.Meta, record.Meta{Key: key, Raw: n.kept})
	}
}

// tornTail keeps the last file, which is not readable as an item; one that cannot be read at all is named alone.
func (s *session) tornTail(l *list) error {
	r := &s.rows[s.torn]
	at := s.nativePath(r)
	switch gapReasons[r.gap] {
	case gapUnreadable:
		s.notice(record.OddFile, s.lastID(), "", fmt.Sprintf("%s: got a name that is no readable file", quote(record.SpellPath(at))))
		l.file(at, -1, "", nil)
		return nil
	case gapTooLarge:
		l.file(at, r.size, hex.EncodeToString(r.sha[:]), nil)
		return nil
	}
	raw, err := s.rawItem(s.torn)
	if err != nil {
		return err
	}
	size := len(raw)
	kept, redacted := s.redactTorn(raw)
	if before, ok := s.frames[0]; ok && r.item == 0 { // what stands before it in the file
		if before.large {
			return s.largeTail(l, at)
		}
		text, err := s.text(&before)
		if err != nil {
			return err
		}
		head, cuts := s.cutter.redactFrame(text)
		size, kept, redacted = size+len(text), slices.Concat(head, kept), append(redacted, cuts...)
	}
	return s.leftover(l, at, size, kept, redacted)
}

// largeTail names a file that ends within its first item, behind more text than is kept.
func (s *session) largeTail(l *list, at string) error {
	sum := sha256.New()
	if err := s.readSpan(0, s.pieces.Size, sum); err != nil {
		return err
	}
	l.file(at, s.pieces.Size, hex.EncodeToString(sum.Sum(nil)), nil)
	return nil
}
