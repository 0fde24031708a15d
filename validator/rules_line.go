package validator

import "github.com/session-trace/ctx/internal/record"

// Rules about the bytes of one line.
const (
	ruleJSON         = "json"
	ruleSchema       = "schema"
	ruleUnsafe       = record.UnsafeNumber
	ruleNativeInline = "native-inline"
	ruleMetaKey      = "meta-key"
	ruleSecretName   = "secret-name"
	ruleSessionInfo  = "session-info"
	rulePointer      = "content-pointer"
	ruleRedaction    = "redaction"
	ruleRetained     = "secret-retained"
	ruleUsageRow     = "usage-row"
	ruleNativeReason = "native-reason"
	ruleProjection   = "projection"
)

func lineRules() []Rule {
	return []Rule{
		{
			ID: ruleJSON, Severities: isError(), Title: "a stream is one JSON object a line",
			Doc:    "UTF-8 without BOM, each line ended by a line feed, no carriage return, no blank line, no duplicate key outside native, no line above the limit. Documents of the bundle are sound JSON too. A compressed stream that stands alone breaks this where its bytes cannot be decompressed.",
			Remedy: "Write each record as one line of UTF-8 JSON that ends with a line feed alone, and each key once. `sed -n <line>p` shows the line.",
		},
		{
			ID: ruleSchema, Severities: isError(), Title: "a document follows its schema",
			Doc:    "Each record follows the schema of its type. Unknown members are errors, but for native.record and the values of _meta.",
			Remedy: "Correct the member at the pointer; `ctx schema record/<type>` prints what it may be. Leave out what is unknown instead of writing null or \"\".",
		},
		{
			ID: ruleUnsafe, Alias: "ASR-035", Severities: isBoth(), Title: "a number cannot be read without change",
			Doc:    "Safe are whole numbers of magnitude up to 2^53-1, and others whose nearest double has the same value. As an error: a member or native.record holds an unsafe number, where the format wants the bytes in a blob. As a notice: a source had one, and the record leaves it out.",
			Remedy: "As an error: keep the native bytes in a blob with the reason unsafe-number, and leave the member out of the record. As a notice: nothing has to be done; read the number from the native bytes, as text.",
		},
		{
			ID: ruleNativeInline, Severities: isError(), Title: "bytes stand inline only where a line can carry them",
			Doc:    "native.record is at most 1 MiB and 1,000 levels deep, and has no duplicate key and no lone surrogate. Everything else is a blob with its reason.",
			Remedy: "Write the bytes as a blob and name the reason: size, depth, duplicate-key or surrogate.",
		},
		{
			ID: ruleMetaKey, Severities: isError(), Title: "a _meta key is one of ours or one of the entry's",
			Doc:    "rs.ctx/ keys are a closed list. Any other key is <agent name>/<destination> with a destination that the registry entry lists. Under file, uncommitted and unfinished stands a list of files, each with its path.",
			Remedy: "Use a destination that the registry entry lists, add one to the entry, or leave the member out; it stays in the native bytes.",
		},
		{
			ID: ruleSecretName, Severities: isError(), Title: "no registry of secrets is retained",
			Doc:    "Members named secret_registry or secrets_manager stand nowhere in native bytes, blobs that are JSON, or _meta.",
			Remedy: "Cut the member out before anything is written, and name it in native.redacted. Treat the secrets in it as exposed, and change them.",
		},
		{
			ID: ruleSessionInfo, Severities: isError(), Title: "session_info agrees with the manifest",
			Doc:    "sessionId, agent, format and source of a session_info are those of the manifest's stream entry and its source.",
			Remedy: "Write sessionId, agent, format and source of the head, the last session_info and the manifest from one place.",
		},
		{
			ID: rulePointer, Severities: isError(), Title: "a pointer leads to what it stands for",
			Doc:    "The pointers of image and other parts and valuePointer name a value of the native item on their line. The hash and size of an image are those of its inline data.",
			Remedy: "Point into the native value as it stands on the line, after redaction, and take size and hash from the decoded data.",
		},
		{
			ID: ruleRedaction, Severities: isError(), Title: "a redaction names what was cut out",
			Doc:    "At the pointer there is no member any more, or a string with <secret-omitted> or a token of ctx redact in it, and what it stood in is there. Each pointer stands once.",
			Remedy: "List in native.redacted what was really cut: a member that is gone, or a string with <secret-omitted> in it.",
		},
		{
			ID: ruleRetained, Severities: isError(), Title: "nothing is retained that the registry entry leaves out",
			Doc:    "Members that the entry names as secrets hold nothing, URLs that it names have no user part, and no string of a document with secrets has as a whole the shape of a key (sk-…, ghp_…, AKIA…, a private key). This holds for native bytes on lines and in blobs.",
			Remedy: "Cut the value out as the registry entry says, before the bytes are hashed or written. Treat it as exposed, and change it.",
		},
		{
			ID: ruleUsageRow, Severities: isError(), Title: "usage is that of the native row beside it",
			Doc:    "Each counter of an inference or usage_summary, its cost and its latency are as the native row in _meta has them, the row is that of the response, and each bucket that an inference names has a usage_summary, which keeps the bucket's native counters.",
			Remedy: "Copy the counters, the cost and the latency from the native row, and keep that row in _meta beside them.",
		},
		{
			ID: ruleProjection, Severities: isError(), Title: "records state what their native item states",
			Doc:    "By the entry's projections the type of each record of an item, and the members that come from the item alone, are worked out again: texts, roles, names, arguments, states. So are title, workspace, status and models of the last session_info. This holds for native values that stand on a line.",
			Remedy: "Project the item by the entry, copy texts as they are, and write each record that the projection has and no other.",
		},
		{
			ID: ruleNativeReason, Severities: isError(), Title: "bytes are a blob for the reason that is given",
			Doc:    "The reason is the first one of the format's list that holds for the bytes. Bytes that can stand on a line stand in native.record.",
			Remedy: "Check the reasons in the order of the format and name the first that holds; write bytes that a line can carry inline.",
		},
	}
}
