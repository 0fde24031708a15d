package report

import (
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/visible"
)

// MarkdownOptions says how much of the results to print. The zero value prints all.
type MarkdownOptions struct {
	Places  int  // listed for one rule; 0: all that the groups list
	Bytes   int  // of the report, about; 0: any number
	Explain bool // say what each rule means
}

// Markdown appends a report in Markdown, in the dialect of GitHub: for each result its counts as a table, then the findings
// by rule. Everything that comes from data stands in code spans, in which nothing is markup, a link or a mention.
func Markdown(dst []byte, tool string, rules []Rule, results []Result, o MarkdownOptions) []byte {
	m := markdown{start: len(dst), out: append(dst, "## "+tool+"\n"...), rules: rules, o: o}
	for i := range results {
		if m.full() {
			m.out = append(m.out, "\nThe report ends here: "+count(int64(len(results)-i), "further result")+" would make it too long.\n"...)
			break
		}
		m.result(&results[i])
	}
	return m.out
}

type markdown struct {
	start int
	out   []byte
	rules []Rule
	o     MarkdownOptions
}

func (m *markdown) full() bool { return m.o.Bytes > 0 && len(m.out)-m.start > m.o.Bytes }

func (m *markdown) result(r *Result) {
	m.out = append(m.out, "\n### "+code(r.Name)+": "+r.verdict()+"\n\n"...)
	if r.Err != nil {
		m.out = append(m.out, code(r.Err.Error())+"\n"...)
		return
	}
	c := r.Counts
	m.out = append(m.out, "| streams | records | items | gaps | errors | notices | unidentified sources |\n|--:|--:|--:|--:|--:|--:|--:|\n|"...)
	for _, n := range [...]int64{c.Streams, c.Records, c.Items, c.Gaps, c.Errors(), c.Notices(), c.UnidentifiedSources} {
		m.out = append(strconv.AppendInt(append(m.out, ' '), n, 10), " |"...)
	}
	m.out = append(m.out, '\n')
	if len(r.Fails) > 0 {
		m.out = append(m.out, "\n**Fails** (`--fail-on`): "+code(strings.Join(r.Fails, ", "))+"\n"...)
	}
	explained := map[string]bool{}
	for g := range r.bySeverity {
		if m.full() {
			m.out = append(m.out, "\nThe report ends here: further rules would make it too long.\n"...)
			return
		}
		m.group(g, !explained[g.Rule])
		explained[g.Rule] = true
	}
}

// group writes the findings of one rule, and what it means when that is asked for.
func (m *markdown) group(g *Group, first bool) {
	m.out = append(m.out, "\n**"+string(g.Severity)+"** "+code(g.Rule)+" ("+strconv.FormatInt(g.Total, 10)+")"...)
	rule := find(m.rules, g.Rule)
	if rule != nil {
		m.out = append(m.out, ": "+prose(rule.Title)...)
	}
	m.out = append(m.out, "\n\n"...)
	most := len(g.Found)
	if m.o.Places > 0 {
		most = min(most, m.o.Places)
	}
	for i := range g.Found[:most] {
		if m.full() {
			most = i
			break
		}
		m.found(&g.Found[i])
	}
	if rest := g.Rest(most); rest > 0 {
		m.out = append(m.out, "- and "+strconv.FormatInt(rest, 10)+" more\n"...)
	}
	if rule == nil || !m.o.Explain || !first {
		return
	}
	for _, p := range [...]string{rule.Doc, rule.Remedy} {
		if p != "" {
			m.out = append(m.out, "\n> "+strings.ReplaceAll(prose(p), "\n", "\n> ")+"\n"...)
		}
	}
}

func (m *markdown) found(f *Found) {
	m.out = append(m.out, "- "+code(f.place())...)
	if subject := f.subject(); subject != "" {
		m.out = append(m.out, " "+code(subject)...)
	}
	m.out = append(m.out, ": "+code(f.message())+"\n"...)
}

func find(rules []Rule, id string) *Rule {
	for i := range rules {
		if rules[i].ID == id {
			return &rules[i]
		}
	}
	return nil
}

// code is text in a code span, fenced with more backticks than stand in it.
func code(s string) string {
	s = visible.Text(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s == "" || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// prose is text of ours with what Markdown or HTML would read as markup escaped.
func prose(s string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune("\\`*_{}[]<>#|~&@$", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
