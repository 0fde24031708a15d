package validator

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// blobSet is the blobs of a manifest and whether something names them. Many goroutines may use it.
type blobSet struct {
	list  []bundle.BlobInfo
	index map[string]int
	used  []atomic.Bool
	mu    sync.Mutex
	refs  map[string][]blobRef // by hash
}

// blobRef is a record whose native bytes are a blob.
type blobRef struct {
	sha, reason    string
	in             entry.In
	retained       *retained
	stream, record string
	line           int
	text           bool // something was cut out of it as out of text
}

func (s *blobSet) refer(ref blobRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refs[ref.sha] = append(s.refs[ref.sha], ref)
}

// refsOf is the records of a blob, in the order of the bundle.
func (s *blobSet) refsOf(sha string) []blobRef {
	list := s.refs[sha]
	slices.SortFunc(list, func(a, b blobRef) int { return cmp.Or(cmp.Compare(a.stream, b.stream), cmp.Compare(a.line, b.line)) })
	return list
}

func newBlobSet(list []bundle.BlobInfo) *blobSet {
	s := &blobSet{list: list, index: make(map[string]int, len(list)), used: make([]atomic.Bool, len(list)), refs: map[string][]blobRef{}}
	for i := range list {
		s.index[list[i].SHA256] = i
	}
	return s
}

// use marks a blob as named and returns it, nil when the manifest lacks it.
func (s *blobSet) use(sha string) *bundle.BlobInfo {
	i, ok := s.index[sha]
	if !ok {
		return nil
	}
	s.used[i].Store(true)
	return &s.list[i]
}

// refer judges the blobs that a line names: in native, and in our own bookkeeping.
func (c *lineCheck) refer(r *reading, f *record.Facts, found *lineFindings) {
	if blob := r.doc.Find(c.m.native, "blob"); blob >= 0 {
		c.blob(r, blob, found)
		c.blobs.refer(blobRef{
			sha: clone(f.Blob), reason: clone(f.Reason), in: entry.In(clone(string(documentOf(f)))), retained: c.target.retained,
			stream: c.target.stream, line: found.line, record: clone(f.ID),
			text: slices.ContainsFunc(f.Redacted, func(r record.Redaction) bool { return r.Pointer == "" }),
		})
	}
	for i := range r.doc.Children(c.m.meta) {
		if !strings.HasPrefix(r.key(i), record.Own) {
			continue
		}
		for e := range r.doc.Children(i) {
			if blob := r.doc.Find(e, "blob"); blob >= 0 {
				c.blob(r, blob, found)
			}
		}
	}
}

// blob judges one reference: an object with sha256 and bytes, or the hash alone.
func (c *lineCheck) blob(r *reading, at int, found *lineFindings) {
	sha, size, media := r.str(at), int64(-1), ""
	if r.doc.Kind(at) == jsonscan.Object {
		sha, size, media = r.str(r.doc.Find(at, "sha256")), r.num(r.doc.Find(at, "bytes"), -1), r.str(r.doc.Find(at, "mediaType"))
	}
	info := c.blobs.use(sha)
	switch {
	case info == nil:
		found.fail(ruleBlobMissing, r.doc.Pointer(at), "got blob "+quote(sha)+", which the manifest does not list")
	case size >= 0 && size != info.Bytes:
		found.fail(ruleBlobHash, r.doc.Pointer(at), "got "+number(size)+" bytes, expected "+number(info.Bytes)+" as in the manifest")
	case media != "" && media != info.MediaType:
		found.fail(ruleBlobHash, r.doc.Pointer(at), "got media type "+quote(media)+", expected "+quote(info.MediaType)+" as in the manifest")
	}
}
