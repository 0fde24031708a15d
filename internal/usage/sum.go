package usage

// Sum counts over sessions, which may be of several bundles. Where several report one response, it belongs to the
// first of them that has it in its transcript.
func Sum(sessions []Session, by By) *Table {
	t := &tally{
		sessions: sessions, by: by, lines: map[lineKey]*Line{},
		skip: make([]bool, len(sessions)), owns: make([][]bool, len(sessions)),
		has: map[responseKey][]int{}, counted: map[responseKey]place{}, conflict: map[responseKey]bool{},
	}
	for i := range sessions {
		t.owns[i] = make([]bool, len(sessions[i].buckets))
		if by == BySession {
			t.line(known(sessions[i].id))
		}
		for j := range sessions[i].responses {
			k := responseKey{sessions[i].agent, sessions[i].responses[j].id}
			t.has[k] = append(t.has[k], i)
		}
	}
	t.skipEvidence()
	t.keyed()
	t.unkeyed()
	t.accumulated()
	t.residues()
	t.costs()
	t.uncovered()
	return &Table{By: by, Lines: sortedLines(t.lines), Total: t.total, Notes: t.notes.list(t)}
}

// tally is one count.
type tally struct {
	sessions []Session
	by       By
	lines    map[lineKey]*Line
	total    Line
	skip     []bool                // by session: its evidence counts as nothing, a copy has the ledger
	owns     [][]bool              // by session and bucket: a response counts there
	has      map[responseKey][]int // the sessions that have a response in their transcript
	counted  map[responseKey]place // the row that counts
	conflict map[responseKey]bool
	notes    notes
}

// responseKey names a response: ids are compared within one agent.
type responseKey struct{ agent, id string }

// bucketKey names a bucket of a session, the same in all its copies.
type bucketKey struct{ agent, session, bucket string }

func (t *tally) bucketKey(session, at int) bucketKey {
	s := &t.sessions[session]
	return bucketKey{s.agent, s.same, s.bucketName(int32(at))}
}

// bucketName is "" where a row is told by a record without naming its bucket.
func (s *Session) bucketName(at int32) string {
	if at < 0 {
		return ""
	}
	return s.buckets[at].name
}

func (t *tally) line(k lineKey) *Line {
	l := t.lines[k]
	if l == nil {
		l = &Line{}
		t.lines[k] = l
	}
	return l
}

// at calls f for the line of a key and for the total.
func (t *tally) at(k lineKey, f func(*Line)) {
	f(t.line(k))
	f(&t.total)
}

// ofBucket calls f for what a bucket's own facts stand in: the total, and the line where lines are of sessions or buckets.
func (t *tally) ofBucket(session int, bucket string, f func(*Line)) {
	switch t.by {
	case BySession:
		f(t.line(known(t.sessions[session].id)))
	case ByBucket:
		f(t.line(known(bucket)))
	}
	f(&t.total)
}

// skipEvidence leaves out what updates tell about sessions of which another copy has the ledger.
func (t *tally) skipEvidence() {
	type session struct{ agent, same string }
	ledgers := map[session]bool{}
	for i := range t.sessions {
		s := &t.sessions[i]
		if s.evidence == "" && len(s.rows) > 0 {
			ledgers[session{s.agent, s.same}] = true
		}
	}
	for i := range t.sessions {
		s := &t.sessions[i]
		if s.unread {
			t.notes.unread = append(t.notes.unread, s.id)
		}
		if s.evidence == "" {
			continue
		}
		t.skip[i] = ledgers[session{s.agent, s.same}]
		if !t.skip[i] && len(s.buckets) > 0 {
			t.notes.evidence = append(t.notes.evidence, clip(s.id)+" (record "+clip(s.evidence)+")")
		}
	}
}

// place is one row of a session.
type place struct{ session, row int }

func (t *tally) row(p place) *row { return &t.sessions[p.session].rows[p.row] }

