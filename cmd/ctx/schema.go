package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/schemas"
)

func newSchema(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "List the JSON Schemas, or print one",
		Example: "  ctx schema\n" +
			"  ctx schema record/message",
		Args: atMostOne("NAME"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return schemas.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return e.listSchemas()
			}
			return e.showSchema(args[0])
		},
	}
}

func (e *env) listSchemas() error {
	for _, name := range schemas.Names() {
		if _, err := fmt.Fprintln(e.stdout, name); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) showSchema(name string) error {
	raw, ok := schemas.Source(name)
	if !ok {
		return &usageError{message: "there is no schema " + quote(name), hint: "want " + either(slices.Clone(schemas.Names()))}
	}
	_, err := e.stdout.Write(raw)
	return err
}

// atMostOne wants no argument or one, called what.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < 2 {
			return nil
		}
		return &usageError{message: c.CommandPath() + " takes at most one " + what + ", got " + quote(args[1]) + " too"}
	}
}
