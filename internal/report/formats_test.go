package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/record"
)

// many is a result with n errors and n notices of one rule each, those of the notices failing.
func many(n int) []Result {
	counts := &record.Report{}
	groups := []Group{
		{Rule: "a", Severity: record.ErrorSeverity, Total: int64(n), Fails: true},
		{Rule: "b", Severity: record.NoticeSeverity, Total: int64(n), Fails: true},
	}
	for i := range n {
		for j := range groups {
			f := record.Finding{Rule: groups[j].Rule, Severity: groups[j].Severity, Record: fmt.Sprint("e", i), Message: "m"}
			counts.Findings.Add(f)
			groups[j].Found = append(groups[j].Found, Found{f, Place{"f.jsonl", Region{Line: i + 1}}})
		}
	}
	return []Result{{Name: "out", Counts: counts, Groups: groups}}
}

func manyRules() []Rule { return []Rule{{ID: "a", Title: "A"}, {ID: "b", Title: "B", Notice: true}} }

// suites is a JUnit report as its readers decode it.
type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  *int   `xml:"skipped,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Class   string    `xml:"classname,attr"`
			Time    string    `xml:"time,attr"`
			Failure *xmlFault `xml:"failure"`
			Error   *xmlFault `xml:"error"`
			Out     string    `xml:"system-out"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type xmlFault struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// Whatever a bundle holds, the report is XML, its numbers are those of its cases, and content is text.
func TestJUnitIsSound(t *testing.T) {
	raw := JUnit(nil, "t", hostileRules(), append(hostileResults(), many(3)...))
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	var got suites
	if err := xml.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	var tests, failures, faults int
	for _, s := range got.Suites {
		var failed, broken int
		for _, c := range s.Cases {
			if c.Failure != nil {
				failed++
			}
			if c.Error != nil {
				broken++
			}
			if c.Class != s.Name || c.Time != "0" || c.Name == "" {
				t.Errorf("case %+v of suite %q", c, s.Name)
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed || s.Errors != broken || s.Skipped == nil {
			t.Errorf("suite %q: %d tests, %d failures, %d errors; want %d, %d, %d", s.Name, s.Tests, s.Failures, s.Errors, len(s.Cases), failed, broken)
		}
		tests, failures, faults = tests+s.Tests, failures+s.Failures, faults+s.Errors
	}
	if got.Tests != tests || got.Failures != failures || got.Errors != faults {
		t.Errorf("%d tests, %d failures, %d errors; want %d, %d, %d", got.Tests, got.Failures, got.Errors, tests, failures, faults)
	}
	text := got.Suites[0].Cases[2].Failure.Text
	if want := `got "]]></failure><x>", \u001b[31m\u202e %0A`; !strings.Contains(text, want) {
		t.Errorf("failure %q, want %q in it", text, want)
	}
}

// sarifLog is the part of a log that code scanning reads.
type sarifLog struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID                   string
					ShortDescription     struct{ Text string }
					DefaultConfiguration struct{ Level string }
				}
			}
		}
		ColumnKind  string
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
				}
			}
			PartialFingerprints map[string]string
		}
	}
}

func decodeSarif(t *testing.T, raw []byte) sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(raw, &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].ColumnKind != "utf16CodeUnits" || len(log.Runs[0].Invocations) != 1 {
		t.Fatalf("log %+v, want one run", log)
	}
	return log
}

