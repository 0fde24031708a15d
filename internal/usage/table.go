package usage

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

// Table is what was counted: a line for each key, and the total of all.
type Table struct {
	By    By
	Lines []Line // by key, the one without key last
	Total Line
	Notes []string // what a reader of the numbers should know, in a fixed order
}

// Line is one sum.
type Line struct {
	Key       string
	Known     bool  // false: what stands here has no such key, such as the day of a response that no record tells
	Responses int64 // responses that count, each once
	Unkeyed   int64 // rows that count as they stand, since they name no response
	Uncovered Uncovered

	usage   [counters]big.Int
	cost    decimal
	hasCost bool
}

// Uncovered is what the other numbers of a line do not cover.
type Uncovered struct {
	Responses   int64 // responses of the transcripts that no row reports, and all that rows contradict each other about
	Conflicting int64 // of these: responses whose rows differ
	Counters    int64 // counters that are no natural numbers, in rows that count
	Buckets     int64 // buckets that accumulated something else than their rows sum to
	Costs       int64 // buckets with reports and no cost, or with a cost that cannot be told from costs counted elsewhere
}

// Usage is the sum of the i-th of Members in decimal, "" when nothing reports it.
func (l *Line) Usage(i int) string {
	if l.usage[i].Sign() == 0 {
		return ""
	}
	return l.usage[i].String()
}

// Sums are the sums of Members, each as Usage gives it.
func (l *Line) Sums() (sums [counters]string) {
	for i := range sums {
		sums[i] = l.Usage(i)
	}
	return sums
}

// Cost is the sum of the reported costs in decimal, "" when there is none.
func (l *Line) Cost() string {
	if !l.hasCost {
		return ""
	}
	return l.cost.String()
}

func (l *Line) count(c *counts) {
	for i, n := range c.n {
		l.usage[i].Add(&l.usage[i], big.NewInt(n))
	}
	l.Uncovered.Counters += c.bad
}

func (l *Line) pay(amount *decimal) {
	l.cost.add(amount)
	l.hasCost = true
}

// Append appends the table as one JSON object, without a line end:
//
//	{"by","rows":[{"key","responses","unkeyed","usage","cost"?,"uncovered"}],"total":{…},"notes":[]}
//
// An unknown key is null, a counter that nothing reports is left out of usage, a cost that nothing reports is left out.
func (t *Table) Append(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"by":`...), string(t.By))
	dst = append(dst, `,"rows":[`...)
	for i := range t.Lines {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n"+`{"key":`...)
		if l := &t.Lines[i]; l.Known {
			dst = record.AppendString(dst, l.Key)
		} else {
			dst = append(dst, "null"...)
		}
		dst = append(t.Lines[i].append(append(dst, ',')), '}')
	}
	dst = append(dst, "],\n"+`"total":{`...)
	dst = append(t.Total.append(dst), "},\n"+`"notes":`...)
	return append(record.AppendStrings(dst, t.Notes), '}')
}

func (l *Line) append(dst []byte) []byte {
	dst = record.AppendInt(append(dst, `"responses":`...), l.Responses)
	dst = record.AppendInt(record.AppendKey(dst, "unkeyed"), l.Unkeyed)
	dst = append(record.AppendKey(dst, "usage"), '{')
	for i, member := range Members() {
		if n := l.Usage(i); n != "" {
			dst = append(record.AppendKey(dst, member), n...)
		}
	}
	dst = append(dst, '}')
	if l.hasCost {
		dst = record.AppendString(append(record.AppendKey(dst, "cost"), `{"amount":`...), l.Cost())
		dst = append(dst, `,"basis":"reported"}`...)
	}
	u := &l.Uncovered
	dst = record.AppendInt(append(record.AppendKey(dst, "uncovered"), `{"responses":`...), u.Responses)
	dst = record.AppendInt(record.AppendKey(dst, "conflicting"), u.Conflicting)
	dst = record.AppendInt(record.AppendKey(dst, "counters"), u.Counters)
	dst = record.AppendInt(record.AppendKey(dst, "buckets"), u.Buckets)
	return append(record.AppendInt(record.AppendKey(dst, "costs"), u.Costs), '}')
}

// lineKey names a line; the zero lineKey is the line without a key.
type lineKey struct {
	text  string
	known bool
}

func known(text string) lineKey { return lineKey{text, true} }

// orUnknown is the key of a text that is "" when it is not known.
func orUnknown(text string) lineKey { return lineKey{text, text != ""} }

// sortedLines are the lines by key.
func sortedLines(lines map[lineKey]*Line) []Line {
	list := make([]Line, 0, len(lines))
	for k, l := range lines {
		l.Key, l.Known = k.text, k.known
		list = append(list, *l) //nolint:govet // a line is not used any more once it is copied
	}
	slices.SortFunc(list, func(a, b Line) int {
		if a.Known != b.Known {
			if a.Known {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Key, b.Key)
	})
	return list
}

// toolsKey is the key of the tools that a response called; of none it is known and "".
func toolsKey(p *response) lineKey { return known(strings.Join(p.tools, "+")) }
