package validator

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/bundle"
)

// The first record of a stream that stands alone says what all of it is held against.
func TestLoneStream(t *testing.T) {
	const name = "dev.agent"
	head := strings.Split(sound().text(), "\n")[0]
	if !strings.Contains(head, `"agent":"`+name+`"`) {
		t.Fatalf("the sound stream is of another agent: %s", head)
	}
	entry := []byte(`{"name":"` + name + `","version":"1","destinations":{"known":{},"metrics":{},"state":{}}}`)
	vendor := func(key string) string {
		lines := slices.Clone(sound().lines)
		lines[0] = strings.TrimSuffix(lines[0], "}") + `,"_meta":{"` + key + `":1}}`
		return strings.Join(lines, "\n") + "\n"
	}
	asked := ""
	of := func(raw []byte) func(string) []byte {
		return func(agent string) []byte { asked = agent; return raw }
	}
	tests := []struct {
		want    []string
		agent   string // that the entry was asked for
		name    string
		text    string
		entryOf func(string) []byte
	}{
		{nil, name, "sound", sound().text(), of(entry)},
		{nil, name, "a key of the entry", vendor(name + "/known"), of(entry)},
		{[]string{"error meta-key"}, name, "another key", vendor(name + "/other"), of(entry)},
		{nil, name, "no entry", vendor(name + "/other"), of(nil)},
		{nil, name, "no entry that is one", vendor(name + "/other"), of([]byte("["))},
		{nil, name, "the entry of another", vendor(name + "/other"), of(bytes.Replace(entry, []byte(name), []byte("dev.example.else"), 1))},
		{nil, "", "nobody to ask", vendor(name + "/other"), nil},
		{[]string{"error json"}, "", "no first record", strings.Replace(sound().text(), "{", "[", 1), of(entry)},
		{[]string{"error session-info"}, name, "another session at the end", strings.Replace(sound().text(), last(sound().lines), otherSession(last(sound().lines)), 1), of(entry)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked = ""
			report := validateText(t, iotest.HalfReader(strings.NewReader(tt.text)), Options{EntryOf: tt.entryOf})
			got := rulesOf(&report.Findings)
			if tt.name == "no first record" && len(got) > 0 {
				got = slices.DeleteFunc(got, func(rule string) bool { return rule != "error json" })
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("rules (-want +got):\n%s%s", d, listed(report))
			}
			if asked != tt.agent {
				t.Errorf("the entry of %q was asked for, want %q", asked, tt.agent)
			}
			if report.Streams != 1 || report.Records == 0 {
				t.Errorf("got %d streams, %d records", report.Streams, report.Records)
			}
		})
	}
}

func last(lines []string) string { return lines[len(lines)-1] }

// otherSession gives a session_info another session id.
func otherSession(line string) string {
	start, rest, _ := strings.Cut(line, `"sessionId":"`)
	return start + `"sessionId":"other-` + rest
}

// A head that does not end within bounds is none, and the stream is read all the same.
func TestLoneLongHead(t *testing.T) {
	asked := false
	text := `{"type":"session_info","agent":"a.b","x":"` + strings.Repeat("x", 2*maxHead) + "\"}\n"
	report := validateText(t, strings.NewReader(text), Options{EntryOf: func(string) []byte { asked = true; return nil }})
	if asked || report.Records != 1 {
		t.Errorf("asked %v, got %d records, want none asked and 1", asked, report.Records)
	}
}

// Bytes that cannot be decompressed are a finding at their place; a machine that cannot read is an error.
func TestLoneFaults(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		lines := strings.SplitAfter(sound().text(), "\n")
		begun := strings.NewReader(strings.Join(lines[:3], ""))
		report := validateText(t, io.MultiReader(begun, iotest.ErrReader(errors.New("corrupt"))), Options{Jobs: jobs})
		if !strings.Contains(listed(report), "got bytes that cannot be decompressed, and read no further") {
			t.Errorf("jobs %d: got no such finding:\n%s", jobs, listed(report))
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := ValidateStream(ctx, strings.NewReader(sound().text()), "s", Options{Jobs: jobs}); !errors.Is(err, context.Canceled) {
			t.Errorf("jobs %d: got %v, want the end of the context", jobs, err)
		}
	}
}

// A stream of empty lines without end is given up, at the same line whatever the jobs.
func TestGivenUp(t *testing.T) {
	var reports []string
	for _, jobs := range []int{1, 4} {
		r := &endless{}
		report := validateText(t, r, Options{Jobs: jobs})
		if r.n > 64<<20 {
			t.Errorf("jobs %d: read %d bytes, want an early end", jobs, r.n)
		}
		if report.Records < maxLost || report.Records > maxLost+2*blockLines {
			t.Errorf("jobs %d: got %d records, want about %d", jobs, report.Records, maxLost)
		}
		if !strings.Contains(listed(report), "tail-record line") || !strings.Contains(listed(report), "got more than 1000000 lines that are no records, and read no further") {
			t.Errorf("jobs %d: got no word of the end:\n%s", jobs, listed(report))
		}
		reports = append(reports, listed(report))
	}
	if d := cmp.Diff(reports[0], reports[1]); d != "" {
		t.Errorf("jobs change the report (-1 +4):\n%s", d)
	}
}

// endless is line feeds for ever.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	e.n += int64(len(p))
	return len(p), nil
}

// What breaks a rule about lines is found in a stream that stands alone too, and only what is about the bundle is not.
func TestLoneRules(t *testing.T) {
	beyond := strings.Fields("blob-hash blob-missing blob-unreferenced native-reason manifest registry report selection stray-file")
	for _, f := range ruleFixtures() {
		for _, c := range []string{"pass", "fail"} {
			want := []string{"error " + f.rule}
			if c == "pass" || slices.Contains(beyond, f.rule) {
				want = nil
			}
			if d := cmp.Diff(want, loneRules(t, filepath.Join(fixtures, f.rule, c))); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", f.rule, c, d)
			}
		}
	}
}

// loneRules are the rules that the streams of a bundle break, each on its own, with the bundle's entry.
func loneRules(t *testing.T, dir string) []string {
	t.Helper()
	b, err := bundle.Open(dir)
	must(t, err)
	defer b.Close()
	entryOf := func(string) []byte {
		raw, err := b.Blob(b.Manifest().Registry[0].SHA256)
		if err != nil {
			return nil
		}
		return raw
	}
	var all []string
	for _, s := range b.Manifest().Streams {
		r, err := b.Stream(s)
		if err != nil {
			continue
		}
		report, err := ValidateStream(context.Background(), r, s.ID, Options{EntryOf: entryOf})
		must(t, err)
		must(t, r.Close())
		all = append(all, rulesOf(&report.Findings)...)
	}
	return sorted(all)
}
