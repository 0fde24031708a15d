package validator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
)

// BenchmarkStream is the check of a stream of 5,000 records of about 3 KB, in one goroutine, per record.
func BenchmarkStream(b *testing.B) {
	var text bytes.Buffer
	if _, err := io.Copy(&text, turns(1250)); err != nil {
		b.Fatal(err)
	}
	records := 0
	b.ReportAllocs()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		report, err := ValidateStream(context.Background(), bytes.NewReader(text.Bytes()), "s", Options{Jobs: 1})
		if err != nil || report.Errors() > 0 {
			b.Fatalf("got %v and %s, want a sound stream", err, listed(report))
		}
		records = int(report.Records)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
}

// turns is a stream of n turns: a call with its inference, and its result.
func turns(n int) io.Reader {
	var b bytes.Buffer
	fmt.Fprintln(&b, sound().lines[0])
	pad := ""
	for i := range 40 {
		pad += fmt.Sprintf(`,"member%d":{"text":"some words of a native value, \"quoted\"","n":%d,"list":[1,2.5,true,null]}`, i, i)
	}
	parent := ""
	for i := range n {
		call, result := fmt.Sprintf("call-%d", i), fmt.Sprintf("result-%d", i)
		position := func(ordinal int, id string) string {
			return fmt.Sprintf(`"position":{"family":"transcript","ordinal":%d,"id":%q},"time":"2026-01-02T03:04:05.000001"`, ordinal, id)
		}
		fmt.Fprintf(&b, `{"type":"inference","id":"inference:r%d",%s,"responseId":"r%d","usage":{"inputTokens":5,"outputTokens":7},"_meta":{"dev.agent/metrics":{"bucket":"main"}}}`+"\n", i, position(2*i, call), i)
		fmt.Fprintf(&b, `{"type":"message","id":"%s#thought",%s%s,"inference":"inference:r%d","role":"assistant","origin":"agent","content":[{"type":"text","text":"let me look at it"}]}`+"\n", call, position(2*i, call), parent, i)
		fmt.Fprintf(&b, `{"type":"tool_call","id":"%s",%s%s,"inference":"inference:r%d","callId":"c%d","name":"terminal","arguments":"{\"command\": \"ls\"}","native":{"record":{"kind":"Action"%s}}}`+"\n", call, position(2*i, call), parent, i, i, pad)
		fmt.Fprintf(&b, `{"type":"tool_result","id":"%s",%s,"parent":"%s","call":"%s","status":"ok","content":[{"type":"text","text":"a listing"}],"rendering":"persisted","native":{"record":{"kind":"Observation"%s}}}`+"\n", result, position(2*i+1, result), call, call, pad)
		parent = fmt.Sprintf(`,"parent":"%s"`, result)
	}
	fmt.Fprintf(&b, `{"type":"session_info","id":"end","position":{"family":"current-state"},"sessionId":"s-1","agent":"dev.agent","format":"agent-events","phase":"end","usageCoverage":{"responses":%d,"withUsage":%d,"leftOver":0,"complete":true}}`+"\n", n, n)
	return &b
}
