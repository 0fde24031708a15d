package redact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/audit"
)

// Names of rules beside those of the audit.
const (
	RuleSecrets = "secrets" // all rules of the audit
	RulePaths   = "paths"   // the user's name in home folders
	RuleHosts   = "hosts"   // names and addresses of hosts
)

// chosen is what is to go.
type chosen struct {
	secrets      map[string]bool // ids of the audit's rules
	paths, hosts bool
}

// choose reads names of rules; none means secrets.
func choose(names []string, d *audit.Detector) (chosen, error) {
	if len(names) == 0 {
		names = []string{RuleSecrets}
	}
	c := chosen{secrets: map[string]bool{}}
	for _, name := range names {
		switch name {
		case RulePaths:
			c.paths = true
		case RuleHosts:
			c.hosts = true
		case RuleSecrets:
			for _, r := range d.Rules() {
				c.secrets[r.ID] = true
			}
		default:
			if !slices.ContainsFunc(d.Rules(), func(r audit.Rule) bool { return r.ID == name }) {
				return c, &UnknownRuleError{Name: name, Known: ruleNames(d)}
			}
			c.secrets[name] = true
		}
	}
	return c, nil
}

func ruleNames(d *audit.Detector) []string {
	names := []string{RuleSecrets, RulePaths, RuleHosts}
	for _, r := range d.Rules() {
		names = append(names, r.ID)
	}
	return names
}

// UnknownRuleError says that no rule has a name.
type UnknownRuleError struct {
	Name  string
	Known []string
}

func (e *UnknownRuleError) Error() string {
	return fmt.Sprintf("got rule %.64q, want one of %s", e.Name, strings.Join(e.Known, ", "))
}

// list is the names of the rules as a new bundle states them.
func (c *chosen) list(d *audit.Detector) []string {
	var names []string
	if len(c.secrets) == len(d.Rules()) {
		names = append(names, RuleSecrets)
	} else {
		for _, r := range d.Rules() {
			if c.secrets[r.ID] {
				names = append(names, r.ID)
			}
		}
	}
	if c.paths {
		names = append(names, RulePaths)
	}
	if c.hosts {
		names = append(names, RuleHosts)
	}
	return names
}
