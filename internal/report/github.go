package report

import (
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/visible"
)

// mostAnnotations is how many annotations of one level GitHub shows for a step.
const mostAnnotations = 10

// GitHub appends workflow commands that annotate files, at most 10 of each level, and below them a line a result. Errors are
// errors, notices that make a result fail are warnings, the others are notices.
func GitHub(dst []byte, tool string, rules []Rule, results []Result) []byte {
	a := annotations{out: dst, left: map[string]int{}}
	for i := range results {
		if err := results[i].Err; err != nil {
			a.add("error", nil, tool, visible.Text(results[i].Name)+": not checked: "+visible.Text(err.Error()))
		}
	}
	for i := range results {
		for g := range results[i].bySeverity {
			for j := range g.Found {
				a.add(g.level(), &g.Found[j].Place, heading(rules, g.Rule), g.Found[j].said())
			}
			a.all += g.Rest(len(g.Found))
		}
		for _, t := range results[i].Tests {
			if t.Failed {
				a.add("error", nil, tool, visible.Text(results[i].Name)+": "+visible.Text(t.Message)+" (--fail-on "+visible.Text(t.Name)+")")
			}
		}
	}
	for i := range results {
		a.plain(tool + ": " + visible.Text(results[i].Name) + ": " + strings.TrimSuffix(results[i].verdict()+"; "+results[i].fails(), "; "))
	}
	if a.shown < a.all {
		a.plain(tool + ": " + strconv.FormatInt(a.shown, 10) + " of " + strconv.FormatInt(a.all, 10) + " annotations are shown, at most " +
			strconv.Itoa(mostAnnotations) + " of each level")
	}
	return a.out
}

func (g *Group) level() string {
	switch {
	case g.Severity == record.ErrorSeverity:
		return "error"
	case g.Fails:
		return "warning"
	}
	return "notice"
}

// said is the message with what it is about.
func (f *Found) said() string {
	if subject := f.subject(); subject != "" {
		return f.message() + " (" + subject + ")"
	}
	return f.message()
}

// heading is the id and the title of a rule.
func heading(rules []Rule, id string) string {
	for i := range rules {
		if rules[i].ID == id {
			return id + ": " + rules[i].Title
		}
	}
	return visible.Text(id)
}

// annotations are workflow commands as they are written.
type annotations struct {
	out        []byte
	left       map[string]int // annotations given of each level
	shown, all int64
}

// add writes one command, unless there were enough of its level.
func (a *annotations) add(level string, at *Place, title, message string) {
	a.all++
	if a.left[level]++; a.left[level] > mostAnnotations {
		return
	}
	a.shown++
	a.out = append(a.out, "::"+level+" "...)
	if at != nil {
		a.out = append(a.out, "file="+property(visible.Text(at.File))+",line="+strconv.Itoa(at.Line)+","...)
		if at.Column > 0 {
			a.out = append(a.out, "col="+strconv.Itoa(at.Column)+","...)
		}
	}
	a.out = append(a.out, "title="+property(title)+"::"+data(message)+"\n"...)
}

// plain writes a line that is no command: neither at its start, nor in the older form, which counts anywhere in a line.
func (a *annotations) plain(line string) {
	line = strings.ReplaceAll(line, "##", `#\x23`)
	a.out = append(append(a.out, strings.ReplaceAll(line, "::", `:\x3a`)...), '\n')
}

// data escapes the message of a command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes the value of a command's property.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
