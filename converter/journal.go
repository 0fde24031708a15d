package converter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// remembered is one source as an earlier run has seen it, and the stream that it made.
type remembered struct {
	from   *bundle.Bundle
	left   bool     // by a run that was interrupted
	files  []string // where the stream may stand
	survey survey
	source bundle.SourceInfo
	stream bundle.StreamInfo
	stored bundle.FileDigest
	blobs  []bundle.StoredBlob
	loose  looseFiles

	findings []record.Finding
	tallies  []record.Tally
}

// digest is what the stream hashes to.
func (k *remembered) digest() bundle.StreamDigest {
	return bundle.StreamDigest{SHA256: k.stream.SHA256, Bytes: k.stream.Bytes, Lines: k.stream.Records, Stored: k.stored}
}

// journal is what is read of the lines that a run has written about its streams: a heading, a line for each stream, and
// lines that say what a stream's file is called now. Each line has its own hash, since what a killed run has left is
// what the disk happened to get.
type journal struct {
	from *bundle.Bundle
	left bool
	list []*remembered
}

// summed is what stands around a line's hash.
const (
	sumBefore = `{"sum":"`
	sumAfter  = `","line":`
	sumBytes  = len(sumBefore) + 2*sha256.Size + len(sumAfter)
)

// appendSummed appends a line with its hash.
func appendSummed(out, line []byte) []byte {
	sum := sha256.Sum256(line)
	out = append(hex.AppendEncode(append(out, sumBefore...), sum[:]), sumAfter...)
	return append(append(out, line...), '}', '\n')
}

// cutSum is the line without its hash; nil when it is not whole.
func cutSum(raw []byte) []byte {
	raw, ok := bytes.CutSuffix(raw, []byte("}\n"))
	if !ok || len(raw) < sumBytes {
		return nil
	}
	line := raw[sumBytes:]
	if again := appendSummed(nil, line); !bytes.Equal(again[:len(again)-2], raw) {
		return nil
	}
	return line
}

// appendHeading appends the first line: which run it is, and of which bundle.
func appendHeading(out []byte, fingerprint, root string) []byte {
	line := record.AppendInt([]byte(`{"format":"ctx-state","version":`), stateVersion)
	line = record.AppendString(record.AppendKey(line, "run"), fingerprint)
	return appendSummed(out, append(record.AppendString(record.AppendKey(line, "rootSha256"), root), '}'))
}

// appendNamed is the line which says that a stream's file has another name from now on.
func appendNamed(file, named string) []byte {
	line := record.AppendString([]byte(`{"file":`), file)
	return appendSummed(nil, append(record.AppendString(record.AppendKey(line, "named"), named), '}'))
}

// read takes the lines up to the first that is not whole; false: there was one, or it is another run.
func (j *journal) read(raw []byte, fingerprint, root string) bool {
	first, byFile := true, map[string]*remembered{}
	for line := range bytes.Lines(raw) {
		line = cutSum(line)
		if line == nil {
			return false
		}
		d, err := jsonscan.Scan(line, nil, jsonscan.Options{MaxDepth: 20})
		if err != nil {
			return false
		}
		switch {
		case first:
			v, _ := d.Int(d.Find(0, "version"))
			if v != stateVersion || !d.Equal(d.Find(0, "run"), fingerprint) || !d.Equal(d.Find(0, "rootSha256"), root) {
				return false
			}
			first = false
		case d.Find(0, "named") >= 0:
			if k := byFile[d.Text(d.Find(0, "file"))]; k != nil {
				k.files = append(k.files, d.Text(d.Find(0, "named")))
			}
		default:
			k := &remembered{from: j.from, left: j.left}
			if !k.read(&d) {
				return false
			}
			byFile[k.stream.File] = k
			j.list = append(j.list, k)
		}
	}
	return !first
}

// read takes one stream's line.
func (k *remembered) read(d *jsonscan.Doc) bool {
	var err error
	if k.source, err = bundle.ReadSource(d.Value(d.Find(0, "source"))); err != nil {
		return false
	}
	if k.stream, err = bundle.ReadStream(d.Value(d.Find(0, "stream"))); err != nil {
		return false
	}
	k.files = []string{k.stream.File}
	k.stored = storedAt(d, d.Find(0, "stored"))
	each(d, d.Find(0, "blobs"), func(n int) {
		k.blobs = append(k.blobs, bundle.StoredBlob{
			BlobInfo: bundle.BlobInfo{
				SHA256: d.Text(d.Elem(n, 0)), Bytes: numberAt(d, d.Elem(n, 1)), MediaType: d.Text(d.Elem(n, 2)), Compression: d.Text(d.Elem(n, 3)),
			},
			Stored: storedAt(d, d.Elem(n, 4)),
		})
	})
	k.readSurvey(d)
	k.readFindings(d)
	return true
}

