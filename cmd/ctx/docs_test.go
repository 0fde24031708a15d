package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
	"github.com/session-trace/ctx/validator"
)

var update = flag.Bool("update", false, "rewrite what tests compare with")

const generated = "<!-- made by `make docs`; do not edit -->\n"

// The generated pages, and the transcript in README, are what the code says. `make docs` rewrites them.
func TestGeneratedDocs(t *testing.T) {
	reg, err := registry.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{
		"docs/rules.md":   rulesPage(validator.Rules(), validator.Codes()),
		"docs/entries.md": entriesPage(reg.Entries()),
		"README.md":       readmePage(t),
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		path := filepath.Join("..", "..", filepath.FromSlash(name))
		if *update {
			if err := os.WriteFile(path, []byte(pages[name]), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(pages[name], string(have)); d != "" {
			t.Errorf("%s is out of date, run make docs (-want +got):\n%s", name, d)
		}
	}
}

// Every notice of the format has its page.
func TestRulesCoverNotices(t *testing.T) {
	page := rulesPage(validator.Rules(), validator.Codes())
	for _, code := range []string{
		record.SessionDuplicate, record.UnsafeNumber, record.TextSurrogate, record.DuplicateKey, record.ParentMissing,
		record.ParentCycle, record.IDDuplicate, record.IDDiffersFromName, record.OrdinalDuplicate, record.HeadMissing,
		record.HeadLags, record.CallOpen, record.ResultRepeated, record.ResultBeforeCall, record.ResultOffBranch,
		record.LinkConflict, record.ResponseIDRepeated, record.UsageDuplicate, record.UsageResidue, record.UsageInvalid,
		record.TailUncommitted, record.WriteUnfinished, record.LengthMarkerBehind, record.TimeUnreadable,
		record.TimeBackwards, record.SourceChanged, record.OddFile, record.NameUnknown, record.StateUnreadable,
		record.IDDisagreement, record.RootUnreached, record.SecretMemberOmitted, record.MemberUnmapped,
		record.FormatUnqualified, record.BundleEmpty,
	} {
		if !strings.Contains(page, "\n## "+code+"\n") {
			t.Errorf("docs/rules.md has no section %q", code)
		}
	}
}

func rulesPage(rules []validator.Rule, codes []validator.Code) string {
	var b strings.Builder
	b.WriteString("# Rules\n\n" + generated + `
What ` + "`ctx validate`" + ` and the report of ` + "`ctx convert`" + ` can find. An **error** is a bundle that breaks the
[record format](record-format.md). A **notice** is something worth knowing about sound data. Ids can be given to ` + "`--fail-on`" + `.

| rule | severity | what |
|---|---|---|
`)
	for _, r := range rules {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, severities(&r), r.Title)
	}
	for _, r := range rules {
		fmt.Fprintf(&b, "\n## %s\n\n*%s*", r.ID, severities(&r))
		if r.Alias != "" {
			fmt.Fprintf(&b, ", also called %s", r.Alias)
		}
		fmt.Fprintf(&b, ": %s.\n\n%s\n\n*What to do*: %s\n", r.Title, r.Doc, r.Remedy)
	}
	b.WriteString(`
# Codes

Words of the format that say why something is missing, cut out or kept as a blob. They are no findings.

| code | stands on | what |
|---|---|---|
`)
	for _, c := range codes {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", c.ID, c.ID, strings.Join(c.Kinds, ", "), c.Title)
	}
	for _, c := range codes {
		fmt.Fprintf(&b, "\n## %s\n\n*code of %s*: %s.\n\n%s\n\n*What to do*: %s\n", c.ID, strings.Join(c.Kinds, ", "), c.Title, c.Doc, c.Remedy)
	}
	return b.String()
}

func severities(r *validator.Rule) string {
	var words []string
	for _, s := range r.Severities {
		words = append(words, string(s))
	}
	return strings.Join(words, " or ")
}

func entriesPage(list []*entry.Entry) string {
	var b strings.Builder
	b.WriteString("# Registry entries\n\n" + generated + `
The agents that ctx knows. ` + "`ctx registry show NAME`" + ` prints an entry as it is; [adding-a-format.md](adding-a-format.md) says how one
is made.
`)
	for _, e := range list {
		fmt.Fprintf(&b, "\n## %s\n\n", e.Name)
		fmt.Fprintf(&b, "- aliases: %s\n- version: %s\n", quoted(e.Aliases), e.Version)
		fmt.Fprintf(&b, "- evidence: %s\n- members of `_meta`: %s\n", count(int64(e.Evidence), "item"), quoted(e.Destinations))
		if !e.Converts() {
			b.WriteString("- describes only; nothing is converted\n")
		}
		b.WriteString("\n| format | converted | layouts |\n|---|---|---|\n")
		for i := range e.Formats {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", e.Formats[i].ID, converted(&e.Formats[i]), layouts(&e.Formats[i]))
		}
		b.WriteString(projections(e))
	}
	return b.String()
}

// projections lists what becomes of each item, in the order in which the entry tries them.
func projections(e *entry.Entry) string {
	if e.Records < 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nThe first line that holds is taken. `+ …` marks further records of the item and the ending of their id; `?` marks those that depend\n" +
		"on the item.\n\n| item | records |\n|---|---|\n")
	for n := range e.Doc.Children(e.Records) {
		fmt.Fprintf(&b, "| %s | %s |\n", when(&e.Doc, e.Doc.Find(n, "when")), emits(&e.Doc, e.Doc.Find(n, "emit")))
	}
	return b.String()
}

// when is a projection's condition as the entry spells it.
func when(d *jsonscan.Doc, n int) string {
	if n < 0 || d.Len(n) == 0 {
		return "anything else"
	}
	var parts []string
	for c := range d.Children(n) {
		value := strings.ReplaceAll(string(d.Value(c)), "|", `\|`)
		parts = append(parts, fmt.Sprintf("%s `%s`", d.Name(c), value))
	}
	return strings.Join(parts, ", ")
}

// emits names the records of an item, the primary first.
func emits(d *jsonscan.Doc, list int) string {
	primary, further := "", ""
	for n := range d.Children(list) {
		kind := "`" + d.Text(d.Find(n, "type")) + "`"
		id := d.Find(n, "id")
		if id < 0 {
			primary += kind
			continue
		}
		further += " + " + kind + " " + d.Text(id)
		if d.Find(n, "if") >= 0 {
			further += " ?"
		}
	}
	return primary + further
}

// converted says what becomes of a format's files.
func converted(f *entry.Format) string {
	switch {
	case !f.Qualified:
		return "no, recognised and listed as `unqualified-format`"
	case f.Detect == nil:
		return "described only"
	default:
		return "yes"
	}
}

func layouts(f *entry.Format) string {
	var names []string
	for _, l := range f.Layouts {
		names = append(names, l.Name)
	}
	return quoted(names)
}

func quoted(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return "`" + strings.Join(words, "`, `") + "`"
}
