package validator

// Rules about one record of a stream, found from its facts alone.
const (
	ruleHead        = "head-record"
	ruleTail        = "tail-record"
	ruleDuplicate   = "record-id-duplicate"
	ruleRecordID    = "record-id"
	rulePosition    = "position"
	ruleOrder       = "stream-order"
	ruleContextMark = "context-mark"
	ruleUsagePlace  = "usage-place"
	ruleTime        = "time"
	ruleCoverage    = "usage-coverage-counts"
	ruleGapCover    = "gap-cover"
	ruleClock       = "clock"
)

func recordRules() []Rule {
	return []Rule{
		{
			ID: ruleHead, Severities: isError(), Title: "a stream has one head, and it comes first",
			Doc:    "The first record of a stream is a session_info of phase head. No other record has that phase.",
			Remedy: "Write one session_info of phase head as the first line.",
		},
		{
			ID: ruleTail, Severities: isError(), Title: "a stream has one last session_info, and it comes last",
			Doc:    "The last record of a stream is a session_info of phase snapshot (id state) or end (id end). No other record has one of these phases. A stream without it was cut off.",
			Remedy: "Write one session_info of phase snapshot or end as the last line. If the stream was cut off, convert again.",
		},
		{
			ID: ruleDuplicate, Severities: isError(), Title: "a record id occurs once in a stream",
			Doc:    "Links name records by id, so an id that stands on two records of one stream makes them unreadable. Items with one native id get a suffix from their ordinal.",
			Remedy: "Give the second and later item with one id the suffix ~<ordinal>.",
		},
		{
			ID: ruleRecordID, Severities: isError(), Title: "ids are the ones the format fixes",
			Doc:    "session, state and end, inference:<response id>, usage:<bucket>, gap:<first>-<last>, gap:<ordinal>:<name id> and file:<path> are fixed. The primary record of an item has the id in the item's name, maybe with a ~ suffix against clashes, and the item's other records have that id plus #<part>, or -summary.",
			Remedy: "Make the id as the format says for this type; do not number records.",
		},
		{
			ID: rulePosition, Severities: isError(), Title: "a position fits the type of its record",
			Doc:    "Records of the transcript have an ordinal; the head and the tail have none. through stands on gaps of missing items only and lies after the ordinal. A state and an attachment state their path, and gaps other than missing ones state the file's. All records of an item share one position, which has the id in the item's name where names have one.",
			Remedy: "Take ordinal and id from the item's name and the path from its file, and share one position over the records of an item.",
		},
		{
			ID: ruleOrder, Severities: isError(), Title: "records stand in the order of the format",
			Doc:    "Head, transcript by ordinal, usage summaries by bucket, attachments by path, last session_info. Within an ordinal items stand by time as text, then by the id in their name; within an item the types have a fixed order.",
			Remedy: "Sort the records before they are written: head, transcript by ordinal, then the tail.",
		},
		{
			ID: ruleContextMark, Severities: isError(), Title: "context:false stands where the model never sees the record, and only there",
			Doc:    "Instructions, messages, reasoning, tool calls and tool results are in context unless they say context:false. On any other type the mark would say nothing. An item of a kind that the entry lists as seen by the model has no mark, one of another kind has it.",
			Remedy: "Leave context out; only false is ever written, and only on a type that is in context by default.",
		},
		{
			ID: ruleUsagePlace, Severities: isError(), Title: "usage stands on inferences and usage summaries, without zeros",
			Doc:    "Counters belong to a model response or to a bucket. A counter of zero is a schema default and no report, so it is left out.",
			Remedy: "Move the counters to the inference or the usage_summary, and leave zeros out.",
		},
		{
			ID: ruleTime, Severities: isError(), Title: "a time is an ISO 8601 date and time",
			Doc:    "Times are copied as spelled: a date, a T, a time, an optional fraction and an optional zone (Z, or an offset with or without colon and minutes). Anything else is left out, with the notice time-unreadable. All records of an item have the time of its native value.",
			Remedy: "Copy the native time stamp as it is spelled, without adding a zone; leave it out when it is no ISO 8601 date and time.",
		},
		{
			ID: ruleCoverage, Severities: isError(), Title: "usageCoverage agrees with the stream",
			Doc:    "responses is the number of inference records, withUsage the number of those with a joined row, and complete says whether both are equal and above zero. It stands there when the stream has an inference.",
			Remedy: "Count inferences, joined rows and rows left over once all records are written.",
		},
		{
			ID: ruleGapCover, Severities: isError(), Title: "every ordinal has an item or lies in a gap",
			Doc:    "From 0 to the last ordinal nothing is left unsaid, and no gap of missing items covers an item that is there. A run of missing ordinals is one gap. A gap at the end has evidence of later items, or an uncommitted file behind it.",
			Remedy: "Write a gap for each run of ordinals that have no item; at the end of the transcript write one only with its evidence in rs.ctx/gapEvidence.",
		},
		{
			ID: ruleClock, Severities: isError(), Title: "the clock is the one that the times show",
			Doc:    "naive-local when some time has no zone, utc when all are in UTC, else offset; and then the offset is the one that all times have, spelled with a colon. No zone is invented: an offset of local times names its evidence. Where the entry says what clock the agent writes, a stream with times has one.",
			Remedy: "Derive the basis from the time stamps as they are spelled, and state an offset only when the source proves it.",
		},
	}
}
