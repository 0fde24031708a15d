package validator

import (
	"cmp"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// Rule is one entry of the catalogue: what a finding of that id means.
type Rule struct {
	ID         string
	Alias      string            // the id of the same rule in agent registry entries, "" none
	Severities []record.Severity // an error breaks the format, a notice is worth knowing about sound data
	Title      string            // one line
	Doc        string            // what is checked and why, plain text
	Remedy     string            // what is done about it: by the author of the producer for an error, by the reader for a notice
}

// Rules lists the whole catalogue, sorted by id. The caller owns it.
func Rules() []Rule {
	all := slices.Concat(
		lineRules(), recordRules(), itemRules(), linkRules(), lossRules(), bundleRules(),
		sessionNotices(), sourceNotices(), projectionNotices(),
	)
	slices.SortFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

func isError() []record.Severity  { return []record.Severity{record.ErrorSeverity} }
func isNotice() []record.Severity { return []record.Severity{record.NoticeSeverity} }
func isBoth() []record.Severity {
	return []record.Severity{record.ErrorSeverity, record.NoticeSeverity}
}
