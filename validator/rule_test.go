package validator

import (
	"regexp"
	"slices"
	"testing"

	"github.com/session-trace/ctx/internal/record"
)

func TestRules(t *testing.T) {
	id := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	rules := Rules()
	for i, r := range rules {
		if i > 0 && r.ID <= rules[i-1].ID {
			t.Errorf("rule %s after %s, want each once and sorted", r.ID, rules[i-1].ID)
		}
		if !id.MatchString(r.ID) || r.Title == "" || r.Doc == "" || r.Remedy == "" || len(r.Severities) == 0 {
			t.Errorf("rule %q lacks a kebab-case id, a title, a page, a remedy or a severity", r.ID)
		}
	}
}

func TestRulesHoldEveryNotice(t *testing.T) {
	// the codes of the format's report section
	want := []string{
		record.SessionDuplicate, record.UnsafeNumber, record.TextSurrogate, record.DuplicateKey, record.ParentMissing,
		record.ParentCycle, record.IDDuplicate, record.IDDiffersFromName, record.OrdinalDuplicate, record.HeadMissing,
		record.HeadLags, record.CallOpen, record.ResultRepeated, record.ResultBeforeCall, record.ResultOffBranch,
		record.LinkConflict, record.ResponseIDRepeated, record.UsageDuplicate, record.UsageResidue, record.UsageInvalid,
		record.TailUncommitted, record.WriteUnfinished, record.LengthMarkerBehind, record.TimeUnreadable,
		record.TimeBackwards, record.SourceChanged, record.OddFile, record.NameUnknown, record.StateUnreadable,
		record.IDDisagreement, record.RootUnreached, record.SecretMemberOmitted, record.SecretShort, record.MemberUnmapped,
		record.FormatUnqualified, record.BundleEmpty,
	}
	var got []string
	for _, r := range Rules() {
		if slices.Contains(r.Severities, record.NoticeSeverity) {
			got = append(got, r.ID)
		}
	}
	slices.Sort(want)
	if !slices.Equal(want, got) {
		t.Errorf("notices %v, want %v", got, want)
	}
}

func TestRuleAliases(t *testing.T) {
	want := map[string]string{"unsafe-number": "ASR-035", "loss-undeclared": "ASR-157"}
	for _, r := range Rules() {
		if r.Alias != want[r.ID] {
			t.Errorf("rule %s has alias %q, want %q", r.ID, r.Alias, want[r.ID])
		}
	}
}

// Every word of the format that says why something is missing, cut out or kept otherwise is explained once, as a rule or
// as a code.
func TestCodes(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	kinds := map[string][]string{}
	for _, r := range Rules() {
		kinds[r.ID] = []string{"rule"}
	}
	codes := Codes()
	for i, c := range codes {
		if i > 0 && c.ID <= codes[i-1].ID || kinds[c.ID] != nil {
			t.Errorf("code %s is not the only one of its name, or not sorted", c.ID)
		}
		if !id.MatchString(c.ID) || c.Title == "" || c.Doc == "" || c.Remedy == "" || len(c.Kinds) == 0 {
			t.Errorf("code %q lacks a kebab-case id, a title, a page, a remedy or a place", c.ID)
		}
		kinds[c.ID] = c.Kinds
	}
	want := map[string][]string{
		kindLoss:         record.CoreLosses(),
		kindGap:          {"missing", "unreadable", "invalid-json", "not-utf8", "empty", "too-large"},
		kindBlob:         {"size", "depth", "whitespace", "duplicate-key", "surrogate", "non-finite", "unsafe-number", "invalid-json", "not-utf8", "empty"},
		kindRedaction:    {"secret", "masked", "empty"},
		kindUnidentified: {"no-entry-matches", "ambiguous", "unqualified-format", "unreadable", "symlink-outside", "not-opened"},
	}
	for kind, list := range want {
		for _, code := range list {
			if !slices.Contains(kinds[code], kind) && !slices.Contains(kinds[code], "rule") {
				t.Errorf("no page says what %s of %s means", code, kind)
			}
		}
	}
}
