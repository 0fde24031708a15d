package record

// Position families.
const (
	Transcript   = "transcript"
	CurrentState = "current-state"
)

// Core loss codes (section 8 of the format). Anything else is a vendor loss, named <agent>/<code>.
const (
	LossModelRendering   = "model-rendering"
	LossAccountingJoin   = "accounting-join"
	LossUsageCoverage    = "usage-coverage"
	LossLineage          = "lineage"
	LossContextBoundary  = "context-boundary"
	LossSecretOmitted    = "secret-omitted"
	LossNativeUnreadable = "native-unreadable"
	LossTimeZone         = "time-zone"
)

// CoreLosses lists the core loss codes, sorted.
func CoreLosses() []string {
	return []string{
		LossAccountingJoin, LossContextBoundary, LossLineage, LossModelRendering,
		LossNativeUnreadable, LossSecretOmitted, LossTimeZone, LossUsageCoverage,
	}
}

// Notice codes (section 11 of the format).
const (
	SessionDuplicate    = "session-duplicate"
	UnsafeNumber        = "unsafe-number"
	TextSurrogate       = "text-surrogate"
	DuplicateKey        = "duplicate-key"
	ParentMissing       = "parent-missing"
	ParentCycle         = "parent-cycle"
	IDDuplicate         = "id-duplicate"
	IDDiffersFromName   = "id-differs-from-name"
	OrdinalDuplicate    = "ordinal-duplicate"
	HeadMissing         = "head-missing"
	HeadLags            = "head-lags"
	CallOpen            = "call-open"
	ResultRepeated      = "result-repeated"
	ResultBeforeCall    = "result-before-call"
	ResultOffBranch     = "result-off-branch"
	LinkConflict        = "link-conflict"
	ResponseIDRepeated  = "response-id-repeated"
	UsageDuplicate      = "usage-duplicate"
	UsageResidue        = "usage-residue"
	UsageInvalid        = "usage-invalid"
	TailUncommitted     = "tail-uncommitted"
	WriteUnfinished     = "write-unfinished"
	LengthMarkerBehind  = "length-marker-behind"
	TimeUnreadable      = "time-unreadable"
	TimeBackwards       = "time-backwards"
	SourceChanged       = "source-changed"
	OddFile             = "odd-file"
	NameUnknown         = "name-unknown"
	StateUnreadable     = "state-unreadable"
	IDDisagreement      = "id-disagreement"
	RootUnreached       = "root-unreached"
	SecretMemberOmitted = "secret-member-omitted"
	SecretShort         = "secret-short"
	MemberUnmapped      = "member-unmapped"
	FormatUnqualified   = "format-unqualified"
	BundleEmpty         = "bundle-empty"
)

// Own is the prefix of our own bookkeeping keys in _meta.
const Own = "rs.ctx/"

// OwnMeta lists the closed set of our own _meta keys, without the prefix.
func OwnMeta() []string {
	return []string{
		"file", "uncommitted", "unfinished", "gapEvidence", "serialization",
		"partition", "messageKey", "derivedFrom", "unmapped",
	}
}

// MaxSafe is the largest magnitude of a safe integer.
const MaxSafe = 1<<53 - 1
