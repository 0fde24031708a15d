package validator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// blobFiles reads every blob of the manifest: size, hash, whether something names it, and names that are retained nowhere.
func (v *validation) blobFiles() error {
	results := make([]blobResult, len(v.m.Blobs))
	next := make(chan int)
	var group sync.WaitGroup
	for range min(v.o.jobs(), len(results)) {
		group.Go(func() {
			buf := make([]byte, 64<<10)
			for i := range next {
				results[i] = v.blobFile(&v.m.Blobs[i], buf)
			}
		})
	}
	for i := range results {
		next <- i
	}
	close(next)
	group.Wait()
	for i := range results {
		if err := v.blobFound(i, &results[i]); err != nil {
			return err
		}
	}
	return nil
}

// blobResult is what reading one blob gave.
type blobResult struct {
	fault  streamResult // cut or err
	bytes  int64
	sha256 string
	media  string // what the bytes are, "" not known
	secret string
	found  []record.Finding
}

func (v *validation) blobFound(i int, r *blobResult) error {
	info, at := &v.m.Blobs[i], "/blobs/"+number(int64(i))
	switch {
	case info.Compression != bundle.None.String() && info.Compression != bundle.Zstd.String(): // the manifest's schema says so
		return nil
	case r.fault.err != nil:
		return fmt.Errorf("blob %s: %w", info.SHA256, r.fault.err)
	case r.fault.cut != "":
		v.fail(ruleBlobMissing, at, "got blob "+quote(info.SHA256)+" that cannot be read: "+r.fault.cut)
	case r.bytes != info.Bytes:
		v.fail(ruleBlobHash, at, "got "+number(r.bytes)+" bytes, expected "+number(info.Bytes)+" for "+quote(info.SHA256))
	case r.sha256 != info.SHA256:
		v.fail(ruleBlobHash, at, "got sha256 "+r.sha256+", expected "+quote(info.SHA256))
	case r.media != "" && !mediaFits(info.MediaType, r.media):
		v.fail(ruleManifest, at+"/mediaType", "got "+quote(info.MediaType)+", expected "+r.media+", which the bytes are")
	}
	if !v.partial && !v.unnamed() && !v.blobs.used[i].Load() {
		v.fail(ruleBlobUnused, at, "got blob "+quote(info.SHA256)+", which nothing names")
	}
	for _, f := range r.found {
		v.report.Findings.Add(f)
	}
	if r.secret != "" {
		v.fail(ruleSecretName, at, "got a member "+quote(r.secret)+" in blob "+quote(info.SHA256)+", expected none anywhere")
	}
	return nil
}

// unnamed says whether a record is known to lack the name of its blob, which is then not missed once more.
func (v *validation) unnamed() bool {
	found := v.report.Findings.Rules()
	return found[ruleNativeMissing]+found[ruleBlobMissing] > 0
}

const (
	mediaJSON = "application/json"
	// maxScan is the largest blob that is looked into as a document; a larger one is searched as bytes.
	maxScan = 8 << 20
)

// blobFile reads one blob in bounded memory.
func (v *validation) blobFile(info *bundle.BlobInfo, buf []byte) blobResult {
	if err := v.ctx.Err(); err != nil {
		return blobResult{fault: streamResult{err: err}}
	}
	r, err := v.b.BlobReader(info.SHA256)
	if err != nil {
		return blobResult{fault: blobFault(err)}
	}
	defer r.Close()
	var held bytes.Buffer
	sum, search := sha256.New(), &nameSearch{}
	n, err := io.CopyBuffer(io.MultiWriter(sum, search, &bounded{&held}), onlyReader{r}, buf)
	if err != nil {
		return blobResult{fault: blobFault(err)}
	}
	res := blobResult{bytes: n, sha256: hex.EncodeToString(sum.Sum(nil)), secret: search.found}
	if n <= maxScan && n == info.Bytes && res.sha256 == info.SHA256 {
		var isJSON bool
		isJSON, res.secret = lookInto(held.Bytes(), res.secret)
		res.media = mediaOf(held.Bytes(), isJSON)
		res.found = judgeBlob(held.Bytes(), v.blobs.refsOf(info.SHA256))
	}
	return res
}

