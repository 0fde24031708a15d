// Package entry holds a registry entry as typed data: what an agent writes, where, and what its items mean.
//
// An entry is one JSON document. Load checks it against its schema, compiles its paths, patterns and conditions,
// and reports every fault with its place. What the records of an item are is left to package registry.
package entry

import (
	"github.com/session-trace/ctx/internal/jsonscan"
)

// Entry is one agent's registry entry.
type Entry struct {
	Name         string   // reverse-DNS name, the namespace of its _meta members
	Aliases      []string // the first one begins stream ids
	Version      string   // "0" when the entry states none
	Raw          []byte   // the document
	SHA256       string   // of Raw, lower-case hex
	Formats      []Format
	Evidence     int      // number of evidence items
	Destinations []string // names of _meta members, without the namespace, sorted

	Session  Session
	Snapshot Snapshot
	Tree     Tree
	Groups   Groups
	Pairs    []Pair
	Context  Context
	Usage    Usage
	Secrets  Secrets
	Parts    Parts

	// Doc is Raw, scanned; Records is the node of its list of projections, -1 without one.
	Doc     jsonscan.Doc
	Records int
	// Conditions are the named conditions.
	Conditions map[string]*Cond
}

// Converts says whether the entry can turn sources into records: it has projections and a format that is detected.
func (e *Entry) Converts() bool {
	if e.Records < 0 {
		return false
	}
	for i := range e.Formats {
		if e.Formats[i].Detect != nil && e.Formats[i].Qualified {
			return true
		}
	}
	return false
}

// Alias is the name that begins stream ids.
func (e *Entry) Alias() string {
	if len(e.Aliases) > 0 {
		return e.Aliases[0]
	}
	return e.Name
}

// Destination is the key of a _meta member of this agent.
func (e *Entry) Destination(name string) string { return e.Name + "/" + name }

// Format is one native format of an agent.
type Format struct {
	ID        string
	Qualified bool // false: recognised, never converted
	Detect    *Lookup
	Layouts   []Layout
	Items     ItemStream
	Document  DocumentStream

	Attachments []Glob
	Unfinished  []string // name patterns in the source's folder
	Ignore      []Glob
	Never       []Glob
	Children    []Glob
}

// OneFile says whether the items of the format stand in one file.
func (f *Format) OneFile() bool {
	return f.Items.Reader == ReadLines || f.Items.Reader == ReadMarked || f.Items.Reader == ReadElements
}

// Readers of files that hold many items, and of what one of them holds besides.
const (
	ReadLines    = "json-lines"
	ReadMarked   = "json-marked"
	ReadElements = "json-elements"
	ReadAround   = "json-around"
)

// Layout is one way in which a format's files lie in a folder.
type Layout struct {
	Name      string
	Under     string // the source folder must bear this name; "" any
	Items     string // folder of the items relative to the source, "." for the source itself; or the file that holds them
	Files     []Glob // names of files of which each is a source by itself; Items is "" then
	Rows      bool   // each line of such a file is a document, and a source by itself
	Snapshot  string // file name relative to the source
	ParentKey bool   // the session's key is the name of the parent folder
	FileKey   bool   // the session's key is the name of the file, without its suffix, and the number of the row
	ItemKey   bool   // the session's key is the id in its first item's body; FileKey holds, too, for a session without one
	Evidence  []int
}

// Takes says whether a file of that name is a source by itself, if its content is.
func (y *Layout) Takes(name string) bool {
	for i := range y.Files {
		if y.Files[i].Match(name) {
			return true
		}
	}
	return false
}

// ItemStream is the stream of a transcript's items.
type ItemStream struct {
	Reader     string   // "json-directory", or one that reads many items from one file: "json-lines", "json-marked", "json-elements"
	Mark       string   // the line before each item of a json-marked file
	Arrays     []string // members that may be the array of a json-elements file, "." the document
	Name       string   // name pattern
	Unfinished []string
	Length     string // name pattern of a length marker, "" none
	Ignore     []string
}

// DocumentStream is the stream of the snapshot.
type DocumentStream struct {
	Around     bool     // the snapshot is the document that the array of items stands in, without the items
	Unfinished []string // name patterns
}

// Lookup says which files a folder must have to be a source.
type Lookup struct {
	All, Any []*Lookup
	Not      *Lookup
	Items    bool
	First    *Cond  // held against the first item of a file of many items
	File     string // path below the folder
	Has      []Path // members that the document in File must have
	Folder   string // folder part of Name, "." for the folder itself
	Name     string // file name pattern
}

