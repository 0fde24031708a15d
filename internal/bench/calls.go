package main

import "github.com/session-trace/ctx/internal/record"

// action writes the event of one call; the first of a response carries the model's words.
func (c *conversation) action(k *call, response string, first bool) {
	if first && c.hooked && k.tool == "terminal" && c.ordinal+6 <= c.want && c.chance(10) {
		c.hook(k)
	}
	e := c.beginAs(k.event, "ActionEvent", "agent")
	c.thinking(first)
	arguments := c.appendAction(k)
	c.text("tool_name", k.tool)
	c.text("tool_call_id", k.id)
	c.raw("tool_call", `{"id":"`+k.id+`","name":"`+k.tool+`"`)
	c.text("arguments", arguments)
	c.raw("origin", `"completion"}`)
	c.text("llm_response_id", response)
	c.text("security_risk", c.pick([]string{"UNKNOWN", "LOW", "MEDIUM"}))
	c.text("summary", k.tool+": "+cut(arguments, 60))
	c.end(e)
	c.seen(e.id, first)
	c.truth.Types["tool_call"]++
}

// thinking appends what the model said beside the call.
func (c *conversation) thinking(first bool) {
	thought := ""
	if first && c.chance(35) {
		thought = string(c.sentences(nil, c.words, c.size(250, 2000)))
		c.truth.Types["message"]++
	}
	c.parts("thought", thought)
	if first && c.chance(25) {
		c.text("reasoning_content", string(c.sentences(nil, c.words, c.size(600, 6000))))
		c.truth.Types["reasoning"]++
	}
	c.raw("thinking_blocks", "[]")
}

// hook writes the check that ran before a call; it stands before the call and names it.
func (c *conversation) hook(k *call) {
	e := c.begin("HookExecutionEvent", "hook")
	e.free = true
	c.text("hook_event_type", "PreToolUse")
	c.text("hook_command", workspace+"/hooks/pre.sh")
	c.text("tool_name", k.tool)
	c.buf = append(c.buf, `,"success":true,"blocked":false,"exit_code":0,"stdout":"","stderr":""`...)
	c.text("action_id", k.event)
	c.raw("hook_input", `{"tool_name":"terminal"`)
	c.raw("tool_input", `{"command":`)
	c.buf = record.AppendString(c.buf, k.command)
	c.buf = append(c.buf, `,"is_input":false,"timeout":null,"reset":false,"kind":"TerminalAction"}}`...)
	c.end(e)
	c.truth.Types["hook"]++
}

// result writes what came of a call.
func (c *conversation) result(k *call) {
	switch n := c.rng.IntN(200); {
	case n == 0:
		c.reject(k)
	case n < 4:
		c.failure(k)
	default:
		c.observation(k)
	}
	c.truth.Types["tool_result"]++
}

func (c *conversation) reject(k *call) {
	e := c.begin("UserRejectObservation", "environment")
	c.text("tool_name", k.tool)
	c.text("tool_call_id", k.id)
	c.text("rejection_reason", string(c.sentences(nil, c.words, 60)))
	c.text("rejection_source", "user")
	c.text("action_id", k.event)
	c.end(e)
	c.seen(e.id, false)
	c.truth.Types["decision"]++
	c.truth.Losses[record.LossModelRendering]++
}

func (c *conversation) failure(k *call) {
	e := c.begin("AgentErrorEvent", "agent")
	c.text("tool_name", k.tool)
	c.text("tool_call_id", k.id)
	c.text("error", string(c.sentences(nil, c.words, 200)))
	c.raw("classification", `{"kind":"agent_action","retryable":true,"user_action":"retry"}`)
	c.end(e)
	c.seen(e.id, false)
}

func (c *conversation) observation(k *call) {
	e := c.begin("ObservationEvent", "environment")
	c.text("tool_name", k.tool)
	c.text("tool_call_id", k.id)
	c.raw("observation", "{")
	switch k.tool {
	case "terminal":
		c.terminalResult(k)
	case "think":
		c.parts("content", "The thought is kept.")
		c.raw("is_error", "false")
		c.text("kind", "ThinkObservation")
	default:
		c.editResult(k)
	}
	c.buf = append(c.buf, '}')
	c.text("action_id", k.event)
	c.raw("extended_content", "[]")
	c.end(e)
	c.seen(e.id, false)
}

func (c *conversation) terminalResult(k *call) {
	c.parts("content", string(c.output(nil, c.words, c.size(3300, 28000))))
	c.raw("is_error", "false")
	c.text("command", k.command)
	c.buf = append(c.buf, `,"exit_code":0,"timeout":false,"metadata":{"exit_code":0,"pid":-1`...)
	c.text("working_dir", workspace)
	c.text("suffix", "\n[exit code 0]")
	c.buf = append(c.buf, '}')
	c.text("full_output_save_dir", "/home/bench/conversations/"+hexID(c.id)+"/observations")
	c.text("kind", "TerminalObservation")
	c.truth.Losses[record.LossModelRendering]++
}

func (c *conversation) editResult(k *call) {
	c.parts("content", "Edited "+k.path+"\n"+cut(k.after, 2000))
	c.raw("is_error", "false")
	c.text("command", "str_replace")
	c.text("path", k.path)
	c.raw("prev_exist", "true")
	c.text("old_content", k.before)
	c.text("new_content", k.after)
	c.text("kind", "FileEditorObservation")
}
