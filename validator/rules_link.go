package validator

// Rules about links between records.
const (
	ruleParent    = "parent-unresolved"
	ruleInference = "inference-unresolved"
	ruleCall      = "call-unresolved"
	ruleMessage   = "message-unresolved"
	ruleHeadLink  = "head-unresolved"
	ruleBoundary  = "boundary-unresolved"
	ruleTree      = "tree"
	rulePair      = "pair"
	ruleSplit     = "response-split"
	ruleView      = "compaction-view"
)

func linkRules() []Rule {
	return []Rule{
		{
			ID: ruleParent, Severities: isError(), Title: "a parent names a record that the model's context can go through",
			Doc:    "parent is the primary record of another item of the stream that is in context or is an applied compaction. Following parents never comes back. Gaps, inferences and the tail have no parent.",
			Remedy: "Pass through ancestors that the model never saw, up to the primary record of one that it saw or of an applied compaction; without one leave parent out and declare the loss lineage.",
		},
		{
			ID: ruleInference, Severities: isError(), Title: "an inference stands before its first member, and members name it",
			Doc:    "The link names a record of type inference that stands before. An inference has its first member's position and time and stands at the head of that item; it has at least one member, and neither parent nor native.",
			Remedy: "Write one inference a response, right before its first member and with that member's position and time, and its id on every member.",
		},
		{
			ID: ruleCall, Severities: isError(), Title: "a link to a call names a tool_call of the stream",
			Doc:    "This holds for tool_result, decision, hook, assessment and session_link. A result that cannot be paired says nativeCallId instead.",
			Remedy: "Give the record id of a tool_call; when the call is not in the stream, leave call out and give nativeCallId.",
		},
		{
			ID: ruleMessage, Severities: isError(), Title: "a hook's message names a message of the stream",
			Doc:    "It is the one that the native item names. A message that was never written is no link; it is left out.",
			Remedy: "Give the record id of a message of the stream, or leave the link out.",
		},
		{
			ID: ruleHeadLink, Severities: isError(), Title: "a head names the primary record of an item",
			Doc:    "head of the last session_info is the current leaf. A head that is not in the log is given as headNativeId alone, as the native state spells it.",
			Remedy: "Give the record id of the primary record of the leaf that the snapshot names, or headNativeId alone when it is not in the log.",
		},
		{
			ID: ruleBoundary, Severities: isError(), Title: "a compaction's boundary names a record of the stream",
			Doc:    "boundary.after is the primary record, or the earlier summary, after which the summary stands.",
			Remedy: "Give the id of the primary record, or earlier summary, that stands before the summary in the view; at the start of the view write atStart.",
		},
		{
			ID: ruleTree, Severities: isError(), Title: "parents are those that the native items lead to",
			Doc:    "By the entry's rules for parents the tree is worked out again from the native items. parent is the nearest ancestor in context, or an applied compaction; a root has none, and neither has an item above which a link does not resolve.",
			Remedy: "Resolve parents by the entry's rules from the native items: explicit ones first, the item before where the entry says so, none above a root, none and the loss lineage where a link does not resolve.",
		},
		{
			ID: rulePair, Severities: isError(), Title: "a result names the call that its native item names",
			Doc:    "By the entry's links the call is the same. The links of a hook, a decision or a session_link to a call are held against the native item too. nativeCallId, as the native item spells it, stands only where no call of the stream has that callId.",
			Remedy: "Try the entry's links in their order, and name the call that the first one finds.",
		},
		{
			ID: ruleSplit, Severities: isError(), Title: "the members of a response stand together",
			Doc:    "No message of the user or the environment and no member of another response stands between members of one. A response id that repeats over turns groups nothing.",
			Remedy: "Group no item of a response id that repeats over turns: leave out its inference, and note response-id-repeated.",
		},
		{
			ID: ruleView, Severities: isError(), Title: "a boundary lies where the offset points in the view",
			Doc:    "The view after forgetting is worked out again from parents and compactions. A view that is exact has a boundary; one that is not has none.",
			Remedy: "Work the view out from the chain of parents, remove what is forgotten, then count the offset; without an exact view leave the boundary out and declare context-boundary.",
		},
	}
}