// Session says where the session's own facts lie.
type Session struct {
	IDs           []IDSource
	WithoutDashes bool // ids compare without their dashes
	Clock         string
	Time          Path
	HasTime       bool
}

// IDSource is one place that may name the session. Exactly one of Snapshot, Document, File, Folder is used.
type IDSource struct {
	Snapshot bool
	Document bool   // beside the array of items in one document
	File     string // an attachment
	Path     Path   // in the snapshot, the document or the file
	Folder   bool   // the folder's key
}

// Snapshot says what the snapshot states about the session. The values are nodes of Entry.Doc, -1 when left out.
type Snapshot struct {
	Title, Workspace, ExecutionStatus, RequestedModels int
	Destination                                        string // name of the _meta member that keeps the snapshot, "" none
}

// Tree says how items form a tree.
type Tree struct {
	Stated          bool // the entry has a tree block
	Body            Path // the id in an item's body
	Parent          Path
	Root            string
	MissingPrevious bool
	NeverParent     []*Cond
	Head            Path
	HasHead         bool
	HeadNone        *Cond
	LastNot         []string
}

// Groups say which items came from one model response.
type Groups struct {
	Stated      bool
	Of          *Cond // which items; nil: all
	Key         Path
	Calls       Path // call ids that a member names, so that items without a key can join
	HasCalls    bool
	SeparatedBy *Cond // items that end a response
	Unless      *Cond // held against the snapshot: then nothing is grouped
	Purposes    []Purpose
}

// Purpose is what a response was for.
type Purpose struct {
	When *Cond
	Is   string
}

// Pair says which items are calls, and which answer them.
type Pair struct {
	Calls   *Cond
	Key     Path
	Open    *Cond // calls that need an answer; nil: all
	Update  bool  // later items of one key update the first
	Results []Result
}

// Result is one kind of item that answers calls.
type Result struct {
	When *Cond
	By   []Link
}

// Link is one way in which a result names its call: by the call's id or by its pair key.
type Link struct {
	ByID bool
	Path Path
}

// Context says what the model sees.
type Context struct {
	Kind       Path // the member that names an item's kind
	Kinds      []string
	Compaction *Compaction
	Enforce    []Enforcement
}

// Compaction says how items leave the context.
type Compaction struct {
	When             *Cond
	Forgotten        Path
	Summary          Path
	SummaryIDBefore  string // what stands before {id} in a summary's own id
	SummaryIDAfter   string
	Offset           Path
	BeyondIsEnd      bool
	UnknownIsSummary bool
}

// Enforcement is one rule by which a rebuilt view drops items.
type Enforcement struct {
	Rule   string
	Starts *Cond
}

// Usage says where the ledger of model responses lies in the snapshot.
type Usage struct {
	Stated            bool
	Ledgers           []Path // the first that names anything
	Rows              Path   // in a bucket
	RowJoin, RowModel Path
	Latencies         Path
	HasLatencies      bool
	LatencyJoin       Path
	LatencySeconds    Path
	Costs             Path
	HasCosts          bool
	CostAmount        Path // in a cost row
	CostSeconds       Path
	Fields            []UsageField
	TotalUsage        Path
	TotalCost         Path
	HasTotals         bool
	Destination       string
	TotalDestination  string
	Unless            *Cond // held against the snapshot: then nothing is joined
	RowsName          string
	LatenciesName     string
	TotalUsageName    string
	TotalCostName     string
	EvidenceWhen      *Cond // items that repeat the ledger's counters, nil none: they speak where there is no snapshot
	EvidenceAt        Path  // the buckets in such an item
}

// UsageField maps one native counter to a member of usage.
type UsageField struct {
	Member string
	Path   Path
}

// Secrets say what is never retained.
type Secrets struct {
	Omit     []Omission
	UserInfo []Path // URLs of the snapshot whose user part goes
	Masked   []string
	Prefixes []string // masked values begin like this
	Always   []string // members that go even when they hold nothing
	Learn    []Path
}

// In says which documents an omission is for.
type In string

// The documents an omission can be for; any other value names an attachment.
const (
	InSnapshot   In = "snapshot"
	InTranscript In = "transcript"
)

// Omission names members of one kind of document.
type Omission struct {
	In    In
	When  *Cond
	At    Path // below which Paths are relative
	HasAt bool
	Paths []Path
	Text  bool // the value at At is a string that holds JSON: values are replaced, not removed
}

// Parts say how content blocks become parts.
type Parts struct {
	Stated                bool
	TextWhen, ImageWhen   *Cond
	Text, ImageURLs       Path
	HasText, HasImageURLs bool
}
