package main

import (
	"strconv"
	"unicode/utf8"

	"github.com/session-trace/ctx/internal/record"
)

// call is a tool call that waits for its result; event is the id of its event.
type call struct {
	tool, id, event string
	command, path   string
	before, after   string
}

// toolStep writes one model response of n calls and then their results: at most 2n+1 events.
func (c *conversation) toolStep(n int) {
	response := c.reply(&c.agent)
	calls := make([]call, n)
	for i := range calls {
		calls[i] = c.newCall()
		c.action(&calls[i], response, i == 0)
	}
	for i := range calls {
		c.result(&calls[i])
	}
	c.turn++
}

func (c *conversation) newCall() call {
	c.calls++
	k := call{event: c.newID(), id: "call_" + strconv.Itoa(c.calls), path: workspace + "/" + c.pick(c.words[:100]) + ".py"}
	switch n := c.rng.IntN(100); {
	case n < 50:
		k.tool = "terminal"
		k.command = "grep -n \"" + c.pick(c.words) + "\" " + k.path + " && ls"
	case n < 85:
		k.tool = "file_editor"
		k.before = string(c.code(nil, c.words, c.size(900, 8000)))
		k.after = string(c.code(nil, c.words, c.size(900, 8000)))
	default:
		k.tool = "think"
		k.command = string(c.sentences(nil, c.words, c.size(500, 4000)))
	}
	return k
}

// appendAction appends the call's action and returns the arguments text that the model sent for it.
func (c *conversation) appendAction(k *call) string {
	c.buf = record.AppendKey(c.buf, "action")
	args := []byte(`{"`)
	switch k.tool {
	case "terminal":
		c.buf = record.AppendString(append(c.buf, `{"command":`...), k.command)
		c.buf = append(c.buf, `,"is_input":false,"reset":false,"kind":"TerminalAction"}`...)
		args = record.AppendString(append(args, `command": `...), k.command)
	case "think":
		c.buf = record.AppendString(append(c.buf, `{"thought":`...), k.command)
		c.buf = append(c.buf, `,"kind":"ThinkAction"}`...)
		args = record.AppendString(append(args, `thought": `...), k.command)
	default:
		c.buf = append(c.buf, `{"command":"str_replace"`...)
		c.text("path", k.path)
		c.text("old_str", cut(k.before, len(k.before)/4))
		c.text("new_str", cut(k.after, len(k.after)/4))
		c.buf = append(c.buf, `,"kind":"FileEditorAction"}`...)
		args = record.AppendString(append(args, `command": "str_replace", "path": `...), k.path)
		args = record.AppendString(append(args, `, "old_str": `...), cut(k.before, len(k.before)/4))
		args = record.AppendString(append(args, `, "new_str": `...), cut(k.after, len(k.after)/4))
	}
	return string(append(args, '}'))
}

// cut is the first n bytes of s or up to three fewer, so that no character is split.
func cut(s string, n int) string {
	n = min(n, len(s))
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
