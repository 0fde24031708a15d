package validator

import "github.com/session-trace/ctx/internal/record"

// sessionNotices are those that the session stage finds from the records alone.
func sessionNotices() []Rule {
	return []Rule{
		{
			ID: record.CallOpen, Severities: isNotice(), Title: "a tool call has no result",
			Doc:    "The call could run and no tool_result names it: the session ended, crashed or went on without it.",
			Remedy: "See with `ctx show` whether the session ended there, was interrupted or waits for a decision.",
		},
		{
			ID: record.ResultRepeated, Severities: isNotice(), Title: "a tool call has more than one result",
			Doc:    "All results are kept; each one after the first is noted.",
			Remedy: "Read the results in order; the first one is what the call waited for.",
		},
		{
			ID: record.ResultBeforeCall, Severities: isNotice(), Title: "a result stands before its call",
			Doc:    "The log holds the result at a lower ordinal than the call it names.",
			Remedy: "Nothing has to be done: the link holds. The writer saved its items out of order.",
		},
		{
			ID: record.OrdinalDuplicate, Severities: isNotice(), Title: "an ordinal is held by more than one file",
			Doc:    "All of them are kept, by time and then by name. Nothing can say which one the writer meant.",
			Remedy: "Two processes wrote the same log. Compare the items; `ctx context` shows the branch that the head is on.",
		},
		{
			ID: record.HeadMissing, Severities: isNotice(), Title: "the stated head is not in the log",
			Doc:    "The snapshot names a leaf that no item bears. It is given as headNativeId. One that several items bear is given likewise, with the loss lineage and the notice id-duplicate instead.",
			Remedy: "Look for the missing item in a backup or another copy of the folder; the log is shorter than the snapshot believes.",
		},
		{
			ID: record.TailUncommitted, Severities: isNotice(), Title: "the last item was never completed",
			Doc:    "The last file of the transcript is torn, empty or over a limit of what is read. It stands in rs.ctx/uncommitted, with its bytes unless a limit forbade to read them; it is no item and no gap.",
			Remedy: "Convert again when the agent has stopped; if it has, the last item was lost in a crash and its torn bytes are all that is left.",
		},
		{
			ID: record.WriteUnfinished, Severities: isNotice(), Title: "a write never finished",
			Doc:    "A temporary file of the writer is left over. It is listed in rs.ctx/unfinished and is no item.",
			Remedy: "Convert again when the agent has stopped; if it has, the file is the rest of a write that a crash interrupted and can be looked at in the bundle.",
		},
		{
			ID: record.SecretMemberOmitted, Severities: isNotice(), Title: "members without secret material were left out",
			Doc:    "A member that the entry never retains held only masked or empty values. Nothing was lost, so there is no loss.",
			Remedy: "Nothing has to be done: the members were empty or masked by the writer.",
		},
	}
}

// sourceNotices are those about files and their state, known only to who reads the source.
func sourceNotices() []Rule {
	return []Rule{
		{
			ID: record.SecretShort, Severities: isNotice(), Title: "a secret is too short to be looked for in other text",
			Doc:    "The state held a secret of less than 4 characters. It was left out there; where the same characters stand elsewhere they are kept, since that many are found in any text.",
			Remedy: "If the value matters, look for it with `ctx scan` or by eye, and change a secret that is that short.",
		},
		{
			ID: record.SessionDuplicate, Severities: isNotice(), Title: "two sources have one session id",
			Doc:    "A folder was copied. The second and later streams get a suffix.",
			Remedy: "Remove the copy, or choose one of the streams; compare them with a diff of their lines.",
		},
		{
			ID: record.LengthMarkerBehind, Severities: isNotice(), Title: "a length marker states fewer items than there are",
			Doc:    "An older version of the writer went on with the log without moving the marker.",
			Remedy: "Nothing has to be done: all items that are there were read.",
		},
		{
			ID: record.SourceChanged, Severities: isNotice(), Title: "a source changed while it was read",
			Doc:    "An item had other bytes on second reading. The session was read again.",
			Remedy: "Convert again when the agent has stopped, if the last state is needed.",
		},
		{
			ID: record.OddFile, Severities: isNotice(), Title: "a name is no regular file, or its ordinal is too large",
			Doc:    "FIFOs, sockets, devices and folders named like items are never opened. An ordinal above 2^53-1 cannot stand in a position; such a file is an attachment.",
			Remedy: "Look at the file that the message names; if it should be an item, put a regular file of that name in its place and convert again.",
		},
		{
			ID: record.NameUnknown, Severities: isNotice(), Title: "a file in an item folder has an unknown name",
			Doc:    "It is listed among the unidentified sources.",
			Remedy: "Look at the file; if the agent wrote it, its registry entry needs the name.",
		},
		{
			ID: record.StateUnreadable, Severities: isNotice(), Title: "a snapshot or attachment could not be read",
			Doc:    "A document that may hold secrets and cannot be understood is not kept at all, nor is one over the limit of an item. The loss stands on the last session_info.",
			Remedy: "Look for a sound copy of the document. What only it held, such as title, head or ledger, is not in the bundle.",
		},
		{
			ID: record.FormatUnqualified, Severities: isNotice(), Title: "a layout is known but not qualified",
			Doc:    "The entry describes it and converts nothing from it.",
			Remedy: "Convert the session with a version of the agent that writes a qualified layout, or add evidence to the registry entry.",
		},
		{
			ID: record.BundleEmpty, Severities: isNotice(), Title: "the bundle has no stream",
			Doc:    "No source was recognised under the input, or the selection took none.",
			Remedy: "Check the path and the selection; `ctx convert --dry-run` lists what is recognised.",
		},
	}
}
