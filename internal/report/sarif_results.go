package report

import (
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/visible"
)

// Sarif appends results as a log. Accepted findings are not in it.
func Sarif(dst []byte, tool, version string, rules []Rule, results []Result) []byte {
	l := Log{Tool: tool, Version: version, Rules: rules}
	for i := range results {
		r := &results[i]
		if r.Err != nil {
			l.Broken = append(l.Broken, r.Name+": "+r.Err.Error())
			continue
		}
		for g := range r.bySeverity {
			l.group(r.Name, g)
		}
	}
	return AppendLog(dst, &l)
}

func (l *Log) group(name string, g *Group) {
	for i := range g.Found {
		f := &g.Found[i]
		l.Alerts = append(l.Alerts, Alert{
			Rule: f.Rule, Notice: f.Severity == record.NoticeSeverity, Message: f.said(), Place: f.Place,
			Subject: strings.TrimSpace(clipped(f.Record) + " " + clipped(f.Pointer)),
			Key:     strings.Join([]string{f.Rule, f.Stream, f.Record, f.Pointer}, "\x00"), Count: f.Count,
		})
	}
	if rest := g.Rest(len(g.Found)); rest > 0 {
		l.Notes = append(l.Notes, visible.Text(name)+": further findings of the rule "+g.Rule+" that are counted and not listed: "+strconv.FormatInt(rest, 10))
	}
}
