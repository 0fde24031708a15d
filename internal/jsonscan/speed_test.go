package jsonscan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// event is in the shape and size of a usual native event.
func event(n int) []byte {
	text := strings.Repeat(`I'll look at the \"config\" first:\n\n`+"```"+`go\nfunc main() {\n\tfmt.Println(\"x\")\n}\n`+"```"+`\nThen the tests in ./internal/… run once more. `, 16)
	return fmt.Appendf(nil, `{"id":"3f2a9c1e-%04d-4b7e-9f00-0123456789ab","timestamp":"2026-02-03T04:05:06.%06d","source":"agent","kind":"ActionEvent",`+
		`"thought":[{"cache_prompt":false,"type":"text","text":"%s"}],"reasoning_content":null,"thinking_blocks":[],"responses_reasoning_item":null,`+
		`"action":{"kind":"TerminalAction","command":"cd /repo && go test ./... 2>&1 | tail -n 20","is_input":false,"timeout":null,"reset":false},`+
		`"tool_name":"terminal","tool_call_id":"toolu_%020d","tool_call":{"id":"toolu_%020d","name":"terminal","arguments":"{\"command\": \"cd /repo && go test ./... 2>&1 | tail -n 20\", \"security_risk\": \"LOW\"}","origin":"completion"},`+
		`"llm_response_id":"chatcmpl-%012d","security_risk":"LOW","critic_result":null,"summary":"Run the tests","latency":%d.%d}`,
		n%10_000, n, text, n, n, n, n%9, n)
}

func corpora(b *testing.B) map[string][][]byte {
	b.Helper()
	var real [][]byte
	for _, raw := range realFiles(b) {
		if json.Valid(raw) {
			real = append(real, raw)
		}
	}
	synthetic := make([][]byte, 64)
	for i := range synthetic {
		synthetic[i] = event(i)
	}
	image := `{"id":"1","image":"data:image/png;base64,` + strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 8_000) + `"}`
	var lists []byte
	for i := range 4_000 {
		lists = fmt.Appendf(lists, `,{"n":%d,"t":true,"x":[%d.5,null]}`, i, i)
	}
	return map[string][][]byte{
		"real":   real,
		"event":  synthetic,
		"base64": {[]byte(image)},
		"cjk":    {[]byte(`{"text":"` + strings.Repeat("会話の記録を読む。", 2_000) + `"}`)},
		"small":  {[]byte("[" + string(lists[1:]) + "]")},
	}
}

// BenchmarkScan measures both in turn, in one run: only their ratio is worth anything.
func BenchmarkScan(b *testing.B) {
	all := corpora(b)
	for _, name := range []string{"event", "real", "base64", "cjk", "small"} {
		corpus := all[name]
		if len(corpus) == 0 {
			continue
		}
		b.Run(name, func(b *testing.B) { benchmarkRatio(b, corpus) })
	}
}

func benchmarkRatio(b *testing.B, corpus [][]byte) {
	size := 0
	for _, raw := range corpus {
		size += len(raw)
	}
	nodes := make([]Node, 0, 1<<16)
	var ours, theirs []time.Duration
	b.SetBytes(int64(size))
	for b.Loop() {
		begin := time.Now()
		for _, raw := range corpus {
			d, err := Scan(raw, nodes, Options{NonFinite: true})
			if err != nil {
				b.Fatal(err)
			}
			nodes = d.Nodes
		}
		ours = append(ours, time.Since(begin))
		b.StopTimer()
		begin = time.Now()
		for _, raw := range corpus {
			if !json.Valid(raw) {
				b.Fatal("not valid")
			}
		}
		theirs = append(theirs, time.Since(begin))
		b.StartTimer()
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	b.ReportMetric(float64(theirs[len(theirs)/2])/float64(ours[len(ours)/2]), "times-json.Valid")
}

func TestScanAllocatesNothing(t *testing.T) {
	wide := []byte(`{"k0":0`)
	for i := 1; i < roomNames; i++ {
		wide = fmt.Appendf(wide, `,"k%d":%d.123456789012345678`, i, i)
	}
	for name, raw := range map[string][]byte{"event": event(1), "wide": append(wide, '}')} {
		nodes := make([]Node, 0, 1024)
		if got := testing.AllocsPerRun(100, func() {
			if _, err := Scan(raw, nodes, Options{}); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%s: %v allocations, want 0", name, got)
		}
	}
	d := mustScan(t, `{"\u0061":"x\ny\ud83d\ude00"}`)
	if got := testing.AllocsPerRun(100, func() {
		if !d.Equal(d.Find(0, "a"), "x\ny😀") {
			t.Error("not equal")
		}
	}); got != 0 {
		t.Errorf("Find and Equal: %v allocations, want 0", got)
	}
}
