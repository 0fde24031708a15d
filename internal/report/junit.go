package report

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/visible"
)

// JUnit appends a JUnit report: one suite a result, one case a rule of the catalogue and a test. A group that fails makes
// its case fail; findings that do not are its output. Times are 0: a report that shows a clock is never the same twice.
func JUnit(dst []byte, tool string, rules []Rule, results []Result) []byte {
	suites := make([]suite, len(results))
	var all suite
	for i := range results {
		suites[i] = newSuite(rules, &results[i])
		all.tests, all.failures, all.errors = all.tests+suites[i].tests, all.failures+suites[i].failures, all.errors+suites[i].errors
	}
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n<testsuites"...)
	dst = append(all.numbers(attribute(dst, "name", tool)), ">\n"...)
	for i := range suites {
		dst = append(suites[i].numbers(attribute(append(dst, "<testsuite"...), "name", suites[i].name)), ` skipped="0">`+"\n"...)
		dst = append(append(dst, suites[i].cases...), "</testsuite>\n"...)
	}
	return append(dst, "</testsuites>\n"...)
}

// suite is the cases of one result, written, and their numbers.
type suite struct {
	name                    string
	cases                   []byte
	tests, failures, errors int
}

func newSuite(rules []Rule, r *Result) suite {
	s := suite{name: visible.Text(r.Name)}
	if r.Err != nil {
		s.errors++
		s.add("read", outcome("error", "error", "not checked", visible.Lines(r.Err.Error())))
		return s
	}
	for i := range rules {
		s.rule(&rules[i], r)
	}
	for g := range r.bySeverity {
		if find(rules, g.Rule) == nil {
			s.rule(&Rule{ID: g.Rule, Title: "findings of a rule that is not in the catalogue"}, &Result{Groups: []Group{*g}})
		}
	}
	for _, t := range r.Tests {
		content := ""
		if t.Failed {
			s.failures++
			content = outcome("failure", t.Name, visible.Text(t.Message), "")
		}
		s.add(t.Name, content)
	}
	return s
}

// rule adds the case of one rule.
func (s *suite) rule(rule *Rule, r *Result) {
	var failed, passed []*Group
	for g := range r.bySeverity {
		if g.Rule == rule.ID && g.Fails {
			failed = append(failed, g)
		} else if g.Rule == rule.ID {
			passed = append(passed, g)
		}
	}
	content := ""
	if len(failed) > 0 {
		s.failures++
		words := make([]string, len(failed))
		for i, g := range failed {
			words[i] = count(g.Total, string(g.Severity))
		}
		content = outcome("failure", string(failed[0].Severity), strings.Join(words, ", ")+": "+rule.Title, listing(failed))
	}
	if len(passed) > 0 {
		content += "<system-out>" + escaped(listing(passed)) + "</system-out>\n"
	}
	s.add(rule.ID, content)
}

func (s *suite) add(name, content string) {
	s.tests++
	s.cases = attribute(attribute(append(s.cases, "<testcase"...), "name", name), "classname", s.name)
	s.cases = append(s.cases, ` time="0"`...)
	if content == "" {
		s.cases = append(s.cases, "/>\n"...)
		return
	}
	s.cases = append(s.cases, ">\n"+content+"</testcase>\n"...)
}

func (s *suite) numbers(dst []byte) []byte {
	dst = attribute(dst, "tests", strconv.Itoa(s.tests))
	dst = attribute(dst, "failures", strconv.Itoa(s.failures))
	return append(attribute(dst, "errors", strconv.Itoa(s.errors)), ` time="0"`...)
}

// outcome is the element that says that a case failed, and why.
func outcome(element, kind, message, text string) string {
	out := attribute(attribute([]byte("<"+element), "message", message), "type", kind)
	return string(out) + ">" + escaped(text) + "</" + element + ">\n"
}

// listing is the findings of groups, one a line.
func listing(groups []*Group) string {
	var b strings.Builder
	for _, g := range groups {
		for i := range g.Found {
			b.WriteString(string(g.Severity) + " " + g.Found[i].line() + "\n")
		}
		if rest := g.Rest(len(g.Found)); rest > 0 {
			b.WriteString("and " + strconv.FormatInt(rest, 10) + " more\n")
		}
	}
	return b.String()
}

func attribute(dst []byte, name, value string) []byte {
	return append(dst, " "+name+`="`+escaped(value)+`"`...)
}

// escaped is text as XML, of which only characters that XML 1.0 has are left; lines stay lines.
func escaped(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(line)) // a buffer takes everything
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}
