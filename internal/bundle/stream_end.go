package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Name gives a closed stream its id, which makes it part of the bundle. Ids
// that differ only in case clash.
func (s *Stream) Name(id string) error {
	if s.state != streamClosed {
		return errStreamState
	}
	if err := checkStreamID(id); err != nil {
		return err
	}
	w := s.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return errEnded
	}
	if w.folded[strings.ToLower(id)] {
		return fmt.Errorf("stream id %q: %w", id, ErrExists)
	}
	path := filepath.Join(w.temp, filepath.FromSlash(streamPath(id, w.o.Compress)))
	if err := os.Rename(s.path, path); err != nil {
		return pathError(id, err)
	}
	s.path = path
	w.folded[strings.ToLower(id)] = true
	w.streams[id] = s.digest
	w.open--
	s.state = streamNamed
	return nil
}

// Abort takes back a stream that has no name yet, and the blobs that only it
// added. Of a named or aborted stream it does nothing.
func (s *Stream) Abort() {
	if s.state == streamNamed || s.state == streamAborted {
		return
	}
	if s.state == streamOpen {
		s.finish() // its failure no longer matters
	}
	s.state = streamAborted
	os.Remove(s.path)
	w := s.w
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open--
	for _, b := range s.blobs {
		b.users--
	}
	s.blobs = nil
}
