package validator

import "github.com/session-trace/ctx/internal/record"

// sessionNotices are those that the session stage finds from the records alone.
func sessionNotices() []Rule {
	return []Rule{
		{
			ID: record.CallOpen, Severities: isNotice(), Title: "a tool call has no result",
			Doc: "The call could run and no tool_result names it: the session ended, crashed or went on without it.",
		},
		{
			ID: record.ResultRepeated, Severities: isNotice(), Title: "a tool call has more than one result",
			Doc: "All results are kept; each one after the first is noted.",
		},
		{
			ID: record.ResultBeforeCall, Severities: isNotice(), Title: "a result stands before its call",
			Doc: "The log holds the result at a lower ordinal than the call it names.",
		},
		{
			ID: record.OrdinalDuplicate, Severities: isNotice(), Title: "an ordinal is held by more than one file",
			Doc: "All of them are kept, by time and then by name. Nothing can say which one the writer meant.",
		},
		{
			ID: record.HeadMissing, Severities: isNotice(), Title: "the stated head is not in the log",
			Doc: "The snapshot names a leaf that no item bears. It is given as headNativeId. One that several items bear is given likewise, with the loss lineage and the notice id-duplicate instead.",
		},
		{
			ID: record.TailUncommitted, Severities: isNotice(), Title: "the last item was never completed",
			Doc: "The last file of the transcript is torn or empty. Its bytes are kept in rs.ctx/uncommitted; it is no item and no gap.",
		},
		{
			ID: record.WriteUnfinished, Severities: isNotice(), Title: "a write never finished",
			Doc: "A temporary file of the writer is left over. It is listed in rs.ctx/unfinished and is no item.",
		},
		{
			ID: record.SecretMemberOmitted, Severities: isNotice(), Title: "members without secret material were left out",
			Doc: "A member that the entry never retains held only masked or empty values. Nothing was lost, so there is no loss.",
		},
	}
}

// sourceNotices are those about files and their state, known only to who reads the source.
func sourceNotices() []Rule {
	return []Rule{
		{
			ID: record.SecretShort, Severities: isNotice(), Title: "a secret is too short to be looked for in other text",
			Doc: "The state held a secret of less than 4 characters. It was left out there; where the same characters stand elsewhere they are kept, since that many are found in any text.",
		},
		{
			ID: record.SessionDuplicate, Severities: isNotice(), Title: "two sources have one session id",
			Doc: "A folder was copied. The second and later streams get a suffix.",
		},
		{
			ID: record.LengthMarkerBehind, Severities: isNotice(), Title: "a length marker states fewer items than there are",
			Doc: "An older version of the writer went on with the log without moving the marker.",
		},
		{
			ID: record.SourceChanged, Severities: isNotice(), Title: "a source changed while it was read",
			Doc: "An item had other bytes on second reading. The session was read again.",
		},
		{
			ID: record.OddFile, Severities: isNotice(), Title: "a name is no regular file, or its ordinal is too large",
			Doc: "FIFOs, sockets, devices and folders named like items are never opened. An ordinal above 2^53-1 cannot stand in a position; such a file is an attachment.",
		},
		{
			ID: record.NameUnknown, Severities: isNotice(), Title: "a file in an item folder has an unknown name",
			Doc: "It is listed among the unidentified sources.",
		},
		{
			ID: record.StateUnreadable, Severities: isNotice(), Title: "a snapshot or attachment could not be read",
			Doc: "A document that may hold secrets and cannot be understood is not kept at all, nor is one over the limit of an item. The loss stands on the last session_info.",
		},
		{
			ID: record.FormatUnqualified, Severities: isNotice(), Title: "a layout is known but not qualified",
			Doc: "The entry describes it and converts nothing from it.",
		},
		{
			ID: record.BundleEmpty, Severities: isNotice(), Title: "the bundle has no stream",
			Doc: "No source was recognised under the input, or the selection took none.",
		},
	}
}
