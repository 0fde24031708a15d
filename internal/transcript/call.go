package transcript

import (
	"bytes"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// call renders a call: its name and title, and its arguments one a row.
func (w *writer) call(l *line, it *item) {
	title, arguments := l.text("title"), l.text("arguments")
	if told, ok := strings.CutPrefix(title, l.text("name")+": "); ok && strings.HasPrefix(arguments, told) {
		title = "" // it only repeats what stands below
	}
	risk := l.text("risk")
	if risk != "" {
		risk = "risk " + risk
	}
	w.label(bodyIndent, piece{Call, "→ " + w.o.visible(l.text("name"))},
		piece{Plain, w.o.visible(OneLine(title))}, piece{Faint, w.o.visible(risk)},
		w.mark(l.is(false, "executable"), Bad, "could not run"),
		w.mark(l.is(false, "context"), Faint, "not seen by the model"))
	w.body(deepIndent, Plain, argumentText(arguments), mostArguments)
	if !it.answered && !l.is(false, "executable") {
		w.fields(bodyIndent, Warning, "← no result")
	}
}

// argumentText spells the members of a JSON object a line each, strings as the text they stand for, below
// the name where they have several lines. Any other text stays.
func argumentText(raw string) string {
	d, err := jsonscan.Scan([]byte(raw), nil, jsonscan.Options{})
	if err != nil || d.Kind(0) != jsonscan.Object {
		return raw
	}
	var out []byte
	for n := range d.Children(0) {
		out, _ = jsonscan.AppendUnescape(out, d.Name(n))
		value := d.Value(n)
		if d.Kind(n) == jsonscan.String {
			value = d.AppendText(nil, n)
		}
		if value = bytes.TrimRight(value, "\n"); bytes.Contains(value, []byte("\n")) {
			out = append(out, ":\n  "...)
			value = bytes.ReplaceAll(value, []byte("\n"), []byte("\n  "))
		} else {
			out = append(out, ": "...)
		}
		out = append(append(out, value...), '\n')
	}
	return string(out)
}

// result renders what answers a call.
func (w *writer) result(l *line, it *item) {
	style, status := Plain, l.text("status")
	switch status {
	case "ok":
		style = Good
	case "error", "rejected":
		style = Bad
	}
	of := l.text("name")
	if it.under >= 0 {
		of = ""
	}
	unpaired := ""
	if id := l.text("nativeCallId"); id != "" {
		unpaired = "no call " + quoted(w.o.visible(id))
	}
	w.label(bodyIndent, piece{style, "← " + w.o.visible(status)}, piece{Plain, w.o.visible(of)}, piece{Warning, unpaired},
		piece{Faint, w.resultPlace(l, it)}, w.mark(it.under >= 0 && it.aside, Warning, "off the active branch"),
		w.mark(l.text("rendering") == "not-persisted", Faint, "as stored, not as the model saw it"),
		w.mark(l.is(false, "context"), Faint, "not seen by the model"))
	w.content(l, "content", deepIndent, Plain, mostResult)
	w.content(l, "extendedContent", deepIndent, Faint, mostResult)
}

// resultPlace is the id and time of a result that stands under its call.
func (w *writer) resultPlace(l *line, it *item) string {
	if it.under < 0 {
		return ""
	}
	_, clock := whenOf(l.text("time"))
	return OneLine(w.o.name(it.id) + " " + w.o.visible(clock))
}
