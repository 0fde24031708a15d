package validator

// Rules about the records of one native item.
const (
	ruleNativeMissing  = "native-missing"
	ruleNativeRepeated = "native-repeated"
	ruleNativePlace    = "native-place"
	ruleParentShared   = "parent-shared"
	ruleCompaction     = "compaction"
	ruleSummary        = "compaction-summary"
)

func itemRules() []Rule {
	return []Rule{
		{
			ID: ruleNativeMissing, Severities: isError(), Title: "every native item has a record that carries its bytes",
			Doc:    "One record of each item, its primary record, has native. So do a state, an attachment, and a gap whose file could be read but not understood.",
			Remedy: "Put the item's bytes on its primary record: native.record when a line can carry them, else native.blob with the reason.",
		},
		{
			ID: ruleNativeRepeated, Severities: isError(), Title: "the bytes of an item stand on one record only",
			Doc:    "Two records of one item that both carry native would double the item when the source is restored.",
			Remedy: "Keep native on the primary record and leave it out of the item's other records.",
		},
		{
			ID: ruleNativePlace, Severities: isError(), Title: "derived records carry no native bytes",
			Doc:    "An inference, a usage summary of the tail, a head, an end and a gap without readable bytes come from no native item of their own.",
			Remedy: "Leave native out of records that are worked out, and give a gap the reason of its blob.",
		},
		{
			ID: ruleParentShared, Severities: isError(), Title: "all records of an item have the same parent",
			Doc:    "The parent belongs to the item. Only a summary message differs: its parent is its compaction.",
			Remedy: "Work the parent out once for an item and write it on each of its records.",
		},
		{
			ID: ruleCompaction, Severities: isError(), Title: "a compaction's members agree with each other",
			Doc:    "extent stands on applied compactions only. Forgotten ids name primary records or earlier summaries of the stream, each once. Ids that name nothing known make the extent unknown, unless they name an earlier summary. A boundary needs an offset and a summary.",
			Remedy: "Copy the forgotten ids in the order of the source, each once; put those that name nothing into forgottenUnknown and set extent to unknown.",
		},
		{
			ID: ruleSummary, Severities: isError(), Title: "a compaction's summary is the message made from it",
			Doc:    "It has the compaction's id plus -summary, stands in the same item, is a message of origin summary, and its parent is the compaction. It is written with context:false when there is no offset, and only then.",
			Remedy: "Write the summary right after its compaction: a message of origin summary, id <compaction id>-summary, parent the compaction, context:false when there is no offset.",
		},
	}
}
