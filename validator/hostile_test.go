package validator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

func validateText(t *testing.T, text io.Reader, o Options) *record.Report {
	t.Helper()
	report, err := ValidateStream(context.Background(), text, "stream", o)
	must(t, err)
	return report
}

func TestValidateStreamSound(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		report := validateText(t, strings.NewReader(sound().text()), Options{Jobs: jobs})
		if list := rulesOf(&report.Findings); list != nil {
			t.Errorf("jobs %d: findings %v, want none\n%s", jobs, list, listed(report))
		}
		if report.Records != 10 || report.Items != 5 || report.Gaps != 1 {
			t.Errorf("jobs %d: got %d records, %d items, %d gaps, want 10, 5, 1", jobs, report.Records, report.Items, report.Gaps)
		}
	}
}

func TestHostileLines(t *testing.T) {
	lines := sound().lines
	tests := []struct {
		want []string
		name string
		line string
	}{
		{[]string{"error json"}, "40 MB of [", strings.Repeat("[", 40<<20)},
		{[]string{"error json"}, "40 MB of values", "[1" + strings.Repeat(",1", 20<<20) + "]"},
		{[]string{"error json"}, "deep objects", strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000)},
		{[]string{"error schema"}, "10 MB of text", `{"type":"` + strings.Repeat("x", 10<<20) + `"}`},
		{[]string{"error json"}, "an exponent", `1e2000000`},
		{[]string{"error unsafe-number"}, "a counter with an exponent", strings.Replace(lines[3], `"inputTokens":5`, `"inputTokens":1e2000000`, 1)},
		{[]string{"error json"}, "NUL", "\x00\x00"},
		{[]string{"error json"}, "not UTF-8", "{\"type\":\"\xff\"}"},
		{[]string{"error schema"}, "many members", `{"type":"plan"` + manyMembers(50000) + `}`},
		{[]string{"error json"}, "over the limit", strings.Repeat(" ", 64<<20+1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Join(append(append([]string{lines[0]}, tt.line), lines[1:]...), "\n") + "\n"
			report := validateText(t, strings.NewReader(text), Options{Jobs: 1, MaxLine: 64 << 20})
			known(t, &report.Findings)
			got := rulesOf(&report.Findings)
			for _, want := range tt.want {
				if !strings.Contains(strings.Join(got, ","), want) {
					t.Errorf("rules %v lack %s", got, want)
				}
			}
			for _, f := range report.Findings.Sorted() {
				if len(f.Message) > 400 {
					t.Errorf("message of %d bytes, want it short", len(f.Message))
				}
			}
		})
	}
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":1`, i)
	}
	return b.String()
}

// long yields a sound stream of n messages, each with a native value of about size bytes.
func long(n, size int, change func(i int, line string) string) io.Reader {
	lines := sound().lines
	read, write := io.Pipe()
	go func() {
		w := &bytes.Buffer{}
		fmt.Fprintln(w, lines[0])
		pad := strings.Repeat("x", size)
		for i := range n {
			parent := ""
			if i > 0 {
				parent = fmt.Sprintf(`"parent":"event-%d",`, i-1)
			}
			line := fmt.Sprintf(`{"type":"message","id":"event-%d","position":{"family":"transcript","ordinal":%d,"id":"event-%d"},%s`+
				`"role":"user","origin":"user","content":[],"native":{"record":{"kind":"Message","pad":"%s"}}}`, i, i, i, parent, pad)
			if change != nil {
				line = change(i, line)
			}
			fmt.Fprintln(w, line)
			if w.Len() > 1<<20 || i == n-1 {
				if _, err := io.Copy(write, w); err != nil {
					return
				}
			}
		}
		fmt.Fprintf(write, `{"type":"session_info","id":"end","position":{"family":"current-state"},"sessionId":"s-1","agent":"dev.agent","format":"agent-events","phase":"end"}`+"\n")
		write.Close()
	}()
	return read
}

func TestJobsGiveOneReport(t *testing.T) {
	change := func(i int, line string) string {
		switch {
		case i%7 == 3:
			return strings.Replace(line, `"role":"user",`, "", 1)
		case i%1000 == 500:
			return strings.Replace(line, `"role":"user"`, `"role":"user","parent":"nobody"`, 1)
		case i == 4001:
			return strings.Repeat("\n", 20000)
		}
		return line
	}
	var want string
	for _, jobs := range []int{1, 2, 8} {
		report := validateText(t, long(9000, 1000, change), Options{Jobs: jobs})
		if report.Errors() < 20_000 {
			t.Errorf("jobs %d: got %d errors, want one for each of 20,001 blank lines", jobs, report.Errors())
		}
		got := string(record.AppendReport(nil, report))
		if want == "" {
			want = got
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("jobs %d (-want +got):\n%s", jobs, d)
		}
	}
}

func TestStreamMemory(t *testing.T) {
	var peak uint64
	watch := func(int64) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // so that the heap is what is held, not what other tests left
	runtime.GC()
	report := validateText(t, long(100_000, 200, nil), Options{Jobs: 2, Progress: watch})
	if report.Records != 100_002 || report.Errors() != 0 {
		t.Fatalf("got %d records and %d errors, want 100002 and 0\n%s", report.Records, report.Errors(), listed(report))
	}
	if limit := uint64(48 << 20); peak > limit {
		t.Errorf("heap peaks at %d bytes, want at most %d", peak, limit)
	}
}

// A session of 100,000 events must leave room for the rest of a conversion.
func TestSessionMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := NewSession()
	h := headFacts()
	s.Record(&h)
	for i := range int64(100_000) {
		f := primary(record.Message, i, fmt.Sprintf("event-%08d-0123456789abcdef", i))
		if i > 0 {
			f.Parent = fmt.Sprintf("event-%08d-0123456789abcdef", i-1)
		}
		s.Record(&f)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 10<<20 {
		t.Errorf("a session of 100,000 records holds %d bytes, want at most 10 MiB", held)
	}
	if sum := s.Close(); sum.Items != 100_000 {
		t.Errorf("got %d items, want 100000", sum.Items)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Validate(ctx, sound().write(t), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestCompressed(t *testing.T) {
	tests := []struct {
		want  []string
		name  string
		after func(t *testing.T, dir string)
	}{
		{nil, "sound", nil},
		{[]string{"error manifest"}, "cut", func(t *testing.T, dir string) {
			path := filepath.Join(dir, "streams", "agent-s1.jsonl.zst")
			info, err := os.Stat(path)
			must(t, err)
			must(t, os.Truncate(path, info.Size()-9))
		}},
		{[]string{"error manifest"}, "no frame", func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "streams", "agent-s1.jsonl.zst"), []byte("not compressed"), 0o644))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := sound()
			m.compress, m.after = bundle.Zstd, tt.after
			report, err := Validate(context.Background(), m.write(t), Options{})
			must(t, err)
			for _, rule := range tt.want {
				if !slices.Contains(rulesOf(&report.Findings), rule) {
					t.Errorf("rules %v lack %s", rulesOf(&report.Findings), rule)
				}
			}
			if tt.want == nil && report.Errors() > 0 {
				t.Errorf("got errors, want none\n%s", listed(report))
			}
		})
	}
}
