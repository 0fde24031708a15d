package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/session-trace/ctx/internal/bundle"
)

const (
	// configName is looked for in the working folder alone. A folder above could be anybody's, and a bundle must not
	// say how it is to be judged.
	configName = ".ctx.json"
	maxConfig  = 1 << 20 // bytes
)

// option is a member of the configuration: the flag that it stands for, of which commands.
type option struct {
	pointer, flag string
	commands      []string
}

// options are all members that ctx reads. A flag that a command does not have is passed over.
func options() []option {
	convert, validate := []string{"convert"}, []string{"validate"}
	return []option{
		{"/failOn", "fail-on", []string{"convert", "validate"}},
		{"/baseline", "baseline", validate},
		{"/registry", "registry", []string{"convert", "validate", "registry", "scan", "context", "restore", "verify", "usage"}},
		{"/limits/maxItem", "max-item", convert},
		{"/limits/maxDepth", "max-depth", convert},
		{"/limits/maxItems", "max-items", convert},
		{"/limits/maxBytes", "max-bytes", convert},
		{"/limits/maxFindings", "max-findings", validate},
		{"/limits/maxUnpacked", "max-unpacked", validate},
	}
}

// configure lets the configuration of the working folder say what flags say that were not given.
func (e *env) configure(c *cobra.Command) error {
	name := commandName(c)
	wanted := slices.DeleteFunc(options(), func(o option) bool { return !slices.Contains(o.commands, name) })
	if e.noConfig || len(wanted) == 0 {
		return nil
	}
	raw, err := readConfig()
	if err != nil || raw == nil {
		return err
	}
	if bundle.IsBundle(".") || bundle.IsBundle("..") {
		fmt.Fprintf(e.stderr, "ctx: %s is not used: the working folder lies in a bundle, which must not say how it is judged\n", configName)
		return nil
	}
	settings, err := parseConfig(raw)
	if err != nil {
		return err
	}
	var used []string
	for _, o := range wanted {
		did, err := settings.apply(c, o)
		if err != nil {
			return err
		}
		if did {
			used = append(used, "--"+o.flag+" "+visible(strings.Join(settings[o.pointer], ",")))
			e.configured = append(e.configured, o.flag)
		}
	}
	if e.verbose {
		fmt.Fprintf(e.stderr, "ctx: %s says %s\n", configName, cmp.Or(strings.Join(used, ", "), "nothing that is used here"))
	}
	return nil
}

// commandName is the command right below ctx.
func commandName(c *cobra.Command) string {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	return c.Name()
}

// registryWord says where the further registry entries come from.
func (e *env) registryWord() string {
	if slices.Contains(e.configured, "registry") {
		return configName
	}
	return "--registry"
}

// apply sets a flag that was not given, and says whether it did.
func (s settings) apply(c *cobra.Command, o option) (bool, error) {
	flag := c.Flags().Lookup(o.flag)
	values := s[o.pointer]
	if flag == nil || flag.Changed || len(values) == 0 {
		return false, nil
	}
	for _, v := range values {
		if err := flag.Value.Set(v); err != nil {
			return false, configError(o.pointer+": got "+quote(v)+", want "+wanted(flag), "")
		}
	}
	return true, nil
}
