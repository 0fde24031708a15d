package main

import (
	"strconv"
	"time"

	"github.com/session-trace/ctx/internal/record"
)

// ledger gathers the usage of one bucket of a state, row by row, in the spelling of the SDK.
type ledger struct {
	model                              string
	rows                               int64
	costs, latencies, usages           []byte // rows joined by commas
	cost                               float64
	prompt, completion, read, thinking int64
	lastTurn                           int64
}

// row adds what one model response cost; at is when it came.
func (l *ledger) row(p *prose, responseID string, at time.Time) {
	if l.rows++; l.rows > 1 {
		l.costs, l.latencies, l.usages = append(l.costs, ','), append(l.latencies, ','), append(l.usages, ',')
	}
	prompt, completion := int64(1500+p.rng.IntN(90000)), int64(20+p.rng.IntN(1800))
	read, thinking := int64(p.rng.IntN(2))*prompt/2, int64(p.rng.IntN(3))*7
	cost := float64(prompt+2*completion) / 1e6
	l.cost += cost
	l.prompt, l.completion, l.lastTurn = l.prompt+prompt, l.completion+completion, prompt+completion
	l.read, l.thinking = l.read+read, l.thinking+thinking
	l.costs = l.appendModel(l.costs)
	l.costs = appendFloat(append(l.costs, `,"cost":`...), cost)
	l.costs = appendEpoch(append(l.costs, `,"timestamp":`...), at)
	l.costs = append(l.costs, '}')
	l.latencies = appendFloat(append(l.appendModel(l.latencies), `,"latency":`...), 0.5+p.rng.Float64()*9)
	l.latencies = append(record.AppendString(append(l.latencies, `,"response_id":`...), responseID), '}')
	l.usages = appendUsage(l.appendModel(l.usages), prompt, completion, read, thinking, prompt+completion, responseID)
}

func (l *ledger) appendModel(dst []byte) []byte {
	return record.AppendString(append(dst, `{"model":`...), l.model)
}

func appendUsage(dst []byte, prompt, completion, read, thinking, turn int64, responseID string) []byte {
	for _, m := range []struct {
		name  string
		count int64
	}{
		{"prompt_tokens", prompt},
		{"completion_tokens", completion},
		{"cache_read_tokens", read},
		{"cache_write_tokens", 0},
		{"reasoning_tokens", thinking},
		{"context_window", 128000},
		{"per_turn_token", turn},
	} {
		dst = record.AppendInt(record.AppendKey(dst, m.name), m.count)
	}
	return append(record.AppendString(record.AppendKey(dst, "response_id"), responseID), '}')
}

// appendMetrics appends the bucket's value in a state.
func (l *ledger) appendMetrics(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"model_name":`...), l.model)
	dst = appendFloat(record.AppendKey(dst, "accumulated_cost"), l.cost)
	dst = l.appendModel(record.AppendKey(dst, "accumulated_token_usage"))
	dst = appendUsage(dst, l.prompt, l.completion, l.read, l.thinking, l.lastTurn, "")
	for _, m := range []struct {
		name string
		rows []byte
	}{{"costs", l.costs}, {"response_latencies", l.latencies}, {"token_usages", l.usages}} {
		dst = append(append(append(record.AppendKey(dst, m.name), '['), m.rows...), ']')
	}
	return append(dst, '}')
}

func appendFloat(dst []byte, f float64) []byte { return strconv.AppendFloat(dst, f, 'f', -1, 64) }

// appendEpoch appends seconds since 1970 with microseconds.
func appendEpoch(dst []byte, at time.Time) []byte {
	dst = append(record.AppendInt(dst, at.Unix()), '.')
	return appendPadded(dst, uint64(at.Nanosecond()/1000), 6)
}
