package converter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// candidate is a source with the ids that a user may name it by.
type candidate struct {
	src        *source
	id, stream string
}

// choose keeps the sources of the sessions that were named. Every name must stand for exactly one.
func (r *run) choose() error {
	if len(r.o.Sessions) == 0 {
		return nil
	}
	var all []candidate
	names := newNamer()
	for i, src := range r.finder.sources {
		s := r.newSession(src)
		s.result.ID = fmt.Sprintf("s%d", i+1)
		s.dry = true
		err := s.prepare()
		s.close()
		if err != nil {
			continue
		}
		name, _ := names.name(s.entry.Alias(), s.id, src.id())
		all = append(all, candidate{src, s.id, name})
	}
	var chosen []*source
	for _, want := range r.o.Sessions {
		found := matching(all, want)
		if len(found) != 1 {
			return r.unclear(want, found, all)
		}
		if !slices.Contains(chosen, found[0].src) {
			chosen = append(chosen, found[0].src)
		}
	}
	slices.SortFunc(chosen, func(a, b *source) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.row, b.row)) })
	r.finder.sources = chosen
	return nil
}

// matching lists the candidates that a name stands for: those it names whole, else those it begins.
func matching(all []candidate, want string) []candidate {
	bare := withoutDashes(want)
	whole := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		return c.stream != want && c.id != want && withoutDashes(c.id) != bare
	})
	if len(whole) > 0 || want == "" {
		return whole
	}
	return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		return !strings.HasPrefix(c.stream, want) && (bare == "" || !strings.HasPrefix(withoutDashes(c.id), bare))
	})
}

// unclear says that a name stands for no session or for several.
func (r *run) unclear(want string, found, all []candidate) error {
	message := fmt.Sprintf("--session %s names no session", quote(want))
	if len(found) > 1 {
		message = fmt.Sprintf("--session %s names %d sessions", quote(want), len(found))
	} else {
		found = all
	}
	var ids []string
	for _, c := range found[:min(len(found), 10)] {
		ids = append(ids, c.stream)
	}
	hint := "candidates: " + strings.Join(ids, ", ")
	if len(found) > len(ids) {
		hint += fmt.Sprintf(" and %d more", len(found)-len(ids))
	}
	return &UsageError{Message: message, Hint: hint}
}

// parseBound reads a date, or a date and time; whole says that it is a date alone.
func parseBound(t string) (micros int64, whole, ok bool) {
	if len(t) == 10 {
		micros, _, ok = parseTime(t + "T00:00:00")
		return micros, true, ok
	}
	micros, _, ok = parseTime(t)
	return micros, false, ok
}

// selects says whether a session has an item within the bounds. Times compare as spelled, zones aside; a session
// without any time is selected only when there are no bounds.
func (r *run) selects(s *session) bool {
	if r.o.Since == "" && r.o.Until == "" {
		return true
	}
	since, _, _ := parseBound(r.o.Since)
	until, day, _ := parseBound(r.o.Until)
	if day {
		until += 24*3600*1_000_000 - 1
	}
	for i := range s.rows {
		at := s.rows[i].micros
		if at == noTime || (r.o.Since != "" && at < since) || (r.o.Until != "" && at > until) {
			continue
		}
		return true
	}
	return false
}

// sortedTimes are the times of the session's items, in order.
func (s *session) sortedTimes() []int64 {
	times := make([]int64, 0, len(s.rows))
	for i := range s.rows {
		if s.rows[i].micros != noTime {
			times = append(times, s.rows[i].micros)
		}
	}
	slices.Sort(times)
	return times
}

// firstFrom is the index of the first time at or after at.
func firstFrom(times []int64, at int64) int {
	i, _ := slices.BinarySearch(times, at)
	return i
}

// bounded keeps the sources that have an item within the bounds asked for.
func (r *run) bounded(ctx context.Context) error {
	sessions, err := r.work(ctx, 0, (*session).look)
	if err != nil {
		return err
	}
	var kept []*source
	for _, s := range sessions {
		if !errors.Is(s.result.Err, errSkipped) {
			kept = append(kept, s.src)
		}
	}
	r.finder.sources = kept
	return nil
}
