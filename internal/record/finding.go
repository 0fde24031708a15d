package record

import (
	"cmp"
	"slices"
	"strconv"
)

// Severity says whether a finding breaks the format or is worth knowing about sound data.
type Severity string

// The severities.
const (
	ErrorSeverity  Severity = "error"
	NoticeSeverity Severity = "notice"
)

// Finding is one thing found in a bundle, or while one was made.
type Finding struct {
	Rule     string
	Severity Severity
	Stream   string // stream id, "" when it is about the bundle
	Line     int    // 1 is the first, 0 none
	Record   string // record id, "" none
	Pointer  string // JSON pointer into the record or native value, "" none
	Message  string // found, then expected; never content
	Count    int64  // 0 counts as 1
}

func (f *Finding) count() int64 { return max(f.Count, 1) }

// maxListed bounds the findings listed for one rule; the last one listed counts all further ones too.
const maxListed = 100

// mostKept bounds the findings of one rule and stream in memory when all of them are asked for.
const mostKept = 1 << 20

// Findings gathers findings in bounded memory. The zero value is empty and ready.
type Findings struct {
	list   []Finding
	byRule map[key]*tally
	most   int // see Keep
}

// Keep says how many findings of one rule are listed from now on: 0 is 100, a negative number all, which are at most
// 1,048,576 a rule and stream. Those that went beyond the number before stay unlisted.
func (fs *Findings) Keep(most int) { fs.most = most }

// Listing is how many findings of one rule are listed when that many are asked for, as for Keep.
func Listing(most int) int {
	switch {
	case most == 0:
		return maxListed
	case most < 0 || most > mostKept:
		return mostKept
	}
	return most
}

type key struct {
	rule     string
	severity Severity
	stream   string
}

type tally struct{ listed, total int64 }

// Add adds one finding. Beyond 100 of one rule, severity and stream, or what Keep says, only their number is kept.
func (fs *Findings) Add(f Finding) {
	if fs.byRule == nil {
		fs.byRule = map[key]*tally{}
	}
	k := key{f.Rule, f.Severity, f.Stream}
	t := fs.byRule[k]
	if t == nil {
		t = &tally{}
		fs.byRule[k] = t
	}
	t.total += f.count()
	if t.listed < int64(Listing(fs.most)) {
		t.listed++
		fs.list = append(fs.list, f)
	}
}

// Notice adds a notice about a record.
func (fs *Findings) Notice(rule, recordID, pointer, message string) {
	fs.Add(Finding{Rule: rule, Severity: NoticeSeverity, Record: recordID, Pointer: pointer, Message: message})
}

// InStream names the stream of all findings that have none yet.
func (fs *Findings) InStream(stream string) {
	renamed := make(map[key]*tally, len(fs.byRule))
	for k, t := range fs.byRule {
		if k.stream == "" {
			k.stream = stream
		}
		if have := renamed[k]; have != nil {
			have.listed, have.total = have.listed+t.listed, have.total+t.total
			continue
		}
		renamed[k] = t
	}
	fs.byRule = renamed
	for i := range fs.list {
		if fs.list[i].Stream == "" {
			fs.list[i].Stream = stream
		}
	}
}

// Merge adds all findings of other, which must not be used afterwards.
func (fs *Findings) Merge(other *Findings) {
	if fs.byRule == nil {
		fs.byRule = map[key]*tally{}
	}
	fs.list = append(fs.list, other.list...)
	for k, t := range other.byRule {
		have := fs.byRule[k]
		if have == nil {
			fs.byRule[k] = t
			continue
		}
		have.listed, have.total = have.listed+t.listed, have.total+t.total
	}
}

// Total is the number of findings of a severity, those that are not listed included.
func (fs *Findings) Total(s Severity) int64 {
	var n int64
	for k, t := range fs.byRule {
		if k.severity == s {
			n += t.total
		}
	}
	return n
}

// Rules is the number of findings by rule.
func (fs *Findings) Rules() map[string]int64 {
	m := map[string]int64{}
	for k, t := range fs.byRule {
		m[k.rule] += t.total
	}
	return m
}

// Group is the findings of one rule and severity: those that are listed, each with its Count, and the number of all.
type Group struct {
	Rule     string
	Severity Severity
	List     []Finding // sorted by stream, line, record, pointer and message; never empty
	Total    int64
}

// Rest is the number of findings that are counted and not listed.
func (g *Group) Rest() int64 {
	rest := g.Total
	for i := range g.List {
		rest -= g.List[i].Count
	}
	return rest
}

// Groups are the findings by rule and severity; at most 100 of each are listed, or what Keep says.
func (fs *Findings) Groups() []Group {
	list := slices.Clone(fs.list)
	slices.SortStableFunc(list, compareFindings)
	totals := map[key]int64{}
	for k, t := range fs.byRule {
		totals[key{rule: k.rule, severity: k.severity}] += t.total
	}
	var out []Group
	for start := 0; start < len(list); {
		end := start
		for end < len(list) && list[end].Rule == list[start].Rule && list[end].Severity == list[start].Severity {
			list[end].Count = list[end].count()
			end++
		}
		g := Group{Rule: list[start].Rule, Severity: list[start].Severity}
		g.Total = totals[key{rule: g.Rule, severity: g.Severity}]
		g.List = list[start:min(end, start+Listing(fs.most))]
		out = append(out, g)
		start = end
	}
	return out
}

// Sorted is the list to print: by rule, stream, line, record, pointer and message; at most 100 a rule and severity, or
// what Keep says, of which the last one counts all that are not listed too.
func (fs *Findings) Sorted() []Finding {
	out := make([]Finding, 0, len(fs.list))
	for _, g := range fs.Groups() {
		out = append(out, g.List...)
		if rest := g.Rest(); rest != 0 {
			last := &out[len(out)-1]
			last.Count += rest
			last.Message += " (and " + strconv.FormatInt(rest, 10) + " more of this rule)"
		}
	}
	return out
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Stream, b.Stream),
		cmp.Compare(a.Line, b.Line), cmp.Compare(a.Record, b.Record),
		cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message),
	)
}