// Each result names its rule twice, alike, has a line and a fingerprint that no other has.
func TestSarifIsSound(t *testing.T) {
	results := append(hostileResults(), many(3)...)
	results = append(results, many(3)...) // a copy of a bundle
	run := decodeSarif(t, Sarif(nil, "t", "v", append(hostileRules(), manyRules()...), results)).Runs[0]
	prints := map[string]bool{}
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("rule %q by its index, %q by its id", got, r.RuleID)
		}
		if len(r.Locations) != 1 || r.Locations[0].PhysicalLocation.Region.StartLine < 1 || r.Locations[0].PhysicalLocation.ArtifactLocation.URI == "" {
			t.Errorf("result %+v without a place", r)
		}
		mark := r.PartialFingerprints["primaryLocationLineHash"]
		if mark == "" || prints[mark] {
			t.Errorf("fingerprint %q, want one of its own", mark)
		}
		prints[mark] = true
	}
	if got := len(run.Results); got != 15 {
		t.Errorf("%d results, want 15", got)
	}
	if run.Invocations[0].ExecutionSuccessful {
		t.Error("a success, want none: a bundle could not be read")
	}
}

// A fingerprint does not know lines and messages.
func TestSarifFingerprintsStay(t *testing.T) {
	before, after := many(1), many(1)
	f := &after[0].Groups[0].Found[0]
	f.Finding.Line, f.Region, f.Message = 700, Region{Line: 700, Column: 9}, "another"
	a := decodeSarif(t, Sarif(nil, "t", "v", nil, before)).Runs[0].Results[0]
	b := decodeSarif(t, Sarif(nil, "t", "v", nil, after)).Runs[0].Results[0]
	if d := cmp.Diff(a.PartialFingerprints, b.PartialFingerprints); d != "" {
		t.Errorf("fingerprints (-before +after):\n%s", d)
	}
	f.Record = "other"
	c := decodeSarif(t, Sarif(nil, "t", "v", nil, after)).Runs[0].Results[0]
	if cmp.Equal(b.PartialFingerprints, c.PartialFingerprints) {
		t.Error("the fingerprint of another record is the same")
	}
}

// No more results than an upload takes, errors first, and a note.
func TestSarifIsCapped(t *testing.T) {
	run := decodeSarif(t, Sarif(nil, "t", "v", manyRules(), many(4000))).Runs[0]
	levels := map[string]int{}
	for _, r := range run.Results {
		levels[r.Level]++
	}
	if d := cmp.Diff(map[string]int{"error": 4000, "note": 1000}, levels); d != "" {
		t.Errorf("results (-want +got):\n%s", d)
	}
	notes := run.Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || !strings.HasPrefix(notes[0].Message.Text, "3000 further results") {
		t.Errorf("notes %+v, want one about 3000 results", notes)
	}
}

func TestGitHubIsCapped(t *testing.T) {
	out := string(GitHub(nil, "t", manyRules(), many(40)))
	for _, level := range []string{"error", "warning"} {
		if got := strings.Count(out, "::"+level+" "); got != 10 {
			t.Errorf("%d of level %s, want 10", got, level)
		}
	}
	if want := "t: out: not valid, 40 errors, 40 notices\nt: 20 of 80 annotations are shown, at most 10 of each level\n"; !strings.HasSuffix(out, want) {
		t.Errorf("end of %s\nwant %s", out, want)
	}
}

// Each line is one command of ours, or none at all.
func TestGitHubIsNotSteered(t *testing.T) {
	for line := range strings.Lines(string(GitHub(nil, "ctx validate", hostileRules(), hostileResults()))) {
		rest, command := strings.CutPrefix(line, "::")
		if !command {
			if strings.Contains(line, "::") || strings.Contains(line, "##") {
				t.Errorf("line %q holds a command", line)
			}
			continue
		}
		properties, message, _ := strings.Cut(rest, "::")
		name, properties, _ := strings.Cut(properties, " ")
		if name != "error" && name != "notice" {
			t.Errorf("command %q", name)
		}
		for property := range strings.SplitSeq(properties, ",") {
			if key, value, ok := strings.Cut(property, "="); !ok || value == "" || !strings.Contains(" file line col title ", " "+key+" ") {
				t.Errorf("property %q of %q", property, line)
			}
		}
		if strings.Contains(message, "\r") || strings.Count(message, "\n") != 1 || strings.Contains(message, "%0") {
			t.Errorf("message %q", message)
		}
	}
}

