// Package usage sums up what the ledgers of bundles report, counting every model response once.
//
// [Read] takes a bundle's streams apart into sessions; [Sum] counts over any number of them. The rules:
//
//   - A row of a ledger that names a response counts for that response. However many buckets, children, forks and copied
//     folders repeat the row, it counts once; rows that differ for one response count as nothing, and are said.
//   - A row without a response of its own counts as it stands, as unkeyed. Only copies of one session are told apart there.
//   - A row of zeros is no report. A counter that is no natural number up to 2^53-1 is left out, and is said.
//   - A cost has no response. It counts for its bucket, as reported; cost.go says how repeated buckets count once.
//   - What is not known stands beside what is: nothing is estimated, and nothing absent is 0.
package usage

import (
	"fmt"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// By says what the rows of a table are.
type By string

// What there can be a row for.
const (
	BySession By = "session" // the session that the response belongs to
	ByBucket  By = "bucket"  // the account of the ledger
	ByModel   By = "model"   // the model that the row names: what was configured
	ByTool    By = "tool"    // the sorted set of the tools that the response called, joined by +
	ByDay     By = "day"     // the date of the response as its source spells it
)

// Bys lists what there can be a row for; the first is the default.
func Bys() []By { return []By{BySession, ByBucket, ByModel, ByTool, ByDay} }

// counters is the number of members of a usage.
const counters = 5

// Members names the counters of a usage, in the order of the format.
func Members() [counters]string {
	return [counters]string{"inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"}
}

// counts are the counters of one row.
type counts struct {
	n   [counters]int64
	bad int64 // counters that are no natural numbers, left out
}

// zero says whether no counter is above zero.
func (c *counts) zero() bool { return c.n == [counters]int64{} }

// add notes the counter of a member.
func (c *counts) add(member string, d *jsonscan.Doc, n int) {
	if n < 0 || d.Kind(n) == jsonscan.Null {
		return
	}
	for i, name := range Members() {
		if name != member {
			continue
		}
		if v, ok := d.Int(n); ok && v >= 0 {
			c.n[i] = v
			return
		}
		c.bad++
	}
}

// clip quotes a name for a note, cut to 64 bytes.
func clip(s string) string { return fmt.Sprintf("%.64q", s) }
