// Package diff says what is different between two bundles, record by record.
//
// Streams are matched by their id and records by theirs, so that a record that came in does not shift all that follow it.
// Every byte of a stream counts: a number or a string that is only spelled in another way is a difference, and says so.
// How files are compressed does not count, nor what follows from the rest (hashes, sizes, the numbers of sources).
//
// A bundle is not trusted. Memory goes with the number of records of the streams at work, not with their size, and with
// what is listed; lines that are no records are compared as text.
package diff

// Change says what became of something on the way from bundle A to bundle B.
type Change string

// The changes. Spelling is a value that stayed the same and is written in another way: white space, the order of
// members, escapes, 1.0 for 1.00.
const (
	Added    Change = "added"
	Removed  Change = "removed"
	Changed  Change = "changed"
	Moved    Change = "moved"
	Spelling Change = "spelling"
)

// Place is one value that differs.
type Place struct {
	Pointer  string // JSON pointer in A, for an added value in B
	Change   Change // Added, Removed, Changed or Spelling
	Old, New string // JSON text, at most 64 bytes from where the two begin to differ; "" where there is none
}

// Places lists the values that differ inside one record or fact.
type Places struct {
	List  []Place // at most Options.Max
	Total int64
}

// Record is a record that differs.
type Record struct {
	Change       Change // Added, Removed, Changed, or Moved when nothing but its place in the stream is different
	Moved        bool   // it stands before or after other records than in A
	ID, Type     string // "" on a line that is no record
	LineA, LineB int    // from 1, 0 for none
	Places       Places // of a changed one
}

// Stream is a stream that differs, or that only one bundle has.
type Stream struct {
	ID                 string
	Change             Change // Added, Removed or Changed
	RecordsA, RecordsB int64  // lines; as the manifest states for a stream of one bundle alone
	Added, Removed     int64
	Changed, Moved     int64    // a record may be both
	differing          int64    // records
	Manifest           Places   // what the manifests say differently about it
	Records            []Record // in order, at most Options.Max
}

// Differing is the number of records that differ in any way.
func (s *Stream) Differing() int64 { return s.differing }

// Fact is a difference of the manifests or reports outside of the streams.
type Fact struct {
	Kind    string // "converter", "registry", "source", "blob", "unidentified", "selection", "meta" or "finding"
	Name    string // agent, path, hash or rule, "" where there is only one
	Change  Change // Added, Removed or Changed
	Informs bool   // it does not make the bundles different
	Places  Places
}

// Result is what differs between two bundles.
type Result struct {
	Facts    []Fact
	Streams  []Stream // by id
	Compared int64    // streams that both have and that could be read
	Records  int64    // lines of B in them
}

// Different says whether anything differs that counts.
func (r *Result) Different() bool {
	for i := range r.Facts {
		if !r.Facts[i].Informs {
			return true
		}
	}
	return len(r.Streams) > 0
}

// Options says what is compared and how much is listed. The zero value compares and lists everything.
type Options struct {
	Streams  []string    // ids of the streams to compare, with their sources; nil: the whole bundles
	Max      int         // no list of records or places is longer; 0: they are complete
	Jobs     int         // streams at work at once, at least 1
	Progress func(int64) // told of records that were compared; may be nil; called by several goroutines
}
