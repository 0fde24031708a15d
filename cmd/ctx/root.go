package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/session-trace/ctx/registry"
)

// env is what a command gets from the process and from the global flags.
type env struct {
	stdin    io.Reader
	stdout   io.Writer // results
	stderr   io.Writer // talk and progress
	terminal bool      // stdout is a terminal
	talks    bool      // stderr is a terminal

	quiet, verbose, noColor bool
	noConfig                bool
	configured              []string // flags that the configuration set
	registries              []string
	jobs                    int
}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "ctx",
		Short: "Convert coding-agent sessions into portable bundles, and check bundles",
		Long: "ctx converts folders of coding-agent sessions into a portable bundle that keeps every native byte,\n" +
			"and checks bundles. Exit codes: 0 done and clean, 1 done with findings or sources that failed,\n" +
			"2 not done, 130 interrupted.",
		Version:       versionLine(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArguments,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := e.check(); err != nil {
				return err
			}
			return e.configure(c)
		},
	}
	flags := root.PersistentFlags()
	flags.BoolVarP(&e.quiet, "quiet", "q", false, "print no progress and no text results; errors and other formats of --output still print")
	flags.BoolVarP(&e.verbose, "verbose", "v", false, "print every row and every finding")
	flags.BoolVar(&e.noColor, "no-color", false, "print without colour (also: the variable NO_COLOR)")
	flags.BoolVar(&e.noConfig, "no-config", false, "do not read "+configName+" of the working folder, which says what flags say that are not given")
	flags.StringArrayVar(&e.registries, "registry", nil, "read further registry entries from `DIR`; may be repeated, later ones win")
	flags.IntVar(&e.jobs, "jobs", 0, "work on `N` things at once; 0: one for each processor. The result does not depend on it")
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newConvert(e), newValidate(e), newList(e), newShow(e), newRegistry(e), newSchema(e), newRules(e), newVersion(e))
	root.AddCommand(newDiff(e))
	root.AddCommand(newScan(e), newRedact(e))
	root.AddCommand(newUsage(e))
	root.AddCommand(newContext(e))
	root.AddCommand(newRestore(e), newVerify(e))
	strictGroups(root)
	return root
}

// check refuses global flags that make no sense together.
func (e *env) check() error {
	if e.quiet && e.verbose {
		return &usageError{message: "-q and -v contradict each other", hint: "give one of them"}
	}
	if e.jobs < 0 {
		return &usageError{message: "--jobs is negative, want 0 or more"}
	}
	return nil
}

// load reads the built-in entries and those of --registry.
func (e *env) load() (*registry.Registry, error) {
	reg, err := registry.Load(e.registries)
	if err != nil && len(e.registries) > 0 {
		err = fmt.Errorf("%s: %w", e.registryWord(), err)
	}
	return reg, err
}

// paint is the way to colour what goes to stdout.
func (e *env) paint() paint {
	return paint{on: e.terminal && !e.noColor && os.Getenv("NO_COLOR") == ""}
}

// flagError explains flags that exist elsewhere or not at all.
func flagError(c *cobra.Command, err error) error {
	message, hint := err.Error(), "see "+c.CommandPath()+" --help"
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		message = "--" + bad.GetFlag().Name + ": got " + quote(bad.GetValue()) + ", want " + wanted(bad.GetFlag())
		if bad.GetFlag().Name == "output" && c.Flags().Lookup("out") != nil {
			hint = "the path of the bundle is -o, --out"
		}
	}
	if strings.Contains(message, "shorthand flag: 'o'") {
		hint = "formats are chosen with --output; -o, --out is a path, for the commands that write one"
	}
	return &usageError{message: message, hint: hint}
}

// wanted says what a flag takes.
func wanted(f *pflag.Flag) string {
	if o, ok := f.Value.(*output); ok {
		return either(o.words)
	}
	if f.Value.Type() == "int" {
		return "a whole number"
	}
	if f.Value.Type() == "duration" {
		return "a time such as 10s"
	}
	if f.Value.Type() == "size" {
		return "a size such as 64MiB"
	}
	return "a " + f.Value.Type()
}

func terminalOf(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
