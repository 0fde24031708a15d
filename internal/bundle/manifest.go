package bundle

import "strconv"

// Format and Version are the manifest's first members.
const (
	Format  = "ctx-bundle"
	Version = 1
)

// Manifest is manifest.json: what a bundle holds and where it came from.
// Hashes are SHA-256 in lower-case hex.
type Manifest struct {
	Format       string
	Version      int64
	Converter    Converter
	Registry     []RegistryEntry
	Sources      []SourceInfo
	Streams      []StreamInfo
	Blobs        []BlobInfo
	Unidentified []Unidentified // member unidentifiedSources
	Selection    []byte         // JSON object, copied as it stands
	RootSHA256   string
	Meta         []byte // member _meta: JSON object, copied as it stands; nil for none
}

// Converter names the program that wrote the bundle.
type Converter struct {
	Name, Version string
}

// RegistryEntry is an entry used; its bytes are the blob of that hash.
type RegistryEntry struct {
	Agent, EntryVersion, SHA256 string
}

// SourceInfo is one native conversation.
type SourceInfo struct {
	ID, Agent, Format, Layout string
	Path                      string // relative to the input root
	Row, Rows                 int64  // which row of how many of the file at Path; no rows: the source is all that is there
	Files, Bytes              int64
	SHA256                    string
	Positions                 []string // families present
}

// Key tells the source from all others of the bundle: its path, and its row where several sources share a file.
func (s *SourceInfo) Key() string { return RowKey(s.Path, s.Row, s.Rows) }

// RowKey is the key of a source at a path; rows 0: it is all that is there.
func RowKey(path string, row, rows int64) string {
	if rows == 0 {
		return path
	}
	return path + "\x00" + strconv.FormatInt(row, 10)
}

// StreamInfo is one stream. SHA256 and Bytes are those of the uncompressed
// lines.
type StreamInfo struct {
	ID, SessionID, Agent string
	Source               string // id of the source
	File                 string // path in the bundle, with the suffix of the compression
	Compression          string // "none" or "zstd"
	Records, Items       int64
	Types                map[string]int64 // records by type
	Gaps                 int64
	SHA256               string
	Bytes                int64
	Losses               map[string]Loss // by code
	Evidence             []int64         // indices of the entry's evidence
}

// Loss sums up one loss code of a stream.
type Loss struct {
	Count int64
	First string // id of the first record that has it
}

// BlobInfo is one blob. SHA256 and Bytes are those of the uncompressed bytes.
type BlobInfo struct {
	SHA256      string
	Bytes       int64
	MediaType   string
	Compression string // "none" or "zstd"
}

// Unidentified is files of the input that belong to no source.
type Unidentified struct {
	Path, Reason string
	Files, Bytes int64
}
