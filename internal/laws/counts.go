package laws

import (
	"cmp"
	"fmt"

	"github.com/session-trace/ctx/internal/bundle"
)

// run is a run of ordinals, both ends included.
type run struct{ first, last int64 }

// ordinals holds that every ordinal from 0 to the last has a record with native bytes, lies in a gap, or is the tail.
func (w *whole) ordinals(source string, list []row) {
	next := int64(0)
	for i := range list {
		r := &list[i]
		if r.Position.Ordinal == nil || r.Position.Family != "transcript" || (!r.hasNative() && r.Type != "gap") {
			continue
		}
		at := run{*r.Position.Ordinal, *r.Position.Ordinal}
		if r.Position.Through != nil {
			at.last = *r.Position.Through
		}
		if at.first > next {
			w.Add("ordinals", "%s: ordinals %d to %d have neither a record with native bytes nor a gap", source, next, at.first-1)
		}
		if at.last < at.first || at.first < next-1 {
			w.Add("ordinals", "%s: got record %s at %d after ordinal %d", source, r.ID, at.first, next-1)
		}
		next = max(next, at.last+1)
	}
}

// counts holds the manifest's counts of a stream, and that no id stands twice.
func (w *whole) counts(s *bundle.StreamInfo, list []row) {
	types, losses, ids := map[string]int64{}, map[string]bundle.Loss{}, map[string]bool{}
	var gaps, items int64
	for i := range list {
		r := &list[i]
		if ids[r.ID] {
			w.Add("counts", "stream %s: got record id %q twice", s.ID, r.ID)
		}
		ids[r.ID] = true
		types[r.Type]++
		switch {
		case r.Type == "gap":
			gaps++
		case r.hasNative() && r.Position.Family == "transcript":
			items++
		}
		for _, code := range r.Losses {
			l := losses[code]
			losses[code] = bundle.Loss{Count: l.Count + 1, First: cmp.Or(l.First, r.ID)}
		}
	}
	if s.Records != int64(len(list)) || s.Gaps != gaps || s.Items != items || fmt.Sprint(types) != fmt.Sprint(s.Types) ||
		(len(losses) > 0 && fmt.Sprint(losses) != fmt.Sprint(s.Losses)) {
		w.Add("counts", "stream %s: manifest counts %d records, %d items, %d gaps, %v, %v, want %d, %d, %d, %v, %v",
			s.ID, s.Records, s.Items, s.Gaps, s.Types, s.Losses, len(list), items, gaps, types, losses)
	}
}
