package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

func newRegistry(e *env) *cobra.Command {
	c := &cobra.Command{
		Use:   "registry",
		Short: "List the agents that ctx knows, or print an entry",
		Args:  noArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRegistryList(e), newRegistryShow(e))
	return c
}

func newRegistryList(e *env) *cobra.Command {
	out := newOutput("text", "json")
	c := &cobra.Command{
		Use:   "list",
		Short: "List the registry entries, built in and of --registry",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			reg, err := e.load()
			if err != nil {
				return err
			}
			if out.word == "json" {
				_, err := e.stdout.Write(visibleJSON(append(appendEntries(nil, reg.Entries()), '\n')))
				return err
			}
			return printEntries(e.stdout, reg.Entries())
		},
	}
	c.Flags().Var(out, "output", "print the list in this format")
	return c
}

func newRegistryShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "show NAME",
		Short:   "Print one registry entry as it is",
		Example: "  ctx registry show openhands",
		Args:    exactlyOne("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			reg, err := e.load()
			if err != nil {
				return err
			}
			found, err := reg.Entry(args[0])
			if err != nil {
				return unknownEntry(args[0], reg.Entries())
			}
			_, err = e.stdout.Write(visibleJSON(found.Raw))
			return err
		},
	}
}

func unknownEntry(name string, list []*entry.Entry) error {
	names := make([]string, len(list))
	for i, en := range list {
		names[i] = en.Name
	}
	return &usageError{message: "there is no registry entry " + quote(name), hint: "want " + either(names)}
}

func printEntries(w io.Writer, list []*entry.Entry) error {
	t := &table{columns: []column{{"name", false}, {"aliases", false}, {"version", false}, {"converts", false}, {"formats", false}, {"sha256", false}}}
	for _, en := range list {
		converts := "no"
		if en.Converts() {
			converts = "yes"
		}
		t.add(visible(en.Name), visible(strings.Join(en.Aliases, " ")), visible(en.Version), converts, formatList(en), en.SHA256[:min(12, len(en.SHA256))])
	}
	return t.print(w, "")
}

// formatList names the formats of an entry; one that is only recognised stands in brackets.
func formatList(en *entry.Entry) string {
	var names []string
	for _, f := range en.Formats {
		name := visible(f.ID)
		if !f.Qualified {
			name = "(" + name + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func appendEntries(dst []byte, list []*entry.Entry) []byte {
	dst = append(dst, '[')
	for i, en := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "name"), en.Name)
		dst = record.AppendStrings(record.AppendKey(dst, "aliases"), en.Aliases)
		dst = record.AppendString(record.AppendKey(dst, "version"), en.Version)
		dst = record.AppendBool(record.AppendKey(dst, "converts"), en.Converts())
		dst = append(record.AppendKey(dst, "formats"), '[')
		for j, f := range en.Formats {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = record.AppendString(record.AppendKey(append(dst, '{'), "id"), f.ID)
			dst = append(record.AppendBool(record.AppendKey(dst, "qualified"), f.Qualified), '}')
		}
		dst = append(record.AppendString(record.AppendKey(append(dst, ']'), "sha256"), en.SHA256), '}')
	}
	return append(dst, ']')
}
