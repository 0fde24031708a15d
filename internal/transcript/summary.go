package transcript

import (
	"math/big"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Summary is one session in a list. What the session does not state is "" or nil; texts are as the source has them.
type Summary struct {
	Stream, Session, Agent string
	Time                   string // of the first record that has one, as spelled
	Title                  string
	FirstMessage           string // of the user, else of the agent that gave a task; its first 1024 bytes on one line
	Status                 string
	Responses              int64 // inference records
	Tokens                 Tokens
	Cost                   *big.Rat // the sum of the session's buckets; it has a finite decimal form
	Branches               int      // leaves of the tree that hold a message, a call or a result
	BranchesExact          bool     // false where gaps or unknown parents may hide some, or make some
	Gaps, Records          int64
	Unreadable             int // lines that are no records; nothing else is known of them

	byUser bool // FirstMessage is the user's
}

// Tokens are sums over the usage that could be told to belong to single responses; nil: none states it.
type Tokens struct {
	Input, Output, CacheRead, CacheWrite, Reasoning *big.Int
	Complete                                        bool // every response has usage
}

// Summarize reads one stream of a bundle. The error says that it could not be read.
func Summarize(b *bundle.Bundle, s bundle.StreamInfo) (*Summary, error) {
	ix, err := readIndex(b, s, "")
	if err != nil {
		return nil, err
	}
	return &ix.sum, nil
}

// take adds one record.
func (s *Summary) take(l *line) {
	s.Records++
	if s.Time == "" {
		s.Time = l.text("time")
	}
	switch l.kind {
	case record.SessionInfo:
		s.Title, s.Status = l.text("title"), l.text("executionStatus")
		s.Tokens.Complete = l.is(true, "usageCoverage", "complete")
	case record.Message:
		s.first(l)
	case record.Inference:
		s.Responses++
		s.Tokens.take(l)
	case record.UsageSummary:
		if l.text("position", "family") == "current-state" {
			s.addCost(l.literal("cost", "amount"))
		}
	case record.Gap:
		s.Gaps++
	}
}

// first keeps the first message that the user wrote, or that stands in a user's place in a session that an agent began.
func (s *Summary) first(l *line) {
	origin := l.text("origin")
	switch {
	case s.byUser || l.text("role") != "user":
	case origin == "user":
		if text := firstText(l); text != "" {
			s.FirstMessage, s.byUser = text, true
		}
	case origin == "agent" && s.FirstMessage == "":
		s.FirstMessage = firstText(l)
	}
}

// take adds the usage of one response.
func (t *Tokens) take(l *line) {
	for name, sum := range map[string]**big.Int{
		"inputTokens": &t.Input, "outputTokens": &t.Output, "cacheReadTokens": &t.CacheRead,
		"cacheWriteTokens": &t.CacheWrite, "reasoningTokens": &t.Reasoning,
	} {
		n, ok := l.Int(l.at("usage", name))
		if !ok || n < 0 {
			continue
		}
		if *sum == nil {
			*sum = new(big.Int)
		}
		(*sum).Add(*sum, big.NewInt(n))
	}
}

// addCost adds an amount as it is spelled. Only numbers that a double holds are safe to work with; others are not in a sound bundle.
func (s *Summary) addCost(literal string) {
	if !jsonscan.SafeNumber([]byte(literal)) {
		return
	}
	amount, ok := new(big.Rat).SetString(literal)
	if !ok {
		return
	}
	if s.Cost == nil {
		s.Cost = new(big.Rat)
	}
	s.Cost.Add(s.Cost, amount)
}

// Decimal is the exact decimal form of a sum of costs.
func Decimal(r *big.Rat) string {
	digits, exact := r.FloatPrec()
	if !exact {
		return r.RatString()
	}
	return r.FloatString(digits)
}

const mostFirstMessage = 1024

// firstText is the first text of a message that says something, on one line.
func firstText(l *line) string {
	for n := range l.Children(l.at("content")) {
		if text := l.Text(l.Find(n, "text")); strings.TrimSpace(text) != "" {
			return OneLine(strings.ToValidUTF8(text[:min(len(text), mostFirstMessage)], ""))
		}
	}
	return ""
}
