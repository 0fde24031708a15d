package main

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"

	"github.com/session-trace/ctx/internal/record"
)

// result is what a run found.
type result struct {
	seed   uint64
	truths []*Truth
	ratios []ratioRow
	memory []memoryRow
}

type ratioRow struct {
	ratio
	spread
	set     string
	rounds  int
	verdict verdict
}

type memoryRow struct {
	memory
	set     string
	peak    float64 // MiB
	verdict verdict
}

func newResult(o *options) *result { return &result{seed: o.seed} }

// add judges what was measured over one set.
func (r *result) add(p plan, t *Truth, m *measured) {
	r.truths = append(r.truths, t)
	for _, q := range p.ratios {
		values := m.values(q)
		s := spreadOf(values)
		r.ratios = append(r.ratios, ratioRow{q, s, p.set, len(values), judge(s, q.gate)})
	}
	for _, b := range p.memory {
		peak := m.peak(b.variant)
		r.memory = append(r.memory, memoryRow{b, p.set, peak, judgeMost(peak, b.gate)})
	}
}

// verdict is fail when any gate does not hold, else too noisy when one cannot be judged, else pass.
func (r *result) verdict() verdict {
	all := pass
	for _, v := range r.verdicts() {
		if v == fail {
			return fail
		}
		if v == tooNoisy {
			all = tooNoisy
		}
	}
	return all
}

func (r *result) verdicts() []verdict {
	var list []verdict
	for _, row := range r.ratios {
		list = append(list, row.verdict)
	}
	for _, row := range r.memory {
		list = append(list, row.verdict)
	}
	return list
}

// render is the result as JSON alone, or as Markdown with the JSON at its end.
func (r *result) render(jsonAlone bool) []byte {
	raw := append(r.appendJSON(nil), '\n')
	if jsonAlone {
		return raw
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# ctx benchmark: %s\n\n%d workers, seed %d. CPU is user and system time of whole processes; ratios are medians of rounds.\n",
		r.verdict(), runtime.GOMAXPROCS(0), r.seed)
	if len(r.ratios) > 0 {
		b.WriteString("\n| CPU | set | median | quartiles | rounds | goal | gate | |\n|---|---|---|---|---|---|---|---|\n")
	}
	for _, row := range r.ratios {
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f to %.2f | %d | %s | %s | %s |\n", row.name, row.set, row.median, row.q1, row.q3,
			row.rounds, bound("≥ ", row.goal), bound("≥ ", row.gate), row.verdict)
	}
	if len(r.memory) > 0 {
		b.WriteString("\n| peak memory | set | MiB | goal | gate | |\n|---|---|---|---|---|---|\n")
	}
	for _, row := range r.memory {
		fmt.Fprintf(&b, "| %s | %s | %.1f | %s | %s | %s |\n", row.variant, row.set, row.peak,
			bound("≤ ", row.goal), bound("≤ ", row.gate), row.verdict)
	}
	b.WriteString("\n| set | conversations | events | bytes | of them states | records |\n|---|---|---|---|---|---|\n")
	for _, t := range r.truths {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", t.Set, t.Conversations, t.Events, t.Bytes, t.StateBytes, t.Records())
	}
	fmt.Fprintf(&b, "\n```json\n%s```\n", raw)
	return b.Bytes()
}

func bound(sign string, f float64) string {
	if f == 0 {
		return ""
	}
	return sign + strconv.FormatFloat(f, 'f', -1, 64)
}

func (r *result) appendJSON(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"verdict":`...), string(r.verdict()))
	dst = record.AppendInt(record.AppendKey(dst, "seed"), int64(r.seed))
	dst = record.AppendInt(record.AppendKey(dst, "workers"), int64(runtime.GOMAXPROCS(0)))
	dst = append(record.AppendKey(dst, "ratios"), '[')
	for i, row := range r.ratios {
		dst = row.appendJSON(comma(dst, i))
	}
	dst = append(record.AppendKey(append(dst, ']'), "memory"), '[')
	for i, row := range r.memory {
		dst = row.appendJSON(comma(dst, i))
	}
	dst = append(record.AppendKey(append(dst, ']'), "sets"), '[')
	for i, t := range r.truths {
		dst = t.AppendJSON(comma(dst, i))
	}
	return append(dst, ']', '}')
}

func (row *ratioRow) appendJSON(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"name":`...), row.name)
	dst = record.AppendString(record.AppendKey(dst, "set"), row.set)
	dst = record.AppendString(record.AppendKey(dst, "over"), row.over)
	dst = record.AppendString(record.AppendKey(dst, "under"), row.under)
	dst = record.AppendInt(record.AppendKey(dst, "rounds"), int64(row.rounds))
	dst = appendRounded(record.AppendKey(dst, "median"), row.median)
	dst = appendRounded(record.AppendKey(dst, "q1"), row.q1)
	dst = appendRounded(record.AppendKey(dst, "q3"), row.q3)
	return appendJudged(dst, row.goal, row.gate, row.verdict)
}

func (row *memoryRow) appendJSON(dst []byte) []byte {
	dst = record.AppendString(append(dst, `{"variant":`...), row.variant)
	dst = record.AppendString(record.AppendKey(dst, "set"), row.set)
	dst = appendRounded(record.AppendKey(dst, "peakMiB"), row.peak)
	return appendJudged(dst, row.goal, row.gate, row.verdict)
}

func appendJudged(dst []byte, goal, gate float64, v verdict) []byte {
	if goal > 0 {
		dst = appendRounded(record.AppendKey(dst, "goal"), goal)
	}
	if gate > 0 {
		dst = appendRounded(record.AppendKey(dst, "gate"), gate)
	}
	return append(record.AppendString(record.AppendKey(dst, "verdict"), string(v)), '}')
}

func appendRounded(dst []byte, f float64) []byte { return strconv.AppendFloat(dst, f, 'f', 3, 64) }

func comma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}
