package schemas

import (
	"strings"
	"testing"
	"time"

	"github.com/session-trace/ctx/internal/jsonscan"
)

// usual is a tool result with a native value of some 3 KB, as most records are.
func usual(t testing.TB) []byte {
	t.Helper()
	text := strings.Repeat("some output of a tool, line after line\\n", 40)
	raw := edited(t, good(t, "full", "record/tool_result"), "/native/record", `{"kind":"X","text":"`+text+`","list":[`+strings.Repeat(`{"a":1,"b":"c"},`, 40)+`1]}`)
	return edited(t, raw, "/content", `[{"type":"text","text":"`+text+`"}]`)
}

// BenchmarkAccept reports what a proof costs beside the scan that comes before it, and beside Check, in one run.
func BenchmarkAccept(b *testing.B) {
	s, raw := set(b), usual(b)
	doc := scanned(b, raw)
	var scan, check, accept time.Duration
	nodes := doc.Nodes
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		d, err := jsonscan.Scan(raw, nodes, jsonscan.Options{})
		scanned := time.Now()
		if err != nil || !s.Accept("record/tool_result", &d) {
			b.Fatal("not accepted")
		}
		accepted := time.Now()
		if found, err := s.Check("record/tool_result", raw); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
		nodes = d.Nodes
		scan, accept, check = scan+scanned.Sub(start), accept+accepted.Sub(scanned), check+time.Since(accepted)
	}
	b.ReportMetric(float64(accept)/float64(scan), "accept/scan")
	b.ReportMetric(float64(check)/float64(accept+scan), "check/(scan+accept)")
	b.ReportMetric(float64(accept.Nanoseconds())/float64(b.N), "accept-ns")
}