// In Markdown everything from data is in a code span that ends where it should.
func TestCode(t *testing.T) {
	tests := []struct{ want, in string }{
		{"`a`", "a"},
		{"`a|b`", "a|b"},
		{"``a`b``", "a`b"},
		{"```` ``` ````", "```"},
		{"`` `a ``", "`a"},
		{"`  a `", " a"},
		{"`  `", ""},
		{"`<b>&amp;`", "<b>&amp;"},
		{"`a\\nb\\u202e`", "a\nb\u202e"},
	}
	for _, tt := range tests {
		if got := code(tt.in); got != tt.want {
			t.Errorf("code(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestMarkdownIsCut(t *testing.T) {
	results := append(many(5000), many(1)...)
	out := Markdown(nil, "t", manyRules(), results, MarkdownOptions{Bytes: 10_000})
	if len(out) > 11_000 {
		t.Errorf("%d bytes, want about 10000", len(out))
	}
	for _, want := range []string{"- and 4", "further rules", "1 further result"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in the report", want)
		}
	}
}

// No content breaks the printers or leaves a finding without a place.
func FuzzReports(f *testing.F) {
	f.Add(`{"id":"e1","role":"x"}`, `{"streams":[]}`, "/role", "m")
	f.Add("{\"a\":\"\xff", "[", "/a/0", "]]>")
	f.Fuzz(func(t *testing.T, line, manifest, pointer, message string) {
		files := madeFiles(manifest, manifest, line)
		var fs record.Findings
		for _, s := range []record.Severity{record.ErrorSeverity, record.NoticeSeverity} {
			for _, at := range []record.Finding{{Stream: "s", Line: 1}, {Stream: "s", Record: "e1"}, {Rule: "report"}, {Rule: "manifest", Stream: "s"}, {}} {
				at.Severity, at.Pointer, at.Message = s, pointer, message
				fs.Add(at)
			}
		}
		groups := Locate(files, fs.Groups())
		for _, g := range groups {
			for _, found := range g.Found {
				if found.File == "" || found.Region.Line < 1 || found.EndLine > 0 && (found.EndLine < found.Region.Line ||
					found.EndLine == found.Region.Line && found.EndColumn < found.Column) {
					t.Errorf("%+v has the place %+v", found.Finding, found.Place)
				}
			}
		}
		results := []Result{{Name: message, Counts: &record.Report{Findings: fs}, Groups: groups}}
		if err := xml.Unmarshal(JUnit(nil, "t", []Rule{{ID: ""}, {ID: "report"}, {ID: "manifest"}}, results), new(suites)); err != nil {
			t.Error(err)
		}
		if !json.Valid(Sarif(nil, "t", "v", nil, results)) {
			t.Error("the SARIF log is no JSON")
		}
		GitHub(nil, "t", nil, results)
		Markdown(nil, "t", nil, results, MarkdownOptions{})
	})
}

// A finding is in the report even when its rule is in no catalogue; ids and pointers of any length are clipped.
func TestOddFindings(t *testing.T) {
	var got suites
	if err := xml.Unmarshal(JUnit(nil, "t", nil, many(2)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 2 || got.Failures != 2 {
		t.Errorf("%d tests, %d failures, want 2 and 2", got.Tests, got.Failures)
	}
	f := Found{Finding: record.Finding{Record: strings.Repeat("é", 5000), Pointer: "/a", Message: "m"}, Place: Place{File: "f"}}
	if want := "f " + strings.Repeat("é", 128) + "… /a: m"; f.line() != want {
		t.Errorf("line %s, want %s", f.line(), want)
	}
	f.Record = "x" + f.Record
	if want := "x" + strings.Repeat("é", 127) + "… /a"; f.subject() != want {
		t.Errorf("subject %s, want %s", f.subject(), want)
	}
}