func (k *remembered) readSurvey(d *jsonscan.Doc) {
	k.survey.names = d.Text(d.Find(0, "names"))
	each(d, d.Find(0, "files"), func(n int) {
		inode, _ := strconv.ParseUint(string(d.Value(d.Elem(n, 3))), 10, 64)
		k.survey.stamps = append(k.survey.stamps, fileStamp{d.Text(d.Elem(n, 0)), formats.Stamp{
			Size: numberAt(d, d.Elem(n, 1)), ModTime: numberAt(d, d.Elem(n, 2)), Inode: inode,
		}})
	})
	k.loose = looseFiles{}
	each(d, d.Find(0, "loose"), func(n int) {
		k.loose.add(d.Text(d.Elem(n, 0)), d.Text(d.Elem(n, 1)), numberAt(d, d.Elem(n, 2)), numberAt(d, d.Elem(n, 3)))
	})
}

func (k *remembered) readFindings(d *jsonscan.Doc) {
	each(d, d.Find(0, "findings"), func(n int) {
		k.findings = append(k.findings, record.Finding{
			Rule: d.Text(d.Elem(n, 0)), Severity: record.Severity(d.Text(d.Elem(n, 1))), Line: int(numberAt(d, d.Elem(n, 2))),
			Record: d.Text(d.Elem(n, 3)), Pointer: d.Text(d.Elem(n, 4)), Message: d.Text(d.Elem(n, 5)), Count: numberAt(d, d.Elem(n, 6)),
		})
	})
	each(d, d.Find(0, "tallies"), func(n int) {
		k.tallies = append(k.tallies, record.Tally{
			Rule: d.Text(d.Elem(n, 0)), Severity: record.Severity(d.Text(d.Elem(n, 1))),
			Listed: numberAt(d, d.Elem(n, 2)), Total: numberAt(d, d.Elem(n, 3)),
		})
	})
}

func storedAt(d *jsonscan.Doc, n int) bundle.FileDigest {
	return bundle.FileDigest{SHA256: d.Text(d.Elem(n, 0)), Bytes: numberAt(d, d.Elem(n, 1))}
}

// numberAt is an integer of any size: times in nanoseconds are beyond 2^53.
func numberAt(d *jsonscan.Doc, n int) int64 {
	v, _ := strconv.ParseInt(string(d.Value(n)), 10, 64)
	return v
}

// appendMemory appends what a later run needs to know of the session.
func (s *session) appendMemory(out []byte, blobs []bundle.StoredBlob) []byte {
	out = s.info.AppendJSON(append(out, `{"source":`...))
	out = s.stream.AppendJSON(record.AppendKey(out, "stream"))
	out = appendStored(record.AppendKey(out, "stored"), s.digest.Stored)
	out = append(record.AppendKey(out, "blobs"), '[')
	for i := range blobs {
		b := &blobs[i]
		out = record.AppendString(append(separate(out), '['), b.SHA256)
		out = record.AppendInt(append(out, ','), b.Bytes)
		out = record.AppendString(append(out, ','), b.MediaType)
		out = record.AppendString(append(out, ','), b.Compression)
		out = append(appendStored(append(out, ','), b.Stored), ']')
	}
	out = s.appendSurvey(append(out, ']'))
	return append(s.appendFindings(out), '}')
}

func appendStored(out []byte, f bundle.FileDigest) []byte {
	out = record.AppendString(append(out, '['), f.SHA256)
	return append(record.AppendInt(append(out, ','), f.Bytes), ']')
}

func (s *session) appendSurvey(out []byte) []byte {
	out = record.AppendString(record.AppendKey(out, "names"), s.looks.names)
	out = append(record.AppendKey(out, "files"), '[')
	for i := range s.looks.stamps {
		f := &s.looks.stamps[i]
		out = record.AppendString(append(separate(out), '['), f.path)
		out = record.AppendInt(append(out, ','), f.Size)
		out = record.AppendInt(append(out, ','), f.ModTime)
		out = append(strconv.AppendUint(append(out, ','), f.Inode, 10), ']')
	}
	out = append(record.AppendKey(append(out, ']'), "loose"), '[')
	for _, k := range s.loose.keys() {
		out = record.AppendString(append(separate(out), '['), k.folder)
		out = record.AppendString(append(out, ','), k.reason)
		out = record.AppendInt(append(out, ','), s.loose[k].Files)
		out = append(record.AppendInt(append(out, ','), s.loose[k].Bytes), ']')
	}
	return append(out, ']')
}

// keys are the keys in a fixed order.
func (l looseFiles) keys() []looseKey {
	return slices.SortedFunc(maps.Keys(l), func(a, b looseKey) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.reason, b.reason))
	})
}

func (s *session) appendFindings(out []byte) []byte {
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
	return append(out, ']')
}

// separate appends a comma unless an array has just begun.
func separate(out []byte) []byte {
	if out[len(out)-1] == '[' {
		return out
	}
	return append(out, ',')
}
