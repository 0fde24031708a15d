package converter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// memory is what a run knows of the one before: the bundle that it wrote, and what its sources looked like then.
// It stands beside the bundle, never in it: a bundle depends on its sources alone, not on their times.
type memory struct {
	bundle  *bundle.Bundle
	sources map[string]*remembered // by path
}

// remembered is one source of the run before.
type remembered struct {
	survey   survey
	source   *bundle.SourceInfo
	stream   *bundle.StreamInfo
	blobs    []string
	findings record.Findings
	loose    looseFiles
}

const (
	stateVersion = 1
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

// read takes the lines of a state file: the run, then a line for each source.
func (m *memory) read(raw []byte, fingerprint string) bool {
	man := m.bundle.Manifest()
	sources := map[string]*remembered{}
	for i := range man.Sources {
		sources[man.Sources[i].ID] = &remembered{source: &man.Sources[i]}
	}
	for i := range man.Streams {
		if k := sources[man.Streams[i].Source]; k != nil {
			k.stream = &man.Streams[i]
		}
	}
	first := true
	for line := range bytes.Lines(raw) {
		d, err := jsonscan.Scan(line, nil, jsonscan.Options{MaxDepth: 20})
		if err != nil {
			return false
		}
		if first {
			first = false
			v, _ := d.Int(d.Find(0, "version"))
			if v != stateVersion || !d.Equal(d.Find(0, "run"), fingerprint) || !d.Equal(d.Find(0, "rootSha256"), man.RootSHA256) {
				return false
			}
			continue
		}
		k := sources[d.Text(d.Find(0, "source"))]
		if k == nil || k.stream == nil {
			return false
		}
		k.read(&d)
		m.sources[k.source.Path] = k
	}
	return !first && len(m.sources) == len(man.Streams)
}

// read takes one source's line.
func (k *remembered) read(d *jsonscan.Doc) {
	number := func(n int) int64 {
		v, _ := strconv.ParseInt(string(d.Value(n)), 10, 64)
		return v
	}
	k.survey.names = d.Text(d.Find(0, "names"))
	each(d, d.Find(0, "files"), func(n int) {
		inode, _ := strconv.ParseUint(string(d.Value(d.Elem(n, 3))), 10, 64)
		k.survey.stamps = append(k.survey.stamps, fileStamp{d.Text(d.Elem(n, 0)), formats.Stamp{
			Size: number(d.Elem(n, 1)), ModTime: number(d.Elem(n, 2)), Inode: inode,
		}})
	})
	each(d, d.Find(0, "blobs"), func(n int) { k.blobs = append(k.blobs, d.Text(n)) })
	var list []record.Finding
	each(d, d.Find(0, "findings"), func(n int) {
		list = append(list, record.Finding{
			Rule: d.Text(d.Elem(n, 0)), Severity: record.Severity(d.Text(d.Elem(n, 1))), Line: int(number(d.Elem(n, 2))),
			Record: d.Text(d.Elem(n, 3)), Pointer: d.Text(d.Elem(n, 4)), Message: d.Text(d.Elem(n, 5)), Count: number(d.Elem(n, 6)),
		})
	})
	var tallies []record.Tally
	each(d, d.Find(0, "tallies"), func(n int) {
		tallies = append(tallies, record.Tally{
			Rule: d.Text(d.Elem(n, 0)), Severity: record.Severity(d.Text(d.Elem(n, 1))),
			Listed: number(d.Elem(n, 2)), Total: number(d.Elem(n, 3)),
		})
	})
	k.findings = record.Remembered(list, tallies)
	k.loose = looseFiles{}
	each(d, d.Find(0, "loose"), func(n int) {
		k.loose.add(d.Text(d.Elem(n, 0)), d.Text(d.Elem(n, 1)), number(d.Elem(n, 2)), number(d.Elem(n, 3)))
	})
}

// remember writes the state file of a run whose bundle stands. Its paths are as the file system spells them, escaped
// where that is no UTF-8, so that such a file is looked at again each time.
func (r *run) remember(root string, sessions []*session) error {
	out := record.AppendInt([]byte(`{"format":"ctx-state","version":`), stateVersion)
	out = record.AppendString(record.AppendKey(out, "run"), r.fingerprint())
	out = append(record.AppendString(record.AppendKey(out, "rootSha256"), root), '}', '\n')
	for _, s := range sessions {
		out = s.appendMemory(out)
	}
	return bundle.ReplaceFile(statePath(r.o.Out), out)
}

func (s *session) appendMemory(out []byte) []byte {
	out = record.AppendString(append(out, `{"source":`...), s.result.ID)
	out = record.AppendString(record.AppendKey(out, "names"), s.looks.names)
	out = append(record.AppendKey(out, "files"), '[')
	for i := range s.looks.stamps {
		f := &s.looks.stamps[i]
		out = record.AppendString(append(separate(out), '['), f.path)
		out = record.AppendInt(append(out, ','), f.Size)
		out = record.AppendInt(append(out, ','), f.ModTime)
		out = append(strconv.AppendUint(append(out, ','), f.Inode, 10), ']')
	}
	slices.Sort(s.blobs)
	out = record.AppendStrings(record.AppendKey(append(out, ']'), "blobs"), slices.Compact(s.blobs))
	out = append(record.AppendKey(out, "findings"), '[')
	for _, f := range s.found.Listed() {
		out = record.AppendString(append(separate(out), '['), f.Rule)
		out = record.AppendString(append(out, ','), string(f.Severity))
		out = record.AppendInt(append(out, ','), int64(f.Line))
		for _, text := range [...]string{f.Record, f.Pointer, f.Message} {
			out = record.AppendString(append(out, ','), text)
		}
		out = append(record.AppendInt(append(out, ','), f.Count), ']')
	}
	out = append(record.AppendKey(append(out, ']'), "tallies"), '[')
	for _, t := range s.found.Tallies() {
		out = record.AppendString(append(separate(out), '['), t.Rule)
		out = record.AppendString(append(out, ','), string(t.Severity))
		out = record.AppendInt(append(out, ','), t.Listed)
		out = append(record.AppendInt(append(out, ','), t.Total), ']')
	}
	out = append(record.AppendKey(append(out, ']'), "loose"), '[')
	for _, k := range slices.SortedFunc(maps.Keys(s.loose), func(a, b looseKey) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.reason, b.reason))
	}) {
		out = record.AppendString(append(separate(out), '['), k.folder)
		out = record.AppendString(append(out, ','), k.reason)
		out = record.AppendInt(append(out, ','), s.loose[k].Files)
		out = append(record.AppendInt(append(out, ','), s.loose[k].Bytes), ']')
	}
	return append(out, ']', '}', '\n')
}

// separate appends a comma unless an array has just begun.
func separate(out []byte) []byte {
	if out[len(out)-1] == '[' {
		return out
	}
	return append(out, ',')
}
