package transcript

import (
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Rows of text that are printed of each kind of content unless all of it is wanted.
const (
	mostInstructions = 8
	mostMessage      = 40
	mostReasoning    = 12
	mostArguments    = 12
	mostResult       = 12
	mostDetail       = 20
	mostOutput       = 6
	mostNative       = 6
)

const (
	bodyIndent = 4
	deepIndent = 6
)

// render writes the body of one record.
func (w *writer) render(l *line, it *item) {
	switch l.kind {
	case record.Instructions:
		w.instructions(l)
	case record.Message:
		w.message(l)
	case record.Reasoning:
		w.reasoning(l)
	case record.Inference:
		w.inference(l)
	case record.ToolCall:
		w.call(l, it)
	case record.ToolResult:
		w.result(l, it)
	case record.Decision:
		w.decision(l)
	case record.Assessment:
		w.assessment(l)
	case record.Compaction:
		w.compaction(l)
	case record.Plan:
		w.plan(l)
	case record.Hook:
		w.hook(l)
	case record.Gap:
		w.gap(l)
	default:
		w.other(l)
	}
}

// other renders the types that are one row, and vendor records.
func (w *writer) other(l *line) {
	switch l.kind {
	case record.Lifecycle:
		w.fields(bodyIndent, Plain, w.o.visible(l.text("event")), w.o.visible(w.value(l, "value")))
	case record.StateChange:
		w.stateChange(l)
	case record.Error:
		w.label(bodyIndent, piece{Bad, w.o.visible(l.text("code"))}, w.mark(l.is(true, "retryable"), Faint, "retryable"))
		w.body(bodyIndent, Bad, l.text("detail"), mostDetail)
	case record.UsageSummary:
		w.usage(l)
	case record.SessionLink:
		w.label(bodyIndent, piece{Other, "↗ " + w.o.visible(l.text("rel")) + " session"},
			piece{Plain, w.o.visible(l.text("target", "sessionId"))}, piece{Faint, w.o.visible(l.text("target", "agent"))})
	case record.Attachment:
		w.attachment(l)
	case record.Vendor:
		w.label(bodyIndent, piece{Plain, "kind " + quoted(w.o.visible(l.text("name")))}, piece{Faint, "no standard record"})
		w.native(l)
	}
}

func quoted(s string) string { return `"` + s + `"` }

// mark is a piece that is there only if something holds.
func (w *writer) mark(holds bool, s Style, text string) piece {
	if !holds {
		return piece{}
	}
	return piece{s, text}
}

// fields writes pieces of one style in a row.
func (w *writer) fields(indent int, s Style, texts ...string) {
	pieces := make([]piece, len(texts))
	for i, t := range texts {
		pieces[i] = piece{s, t}
	}
	w.label(indent, pieces...)
}

// value is a member that may be text, a number, true or false.
func (w *writer) value(l *line, names ...string) string {
	if s := l.literal(names...); s != "" {
		return s
	}
	return l.text(names...)
}

func (w *writer) instructions(l *line) {
	w.content(l, "content", bodyIndent, Plain, mostInstructions)
	w.content(l, "dynamicContent", bodyIndent, Plain, mostInstructions)
	var names []string
	for n := range l.Children(l.at("tools")) {
		names = append(names, l.Text(l.Find(n, "name")))
	}
	if len(names) > 0 {
		w.body(bodyIndent, Faint, "tools: "+strings.Join(names, ", "), mostOutput)
	}
}

func (w *writer) message(l *line) {
	if l.text("origin") == "summary" {
		w.fields(bodyIndent, Warning, "summary")
	}
	if sender := l.text("sender"); sender != "" {
		w.fields(bodyIndent, Faint, "from "+w.o.visible(sender))
	}
	w.label(bodyIndent, w.mark(l.is(false, "context"), Faint, "not seen by the model"))
	w.content(l, "content", bodyIndent, Plain, mostMessage)
	if l.Len(l.at("extendedContent")) > 0 {
		w.fields(bodyIndent, Faint, "added for the model:")
		w.content(l, "extendedContent", bodyIndent, Faint, mostDetail)
	}
}

func (w *writer) reasoning(l *line) {
	w.fields(bodyIndent, Faint, "reasoning")
	w.content(l, "content", bodyIndent, Faint, mostReasoning)
	if l.has("encrypted") {
		w.fields(bodyIndent, Faint, "(encrypted)")
	}
}

// inference says what answered, and what it cost.
func (w *writer) inference(l *line) {
	pieces := []string{w.o.visible(l.text("requestedModel")), usageText(l)}
	if s := l.literal("latencySeconds"); s != "" {
		pieces = append(pieces, shortened(s)+" s")
	}
	if p := l.text("purpose"); p != "" {
		pieces = append(pieces, "for "+w.o.visible(p))
	}
	w.fields(bodyIndent, Faint, append([]string{"response " + w.o.visible(l.text("responseId"))}, pieces...)...)
}

// shortened is a decimal number as spelled, with at most two digits after its point.
func shortened(literal string) string {
	if at := strings.IndexByte(literal, '.'); at >= 0 && !strings.ContainsAny(literal, "eE") {
		return literal[:min(len(literal), at+3)]
	}
	return literal
}

// usageText is a usage in words, "" when there is none.
func usageText(l *line) string {
	var parts []string
	for _, c := range [...]struct{ name, word string }{
		{"inputTokens", "in"},
		{"outputTokens", "out"},
		{"cacheReadTokens", "cache read"},
		{"cacheWriteTokens", "cache write"},
		{"reasoningTokens", "reasoning"},
	} {
		if n := l.literal("usage", c.name); n != "" {
			parts = append(parts, n+" "+c.word)
		}
	}
	return strings.Join(parts, ", ")
}

func (w *writer) usage(l *line) {
	text, cost := usageText(l), l.literal("cost", "amount")
	if cost != "" {
		cost = "cost " + cost
	}
	if text == "" && cost == "" {
		text = "nothing reported"
	}
	w.fields(bodyIndent, Plain, w.o.visible(l.text("bucket")), text, cost)
}

func (w *writer) decision(l *line) {
	style := Bad
	if l.text("decision") == "approved" {
		style = Good
	}
	calls := l.texts("calls")
	if call := l.text("call"); call != "" {
		calls = append(calls, call)
	}
	w.label(bodyIndent, piece{style, "! " + w.o.visible(l.text("decision")) + " by " + w.o.visible(l.text("by"))}, piece{Faint, w.calls(calls)})
	w.body(deepIndent, Plain, l.text("reason"), mostDetail)
}

// calls names calls, at most a few.
func (w *writer) calls(ids []string) string {
	const most = 5
	if len(ids) == 0 {
		return ""
	}
	var names []string
	for _, id := range ids[:min(len(ids), most)] {
		names = append(names, w.o.name(id))
	}
	if len(ids) > most {
		names = append(names, "…")
	}
	return "call " + strings.Join(names, ", ")
}

func (w *writer) assessment(l *line) {
	w.fields(bodyIndent, Plain, w.o.visible(l.text("analyzer")), w.o.visible(l.text("policy")))
	for n := range l.Children(l.at("risks")) {
		call := l.Text(l.Find(n, "call"))
		if call == "" {
			call = l.Text(l.Find(n, "nativeCallId"))
		}
		w.label(deepIndent, piece{Plain, w.o.visible(l.Text(l.Find(n, "risk")))}, piece{Faint, "call " + w.o.name(call)})
	}
}

func (w *writer) compaction(l *line) {
	if l.text("phase") != "applied" {
		w.fields(bodyIndent, Warning, w.o.visible(l.text("phase")))
		return
	}
	what := count(l.Len(l.at("forgotten")), "item") + " forgotten"
	if n := l.Len(l.at("forgottenUnknown")); n > 0 {
		what += ", and " + count(n, "unknown id")
	}
	where := ""
	switch after := l.text("boundary", "after"); {
	case after != "":
		where = "summary after " + w.o.name(after)
	case l.is(true, "boundary", "atStart"):
		where = "summary at the start"
	case l.has("offset"):
		where = "place of the summary unknown, offset " + l.literal("offset")
	}
	w.fields(bodyIndent, Warning, what, where, "extent "+w.o.visible(l.text("extent")))
}

func (w *writer) plan(l *line) {
	for n := range l.Children(l.at("items")) {
		w.label(bodyIndent, piece{Faint, w.o.visible(l.Text(l.Find(n, "status")))}, piece{Plain, w.o.visible(l.Text(l.Find(n, "title")))})
	}
}

func (w *writer) hook(l *line) {
	result, style := "", Faint
	switch {
	case l.is(true, "blocked"):
		result, style = "blocked", Bad
	case l.is(false, "success"):
		result, style = "failed", Bad
	case l.is(true, "success"):
		result, style = "ok", Good
	}
	if code := l.literal("exitCode"); code != "" && code != "0" {
		result += ", exit code " + code
	}
	about := ""
	if id := l.text("call"); id != "" {
		about = "call " + w.o.name(id)
	} else if id := l.text("message"); id != "" {
		about = "message " + w.o.name(id)
	}
	w.label(bodyIndent, piece{Plain, w.o.visible(l.text("event"))}, piece{style, strings.TrimPrefix(result, ", ")}, piece{Faint, about})
	w.body(bodyIndent, Faint, l.text("command"), mostOutput)
	w.body(deepIndent, Plain, l.text("output"), mostOutput)
}

func (w *writer) gap(l *line) {
	what := "items are missing"
	if reason := l.text("reason"); reason != "missing" {
		what = "not readable: " + w.o.visible(reason)
	} else if !l.has("position", "through") {
		what = "item is missing"
	}
	w.label(bodyIndent, piece{Warning, what}, piece{Faint, w.o.visible(l.text("path"))})
}

func (w *writer) stateChange(l *line) {
	value := w.value(l, "value")
	if l.has("valuePointer") {
		value = "(native " + l.text("valuePointer") + ")"
	}
	w.body(bodyIndent, Faint, l.text("key")+" = "+value, mostOutput)
}

func (w *writer) attachment(l *line) {
	size := l.literal("native", "blob", "bytes")
	if size != "" {
		size += " bytes"
	}
	w.label(bodyIndent, piece{Plain, w.o.visible(l.text("path"))}, piece{Faint, w.o.visible(l.text("mediaType"))}, piece{Faint, size})
}

// native shows the beginning of the native bytes of a record that nothing else is known of.
func (w *writer) native(l *line) {
	if n := l.at("native", "record"); n >= 0 {
		w.body(bodyIndent, Faint, string(l.Value(n)), mostNative)
		return
	}
	if sha := l.text("native", "blob", "sha256"); sha != "" {
		w.fields(bodyIndent, Faint, "blob "+w.o.visible(sha), l.literal("native", "blob", "bytes")+" bytes")
	}
}

// content renders a list of content parts.
func (w *writer) content(l *line, member string, indent int, s Style, most int) {
	for n := range l.Children(l.at(member)) {
		switch {
		case l.Equal(l.Find(n, "type"), "text"):
			w.body(indent, s, l.Text(l.Find(n, "text")), most)
			if l.Find(n, "redacted") >= 0 {
				w.fields(indent, Faint, "(redacted)")
			}
		case l.Equal(l.Find(n, "type"), "image"):
			w.image(l, n, indent)
		default:
			w.fields(indent, Faint, "(other content at native "+w.o.visible(l.Text(l.Find(n, "pointer")))+")")
		}
	}
}

func (w *writer) image(l *line, n, indent int) {
	if url := l.Text(l.Find(n, "url")); url != "" {
		w.fields(indent, Faint, "(image "+w.o.visible(url)+")")
		return
	}
	size := ""
	if at := l.Find(n, "bytes"); l.Kind(at) == jsonscan.Number {
		size = ", " + string(l.Value(at)) + " bytes"
	}
	w.fields(indent, Faint, "(image "+w.o.visible(l.Text(l.Find(n, "mediaType")))+size+")")
}
