package converter

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
)

// memory is what a run knows of the one before: the bundle that it wrote, and what its sources looked like then.
// It stands beside the bundle, never in it: a bundle depends on its sources alone, not on their times.
type memory struct {
	bundle  *bundle.Bundle
	sources map[string]*remembered // by path
}

// stateVersion is raised when the lines mean something else: an older file is as good as none.
const (
	stateVersion = 2
	maxState     = 4 << 30
)

// statePath is where a run remembers what it read.
func statePath(out string) string { return filepath.Clean(out) + ".state" }

// recall reads what the run before has left. Without it, or when it was another run (options, entries, release, or a
// bundle that is not the one described), there is nothing to build on: nil.
func (r *run) recall() (*memory, error) {
	b, err := bundle.Open(r.o.Out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, refusal(err, r.o.Out)
	}
	raw, err := readState(statePath(r.o.Out))
	if err != nil {
		return nil, b.Close()
	}
	m := &memory{bundle: b, sources: map[string]*remembered{}}
	if !m.read(raw, r.fingerprint()) {
		return nil, b.Close()
	}
	return m, nil
}

func readState(path string) ([]byte, error) {
	dir, err := formats.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	raw, err := dir.Read(filepath.Base(path), nil, maxState)
	return raw, errors.Join(err, dir.Close())
}

// fingerprint stands for everything besides the sources that a bundle depends on, and for where the sources are.
func (r *run) fingerprint() string {
	sum := sha256.New()
	add := func(parts ...string) {
		for _, p := range parts {
			sum.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
		}
		sum.Write([]byte{'\n'})
	}
	o := &r.o
	add(Version, strconv.Itoa(int(o.Compress)), o.Since, o.Until, o.Agent)
	for _, limit := range [...]int64{o.MaxItem, int64(r.depth()), o.MaxItems, o.MaxBytes} {
		add(strconv.FormatInt(limit, 10))
	}
	add(o.Sessions...)
	add(o.Exclude...)
	for _, src := range o.Sources {
		add(resolved(src))
	}
	for _, e := range r.registry.Entries() {
		add(e.Name, e.SHA256)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// read takes a state file: it must be whole, and that of the bundle which stands there.
func (m *memory) read(raw []byte, fingerprint string) bool {
	man := m.bundle.Manifest()
	j := journal{from: m.bundle}
	if !j.read(raw, fingerprint, man.RootSHA256) || len(j.list) != len(man.Streams) {
		return false
	}
	for _, k := range j.list {
		m.sources[k.source.Key()] = k
	}
	return len(m.sources) == len(man.Streams)
}

// remember writes the state file of a run whose bundle stands. Its paths are as the file system spells them, escaped
// where that is no UTF-8, so that such a file is looked at again each time.
func (r *run) remember(root string, sessions []*session) error {
	out := appendHeading(nil, r.fingerprint(), root)
	for _, s := range sessions {
		blobs, ok := r.stored(s)
		if !ok {
			return errUnlike
		}
		out = appendSummed(out, s.appendMemory(nil, blobs))
	}
	return bundle.ReplaceFile(statePath(r.o.Out), out)
}

// stored are the blobs of a session as they stand in the bundle; false: others still write some of them.
func (r *run) stored(s *session) ([]bundle.StoredBlob, bool) {
	slices.Sort(s.blobs)
	s.blobs = slices.Compact(s.blobs)
	list := make([]bundle.StoredBlob, 0, len(s.blobs))
	for _, sha := range s.blobs {
		b, ok := r.writer.Stored(sha)
		if !ok {
			return nil, false
		}
		list = append(list, b)
	}
	return list, true
}
