package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
)

// mostRows bounds the rows of the table without -v.
const mostRows = 20

// printConversion prints the result in the format asked for.
func (e *env) printConversion(c *conversion) error {
	if c.flags.output.word == "json" {
		_, err := e.stdout.Write(visibleJSON(append(appendConversion(nil, c), '\n')))
		return err
	}
	var b strings.Builder
	if e.quiet {
		failuresText(&b, c.failures())
		_, err := io.WriteString(e.stderr, b.String())
		return err
	}
	if c.flags.dryRun {
		e.dryRunText(&b, c)
	} else {
		e.conversionText(&b, c)
	}
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

// conversionText writes the table and what stands below it.
func (e *env) conversionText(b *strings.Builder, c *conversion) {
	r := &c.result.Report
	rows, hidden := e.shown(c.result.Sources)
	resultTable(rows, c.result.Sources, r).print(b, "")
	if hidden > 0 {
		fmt.Fprintf(b, "%d more sources, listed with -v\n", hidden)
	}
	failuresText(b, c.failures())
	list := r.Findings.Sorted()
	printFindings(b, list, record.ErrorSeverity, e.places())
	noticesText(b, list)
	lossesText(b, r.Losses)
	e.unidentifiedText(b, c.result.Unidentified)
	did := "wrote"
	if c.result.Unchanged {
		did = "nothing changed in"
	}
	fmt.Fprintf(b, "%s %s: %s, root sha256 %s\n", did, visible(c.flags.out), count(int64(c.result.Streams), "stream"), c.result.RootSHA256)
	if n := c.result.Resumed; n > 0 {
		fmt.Fprintf(b, "taken over from an interrupted run: %s\n", count(int64(n), "stream"))
	}
	if n := c.result.Gone; n > 0 {
		fmt.Fprintf(b, "no longer in it, since their sources are gone: %s\n", count(int64(n), "stream"))
	}
	if c.checked != nil {
		e.checkText(b, c.checked)
	}
	e.verdict(b, c)
}

// places is the number of places printed for one rule.
func (e *env) places() int {
	if e.verbose {
		return -1
	}
	return mostPlaces
}

// shown is the sources to print, those with failures, errors or gaps first, and the number left out.
func (e *env) shown(sources []converter.SourceResult) ([]converter.SourceResult, int) {
	rows := slices.Clone(sources)
	slices.SortStableFunc(rows, func(a, b converter.SourceResult) int { return cmp.Compare(trouble(&a), trouble(&b)) })
	if e.verbose || len(rows) <= mostRows {
		return rows, 0
	}
	return rows[:mostRows], len(rows) - mostRows
}

// trouble ranks a source: failed, with errors, with gaps, the rest.
func trouble(s *converter.SourceResult) int {
	switch {
	case s.Err != nil:
		return 0
	case s.Errors > 0:
		return 1
	case s.Gaps > 0:
		return 2
	default:
		return 3
	}
}

// resultTable has one row for each source shown and the totals of all. A column of errors is there only when there are some.
func resultTable(rows, all []converter.SourceResult, r *record.Report) *table {
	t := &table{columns: []column{
		{"stream", false}, {"items", true}, {"records", true}, {"gaps", true}, {"notices", true}, {"losses", true},
	}}
	errors := r.Errors() > 0
	if errors {
		t.columns = append(t.columns, column{"errors", true})
	}
	row := func(name string, numbers ...int64) {
		cells := []string{name}
		for _, n := range numbers[:len(t.columns)-1] {
			cells = append(cells, strconv.FormatInt(n, 10))
		}
		t.add(cells...)
	}
	for _, s := range rows {
		row(streamName(&s), s.Items, s.Records, s.Gaps, s.Notices, s.Losses, s.Errors)
	}
	var losses int64
	for _, n := range r.Losses {
		losses += n
	}
	row("total "+strconv.Itoa(len(all)), r.Items, r.Records, r.Gaps, r.Notices(), losses, r.Errors())
	return t
}

func streamName(s *converter.SourceResult) string {
	if s.Stream == "" {
		return "failed: " + visible(s.Place())
	}
	return visible(s.Stream)
}

func failuresText(b *strings.Builder, failed []converter.SourceResult) {
	if len(failed) == 0 {
		return
	}
	fmt.Fprintf(b, "sources that gave no stream:\n")
	for _, s := range failed {
		fmt.Fprintf(b, "  %s: %s\n", visible(s.Place()), visible(s.Err.Error()))
	}
}

// noticesText sums notices up by rule.
func noticesText(b *strings.Builder, list []record.Finding) {
	var parts []string
	for _, run := range byRule(list) {
		if run[0].Severity == record.NoticeSeverity {
			parts = append(parts, visible(run[0].Rule)+" "+strconv.FormatInt(total(run), 10))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "notices: %s\n", strings.Join(parts, ", "))
	}
}

func lossesText(b *strings.Builder, losses map[string]int64) {
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(losses)) {
		parts = append(parts, visible(code)+" "+strconv.FormatInt(losses[code], 10))
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "losses: %s\n", strings.Join(parts, ", "))
	}
}

