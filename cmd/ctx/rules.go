package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
)

func newRules(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules and codes of the format, or explain one",
		Long: "rules lists what the validator finds, and the codes that say why something is missing, cut out or kept as a blob:\n" +
			"losses, reasons of gaps, blobs and unidentified sources. With an ID it says what one means and what to do about it.",
		Example: "  ctx rules\n" +
			"  ctx rules loss-undeclared\n" +
			"  ctx rules model-rendering",
		Args: atMostOne("ID"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			ids := ruleIDs()
			for _, c := range validator.Codes() {
				ids = append(ids, c.ID)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return e.listRules()
			}
			return e.showRule(args[0])
		},
	}
}

func (e *env) listRules() error {
	t := &table{columns: []column{{title: "rule"}, {title: "severity"}, {title: "title"}}}
	for _, r := range validator.Rules() {
		t.add(r.ID, severityWords(&r), r.Title)
	}
	if err := t.print(e.stdout, ""); err != nil {
		return err
	}
	t = &table{columns: []column{{title: "code"}, {title: "stands on"}, {title: "title"}}}
	for _, c := range validator.Codes() {
		t.add(c.ID, strings.Join(c.Kinds, ", "), c.Title)
	}
	if _, err := io.WriteString(e.stdout, "\n"); err != nil {
		return err
	}
	return t.print(e.stdout, "")
}

func severityWords(r *validator.Rule) string {
	if slices.Contains(r.Severities, record.ErrorSeverity) && len(r.Severities) > 1 {
		return "both"
	}
	return string(r.Severities[0])
}

// showRule explains one rule, by its id or alias, or one code.
func (e *env) showRule(id string) error {
	id = strings.ToLower(strings.TrimPrefix(id, "loss:")) // as --fail-on spells it
	for _, r := range validator.Rules() {
		if r.ID != id && (r.Alias == "" || !strings.EqualFold(r.Alias, id)) {
			continue
		}
		name := r.ID
		if r.Alias != "" {
			name += " (" + r.Alias + ")"
		}
		return e.explain(name, severityWords(&r), r.Title, r.Doc, r.Remedy)
	}
	for _, c := range validator.Codes() {
		if c.ID == id {
			return e.explain(c.ID, "code of "+strings.Join(c.Kinds, ", "), c.Title, c.Doc, c.Remedy)
		}
	}
	return &usageError{message: "there is no rule or code " + quote(id), hint: "ctx rules lists them"}
}

func (e *env) explain(name, what, title, doc, remedy string) error {
	_, err := io.WriteString(e.stdout, fmt.Sprintf("%s, %s: %s.\n\n%s\n\nWhat to do: %s\n", name, what, title, doc, remedy))
	return err
}
