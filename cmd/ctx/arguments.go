package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// noArguments refuses arguments, with cobra's suggestions for a mistyped command.
func noArguments(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasSubCommands():
		return unknownCommand(c, args[0])
	}
	return &usageError{message: c.CommandPath() + " takes no arguments, got " + quote(args[0]), hint: seeHelp(c)}
}

func unknownCommand(c *cobra.Command, name string) error {
	hint := seeHelp(c)
	if near := c.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return &usageError{message: "unknown command " + quote(name) + " for " + c.CommandPath(), hint: hint}
}

// someArguments wants at least one argument, called what.
func someArguments(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return &usageError{message: c.CommandPath() + " needs at least one " + what, hint: seeHelp(c)}
		case slices.Contains(args, ""):
			return emptyArgument(c, what)
		}
		return nil
	}
}

// exactlyOne wants one argument, called what.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) != 1:
			return &usageError{message: fmt.Sprintf("%s needs one %s, got %d", c.CommandPath(), what, len(args)), hint: seeHelp(c)}
		case args[0] == "":
			return emptyArgument(c, what)
		}
		return nil
	}
}

// oneOrTwo wants one argument and takes a second.
func oneOrTwo(first, second string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 || len(args) == 2 {
			return nil
		}
		return &usageError{
			message: fmt.Sprintf("%s needs one %s and takes one %s, got %d arguments", c.CommandPath(), first, second, len(args)),
			hint:    seeHelp(c),
		}
	}
}

// emptyArgument is for scripts whose variable is not set: "" would mean the working folder.
func emptyArgument(c *cobra.Command, what string) error {
	return &usageError{message: c.CommandPath() + ": got an empty " + what, hint: "for the working folder write ."}
}

func seeHelp(c *cobra.Command) string { return "see " + c.CommandPath() + " --help" }

// strictGroups lets the commands that cobra adds refuse what they do not know, as ours do.
func strictGroups(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args = noArguments
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		case "help":
			c.RunE, c.Run = helpOn, nil
		}
	}
}

// helpOn prints the help of the command that the arguments name.
func helpOn(c *cobra.Command, args []string) error {
	found, rest, err := c.Root().Find(args)
	if err != nil || found == nil || len(rest) > 0 {
		return unknownCommand(c.Root(), strings.Join(args, " "))
	}
	return found.Help()
}
