package session

import (
	"fmt"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// Point is a place in a session at which a view can be had. Session.Point makes it.
type Point struct {
	Name   string // the record that it was asked for by, or the head; "" for a head that is none
	item   int32  // last item of the chain, none: an empty one
	doubts []doubt
	note   string
}

type doubt struct {
	basis Basis
	note  string
}

// inferencePrefix begins the ids of model responses.
const inferencePrefix = "inference:"

// PointError says why there is no view at a record.
type PointError struct {
	Name, Problem string
	Candidates    []string // record ids that may be meant, at most ten
}

func (e *PointError) Error() string { return fmt.Sprintf("%.64q %s", e.Name, e.Problem) }

// Hint says what could be asked for instead, "" when there is nothing.
func (e *PointError) Hint() string {
	if len(e.Candidates) == 0 {
		return ""
	}
	return "candidates: " + strings.Join(e.Candidates, ", ")
}

// Point finds the place that a name stands for: a record, after it and with it, on its own branch;
// inference:<response id>, before the first record of that response; "", the head. A beginning of a record's id that
// only one item or response has will do. The error is a *PointError.
func (s *Session) Point(name string) (Point, error) {
	if name == "" {
		return s.headPoint(), nil
	}
	i, err := s.named(name)
	if err != nil {
		return Point{}, err
	}
	id := s.id(i)
	switch {
	case s.recs[i].kind == record.Inference:
		return s.before(id, i)
	case s.recs[i].kind == record.Gap:
		return Point{}, &PointError{Name: id, Problem: "is a gap, what the model saw there is not known"}
	case s.recs[i].item < 0:
		return Point{}, &PointError{Name: id, Problem: fmt.Sprintf("is a record of the session itself, of type %s, and no place in its tree", s.recs[i].kind)}
	}
	return Point{Name: id, item: s.recs[i].item}, nil
}

// named is the record of an id, else the one whose id the name begins.
func (s *Session) named(name string) (int32, error) {
	if i := s.lookup(name); i >= 0 {
		return i, nil
	}
	var found []int32
	for i := range s.recs {
		r := &s.recs[i]
		if (r.is(primary) || r.kind == record.Inference) && strings.HasPrefix(s.id(int32(i)), name) {
			found = append(found, int32(i))
		}
	}
	switch len(found) {
	case 0:
		return none, &PointError{Name: name, Problem: "names no record of the session"}
	case 1:
		return found[0], nil
	}
	e := &PointError{Name: name, Problem: fmt.Sprintf("names %d records of the session", len(found))}
	for _, i := range found[:min(len(found), 10)] {
		e.Candidates = append(e.Candidates, s.id(i))
	}
	return none, e
}

func (s *Session) headPoint() Point {
	p := Point{item: s.head.item, note: s.head.Note}
	if s.head.Record >= 0 {
		p.Name = s.id(int32(s.head.Record))
	}
	if s.head.Doubt != "" {
		p.doubts = append(p.doubts, doubt{Deduced, s.head.Doubt})
	}
	return p
}

// before is the place before the first member of a response: what its request held.
func (s *Session) before(name string, inference int32) (Point, error) {
	first := none
	for j := int(inference) + 1; j < len(s.recs) && first < 0; j++ {
		if s.recs[j].inference == inference {
			first = s.recs[j].item
		}
	}
	if first < 0 {
		return Point{}, &PointError{Name: name, Problem: "has no member in the log"}
	}
	p := Point{Name: name, item: s.items[first].up}
	if p.item == broken {
		p.item = none
		p.doubts = append(p.doubts, doubt{Unknown, "the parent of " + s.itemName(first) + " is not known, so what stood before it is left out"})
	}
	if s.items[first].is(compaction) {
		p.doubts = append(p.doubts, doubt{Unknown, clip(strings.TrimPrefix(name, inferencePrefix)) + " made a compaction, from a request of its own that the log does not hold"})
	}
	return p, nil
}
