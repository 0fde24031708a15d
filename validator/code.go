package validator

import (
	"cmp"
	"slices"

	"github.com/session-trace/ctx/internal/record"
)

// Code is a word of the format that says why something is missing, cut out or kept otherwise: no finding, but as stable
// as the id of a rule, and in need of the same explanation. A word that is the id of a rule too is explained there.
type Code struct {
	ID     string
	Kinds  []string // where it stands: "loss", "gap", "blob", "redaction", "unidentified"
	Title  string   // one line
	Doc    string   // what it means, plain text
	Remedy string   // what a reader does about it
}

// Where codes stand.
const (
	kindLoss         = "loss"         // losses of a record
	kindGap          = "gap"          // reason of a gap
	kindBlob         = "blob"         // reason of a native.blob
	kindRedaction    = "redaction"    // kind of an entry of native.redacted
	kindUnidentified = "unidentified" // reason of an entry of unidentifiedSources
)

// Codes lists all codes that are no rules, sorted by id. The caller owns it.
func Codes() []Code {
	all := slices.Concat(lossCodes(), gapCodes(), blobCodes(), redactionCodes(), unidentifiedCodes())
	slices.SortFunc(all, func(a, b Code) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

func lossCodes() []Code {
	loss := []string{kindLoss}
	return []Code{
		{
			ID: record.LossModelRendering, Kinds: loss, Title: "the text that the model saw was made at run time",
			Doc:    "The result is kept as the source has it. The agent shortened it, or put words around it, before the model saw it, and stored that text nowhere.",
			Remedy: "Read content as what the tool gave, not as what the model read.",
		},
		{
			ID: record.LossAccountingJoin, Kinds: loss, Title: "a response and its ledger row could not be joined",
			Doc:    "On an inference: no row of the ledger, or several that differ, are its own. On a usage_summary: some rows of the bucket belong to no inference of the stream.",
			Remedy: "Take sums from the usage_summary; the rows stand in the state and can be read there.",
		},
		{
			ID: record.LossUsageCoverage, Kinds: loss, Title: "not every response has its usage",
			Doc:    "usageCoverage of the last session_info counts responses, those with usage, and rows left over.",
			Remedy: "Do not sum the inferences; take the usage_summary records, or say that the sum is a lower bound.",
		},
		{
			ID: record.LossLineage, Kinds: loss, Title: "a link of the item does not resolve",
			Doc:    "Its parent, or a record that it names, is not in the log, lies behind a gap, or is named by an id that occurs twice. The link is left out rather than guessed.",
			Remedy: "See the gaps and notices before the item: parent-missing, parent-cycle, id-duplicate and ordinal-duplicate say why.",
		},
		{
			ID: record.LossContextBoundary, Kinds: loss, Title: "where a compaction cut is not known",
			Doc:    "It forgets ids that nothing bears, or the view that its offset counts in is not exact.",
			Remedy: "`ctx context` shows the best reading there is and says that it is deduced.",
		},
		{
			ID: record.LossSecretOmitted, Kinds: loss, Title: "a secret was cut out of the native bytes",
			Doc:    "native.redacted says where. Everything else of the bytes is as the source had it.",
			Remedy: "Nothing has to be done. The source still holds the secret; `ctx verify` compares with the same cuts.",
		},
		{
			ID: record.LossNativeUnreadable, Kinds: loss, Title: "a file of the source could not be read as what it is",
			Doc:    "It stands on the gap of an item, whose bytes are kept where there are any, or on the last session_info for a document that may hold secrets and is not kept, or on an item around which more text stands than is kept.",
			Remedy: "Look at the blob of the gap, or at the file in the source; a sound copy of it makes the loss go away.",
		},
		{
			ID: record.LossTimeZone, Kinds: loss, Title: "the times have no zone, and nothing proves one",
			Doc:    "The agent wrote local times without an offset. Intervals within the session hold but for a change of clock.",
			Remedy: "Do not compare these times with those of other machines.",
		},
	}
}

func gapCodes() []Code {
	gap := []string{kindGap}
	return []Code{
		{
			ID: gapMissing, Kinds: gap, Title: "items are missing",
			Doc:    "The ordinals from position.ordinal to through, or the one alone, have no file, and later ones do, or a head or length marker proves that they existed.",
			Remedy: "Look for the files in a backup or another copy of the folder, put them in their place and convert again.",
		},
		{
			ID: "unreadable", Kinds: []string{kindGap, kindUnidentified}, Title: "a file or folder could not be opened or read",
			Doc:    "The operating system refused, reading failed, or something that is no regular file has the name of an item.",
			Remedy: "Check permissions and disk for the path, and convert again.",
		},
		{
			ID: "too-large", Kinds: gap, Title: "an item is over a limit",
			Doc:    "It was larger than --max-item, or came after --max-items or --max-bytes. Size and hash stand in rs.ctx/file.",
			Remedy: "Convert again with a higher limit.",
		},
		{
			ID: reasonInvalid, Kinds: []string{kindGap, kindBlob}, Title: "the bytes are no JSON object",
			Doc:    "They end early, have more after the value, nest deeper than 10,000 levels, or are another kind of value. rs.ctx/gapEvidence of a gap gives the first byte that shows it.",
			Remedy: "Look at the blob from that byte on; a file that a crash cut off can sometimes be completed from another copy.",
		},
		{
			ID: reasonBytes, Kinds: []string{kindGap, kindBlob}, Title: "the bytes are no UTF-8",
			Doc:    "rs.ctx/gapEvidence of a gap gives the first byte that shows it. A file of NUL bytes is UTF-8 and counts as invalid-json.",
			Remedy: "Look at the blob from that byte on: the disk or another program damaged the file.",
		},
		{
			ID: reasonEmpty, Kinds: []string{kindGap, kindBlob, kindRedaction}, Title: "there is nothing in it",
			Doc:    "As a gap: the item's file has 0 bytes. As the reason of a blob: so has the attachment. As a redaction: the member that was cut out held nothing.",
			Remedy: "A gap: the item was lost when it was written; another copy of the folder may have it. Else nothing has to be done.",
		},
	}
}

func blobCodes() []Code {
	blob := []string{kindBlob}
	return []Code{
		{
			ID: reasonSize, Kinds: blob, Title: "the bytes are over 1 MiB",
			Doc:    "They are read and projected all the same.",
			Remedy: "Nothing has to be done; `ctx show` reads the blob.",
		},
		{
			ID: reasonDepth, Kinds: blob, Title: "the bytes nest deeper than 1,000 levels",
			Doc:    "They are read and projected all the same, up to 10,000 levels.",
			Remedy: "Read the blob with a reader that does not recurse.",
		},
		{
			ID: reasonSpace, Kinds: blob, Title: "the bytes do not stand on one line",
			Doc:    "They have line ends or white space around the value, line ends between tokens, or a byte order mark. An editor or formatter touched them.",
			Remedy: "Nothing has to be done.",
		},
		{
			ID: reasonHalf, Kinds: blob, Title: "the bytes have half a surrogate pair",
			Doc:    "A \\u escape in a string is half of a pair, which no UTF-8 can hold. In records it is U+FFFD, with the notice text-surrogate.",
			Remedy: "Nothing has to be done; the exact escape stands in the blob.",
		},
		{
			ID: reasonNumber, Kinds: blob, Title: "the bytes have NaN or Infinity",
			Doc:    "These tokens are no JSON, but the writer makes and reads them. They count as null.",
			Remedy: "Read the blob with a reader that knows the tokens, such as Python's.",
		},
	}
}

func redactionCodes() []Code {
	return []Code{
		{
			ID: "secret", Kinds: []string{kindRedaction}, Title: "what was cut out held a value in clear",
			Doc:    "The record has the loss secret-omitted.",
			Remedy: "Nothing has to be done. The source still holds the value.",
		},
		{
			ID: "masked", Kinds: []string{kindRedaction}, Title: "what was cut out held only masked values",
			Doc:    "The writer had put asterisks, a mark or an encrypted token in place of the value. No loss follows, only the notice secret-member-omitted.",
			Remedy: "Nothing has to be done.",
		},
	}
}

func unidentifiedCodes() []Code {
	one := []string{kindUnidentified}
	return []Code{
		{
			ID: "no-entry-matches", Kinds: one, Title: "no registry entry knows the files",
			Doc:    "They lie under the input and belong to no conversation that an entry recognises.",
			Remedy: "If they are conversations, add an entry for their agent; else leave them out with --exclude, or do nothing.",
		},
		{
			ID: "ambiguous", Kinds: one, Title: "more than one registry entry knows the files",
			Doc:    "Nothing says which agent wrote them, so none was chosen.",
			Remedy: "Choose with --agent.",
		},
		{
			ID: "unqualified-format", Kinds: one, Title: "the format is known and not converted",
			Doc:    "An entry recognises the files and has no evidence for what they mean, or the session id cannot name a stream.",
			Remedy: "Convert the session with a version of the agent that writes a qualified format, or add evidence to the entry.",
		},
		{
			ID: "symlink-outside", Kinds: one, Title: "a link leads out of the input",
			Doc:    "Links to files outside the root are not followed, and links to folders never.",
			Remedy: "Give the folder that the link leads to as another SOURCE.",
		},
		{
			ID: "not-opened", Kinds: one, Title: "the files may hold credentials and were not opened",
			Doc:    "The entry of the agent lists them as never read. Their number and size come from the folder alone.",
			Remedy: "Nothing has to be done.",
		},
	}
}
