package transcript

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// page is the text of one item and of what stands under its calls.
type page struct {
	own     []part // in order
	answers []part // of other items, in order
	left    int    // lines of the stream that are still to come
}

// part is a rendered record.
type part struct {
	call string // id of the call that it is or answers, "" none
	text string
}

// String puts what answers a call behind the last own record about that call, wherever in the stream it stands.
func (p *page) String() string {
	last := map[string]int{}
	for i, own := range p.own {
		last[own.call] = i
	}
	behind := make([][]string, len(p.own)+1)
	for _, a := range p.answers {
		at, ok := last[a.call]
		if !ok {
			at = len(p.own)
		}
		behind[at] = append(behind[at], a.text)
	}
	var b strings.Builder
	for i, texts := range behind {
		if i < len(p.own) {
			b.WriteString(p.own[i].text)
		}
		for _, text := range texts {
			b.WriteString(text)
		}
	}
	return b.String()
}

// writer builds the text of one record.
type writer struct {
	strings.Builder
	o *Options
}

// label writes one row of pieces, two spaces between them, none for empty ones; the row is clipped. Without any piece it writes nothing.
func (w *writer) label(indent int, pieces ...piece) {
	room := w.o.width() - indent
	var row []string
	for _, p := range pieces {
		text := p.text
		if text == "" || room <= 0 {
			continue
		}
		if !w.o.Full {
			text = Clip(text, room)
		}
		room -= columns(text) + 2
		row = append(row, w.o.paint(p.style, text))
	}
	if len(row) > 0 {
		w.WriteString(strings.Repeat(" ", indent) + strings.Join(row, "  ") + "\n")
	}
}

// piece is visible text in one style.
type piece struct {
	style Style
	text  string
}

// body writes text in rows below an indent, at most that many of them unless all is wanted, and says how much it clipped.
func (w *writer) body(indent int, style Style, text string, most int) {
	text = strings.TrimRight(text, "\n")
	room, pad := max(w.o.width()-indent, leastWidth/2), strings.Repeat(" ", indent)
	rows := 0
	for line := range strings.SplitSeq(text, "\n") {
		if text == "" {
			return
		}
		whole := len(line)
		if !w.o.Full {
			line = bounded(line, bytesPerColumn*room*(most-rows))
		}
		rest := w.o.visible(line)
		for first := true; first || rest != ""; first = false {
			if rows == most && !w.o.Full {
				w.clipped(pad, text)
				return
			}
			var row string
			row, rest = wrapped(rest, room)
			w.WriteString(strings.TrimRight(pad+w.o.paint(style, row), " ") + "\n")
			rows++
		}
		if len(line) < whole {
			w.clipped(pad, text)
			return
		}
	}
}

// bytesPerColumn bounds how much of a long line is looked at before it is clipped.
const bytesPerColumn = 8

// bounded is the beginning of a text, at most that many bytes and whole characters.
func bounded(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// clipped says that only the beginning of a text stands above.
func (w *writer) clipped(pad, text string) {
	lines := strings.Count(text, "\n") + 1
	w.WriteString(pad + w.o.paint(Faint, fmt.Sprintf("… clipped: %s, %s in all (--full)", count(lines, "line"), count(len(text), "byte"))) + "\n")
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
