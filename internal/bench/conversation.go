package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

const (
	maxView   = 100 // events in view before a condensation, as the SDK's max_size
	keepFirst = 2
)

// conversation writes one conversation in the files of SDK 1.42.1, from a random source of its own.
type conversation struct {
	prose
	words     []string
	id        string // with dashes
	want      int    // events to write
	ordinal   int
	calls     int
	replies   int
	turn      int // steps since the last user message
	now       time.Time
	leaf      string // id of the last event on the branch
	lastUser  string
	hooked    bool
	view      []viewed
	agent     ledger
	condenser ledger
	truth     *Truth
	put       func(path string, data []byte) // path is relative to the conversation's folder; data is borrowed
	buf       []byte
}

// viewed is one element of what the model sees.
type viewed struct {
	id    string
	start bool // a cut may be made before it
}

// newConversation prepares conversation number index of a corpus.
func newConversation(seed uint64, index, want int, put func(string, []byte)) *conversation {
	c := &conversation{prose: prose{rand.New(rand.NewPCG(seed, uint64(index)))}, words: words(), want: want, put: put}
	c.truth = newTruth()
	c.agent.model, c.condenser.model = agentModel, condenserModel
	c.id = c.newID()
	c.hooked = index%6 == 0
	c.now = time.Date(2026, 3, 1, 9, 0, 0, 123456000, time.UTC).Add(time.Duration(index) * 7 * time.Hour)
	return c
}

// write writes the lock, all events and then the state.
func (c *conversation) write() {
	c.put("events/.eventlog.lock", nil)
	c.systemPrompt()
	c.userMessage()
	for c.ordinal < c.want {
		c.step(c.want - c.ordinal)
	}
	c.put("base_state.json", c.appendState(nil))
	c.truth.Conversations = 1
	c.truth.UsageRows = c.agent.rows + c.condenser.rows
	c.countState()
}

// countState counts the records that stand for no event.
func (c *conversation) countState() {
	c.truth.Types["session_info"] = 2
	c.truth.Types["inference"] = int64(c.replies)
	c.truth.Types["usage_summary"]++
	if c.condenser.rows > 0 {
		c.truth.Types["usage_summary"]++
	}
}

// step writes the next few events, at most left.
func (c *conversation) step(left int) {
	switch {
	case len(c.view) > maxView && left >= 3:
		c.condense()
	case left == 1:
		c.agentMessage()
	case c.turn > 12 && left >= 6 && c.chance(12):
		c.userTurn()
	case left >= 6 && c.chance(8):
		c.toolStep(2)
	default:
		c.toolStep(1)
	}
}

// userTurn ends the agent's turn and starts the next one: at most 5 events.
func (c *conversation) userTurn() {
	c.agentMessage()
	c.stateUpdate("execution_status", `"finished"`)
	if c.chance(10) {
		c.end(c.begin("PauseEvent", "user"))
		c.truth.Types["lifecycle"]++
	}
	c.userMessage()
	c.stateUpdate("execution_status", `"running"`)
	c.turn = 0
}

// reply makes the id of a new model response and its ledger row.
func (c *conversation) reply(l *ledger) string {
	c.replies++
	id := "chatcmpl-" + hexID(c.id)[:8] + "-" + strconv.Itoa(c.replies)
	l.row(&c.prose, id, c.now.Add(-time.Duration(5+c.rng.IntN(40))*time.Millisecond))
	return id
}

// newID makes a random UUID (version 4).
func (c *conversation) newID() string {
	const digits = "0123456789abcdef"
	hi, lo := c.rng.Uint64()&^0xf000|0x4000, c.rng.Uint64()&^(3<<62)|1<<63
	var b [36]byte
	at := 0
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b[at] = '-'
			at++
		}
		word := hi
		if i >= 16 {
			word = lo
		}
		b[at] = digits[word>>(60-4*(i%16))&15]
		at++
	}
	return string(b[:])
}

// hexID is an id without its dashes: the name of a conversation's folder.
func hexID(id string) string { return strings.ReplaceAll(id, "-", "") }
