// Package restore makes the source files of a bundle again, and proves a bundle equal to its source.
//
// Both read the streams of a bundle once and keep no content: a file's bytes are a span of a line, or a blob that is
// streamed. What was cut out is named by the bundle and never invented.
package restore

import (
	"errors"

	"github.com/session-trace/ctx/internal/bundle"
	"github.com/session-trace/ctx/internal/entry"
	"github.com/session-trace/ctx/internal/record"
)

// Options say what is worked on. The zero value is ready to use.
type Options struct {
	Streams  []string                // ids of the streams, in any order; none: all
	Registry map[string]*entry.Entry // entries that count in place of the bundle's own, by agent
	MaxFile  int64                   // largest file that is held to apply cuts to, in bytes; 0: 1 GiB
	Progress func(int64)             // called with the number of files done since the last call, nil: none
}

const (
	maxLine = 128 << 20 // longest line of a stream, as the validator has it
	maxFile = 1 << 30
)

func (o *Options) maxFile() int64 {
	if o.MaxFile > 0 {
		return o.MaxFile
	}
	return maxFile
}

func (o *Options) advance() {
	if o.Progress != nil {
		o.Progress(1)
	}
}

// selected says whether a stream is asked for.
func (o *Options) selected(id string) bool {
	if len(o.Streams) == 0 {
		return true
	}
	for _, want := range o.Streams {
		if want == id {
			return true
		}
	}
	return false
}

// Redacted is one file of which values were cut out. Where it holds many items, a pointer begins with the item's number,
// as if the file were an array of them; "" is the text around them. In a file of rows it begins with the row's number, and
// leads to a value of that row.
type Redacted struct {
	Path   string // below the root of the input, as the bundle spells it
	Record string // id of the record that keeps the rest
	Cuts   []record.Redaction
}

// Lacking is one file whose bytes a bundle does not have, or one row of it: the file is then without that row.
type Lacking struct {
	Path string
	// Row up to Through of Rows in the file are what lacks; no rows: the whole file does.
	Row, Through, Rows int64
	Reason             string // one of the Reason constants
	Bytes              int64  // -1: unknown
	SHA256             string // "" unknown
}

// row says that it is one row that lacks, where the source is one.
func (l *Lacking) row(s *bundle.SourceInfo) { l.Row, l.Through, l.Rows = s.Row, s.Row, s.Rows }

// Reasons why a bundle lacks a file.
const (
	ReasonSecrets    = "secrets"    // a document of secrets that could not be told from the rest
	ReasonTooLarge   = "too-large"  // over the limit of an item
	ReasonUnreadable = "unreadable" // no regular file, or not to be opened
	ReasonAbsent     = "absent"     // a row without a stream
)

// Errors of this package, wrapped with the place.
var (
	// ErrTarget says that a folder cannot take the files.
	ErrTarget = errors.New("not a new or empty folder")
	// ErrPlace says that a path of the bundle leads elsewhere, or that two files claim one place.
	ErrPlace = errors.New("no place for a file")
	// ErrDamaged says that a bundle is not what its manifest states.
	ErrDamaged = errors.New("bundle is damaged")
)

// source is the manifest's row of a stream's source.
func source(m *bundle.Manifest, s *bundle.StreamInfo) *bundle.SourceInfo {
	for i := range m.Sources {
		if m.Sources[i].ID == s.Source {
			return &m.Sources[i]
		}
	}
	return nil
}
