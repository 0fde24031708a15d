package audit

import (
	"encoding/base64"
	"strings"

	"github.com/session-trace/ctx/internal/spelling"
)

// Bounds, in bytes, of base64 that is looked into: shorter runs are words, longer ones are images and archives.
const (
	minEncoded = 24
	maxEncoded = 256 << 10
)

// encoded appends the hits in what base64 runs of the text stand for.
func (d *Detector) encoded(hits []Hit, l *spelling.Layer) []Hit {
	text := l.Text
	for i := 0; i < len(text); {
		if !code(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && code(text[end]) {
			end++
		}
		if n := end - i; n >= minEncoded && n <= maxEncoded {
			hits = d.run(hits, l, i, end)
		}
		i = end
	}
	return hits
}

// run looks into one base64 run, which may stand after a slash or dash that is none of it: only whole runs are decoded.
func (d *Detector) run(hits []Hit, l *spelling.Layer, from, end int) []Hit {
	run := string(l.Text[from:end])
	enc := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		enc = base64.RawURLEncoding
	}
	run = run[:len(run)-bit(len(run)%4 == 1)] // one sextet alone stands for no byte
	if head, err := enc.DecodeString(run[:16]); err != nil || !plain(head) {
		return hits
	}
	clear, err := enc.DecodeString(run)
	if err != nil || !plain(clear) {
		return hits
	}
	return d.search(hits, clear, func(a, b int) (int, int) { return l.Span(from+a/3*4, min(end, from+(b+2)/3*4)) })
}

func code(c byte) bool { return word(c) || c == '+' || c == '/' || c == '-' }

// plain says whether bytes may be text.
func plain(raw []byte) bool {
	for _, c := range raw {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// isPair says whether a text is base64 of a name and a password.
func isPair(s string) bool {
	clear, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && plain(clear) && strings.Contains(string(clear), ":")
}
