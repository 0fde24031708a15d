package usage

// unkeyed counts the rows that name no response as they stand. Of the copies of one session the one with the most equal
// rows counts: what they share cannot be told from rows that happen to be equal otherwise.
func (t *tally) unkeyed() {
	type rowKey struct {
		bucket bucketKey
		sum    digest
	}
	counted := map[rowKey]int{}
	for i := range t.sessions {
		s := &t.sessions[i]
		if t.skip[i] {
			continue
		}
		here := map[rowKey]int{}
		for j := range s.rows {
			r := &s.rows[j]
			if r.zero || (r.id != "" && !s.apart) {
				continue
			}
			k := rowKey{t.bucketKey(i, int(r.bucket)), r.sum}
			if here[k]++; here[k] <= counted[k] {
				t.notes.repeat(k.bucket.bucket)
				continue
			}
			counted[k]++
			t.notes.unkeyed++
			t.countUnkeyed(i, r)
		}
	}
}

func (t *tally) countUnkeyed(session int, r *row) {
	if r.bucket >= 0 {
		t.owns[session][r.bucket] = true
	}
	t.at(t.key(session, place{session: session}, r, nil), func(l *Line) {
		l.Unkeyed++
		l.count(&r.counts)
	})
}

// accumulated counts the buckets that state sums and have no rows, as one unkeyed row each. Copies of a session that
// state different sums count as nothing.
func (t *tally) accumulated() {
	type sums struct {
		session, at int
		counts      counts
		differ      bool
	}
	stated := map[bucketKey]*sums{}
	reported := map[bucketKey]bool{}
	var order []bucketKey
	for i := range t.sessions {
		for j := range t.sessions[i].buckets {
			b, k := &t.sessions[i].buckets[j], t.bucketKey(i, j)
			reported[k] = reported[k] || b.reports > 0
			c, ok := b.accumulated()
			if !ok || t.skip[i] {
				continue
			}
			if have := stated[k]; have != nil {
				have.differ = have.differ || have.counts != c
				continue
			}
			stated[k] = &sums{i, j, c, false}
			order = append(order, k)
		}
	}
	for _, k := range order {
		s := stated[k]
		switch {
		case reported[k]: // another copy has the rows
		case s.differ:
			t.notes.sumsDiffer = append(t.notes.sumsDiffer, k.bucket)
			t.ofBucket(s.session, k.bucket, func(l *Line) { l.Uncovered.Buckets++ })
		default:
			t.notes.sums = append(t.notes.sums, k.bucket)
			t.countUnkeyed(s.session, &row{bucket: int32(s.at), counts: s.counts})
		}
	}
}

// residues counts the buckets that accumulated something else than their rows sum to.
func (t *tally) residues() {
	seen := map[bucketKey]bool{}
	for i := range t.sessions {
		for j := range t.sessions[i].buckets {
			k := t.bucketKey(i, j)
			if t.skip[i] || seen[k] || !t.sessions[i].buckets[j].residue() {
				continue
			}
			seen[k] = true
			t.notes.residues = append(t.notes.residues, k.bucket)
			t.ofBucket(i, k.bucket, func(l *Line) { l.Uncovered.Buckets++ })
		}
	}
}
