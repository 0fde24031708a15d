package converter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/session-trace/ctx/internal/bundle"
)

// InterruptedError says that an update was interrupted, and that the next one takes over what it has finished.
type InterruptedError struct {
	Kept int // conversations
	Err  error
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("%s; %d finished conversations are kept for the next update", e.Err, e.Kept)
}

func (e *InterruptedError) Unwrap() error { return e.Err }

// claim reads what interrupted runs have finished. Several may have worked the same source; all are tried, of one run the
// last first.
func (r *run) claim() error {
	var err error
	if r.left, err = bundle.ClaimLeft(r.o.Out); err != nil {
		return refusal(err, r.o.Out)
	}
	fingerprint := r.fingerprint()
	for _, l := range r.left {
		j := journal{from: l.Bundle, left: true}
		j.read(l.Notes, fingerprint, "") // the last line may be torn
		l.Notes = nil
		for _, k := range slices.Backward(j.list) {
			r.finished[k.source.Key()] = append(r.finished[k.source.Key()], k)
		}
	}
	return nil
}

// note writes a finished stream into the journal of the temporary folder, unless the bundle before has it.
func (r *run) note(s *session) error {
	if !r.o.Update || s.out == nil || (s.adopted != nil && !s.adopted.left) {
		return nil
	}
	blobs, ok := r.stored(s)
	if !ok {
		return nil // another session is writing one of them just now
	}
	s.stream = s.streamInfo("", s.out.File())
	if err := r.writer.Note(appendSummed(nil, s.appendMemory(nil, blobs))); err != nil {
		return &outputError{err}
	}
	r.mu.Lock()
	r.noted[s.src.id()] = true
	r.mu.Unlock()
	return nil
}

// named gives a stream its id. What the journal says of it has to stay true.
func (r *run) named(s *session, id string) error {
	if r.noted[s.src.id()] {
		if err := r.writer.Note(appendNamed(s.out.File(), s.streamInfo(id, "").File)); err != nil {
			return err
		}
	}
	return s.out.Name(id)
}

// settle ends an update: what interrupted runs have left goes, unless this one was interrupted too.
func (r *run) settle(ctx context.Context, err error) error {
	interrupted := err != nil && ctx.Err() != nil
	for _, l := range r.left {
		switch {
		case interrupted:
			l.Close() //nolint:errcheck // nothing was written
		case err != nil:
			err = errors.Join(err, l.Remove())
		default:
			l.Remove() //nolint:errcheck // the bundle stands, and the next run removes it
		}
	}
	if !interrupted {
		return err
	}
	for path := range r.finished {
		r.noted[path] = true
	}
	if len(r.noted) == 0 {
		return err
	}
	return &InterruptedError{Kept: len(r.noted), Err: err}
}