// unidentifiedText lists what no entry claims, by reason.
func (e *env) unidentifiedText(b *strings.Builder, list []bundle.Unidentified) {
	if len(list) == 0 {
		return
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(x, y bundle.Unidentified) int { return cmp.Compare(x.Reason, y.Reason) })
	fmt.Fprintln(b, "unidentified sources:")
	for start := 0; start < len(sorted); {
		end := start
		var files int64
		for end < len(sorted) && sorted[end].Reason == sorted[start].Reason {
			files += int64(sorted[end].Files)
			end++
		}
		fmt.Fprintf(b, "  %s (%s)\n", visible(sorted[start].Reason), count(files, "file"))
		for i, u := range sorted[start:end] {
			if i == e.places() {
				fmt.Fprintf(b, "    and %d more, listed with -v\n", end-start-i)
				break
			}
			fmt.Fprintf(b, "    %s: %s, %s\n", visible(u.Path), count(int64(u.Files), "file"), size(u.Bytes))
		}
		start = end
	}
}

// checkText prints what the whole validator says after --check.
func (e *env) checkText(b *strings.Builder, r *record.Report) {
	fmt.Fprintf(b, "check: %s\n", countsLine(r))
	printFindings(b, r.Findings.Sorted(), record.ErrorSeverity, e.places())
}

// verdict says in a word how the conversion went.
func (e *env) verdict(b *strings.Builder, c *conversion) {
	why := c.fails.hits(&c.result.Report)
	if c.checked != nil {
		why = append(why, c.fails.hits(c.checked)...)
	}
	if n := len(c.failures()); n > 0 && !c.fails.nothing() {
		why = append(why, count(int64(n), "source")+" without a stream")
	}
	slices.Sort(why)
	why = slices.Compact(why)
	if len(why) > 0 {
		fmt.Fprintf(b, "%s: %s\n", e.paint().bad("failed"), strings.Join(why, ", "))
	}
}

// dryRunText prints what would be converted.
func (e *env) dryRunText(b *strings.Builder, c *conversion) {
	t := &table{columns: []column{{"source", false}, {"agent", false}, {"format", false}, {"layout", false}, {"files", true}, {"bytes", true}}}
	var files, bytes int64
	rows, hidden := e.shown(c.result.Sources)
	for _, s := range rows {
		t.add(visible(s.Place()), visible(s.Agent), visible(s.Format), visible(s.Layout), strconv.FormatInt(s.Files, 10), strconv.FormatInt(s.Bytes, 10))
	}
	rowsOf := map[string]bool{} // files of rows count once
	for _, s := range c.result.Sources {
		if bytes += s.Bytes; s.Rows == 0 || !rowsOf[s.Path] {
			files += s.Files
		}
		rowsOf[s.Path] = s.Rows > 0
	}
	t.add("total "+strconv.Itoa(len(c.result.Sources)), "", "", "", strconv.FormatInt(files, 10), strconv.FormatInt(bytes, 10))
	t.print(b, "")
	if hidden > 0 {
		fmt.Fprintf(b, "%d more sources, listed with -v\n", hidden)
	}
	failuresText(b, c.failures())
	e.unidentifiedText(b, c.result.Unidentified)
	fmt.Fprintln(b, "nothing was written")
}
