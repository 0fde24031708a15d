package main

import (
	"encoding/csv"
	"io"
	"math/big"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/transcript"
)

// listText prints the table. The name stands last, where wide characters move no column.
func (e *env) listText(w io.Writer, all []listed, several bool) error {
	t := &table{columns: []column{
		{"session", false},
		{"first item", false},
		{"status", false},
		{"responses", true},
		{"tokens in", true},
		{"out", true},
		{"cost", true},
		{"branches", true},
		{"gaps", true},
		{"title or first message", false},
	}}
	if several {
		t.columns = append([]column{{"bundle", false}}, t.columns...)
	}
	for i := range all {
		r := &all[i]
		cells := []string{
			visible(r.short), visible(orDash(minute(r.Time))), visible(orDash(r.Status)), strconv.FormatInt(r.Responses, 10),
			tokenCell(r.Tokens.Input, r.Tokens.Complete), tokenCell(r.Tokens.Output, r.Tokens.Complete), orDash(costText(r.Cost)),
			branchCell(r), strconv.FormatInt(r.Gaps, 10), orDash(visible(transcript.OneLine(r.name()))),
		}
		if several {
			cells = append([]string{visible(r.bundle)}, cells...)
		}
		t.add(cells...)
	}
	if !e.verbose {
		clipLast(t, e.columns())
	}
	return t.print(w, "")
}

// clipLast shortens the last cells so that rows fit, but leaves them some room.
func clipLast(t *table, room int) {
	const least = 40
	last := len(t.columns) - 1
	for i, c := range t.columns[:last] {
		width := len(c.title)
		for _, row := range t.rows {
			width = max(width, len([]rune(row[i])))
		}
		room -= width + 2
	}
	for _, row := range t.rows {
		row[last] = transcript.Clip(row[last], max(room, least))
	}
}

// columns is the width of the terminal, or one that reads well elsewhere.
func (e *env) columns() int {
	const elsewhere, most = 140, 200
	if !e.terminal {
		return elsewhere
	}
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width <= 0 {
		return elsewhere
	}
	return min(width, most)
}

// minute is a time as spelled, without its seconds and its zone.
func minute(time string) string {
	const whole = len("2006-01-02T15:04")
	if len(time) < whole || time[13] != ':' {
		return time
	}
	return strings.Replace(time[:whole], "T", " ", 1)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func tokenCell(n *big.Int, complete bool) string {
	switch {
	case n == nil:
		return "-"
	case complete:
		return n.String()
	default:
		return n.String() + "+"
	}
}

func costText(r *big.Rat) string {
	if r == nil {
		return ""
	}
	return transcript.Decimal(r)
}

func branchCell(r *listed) string {
	if r.BranchesExact {
		return strconv.Itoa(r.Branches)
	}
	return strconv.Itoa(r.Branches) + "?"
}

// counters are the token counts of a session by their names in the format.
func counters(t *transcript.Tokens) []struct {
	name string
	n    *big.Int
} {
	return []struct {
		name string
		n    *big.Int
	}{
		{"inputTokens", t.Input},
		{"outputTokens", t.Output},
		{"cacheReadTokens", t.CacheRead},
		{"cacheWriteTokens", t.CacheWrite},
		{"reasoningTokens", t.Reasoning},
	}
}

// appendListed appends the list as JSON. What is not known is left out.
func appendListed(dst []byte, all []listed) []byte {
	dst = append(dst, '[')
	for i := range all {
		if i > 0 {
			dst = append(dst, ',', '\n')
		}
		dst = appendSummary(dst, &all[i])
	}
	return append(dst, ']')
}

func appendSummary(dst []byte, r *listed) []byte {
	dst = append(dst, '{')
	for _, m := range [...]struct{ name, text string }{
		{"bundle", r.bundle},
		{"stream", r.Stream},
		{"session", r.Session},
		{"agent", r.Agent},
		{"time", r.Time},
		{"title", r.Title},
		{"firstMessage", r.FirstMessage},
		{"status", r.Status},
	} {
		if m.text != "" {
			dst = record.AppendString(record.AppendKey(dst, m.name), m.text)
		}
	}
	dst = record.AppendInt(record.AppendKey(dst, "responses"), r.Responses)
	dst = append(record.AppendKey(dst, "usage"), '{')
	for _, c := range counters(&r.Tokens) {
		if c.n != nil {
			dst = c.n.Append(record.AppendKey(dst, c.name), 10)
		}
	}
	dst = record.AppendBool(record.AppendKey(append(dst, '}'), "usageComplete"), r.Tokens.Complete)
	if r.Cost != nil {
		dst = append(record.AppendKey(dst, "cost"), costText(r.Cost)...)
	}
	dst = record.AppendInt(record.AppendKey(dst, "branches"), int64(r.Branches))
	dst = record.AppendBool(record.AppendKey(dst, "branchesExact"), r.BranchesExact)
	dst = record.AppendInt(record.AppendKey(dst, "gaps"), r.Gaps)
	dst = record.AppendInt(record.AppendKey(dst, "records"), r.Records)
	return append(dst, '}')
}

// listCSV prints a title row and one row a session. What is not known is an empty field.
func listCSV(w io.Writer, all []listed) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{
		"bundle", "stream", "session", "agent", "time", "title", "firstMessage", "status", "responses",
		"inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens", "usageComplete",
		"cost", "branches", "branchesExact", "gaps", "records",
	})
	for i := range all {
		r := &all[i]
		row := []string{r.bundle, r.Stream, r.Session, r.Agent, r.Time, r.Title, r.FirstMessage, r.Status, strconv.FormatInt(r.Responses, 10)}
		for _, c := range counters(&r.Tokens) {
			if c.n == nil {
				row = append(row, "")
			} else {
				row = append(row, c.n.String())
			}
		}
		row = append(row, strconv.FormatBool(r.Tokens.Complete), costText(r.Cost), strconv.Itoa(r.Branches),
			strconv.FormatBool(r.BranchesExact), strconv.FormatInt(r.Gaps, 10), strconv.FormatInt(r.Records, 10))
		for n := range row {
			row[n] = visible(row[n])
		}
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}
