package validator

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Reasons why bytes stand in a blob.
const (
	reasonSize    = "size"
	reasonDepth   = "depth"
	reasonSpace   = "whitespace"
	reasonDouble  = "duplicate-key"
	reasonHalf    = "surrogate"
	reasonNumber  = "non-finite"
	reasonUnsafe  = "unsafe-number"
	reasonInvalid = "invalid-json"
	reasonBytes   = "not-utf8"
	reasonEmpty   = "empty"

	maxDepth  = 10000
	mediaRaw  = "application/octet-stream"
	mediaSome = "image/"
)

// reasonOf is why bytes cannot stand inline, the first that holds; "" when they can. doc is theirs when they are JSON.
func reasonOf(raw []byte) (reason string, doc *jsonscan.Doc) {
	if len(raw) == 0 {
		return reasonEmpty, nil
	}
	body := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	d, err := jsonscan.Scan(body, nil, jsonscan.Options{MaxDepth: maxDepth, NonFinite: true})
	if err != nil {
		var fault *jsonscan.Error
		if errors.As(err, &fault) && fault.Reason == jsonscan.UTF8 || !utf8.Valid(raw) {
			return reasonBytes, nil
		}
		return reasonInvalid, nil
	}
	switch {
	case d.Kind(0) != jsonscan.Object:
		return reasonInvalid, &d
	case len(raw) > maxInline:
		return reasonSize, &d
	case d.Depth > maxInlineDepth:
		return reasonDepth, &d
	case len(body) != len(raw) || d.Has(jsonscan.LineBreak) || raw[0] != '{' || raw[len(raw)-1] != '}':
		return reasonSpace, &d
	case d.Has(jsonscan.DuplicateKey):
		return reasonDouble, &d
	case d.Has(jsonscan.LoneSurrogate):
		return reasonHalf, &d
	case d.Has(jsonscan.NonFiniteToken):
		return reasonNumber, &d
	case d.Has(jsonscan.UnsafeNumber):
		return reasonUnsafe, &d
	default:
		return "", &d
	}
}

// judgeBlob looks into a blob that is held whole: whether it is one for the reason given, and what it retains.
func judgeBlob(raw []byte, refs []blobRef) (found []record.Finding) {
	if len(refs) == 0 {
		return nil
	}
	reason, doc := reasonOf(raw)
	for _, ref := range refs {
		at := record.Finding{Severity: record.ErrorSeverity, Stream: ref.stream, Line: ref.line, Record: ref.record}
		if ref.reason != reason && !(ref.text && noObject(ref.reason)) {
			at.Rule, at.Pointer, at.Message = ruleNativeReason, "/native/reason", "got reason "+quote(ref.reason)+", expected "+wanted(reason)
			found = append(found, at)
		}
		if doc == nil || ref.retained == nil {
			continue
		}
		if n, why := ref.retained.find(ref.in, doc, 0); n >= 0 {
			at.Rule, at.Pointer, at.Message = ruleRetained, "/native/blob", "got "+why+" at "+quote(doc.Pointer(n))+" in the blob, expected it cut out"
			found = append(found, at)
		}
	}
	return found
}

// noObject says whether a reason is that of bytes that are no JSON object. What was cut out of such bytes may leave one.
func noObject(reason string) bool { return reason == reasonInvalid || reason == reasonBytes }

func wanted(reason string) string {
	if reason == "" {
		return "native.record: the bytes can stand on the line"
	}
	return quote(reason)
}

// mediaOf is the media type that bytes have: that of JSON, of an image, or of bytes.
func mediaOf(start []byte, isJSON bool) string {
	if isJSON {
		return mediaJSON
	}
	if t := http.DetectContentType(start[:min(len(start), 512)]); strings.HasPrefix(t, mediaSome) {
		return t
	}
	return mediaRaw
}

// mediaFits says whether a stated media type is right. Images of kinds that are not known here are not judged.
func mediaFits(stated, have string) bool {
	return stated == have || have == mediaRaw && strings.HasPrefix(stated, mediaSome) && !knownImage(stated)
}

func knownImage(media string) bool {
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp":
		return true
	default:
		return false
	}
}
