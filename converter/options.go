// Package converter drives native sources to the streams of a bundle: it finds the sources, puts one session together
// from its items, and writes the manifest and the report.
package converter

import (
	"fmt"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/registry"
)

// Version is the release that bundles name. It carries no build state, so that equal input gives equal bytes.
const Version = "0.1.0"

// Options say what to convert and how. Sources, Out (but for a dry run) and Registry are required.
type Options struct {
	Sources  []string // folders
	Out      string   // the bundle to write
	Registry *registry.Registry

	Jobs     int // sources worked on at once, 0: one a processor
	Compress bundle.Compression
	Force    bool // replace a bundle at Out
	DryRun   bool // find sources and count, write nothing
	Update   bool // take over what the run before has made of sources that did not change
	Checksum bool // with Update: read the files to tell whether they changed

	Sessions     []string // ids, with or without dashes, stream ids, or unique beginnings of them; none: all
	Since, Until string   // ISO 8601, compared as spelled; "" none
	Exclude      []string // patterns of paths that are not looked at; the files of a conversation go with its folder or not at all
	Agent        string   // name or alias of the one entry to use, "" all

	MaxItem  int64          // bytes of the largest item read, 0: 64 MiB
	MaxDepth int            // levels of the deepest item read as JSON, 0: 10,000, which is also the most
	MaxItems int64          // items read of one conversation, 0: all
	MaxBytes int64          // bytes after which no further item of a conversation is read, 0: all
	NewCheck func() Check   // makes the check that sees the records of one stream, nil: none
	Progress func(Progress) // called from one goroutine at a time, nil: none
}

// Check sees the facts of the records of one stream, in order.
type Check interface {
	Record(f *record.Facts)
	Close() Checked
}

// Checked is what a check counted and found.
type Checked struct {
	Records, Items, Gaps int64
	Types                map[string]int64
	Losses               map[string]bundle.Loss
	Findings             record.Findings
}

// Progress is how far a conversion is.
type Progress struct {
	Sources, SourcesDone int64
	Items, Bytes         int64 // read so far
}

// Result is what a conversion did.
type Result struct {
	Report       record.Report
	Sources      []SourceResult // in path order
	Unidentified []bundle.Unidentified
	Streams      int
	RootSHA256   string   // "" for a dry run
	Forgotten    error    // with Update: the bundle stands, and what was read could not be remembered for the next run
	Resumed      int      // with Update: streams that were taken over from runs that were interrupted
	Gone         int      // with Update: streams of the bundle before whose sources are gone
	Unused       []string // patterns of Exclude that left out nothing
	Unchanged    bool     // with Update: the bundle that stands is the one asked for, nothing was written
}

// SourceResult is what became of one source.
type SourceResult struct {
	ID, Path, Agent, Format, Layout string
	Row, Rows                       int64 // which row of how many of the file at Path; no rows: the source is all that is there
	Stream, SessionID               string
	Items, Records, Gaps            int64
	Notices, Errors                 int64
	Files, Bytes                    int64
	Losses                          int64 // codes declared, summed over records
	Err                             error // the source was recognised and gave no stream
}

// Place is where the source lies, as text: its path, and the row where others share the file.
func (s *SourceResult) Place() string { return place(s.Path, s.Row, s.Rows) }

func place(path string, row, rows int64) string {
	if rows == 0 {
		return path
	}
	return fmt.Sprintf("%s, row %d", path, row)
}

// UsageError says that nothing was done because of how the conversion was asked for.
type UsageError struct {
	Message string
	Hint    string // what to do instead, "" none
}

func (e *UsageError) Error() string { return e.Message }

// maxItem is the default limit of one item.
const maxItem = 64 << 20
