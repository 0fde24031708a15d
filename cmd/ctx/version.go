package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/bundle"
)

func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of ctx and of the record format it writes",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(e.stdout, versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("ctx %s, record format %d", converter.Version, bundle.Version)
}
