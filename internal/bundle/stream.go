package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

const (
	// plainSize is the block in which lines are written: single lines would
	// cost 3.5 times as much.
	plainSize = 256 << 10
	// frameSize is the block that makes one zstd frame, and the window.
	frameSize = 1 << 20
)

// Stream writes the lines of one stream. It belongs to one goroutine. A large
// stream hashes, compresses and writes in a goroutine of its own.
type Stream struct {
	w      *Writer
	path   string // temporary
	file   *os.File
	block  []byte
	size   int // of a block
	lines  int64
	blobs  []*blobEntry
	state  streamState
	digest StreamDigest

	// used by the goroutine while there is one, else by the owner
	sum    hash.Hash
	bytes  int64
	packed *tally // of the file, nil when it holds the lines as they are
	out    []byte

	queue chan []byte // nil before the first full block
	done  chan struct{}
	fault atomic.Pointer[error] // first failure of the goroutine
}

type streamState uint8

const (
	streamOpen streamState = iota
	streamClosed
	streamNamed
	streamAborted
)

// StreamDigest is what a finished stream hashes to: the uncompressed lines, and
// the file as it stands.
type StreamDigest struct {
	SHA256       string
	Bytes, Lines int64
	Stored       FileDigest
}

var errStreamState = errors.New("stream is not in a state for this")

// Stream begins a stream under a temporary name. It ends with Close and Name,
// or with Abort.
func (w *Writer) Stream() (*Stream, error) {
	path, err := w.beginStream()
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		w.dropStream()
		return nil, pathError(path, err)
	}
	s := &Stream{w: w, path: path, file: f, sum: sha256.New(), size: plainSize}
	if w.encoder != nil {
		s.size, s.packed = frameSize, newTally()
	}
	s.block = w.takeBlock(s.size)
	return s, nil
}

// beginStream gives a stream its temporary path.
func (w *Writer) beginStream() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return "", errEnded
	}
	w.made++
	w.open++
	return filepath.Join(w.temp, streamFolder, unnamedPrefix+strconv.Itoa(w.made)), nil
}

// unnamedPrefix begins the file names of streams that have no id yet.
const unnamedPrefix = ".tmp-"

func (w *Writer) dropStream() {
	w.mu.Lock()
	w.open--
	w.mu.Unlock()
}

// Write adds one line, given without its line feed. Empty lines and line feeds
// inside are errors.
func (s *Stream) Write(line []byte) error {
	if s.state != streamOpen {
		return errStreamState
	}
	if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("line %d: empty, or holds a line feed", s.lines+1)
	}
	// blocks end at line ends, at places that depend on the lines alone
	if len(s.block) > 0 && len(s.block)+len(line)+1 > s.size {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.block = append(append(s.block, line...), '\n')
	s.lines++
	return nil
}

// flush hands the block over; at most one waits while one is written.
func (s *Stream) flush() error {
	if fault := s.fault.Load(); fault != nil {
		return *fault
	}
	if s.queue == nil {
		s.queue, s.done = make(chan []byte, 1), make(chan struct{})
		go s.run()
	}
	s.queue <- s.block
	s.block = s.w.takeBlock(s.size)
	return nil
}

// run writes what is queued. After a failure it only empties the queue, so
// that the owner never waits for ever.
func (s *Stream) run() {
	defer close(s.done)
	for block := range s.queue {
		if s.fault.Load() == nil {
			if err := s.put(block); err != nil {
				s.fault.Store(&err)
			}
		}
		s.w.giveBlock(block)
	}
}

// put hashes, compresses and writes one block.
func (s *Stream) put(block []byte) error {
	s.sum.Write(block)
	s.bytes += int64(len(block))
	if s.w.encoder != nil {
		if s.out == nil {
			s.out = s.w.takeBlock(s.size)
		}
		s.out = s.w.encoder.EncodeAll(block, s.out[:0])
		block = s.out
		s.packed.Write(block) //nolint:errcheck // it has none
	}
	if _, err := s.file.Write(block); err != nil {
		return pathError(s.path, err)
	}
	return nil
}

// Close ends the lines and says what they hash to.
func (s *Stream) Close() (StreamDigest, error) {
	if s.state != streamOpen {
		return StreamDigest{}, errStreamState
	}
	err := s.finish()
	s.state = streamClosed
	if err != nil {
		s.w.fail(err)
		return StreamDigest{}, err
	}
	s.digest = StreamDigest{SHA256: hex.EncodeToString(s.sum.Sum(nil)), Bytes: s.bytes, Lines: s.lines}
	s.digest.Stored = FileDigest{s.digest.SHA256, s.bytes}
	if s.packed != nil {
		s.digest.Stored = s.packed.digest()
	}
	return s.digest, nil
}

func (s *Stream) finish() error {
	var err error
	if s.queue != nil {
		s.queue <- s.block
		close(s.queue)
		<-s.done
		if fault := s.fault.Load(); fault != nil {
			err = *fault
		}
	} else {
		if len(s.block) > 0 {
			err = s.put(s.block)
		}
		s.w.giveBlock(s.block)
	}
	if s.out != nil {
		s.w.giveBlock(s.out)
	}
	s.block, s.out = nil, nil
	if closeErr := s.file.Close(); err == nil && closeErr != nil {
		err = pathError(s.path, closeErr)
	}
	return err
}

func (w *Writer) takeBlock(size int) []byte {
	if b, ok := w.blocks.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, size)
}

// giveBlock keeps a block for the next; those that one huge line blew up are
// left to the collector.
func (w *Writer) giveBlock(block []byte) {
	if cap(block) <= 2*frameSize {
		block = block[:0]
		w.blocks.Put(&block)
	}
}