func blobFault(err error) streamResult {
	if errors.Is(err, fs.ErrNotExist) {
		return streamResult{cut: "its file is missing"}
	}
	return faultOf(err)
}

// onlyReader hides what else a reader can do, so that io.CopyBuffer uses its buffer.
type onlyReader struct{ io.Reader }

// bounded keeps the first bytes, up to one more than maxScan.
type bounded struct{ buf *bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	b.buf.Write(p[:min(len(p), max(0, maxScan+1-b.buf.Len()))])
	return len(p), nil
}

// lookInto says whether bytes are JSON, and which member of them is retained nowhere, however its name is spelled.
func lookInto(raw []byte, found string) (isJSON bool, secret string) {
	if !bytes.ContainsAny(raw, `{["0123456789tfn`) {
		return false, found
	}
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{NoTape: true})
	if err != nil || found != "" || !doc.Has(jsonscan.EscapedKey) && !mentionsSecrets(raw) {
		return err == nil, found
	}
	doc, err = jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return false, found
	}
	r := reading{doc: &doc}
	for i := range doc.Nodes {
		if name := r.key(i); name == secretNames()[0] || name == secretNames()[1] {
			return true, clone(name)
		}
	}
	return true, ""
}

// nameSearch looks for the names that are retained nowhere, spelled plainly and followed by a colon, in bytes as they pass.
type nameSearch struct {
	tail  []byte
	found string
}

// overlap is longer than a name with its quotes and a colon.
const overlap = 64

// Write implements io.Writer.
func (s *nameSearch) Write(p []byte) (int, error) {
	if s.found != "" {
		return len(p), nil
	}
	if len(s.tail) > 0 {
		joined := append(s.tail, p[:min(len(p), overlap)]...)
		s.found = memberIn(joined)
	}
	if s.found == "" {
		s.found = memberIn(p)
	}
	s.tail = append(s.tail, p...)
	s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-overlap):]...)
	return len(p), nil
}

// memberIn finds a member of one of the names in a piece of JSON: quotes inside strings are escaped, so a plain one ends a name.
func memberIn(raw []byte) string {
	for _, name := range secretNames() {
		quoted := []byte(`"` + name + `"`)
		for rest := raw; ; {
			n := bytes.Index(rest, quoted)
			if n < 0 {
				break
			}
			rest = rest[n+len(quoted):]
			if after := bytes.TrimLeft(rest, " \t\r\n"); len(after) > 0 && after[0] == ':' {
				return name
			}
		}
	}
	return ""
}

// files looks for files that the manifest does not list.
func (v *validation) files() error {
	have, err := v.b.Files()
	if err != nil {
		return fmt.Errorf("list of files: %w", err)
	}
	listed := map[string]bool{"manifest.json": true, "report.json": true}
	for i := range v.m.Streams {
		listed[v.m.Streams[i].File] = true
	}
	for i := range v.m.Blobs {
		name := path.Join("blobs", v.m.Blobs[i].SHA256)
		if v.m.Blobs[i].Compression == bundle.Zstd.String() {
			name += ".zst"
		}
		listed[name] = true
	}
	for _, name := range have {
		if !listed[name] {
			v.fail(ruleStray, "", "got file "+quote(name)+", which the manifest does not list")
		}
	}
	if !slices.Contains(have, "report.json") {
		v.fail(ruleReport, "", "got no report.json, expected the export report")
	}
	return nil
}

func mentionsSecrets(raw []byte) bool {
	const start = "secret" // of both names, so that one search does for sound lines
	for {
		n := bytes.Index(raw, []byte(start))
		if n < 0 {
			return false
		}
		raw = raw[n:]
		for _, name := range secretNames() {
			if bytes.HasPrefix(raw, []byte(name)) {
				return true
			}
		}
		raw = raw[len(start):]
	}
}
