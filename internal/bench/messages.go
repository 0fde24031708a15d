package main

import "github.com/session-trace/ctx/internal/record"

func (c *conversation) systemPrompt() {
	e := c.begin("SystemPromptEvent", "agent")
	c.buf = append(c.buf, `,"system_prompt":`...)
	c.buf = appendTextPart(c.buf, string(c.sentences(nil, c.words, 7000)))
	c.buf = append(c.buf, `,"tools":[`...)
	for i, title := range []string{"terminal", "file_editor", "grep", "think"} {
		if i > 0 {
			c.buf = append(c.buf, ',')
		}
		c.buf = record.AppendString(append(c.buf, `{"description":`...), string(c.sentences(nil, c.words, 1500)))
		c.buf = append(c.buf, `,"annotations":{"readOnlyHint":false,"openWorldHint":false}`...)
		c.text("kind", "BenchTool")
		c.text("title", title)
		c.buf = append(c.buf, '}')
	}
	c.buf = append(c.buf, ']')
	c.end(e)
	c.seen(e.id, false)
	c.truth.Types["instructions"]++
}

func (c *conversation) userMessage() {
	e := c.begin("MessageEvent", "user")
	c.message("user", string(c.sentences(nil, c.words, c.size(300, 4000))), "")
	c.end(e)
	c.seen(e.id, true)
	c.lastUser = e.id
}

func (c *conversation) agentMessage() {
	e := c.begin("MessageEvent", "agent")
	c.message("assistant", string(c.sentences(nil, c.words, c.size(700, 6000))), c.reply(&c.agent))
	c.end(e)
	c.seen(e.id, true)
}

// message appends the members of a MessageEvent.
func (c *conversation) message(role, text, responseID string) {
	c.raw("llm_message", `{"role":"`+role+`"`)
	c.parts("content", text)
	c.raw("thinking_blocks", "[]")
	c.buf = append(c.buf, '}')
	if responseID != "" {
		c.text("llm_response_id", responseID)
	}
	c.raw("activated_skills", "[]")
	c.raw("extended_content", "[]")
	c.truth.Types["message"]++
}

// stateUpdate writes a change of the state; the branch goes on from where it was.
func (c *conversation) stateUpdate(key, value string) {
	e := c.begin("ConversationStateUpdateEvent", "environment")
	e.free = true
	c.text("key", key)
	c.raw("value", value)
	c.end(e)
	c.truth.Types["state_change"]++
}

// condense forgets the older part of the view and puts a summary in its place.
func (c *conversation) condense() {
	cut := len(c.view) * 3 / 5
	for cut < len(c.view)-1 && !c.view[cut].start {
		cut++
	}
	e := c.begin("Condensation", "environment")
	forgotten := make([]string, 0, cut)
	for _, v := range c.view[keepFirst:cut] {
		forgotten = append(forgotten, v.id)
	}
	// the SDK writes a set: its order says nothing
	c.rng.Shuffle(len(forgotten), func(i, j int) { forgotten[i], forgotten[j] = forgotten[j], forgotten[i] })
	c.buf = record.AppendStrings(record.AppendKey(c.buf, "forgotten_event_ids"), forgotten)
	c.text("summary", string(c.sentences(nil, c.words, 1200)))
	c.raw("summary_offset", "2")
	c.text("llm_response_id", c.reply(&c.condenser))
	c.end(e)
	kept := append([]viewed{}, c.view[:keepFirst]...)
	kept = append(kept, viewed{e.id + "-summary", true})
	c.view = append(kept, c.view[cut:]...)
	c.truth.Types["compaction"]++
	c.truth.Types["message"]++
}
