package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/validator"
)

func newRules(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules of the validator, or explain one",
		Example: "  ctx rules\n" +
			"  ctx rules loss-undeclared",
		Args: atMostOne("ID"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleIDs(), cobra.ShellCompDirectiveNoFileComp
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
	return t.print(e.stdout, "")
}

func severityWords(r *validator.Rule) string {
	if slices.Contains(r.Severities, record.ErrorSeverity) && len(r.Severities) > 1 {
		return "both"
	}
	return string(r.Severities[0])
}

// showRule explains one rule, by its id or alias.
func (e *env) showRule(id string) error {
	for _, r := range validator.Rules() {
		if r.ID != id && (r.Alias == "" || r.Alias != id) {
			continue
		}
		name := r.ID
		if r.Alias != "" {
			name += " (" + r.Alias + ")"
		}
		_, err := io.WriteString(e.stdout, fmt.Sprintf("%s, %s: %s.\n\n%s\n", name, severityWords(&r), r.Title, r.Doc))
		return err
	}
	return &usageError{message: "there is no rule " + quote(id), hint: "ctx rules lists them"}
}
