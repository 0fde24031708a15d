package validator

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// exportReport compares report.json with the bundle and carries over the notices that only who reads a source can find.
func (v *validation) exportReport() error {
	raw, err := v.b.Report()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // found with the files
	}
	if err != nil {
		if fault := faultOf(err); fault.err != nil || !errors.Is(err, bundle.ErrUnsafe) {
			return fmt.Errorf("report.json: %w", err)
		}
		v.fail(ruleReport, "", "got a report.json that is no plain file")
		return nil
	}
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxInlineDepth})
	if err != nil || doc.Kind(0) != jsonscan.Object || doc.Has(jsonscan.DuplicateKey) {
		v.fail(ruleReport, "", "got a report.json that is no sound JSON object")
		return nil
	}
	sound, err := v.reportSchema(&doc)
	if err != nil || !sound {
		return err
	}
	if !v.partial {
		v.compareReport(&doc)
	}
	v.compareSelection(&doc)
	v.carry(&doc)
	return nil
}

func (v *validation) reportSchema(d *jsonscan.Doc) (sound bool, err error) {
	if v.set.Accept("report", d) {
		return true, nil
	}
	problems, err := v.set.Check("report", d.Raw)
	if err != nil {
		return false, fmt.Errorf("report.json: %w", err)
	}
	for _, p := range problems {
		v.fail(reportRule(p.Pointer), p.Pointer, p.Message)
	}
	return len(problems) == 0, nil
}

// reportRule is the rule about the member of the report at a pointer.
func reportRule(pointer string) string {
	if strings.HasPrefix(pointer, "/losses/") {
		return ruleLossUnknown
	}
	return ruleReport
}

// compareReport compares the counts of report.json with those that the bundle gave.
func (v *validation) compareReport(d *jsonscan.Doc) {
	for _, c := range []struct {
		name string
		got  int64
	}{
		{"streams", v.report.Streams},
		{"records", v.report.Records},
		{"gaps", v.report.Gaps},
		{"unidentifiedSources", v.report.UnidentifiedSources},
		{"items", v.report.Items},
		{"errors", total(d, record.ErrorSeverity)},
		{"notices", total(d, record.NoticeSeverity)},
	} {
		if stated, _ := d.Int(d.Find(0, c.name)); stated != c.got {
			v.fail(ruleReport, "/"+c.name, "got "+number(stated)+", expected "+number(c.got))
		}
	}
	stated := map[string]int64{}
	for i := range d.Children(d.Find(0, "losses")) {
		code, _ := jsonscan.AppendUnescape(nil, d.Name(i))
		stated[string(code)], _ = d.Int(i)
	}
	for _, code := range sortedKeys(stated, v.report.Losses) {
		if stated[code] != v.report.Losses[code] {
			v.fail(ruleReport, "/losses", "got "+number(stated[code])+" losses "+quote(code)+", expected "+number(v.report.Losses[code]))
		}
	}
}

// total is the number of findings of a severity that report.json lists.
func total(d *jsonscan.Doc, s record.Severity) (n int64) {
	for i := range d.Children(d.Find(0, "findings")) {
		if f := readFinding(d, i); f.Severity == s {
			n += f.Count
		}
	}
	return n
}

func (v *validation) compareSelection(d *jsonscan.Doc) {
	if selection := d.Value(d.Find(0, "selection")); string(compact(selection)) != string(compact(v.m.Selection)) {
		v.fail(ruleSelection, "/selection", "got another selection in report.json than in manifest.json, expected the same")
	}
}

func compact(raw []byte) []byte {
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{})
	if err != nil {
		return raw
	}
	return jsonscan.Compact(nil, doc)
}

// carry takes over the producer's notices. Those that the session stage finds itself must be the same in number.
func (v *validation) carry(d *jsonscan.Doc) {
	known, own := map[string]bool{}, map[string]bool{}
	for _, r := range Rules() {
		known[r.ID] = slices.Contains(r.Severities, record.NoticeSeverity)
	}
	for _, r := range sessionNotices() {
		own[r.ID] = true
	}
	stated, places := map[string]int64{}, v.placesOf(own)
	var before record.Finding
	for i := range d.Children(d.Find(0, "findings")) {
		f := readFinding(d, i)
		v.place(d, i, &f)
		if sortsBefore(&f, &before) {
			v.fail(ruleReport, d.Pointer(i), "got finding "+quote(f.Rule)+" after "+quote(before.Rule)+", expected the order of rule, stream and line")
		}
		before = f
		switch {
		case f.Severity != record.NoticeSeverity:
		case own[f.Rule]:
			stated[f.Rule] += f.Count
			if at := spotOf(&f); f.Line > 0 && !v.partial && !places[at] {
				v.fail(ruleReport, d.Pointer(i), "got notice "+quote(f.Rule)+" on a line where there is nothing to note")
			}
		case !known[f.Rule]:
			v.fail(ruleReport, d.Pointer(i), "got notice "+quote(f.Rule)+", expected one of the catalogue")
		default:
			v.report.Findings.Add(f)
		}
	}
	found := v.report.Findings.Rules()
	for _, rule := range sortedKeys(own, stated) {
		if !v.partial && stated[rule] != found[rule] {
			v.fail(ruleReport, "/findings", "got "+number(stated[rule])+" notices "+rule+", expected "+number(found[rule]))
		}
	}
}

// place checks that a finding of report.json lies somewhere in the bundle.
func (v *validation) place(d *jsonscan.Doc, i int, f *record.Finding) {
	if f.Stream == "" {
		return
	}
	at := slices.IndexFunc(v.m.Streams, func(s bundle.StreamInfo) bool { return s.ID == f.Stream })
	switch {
	case at < 0:
		v.fail(ruleReport, d.Pointer(i), "got a finding in stream "+quote(f.Stream)+", which the manifest does not list")
	case int64(f.Line) > v.m.Streams[at].Records:
		v.fail(ruleReport, d.Pointer(i), "got a finding on line "+number(int64(f.Line))+" of "+quote(f.Stream)+", which has "+number(v.m.Streams[at].Records))
	}
}

// noted is where a notice lies.
type noted struct {
	rule, stream string
	line         int
}

func spotOf(f *record.Finding) noted { return noted{f.Rule, f.Stream, f.Line} }

// placesOf is where notices of some rules were found.
func (v *validation) placesOf(rules map[string]bool) map[noted]bool {
	places := map[noted]bool{}
	for _, f := range v.report.Findings.Sorted() {
		if rules[f.Rule] {
			places[spotOf(&f)] = true
		}
	}
	return places
}

// sortsBefore says whether a finding belongs before another one; those that only count are the last of their rule.
func sortsBefore(a, b *record.Finding) bool {
	if a.Rule != b.Rule || a.Stream == "" && a.Line == 0 {
		return a.Rule < b.Rule
	}
	return a.Stream < b.Stream || a.Stream == b.Stream && a.Line < b.Line && a.Line > 0
}

func readFinding(d *jsonscan.Doc, at int) record.Finding {
	text := func(name string) string { return d.Text(d.Find(at, name)) }
	line, _ := d.Int(d.Find(at, "line"))
	count, _ := d.Int(d.Find(at, "count"))
	return record.Finding{
		Rule: text("rule"), Severity: record.Severity(text("severity")), Stream: text("stream"), Line: int(line),
		Record: text("record"), Pointer: text("pointer"), Message: text("message"), Count: count,
	}
}
