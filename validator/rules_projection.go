package validator

import "github.com/session-trace/ctx/internal/record"

// projectionNotices are those about native values, known only to who maps them.
func projectionNotices() []Rule {
	return append(linkNotices(), []Rule{
		{
			ID: record.TextSurrogate, Severities: isNotice(), Title: "a text holds half a surrogate pair",
			Doc: "It became U+FFFD in the record. The native bytes keep it.",
		},
		{
			ID: record.DuplicateKey, Severities: isNotice(), Title: "a native object has a key twice",
			Doc: "The last one counts, as in the writer's own reader. The bytes are kept as a blob.",
		},
		{
			ID: record.UsageDuplicate, Severities: isNotice(), Title: "a ledger row occurs in several buckets",
			Doc: "Equal copies count once, in the first bucket.",
		},
		{
			ID: record.UsageResidue, Severities: isNotice(), Title: "a bucket's total differs from its rows",
			Doc: "The totals are kept as stated; nothing is added to make them fit.",
		},
		{
			ID: record.UsageInvalid, Severities: isNotice(), Title: "a counter is no safe whole number",
			Doc: "It is left out of the record and kept in the native row.",
		},
		{
			ID: record.TimeUnreadable, Severities: isNotice(), Title: "a time stamp is no ISO 8601 date and time",
			Doc: "It is left out of the record and kept in the native bytes.",
		},
		{
			ID: record.TimeBackwards, Severities: isNotice(), Title: "times go backwards in the log",
			Doc: "The order of the log counts, never that of the clock.",
		},
		{
			ID: record.IDDisagreement, Severities: isNotice(), Title: "places that state the session id disagree",
			Doc: "The entry ranks them, and the first one counts.",
		},
		{
			ID: record.MemberUnmapped, Severities: isNotice(), Title: "a native member is read by no projection",
			Doc: "The writer has a member that the entry does not know. It is kept in the native bytes.",
		},
	}...)
}

func linkNotices() []Rule {
	return []Rule{
		{
			ID: record.ParentMissing, Severities: isNotice(), Title: "a native parent is not in the log",
			Doc: "The record has no parent, and the loss lineage.",
		},
		{
			ID: record.ParentCycle, Severities: isNotice(), Title: "native parents form a circle",
			Doc: "No item on it has a parent; each has the loss lineage.",
		},
		{
			ID: record.IDDuplicate, Severities: isNotice(), Title: "a native id occurs on several items",
			Doc: "Links to it are left out, with the loss lineage.",
		},
		{
			ID: record.IDDiffersFromName, Severities: isNotice(), Title: "an item's id differs from the one in its name",
			Doc: "The name's counts; the other one resolves links only if no name bears it.",
		},
		{
			ID: record.HeadLags, Severities: isNotice(), Title: "the stated head is not the last item of its branch",
			Doc: "The log went on after the snapshot was written.",
		},
		{
			ID: record.RootUnreached, Severities: isNotice(), Title: "the branch of the head begins anew, after the first item",
			Doc: "An item after the first one says that it is a root, which need not be so; OpenHands spells that __root__. The branch then reaches only some of the items that the model saw, as the message counts. A parent on the way that is not in the log is parent-missing instead.",
		},
		{
			ID: record.ResultOffBranch, Severities: isNotice(), Title: "a result is not on the branch of its call",
			Doc: "The pair is kept; on the branch the call has no answer.",
		},
		{
			ID: record.LinkConflict, Severities: isNotice(), Title: "two links of a result name different calls",
			Doc: "The first one that the entry lists counts.",
		},
		{
			ID: record.ResponseIDRepeated, Severities: isNotice(), Title: "a response id names more than one response",
			Doc: "Its items are not grouped, and its ledger rows are left over.",
		},
	}
}
