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
			Doc: "The first record of a stream is a session_info of phase head. No other record has that phase.",
		},
		{
			ID: ruleTail, Severities: isError(), Title: "a stream has one last session_info, and it comes last",
			Doc: "The last record of a stream is a session_info of phase snapshot (id state) or end (id end). No other record has one of these phases. A stream without it was cut off.",
		},
		{
			ID: ruleDuplicate, Severities: isError(), Title: "a record id occurs once in a stream",
			Doc: "Links name records by id, so an id that stands on two records of one stream makes them unreadable. Items with one native id get a suffix from their ordinal.",
		},
		{
			ID: ruleRecordID, Severities: isError(), Title: "ids are the ones the format fixes",
			Doc: "session, state and end, inference:<response id>, usage:<bucket>, gap:<first>-<last>, gap:<ordinal>:<name id> and file:<path> are fixed. The primary record of an item has the id in the item's name, maybe with a ~ suffix against clashes, and the item's other records have that id plus #<part>, or -summary.",
		},
		{
			ID: rulePosition, Severities: isError(), Title: "a position fits the type of its record",
			Doc: "Records of the transcript have an ordinal; the head and the tail have none. through stands on gaps of missing items only and lies after the ordinal. A state and an attachment state their path, and gaps other than missing ones state the file's.",
		},
		{
			ID: ruleOrder, Severities: isError(), Title: "records stand in the order of the format",
			Doc: "Head, transcript by ordinal, usage summaries by bucket, attachments by path, last session_info. Within an ordinal items stand by time as text, then by the id in their name; within an item the types have a fixed order.",
		},
		{
			ID: ruleContextMark, Severities: isError(), Title: "context:false stands only on types that are in context otherwise",
			Doc: "Instructions, messages, reasoning, tool calls and tool results are in context unless they say context:false. On any other type the mark would say nothing.",
		},
		{
			ID: ruleUsagePlace, Severities: isError(), Title: "usage stands on inferences and usage summaries, without zeros",
			Doc: "Counters belong to a model response or to a bucket. A counter of zero is a schema default and no report, so it is left out.",
		},
		{
			ID: ruleTime, Severities: isError(), Title: "a time is an ISO 8601 date and time",
			Doc: "Times are copied as spelled: a date, a T, a time, an optional fraction and an optional zone (Z, or an offset with or without colon and minutes). Anything else is left out, with the notice time-unreadable.",
		},
		{
			ID: ruleCoverage, Severities: isError(), Title: "usageCoverage agrees with the stream",
			Doc: "responses is the number of inference records, withUsage the number of those with a joined row, and complete says whether both are equal and above zero. It stands there when the stream has an inference.",
		},
		{
			ID: ruleGapCover, Severities: isError(), Title: "every ordinal has an item or lies in a gap",
			Doc: "From 0 to the last ordinal nothing is left unsaid, and no gap of missing items covers an item that is there. A run of missing ordinals is one gap. A gap at the end has evidence of later items, or an uncommitted file behind it.",
		},
		{
			ID: ruleClock, Severities: isError(), Title: "the clock is the one that the times show",
			Doc: "naive-local when some time has no zone, utc when all are in UTC, else offset; and then the offset is the one that all times have, spelled with a colon. No zone is invented.",
		},
	}
}
