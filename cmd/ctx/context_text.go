package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// contextWidth is the number of characters of a record's text that the text form shows.
const contextWidth = 72

// lines prints one line a record: id, what it is, and the beginning of its text.
func (p *contextPrinter) lines(mark string, records []int) error {
	var nodes []jsonscan.Node
	return p.s.Lines(records, func(i int, line []byte) error {
		doc, err := jsonscan.Scan(line, nodes[:0], jsonscan.Options{})
		nodes = doc.Nodes
		if err != nil {
			return err
		}
		what, text := sketch(&doc)
		if _, err := fmt.Fprintf(p.w, "%s%s  %s  %s\n", mark, visible(p.s.Record(i).ID), visible(what), oneLine(text, contextWidth)); err != nil {
			return err
		}
		return p.ctx.Err()
	})
}

// sketch says in short what a record is and what it holds.
func sketch(d *jsonscan.Doc) (what, text string) {
	member := func(name string) string { return d.Text(d.Find(0, name)) }
	switch kind := member("type"); kind {
	case "instructions":
		return "system", contentText(d)
	case "message":
		what = member("role")
		if origin := member("origin"); origin != "agent" && origin != what {
			what += " (" + origin + ")"
		}
		return what, contentText(d)
	case "tool_call":
		return "call " + member("name"), member("arguments")
	case "tool_result":
		return "result " + member("status"), contentText(d)
	default:
		return kind, contentText(d)
	}
}

// contentText is the beginning of a record's content; what is no text stands as its type.
func contentText(d *jsonscan.Doc) string {
	var b strings.Builder
	for part := range d.Children(d.Find(0, "content")) {
		if b.Len() > 8*contextWidth {
			break
		}
		if text := d.Find(part, "text"); text >= 0 {
			b.WriteString(d.Text(text))
			continue
		}
		b.WriteString("[" + d.Text(d.Find(part, "type")) + "]")
	}
	return b.String()
}

// oneLine is the beginning of a text, runs of white space as one blank.
func oneLine(text string, most int) string {
	cut := false
	if len(text) > 8*most {
		text, cut = strings.ToValidUTF8(text[:8*most], ""), true
	}
	text = visible(strings.Join(strings.Fields(text), " "))
	if n := utf8.RuneCountInString(text); n > most {
		runes := []rune(text)
		text, cut = string(runes[:most-1]), true
	}
	if cut {
		return text + "…"
	}
	return text
}