// keyed counts the rows that name a response.
func (t *tally) keyed() {
	rows := map[responseKey][]place{}
	var order []responseKey
	for i := range t.sessions {
		s := &t.sessions[i]
		for j := range s.rows {
			if r := &s.rows[j]; r.id != "" && !r.zero && !s.apart && !t.skip[i] {
				k := responseKey{s.agent, r.id}
				if rows[k] == nil {
					order = append(order, k)
				}
				rows[k] = append(rows[k], place{i, j})
			}
		}
	}
	for _, k := range order {
		t.response(k, rows[k])
	}
}

// response counts the rows of one response as one, or as nothing when they differ.
func (t *tally) response(k responseKey, rows []place) {
	first := t.row(rows[0])
	owner, found := rows[0], false
	for _, p := range rows {
		if !sameReport(first, t.row(p)) {
			t.conflict[k] = true
		}
		if !found && t.hasResponse(p.session, k.id) {
			owner, found = p, true
		}
	}
	r := t.row(owner)
	session := owner.session
	if has := t.has[k]; !found && len(has) > 0 {
		session = has[0]
	}
	key := t.key(session, owner, r, t.find(session, k.id))
	if t.conflict[k] {
		t.notes.conflicts = append(t.notes.conflicts, k.id)
		t.at(key, func(l *Line) {
			l.Uncovered.Responses++
			l.Uncovered.Conflicting++
		})
		return
	}
	t.counted[k] = owner
	t.at(key, func(l *Line) {
		l.Responses++
		l.count(&r.counts)
	})
	if r.bucket >= 0 {
		t.owns[owner.session][r.bucket] = true
	}
	t.repeats(rows, owner)
}

// repeats notes the rows of a response that are not the one that counts.
func (t *tally) repeats(rows []place, owner place) {
	type bucket struct {
		session int
		at      int32
	}
	seen := map[bucket]bool{{owner.session, t.row(owner).bucket}: true}
	for _, p := range rows {
		b := bucket{p.session, t.row(p).bucket}
		switch {
		case p == owner:
		case seen[b]:
			t.notes.twice++
		default:
			seen[b] = true
			t.notes.repeat(t.sessions[p.session].bucketName(b.at))
		}
	}
}

// sameReport says whether two rows of one response are one report. A row told by a record has no bytes of its own.
func sameReport(a, b *row) bool {
	if a.sum != (digest{}) && b.sum != (digest{}) {
		return a.sum == b.sum
	}
	return a.counts.n == b.counts.n && (a.model == b.model || a.model == "" || b.model == "")
}

func (t *tally) hasResponse(session int, id string) bool {
	_, ok := t.sessions[session].byID[id]
	return ok
}

// find is a response of a session's transcript, nil when it has none of that id.
func (t *tally) find(session int, id string) *response {
	s := &t.sessions[session]
	if at, ok := s.byID[id]; ok {
		return &s.responses[at]
	}
	return nil
}

// key is the key of the line in which a row counts for a session; p is the response, nil when no transcript has it.
func (t *tally) key(session int, owner place, r *row, p *response) lineKey {
	switch t.by {
	case ByBucket:
		return lineKey{t.sessions[owner.session].bucketName(r.bucket), r.bucket >= 0}
	case ByModel:
		return orUnknown(r.model)
	case ByTool:
		if p == nil {
			return lineKey{}
		}
		return toolsKey(p)
	case ByDay:
		if p == nil {
			return lineKey{}
		}
		return orUnknown(p.day)
	default:
		return known(t.sessions[session].id)
	}
}

// uncovered counts the responses of the transcripts that nothing reports.
func (t *tally) uncovered() {
	seen := map[responseKey]bool{}
	for i := range t.sessions {
		s := &t.sessions[i]
		for j := range s.responses {
			p := &s.responses[j]
			k := responseKey{s.agent, p.id}
			if _, ok := t.counted[k]; ok || t.conflict[k] || seen[k] {
				continue
			}
			seen[k] = true // once, by its first session
			t.at(t.key(i, place{session: i}, &row{bucket: -1}, p), func(l *Line) { l.Uncovered.Responses++ })
		}
	}
}
