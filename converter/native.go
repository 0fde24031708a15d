package converter

import (
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// Limits of what stands inline, and of what is read as JSON at all.
const (
	maxInline      = 1 << 20
	maxInlineDepth = 1000
	maxDepth       = 10000
)

// Reasons why bytes are kept as a blob although they are readable, and reasons of gaps.
const (
	reasonSize       = "size"
	reasonDepth      = "depth"
	reasonWhitespace = "whitespace"
	reasonDuplicate  = "duplicate-key"
	reasonSurrogate  = "surrogate"
	reasonNonFinite  = "non-finite"
	reasonUnsafe     = "unsafe-number"

	gapMissing     = "missing"
	gapUnreadable  = "unreadable"
	gapInvalidJSON = "invalid-json"
	gapNotUTF8     = "not-utf8"
	gapEmpty       = "empty"
	gapTooLarge    = "too-large"
)

const mediaJSON = "application/json"

// scanned is the bytes of one file and what they are.
type scanned struct {
	raw      []byte // as kept: after what the entry leaves out
	doc      jsonscan.Doc
	bom      bool
	problem  string // a gap's reason when the bytes are no JSON object
	offset   int    // of the first byte that cannot belong, with invalid-json and not-utf8
	redacted []record.Redaction
}

// scan says what bytes are. It does not judge whether they may stand inline.
func scan(raw []byte, nodes []jsonscan.Node) scanned {
	return scanWith(raw, nodes, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
}

// scanWith is scan with other options. Without a tape the kind of the document is told by its first byte.
func scanWith(raw []byte, nodes []jsonscan.Node, o jsonscan.Options) scanned {
	s := scanned{raw: raw}
	if len(raw) == 0 {
		s.problem = gapEmpty
		return s
	}
	body := registry.TrimBOM(raw)
	s.bom = len(body) != len(raw)
	doc, err := jsonscan.Scan(body, nodes, o)
	if err != nil {
		s.problem = gapInvalidJSON
		var e *jsonscan.Error
		if errors.As(err, &e) {
			s.offset = e.Offset + len(raw) - len(body)
		}
		if at := invalidUTF8(raw); at >= 0 {
			s.problem, s.offset = gapNotUTF8, at
		}
		return s
	}
	s.doc = doc
	if at := skipSpace(body, 0); at == len(body) || body[at] != '{' {
		s.problem = gapInvalidJSON
	}
	return s
}

// invalidUTF8 is the offset of the first byte that is no UTF-8, -1 without one.
func invalidUTF8(raw []byte) int {
	if utf8.Valid(raw) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// inlineReason says why an object's bytes cannot stand inline; "" when they can.
func (s *scanned) inlineReason() string {
	d := &s.doc
	switch {
	case len(s.raw) > maxInline:
		return reasonSize
	case d.Depth > maxInlineDepth:
		return reasonDepth
	case s.bom || d.Has(jsonscan.LineBreak) || s.raw[0] != '{' || s.raw[len(s.raw)-1] != '}':
		return reasonWhitespace
	default:
		return s.contentReason()
	}
}

// contentReason is inlineReason without what white space or size alone would cure.
func (s *scanned) contentReason() string {
	d := &s.doc
	switch {
	case d.Has(jsonscan.DuplicateKey):
		return reasonDuplicate
	case d.Has(jsonscan.LoneSurrogate):
		return reasonSurrogate
	case d.Has(jsonscan.NonFiniteToken):
		return reasonNonFinite
	case d.Has(jsonscan.UnsafeNumber):
		return reasonUnsafe
	default:
		return ""
	}
}

// mediaType names what bytes are: JSON, an image of a known kind, or bytes.
func mediaType(raw []byte, isJSON bool) string {
	if isJSON {
		return mediaJSON
	}
	if t := http.DetectContentType(raw[:min(len(raw), 512)]); strings.HasPrefix(t, "image/") {
		return t
	}
	return "application/octet-stream"
}

// parses says whether bytes are a JSON document of any kind.
func parses(raw []byte) bool {
	_, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxDepth, NoTape: true})
	return err == nil
}

// keep makes the native member of a record from an object's bytes: inline, or as a blob with the reason.
func (s *session) keep(sc *scanned) (record.Native, error) {
	reason := sc.inlineReason()
	if reason == "" {
		return record.Native{Record: sc.raw, Redacted: sc.redacted}, nil
	}
	return s.blob(sc.raw, reason, sc.redacted)
}

// blob keeps bytes beside the stream.
func (s *session) blob(raw []byte, reason string, redacted []record.Redaction) (record.Native, error) {
	n := record.Native{BlobBytes: int64(len(raw)), MediaType: mediaType(raw, parses(raw)), Reason: reason, Redacted: redacted}
	sha, err := s.out.Blob(raw, n.MediaType)
	if err != nil {
		return n, &outputError{err}
	}
	n.Blob = sha
	if s.run.o.Update {
		s.blobs = append(s.blobs, sha)
	}
	return n, nil
}
