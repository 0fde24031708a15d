package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/usage"
)

// usageFlags are the flags of ctx usage.
type usageFlags struct {
	by, output *output
}

func newUsage(e *env) *cobra.Command {
	f := &usageFlags{output: newOutput("table", "json", "csv")}
	var words []string
	for _, by := range usage.Bys() {
		words = append(words, string(by))
	}
	f.by = newOutput(words...)
	c := &cobra.Command{
		Use:   "usage BUNDLE…",
		Short: "Sum up tokens and costs, every response once",
		Long: "usage adds up what the ledgers in the bundles report. A response counts once, however many accounts, children,\n" +
			"forks and copied folders repeat it. Costs are those reported; nothing is estimated. What is not known is printed\n" +
			"beside every sum.",
		Example: "  ctx usage bundle\n" +
			"  ctx usage bundle other --by model --output json",
		Args: someArguments("BUNDLE"),
		RunE: func(c *cobra.Command, args []string) error { return e.usage(c.Context(), f, args) },
	}
	c.Flags().Var(f.by, "by", "one row for each of these")
	c.Flags().Var(f.output, "output", "print the table in this format")
	return c
}

// usage reads all bundles, since a sum without one of them would be wrong, and prints one table.
func (e *env) usage(ctx context.Context, f *usageFlags, paths []string) error {
	var sessions []usage.Session
	for _, path := range paths {
		list, err := e.usageOf(ctx, path)
		if err != nil {
			if ctx.Err() != nil {
				return errInterrupted
			}
			return err
		}
		sessions = append(sessions, list...)
	}
	t := usage.Sum(sessions, usage.By(f.by.word))
	switch {
	case f.output.word == "json":
		_, err := e.stdout.Write(visibleJSON(append(t.Append(nil), '\n')))
		return err
	case f.output.word == "csv":
		return usageCSV(e.stdout, t)
	case e.quiet:
		return nil
	}
	return e.usageTable(t)
}

func (e *env) usageOf(ctx context.Context, path string) ([]usage.Session, error) {
	b, err := bundle.OpenHeld(path)
	if err != nil {
		return nil, err
	}
	defer b.Close() //nolint:errcheck // read only
	others, err := e.entriesInstead("usage", b, path)
	if err != nil {
		return nil, err
	}
	list, err := usage.Read(ctx, b, others)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

// usageTable prints the rows, the total, and what the numbers do not say. A number that nothing reports is "-".
func (e *env) usageTable(t *usage.Table) error {
	out := &table{columns: []column{
		{string(t.By), false},
		{"responses", true},
		{"unkeyed", true},
		{"input", true},
		{"output", true},
		{"cache read", true},
		{"cache write", true},
		{"reasoning", true},
		{"cost", true},
		{"not covered", false},
	}}
	for i := range t.Lines {
		out.add(usageCells(usageKey(&t.Lines[i]), &t.Lines[i])...)
	}
	out.add(usageCells("total", &t.Total)...)
	if err := out.print(e.stdout, ""); err != nil {
		return err
	}
	for _, note := range t.Notes {
		if _, err := io.WriteString(e.stdout, "note: "+visible(note)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func usageKey(l *usage.Line) string {
	switch {
	case !l.Known:
		return "(unknown)"
	case l.Key == "":
		return "(none)"
	default:
		return visible(l.Key)
	}
}

func usageCells(key string, l *usage.Line) []string {
	cells := []string{key, digits(l.Responses), digits(l.Unkeyed)}
	for _, sum := range l.Sums() {
		cells = append(cells, orHyphen(sum))
	}
	return append(cells, orHyphen(l.Cost()), uncoveredText(l.Uncovered))
}

func orHyphen(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }

// uncoveredText names what a line does not cover, "" nothing.
func uncoveredText(u usage.Uncovered) string {
	var parts []string
	for _, p := range []struct {
		n    int64
		what string
	}{{u.Responses, "response"}, {u.Counters, "counter"}, {u.Buckets, "bucket"}, {u.Costs, "cost"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// usageCSV prints the rows and the total with one heading. An unknown key and a number that nothing reports are empty.
func usageCSV(w io.Writer, t *usage.Table) error {
	out := csv.NewWriter(w)
	head := []string{"row", string(t.By), "responses", "unkeyed"}
	members := usage.Members()
	head = append(append(head, members[:]...), "cost", "costBasis",
		"uncoveredResponses", "uncoveredConflicting", "uncoveredCounters", "uncoveredBuckets", "uncoveredCosts")
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range t.Lines {
		l := &t.Lines[i]
		kind := "key"
		if !l.Known {
			kind = "unknown"
		}
		if err := out.Write(usageFields(kind, visible(l.Key), l)); err != nil {
			return err
		}
	}
	if err := out.Write(usageFields("total", "", &t.Total)); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

func usageFields(kind, key string, l *usage.Line) []string {
	fields := []string{kind, key, digits(l.Responses), digits(l.Unkeyed)}
	sums := l.Sums()
	fields = append(fields, sums[:]...)
	basis := ""
	if l.Cost() != "" {
		basis = "reported"
	}
	u := &l.Uncovered
	return append(fields, l.Cost(), basis, digits(u.Responses), digits(u.Conflicting), digits(u.Counters), digits(u.Buckets), digits(u.Costs))
}
