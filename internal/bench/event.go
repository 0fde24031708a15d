package main

import (
	"time"

	"github.com/session-trace/ctx/internal/record"
)

// localOffset is the zone of the naive times that events carry.
const localOffset = -8 * time.Hour

const workspace = "/home/bench/workspace"

// event is one event under construction: c.begin starts it in c.buf, the caller appends members, c.end writes the file.
type event struct {
	id   string
	kind string
	free bool // stands beside the branch: never a parent
}

// begin starts the bytes of the next event, up to its parent.
func (c *conversation) begin(kind, source string) event { return c.beginAs(c.newID(), kind, source) }

func (c *conversation) beginAs(id, kind, source string) event {
	e := event{id: id, kind: kind}
	c.buf = record.AppendString(append(c.buf[:0], `{"id":`...), e.id)
	c.buf = append(c.buf, `,"timestamp":"`...)
	c.buf = c.now.Add(localOffset).AppendFormat(c.buf, "2006-01-02T15:04:05.000000")
	c.buf = record.AppendString(append(c.buf, `","source":`...), source)
	if c.leaf != "" {
		c.text("parent_id", c.leaf)
	}
	return e
}

// text appends a member whose value is a string.
func (c *conversation) text(name, value string) {
	c.buf = record.AppendString(record.AppendKey(c.buf, name), value)
}

// raw appends a member whose value is JSON already.
func (c *conversation) raw(name, value string) {
	c.buf = append(record.AppendKey(c.buf, name), value...)
}

// parts appends a content member of one text part, or of none for "".
func (c *conversation) parts(name, value string) {
	c.buf = append(record.AppendKey(c.buf, name), '[')
	if value != "" {
		c.buf = appendTextPart(c.buf, value)
	}
	c.buf = append(c.buf, ']')
}

func appendTextPart(dst []byte, value string) []byte {
	dst = append(dst, `{"cache_prompt":false,"type":"text","text":`...)
	return append(record.AppendString(dst, value), '}')
}

// end closes the event, writes its file and moves the branch on.
func (c *conversation) end(e event) {
	c.text("kind", e.kind)
	c.buf = append(c.buf, '}')
	name := append([]byte("events/event-"), appendPadded(nil, uint64(c.ordinal), 5)...)
	c.put(string(name)+"-"+e.id+".json", c.buf)
	c.truth.Events++
	c.truth.Kinds[e.kind]++
	c.ordinal++
	if !e.free {
		c.leaf = e.id
	}
	c.now = c.now.Add(time.Duration(50+c.rng.IntN(1500)) * time.Millisecond)
}

// seen notes that the model sees the event; start marks the first event of a step.
func (c *conversation) seen(id string, start bool) { c.view = append(c.view, viewed{id, start}) }
