package validator

import "github.com/session-trace/ctx/internal/record"

// projectionNotices are those about native values, known only to who maps them.
func projectionNotices() []Rule {
	return append(linkNotices(), []Rule{
		{
			ID: record.TextSurrogate, Severities: isNotice(), Title: "a text holds half a surrogate pair",
			Doc:    "It became U+FFFD in the record. The native bytes keep it.",
			Remedy: "Nothing has to be done: the exact characters are in the native bytes.",
		},
		{
			ID: record.DuplicateKey, Severities: isNotice(), Title: "a native object has a key twice",
			Doc:    "The last one counts, as in the writer's own reader. The bytes are kept as a blob.",
			Remedy: "Compare both values in the native bytes if the difference matters. As the reason of a blob (duplicate-key) it means the same.",
		},
		{
			ID: record.UsageDuplicate, Severities: isNotice(), Title: "a ledger row occurs in several buckets",
			Doc:    "Equal copies count once, in the first bucket.",
			Remedy: "Nothing has to be done: the row was counted once. Do not add the buckets' totals.",
		},
		{
			ID: record.UsageResidue, Severities: isNotice(), Title: "a bucket's total differs from its rows",
			Doc:    "The totals are kept as stated; nothing is added to make them fit.",
			Remedy: "Take the totals for what was spent; the rows do not account for all of it.",
		},
		{
			ID: record.UsageInvalid, Severities: isNotice(), Title: "a counter is no safe whole number",
			Doc:    "It is left out of the record and kept in the native row.",
			Remedy: "Read the counter from the native row in _meta; a writer's fault made it.",
		},
		{
			ID: record.TimeUnreadable, Severities: isNotice(), Title: "a time stamp is no ISO 8601 date and time",
			Doc:    "It is left out of the record and kept in the native bytes.",
			Remedy: "Read the time stamp from the native bytes; order records by position.",
		},
		{
			ID: record.TimeBackwards, Severities: isNotice(), Title: "times go backwards in the log",
			Doc:    "The order of the log counts, never that of the clock.",
			Remedy: "Order by position and never by time: the clock was set back, or two machines wrote.",
		},
		{
			ID: record.IDDisagreement, Severities: isNotice(), Title: "places that state the session id disagree",
			Doc:    "The entry ranks them, and the first one counts.",
			Remedy: "Check whether the folder was renamed or copied; links from other sessions may use the other id.",
		},
		{
			ID: record.MemberUnmapped, Severities: isNotice(), Title: "a native member is read by no projection",
			Doc:    "The writer has a member that the entry does not know. It is kept in the native bytes.",
			Remedy: "Look at the member in the native bytes. If it matters, the registry entry needs a mapping for it.",
		},
	}...)
}

func linkNotices() []Rule {
	return []Rule{
		{
			ID: record.ParentMissing, Severities: isNotice(), Title: "a native parent is not in the log",
			Doc:    "The record has no parent, and the loss lineage.",
			Remedy: "Look for the missing item in another copy of the folder; without it the branch before is not known.",
		},
		{
			ID: record.ParentCycle, Severities: isNotice(), Title: "native parents form a circle",
			Doc:    "No item on it has a parent; each has the loss lineage.",
			Remedy: "Look at the items that the messages name: one of their parent ids is wrong, and the native bytes show which.",
		},
		{
			ID: record.IDDuplicate, Severities: isNotice(), Title: "a native id occurs on several items",
			Doc:    "Links to it are left out, with the loss lineage.",
			Remedy: "Compare the items. If one is a copy of the other, remove its file and convert again; else their links stay open.",
		},
		{
			ID: record.IDDiffersFromName, Severities: isNotice(), Title: "an item's id differs from the one in its name",
			Doc:    "The name's counts; the other one resolves links only if no name bears it.",
			Remedy: "Check whether the file was renamed by hand; the name's id was used.",
		},
		{
			ID: record.HeadLags, Severities: isNotice(), Title: "the stated head is not the last item of its branch",
			Doc:    "The log went on after the snapshot was written.",
			Remedy: "Nothing has to be done: the items after the head are in the stream.",
		},
		{
			ID: record.RootUnreached, Severities: isNotice(), Title: "the branch of the head begins anew, after the first item",
			Doc:    "An item after the first one says that it is a root, which need not be so; OpenHands spells that __root__. The branch then reaches only some of the items that the model saw, as the message counts. A parent on the way that is not in the log is parent-missing instead.",
			Remedy: "Look at the item after which the branch begins anew; what was before it is in the stream, and whether the model saw it cannot be told.",
		},
		{
			ID: record.ResultOffBranch, Severities: isNotice(), Title: "a result is not on the branch of its call",
			Doc:    "The pair is kept; on the branch the call has no answer.",
			Remedy: "Follow the link of the result, not the branch, to find its call.",
		},
		{
			ID: record.LinkConflict, Severities: isNotice(), Title: "two links of a result name different calls",
			Doc:    "The first one that the entry lists counts.",
			Remedy: "Check both calls in the native bytes if it matters which one the result answers.",
		},
		{
			ID: record.ResponseIDRepeated, Severities: isNotice(), Title: "a response id names more than one response",
			Doc:    "Its items are not grouped, and its ledger rows are left over.",
			Remedy: "Do not count these items as one response; take what was spent from the usage_summary.",
		},
	}
}
