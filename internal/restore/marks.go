package restore

import (
	"bytes"
	"iter"
	"strings"
)

// tokens yields the unescaped tokens of a JSON pointer.
func tokens(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		unescape := strings.NewReplacer("~1", "/", "~0", "~")
		for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			if !yield(unescape.Replace(token)) {
				return
			}
		}
	}
}

const (
	omitted  = "<secret-omitted>"
	tokenPut = "<redacted:" // what stands for a value that was taken out of the bundle afterwards, up to >
	maxToken = 80
)

// sameText says whether kept is src with marks in the place of some of its text. In JSON that stands inside a string,
// a mark brings quotes of its own.
func sameText(src, kept []byte) bool {
	if betweenMarks(src, kept) {
		return true
	}
	quoted := []byte(`\"` + omitted + `\"`)
	return bytes.Contains(kept, quoted) && betweenMarks(src, bytes.ReplaceAll(kept, quoted, []byte(omitted)))
}

// betweenMarks compares what stands before, between and after the marks, each piece where it is found first.
func betweenMarks(src, kept []byte) bool {
	piece, rest, marked := cutMark(kept)
	if !marked {
		return bytes.Equal(src, kept)
	}
	src, ok := bytes.CutPrefix(src, piece)
	if !ok {
		return false
	}
	for {
		piece, rest, marked = cutMark(rest)
		if !marked {
			return bytes.HasSuffix(src, piece)
		}
		at := bytes.Index(src, piece)
		if at < 0 {
			return false
		}
		src = src[at+len(piece):]
	}
}

// cutMark cuts text around its first mark.
func cutMark(text []byte) (before, after []byte, found bool) {
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], '<')
		if i < 0 {
			return text, nil, false
		}
		from += i
		if n := markLen(text[from:]); n > 0 {
			return text[:from], text[from+n:], true
		}
		from++
	}
}

// markLen is the length of the mark that text begins with, 0 for none.
func markLen(text []byte) int {
	if bytes.HasPrefix(text, []byte(omitted)) {
		return len(omitted)
	}
	if bytes.HasPrefix(text, []byte(tokenPut)) {
		return bytes.IndexByte(text[:min(len(text), maxToken)], '>') + 1
	}
	return 0
}
