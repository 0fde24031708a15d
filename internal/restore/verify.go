package restore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/bundle"
)

// Kinds of a difference.
const (
	Changed    = "changed"    // the source's file has other bytes
	Missing    = "missing"    // the bundle has a file that the source lacks
	Added      = "added"      // the source has a file that the bundle does not account for
	Unkept     = "unkept"     // the source's file is not in the bundle, for a reason other than secrets
	Unreadable = "unreadable" // the source's file cannot be read
	Unlike     = "unlike"     // the hash over all files of a source is not the one that was converted
	Damaged    = "damaged"    // the bundle is not what it states
)

// Difference is one thing in which source and bundle differ beyond what the bundle declares.
type Difference struct {
	Path    string // of a file, a source or a stream of the bundle
	Kind    string
	Message string
}

// Verdict is what was compared and found.
type Verdict struct {
	Streams      int
	Files, Bytes int64 // of the source, compared
	Same         int64 // files that the bundle has byte for byte
	Redacted     []Redacted
	Lacking      []Lacking
	Differences  []Difference // sorted by path

	placed []placed
	file   *tally // that holds many items, not ended yet
	whole  bool   // the bundle holds all that the conversion found, and all of it is looked at
}

// Verify compares a bundle with the folders that it was made from, in the order in which they were converted. It writes
// nothing. Only what keeps it from comparing at all is an error.
func Verify(ctx context.Context, b *bundle.Bundle, sources []string, o Options) (*Verdict, error) {
	r, err := openRoots(sources)
	if err != nil {
		return nil, err
	}
	defer r.close()
	list, err := streams(b, &o)
	if err != nil {
		return nil, err
	}
	v := &Verdict{whole: whole(b.Manifest(), &o)}
	defer v.endFile()
	for _, s := range list {
		c := &comparison{v: v, s: s, roots: r, o: &o}
		if err := c.run(ctx); err != nil {
			return nil, err
		}
	}
	v.endFile()
	if v.whole {
		if err := v.others(ctx, b.Manifest(), r, list); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(v.Differences, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return v, nil
}

// differ notes a difference.
func (v *Verdict) differ(path, kind, format string, args ...any) {
	v.Differences = append(v.Differences, Difference{path, kind, fmt.Sprintf(format, args...)})
}

// run compares one stream with its source.
func (c *comparison) run(ctx context.Context) error {
	c.v.Streams++
	if t := c.v.file; t != nil && !t.goesOn(c.s.source) {
		c.v.endFile()
	}
	defer c.close()
	c.s.dir, c.s.file, c.s.head, c.s.piece, c.s.end = c.begin, c.file, c.head, c.piece, c.lastPiece
	defer c.s.release()
	err := c.s.read(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNoSource):
		return nil
	case err != nil:
		c.v.differ(c.s.info.ID, Damaged, "%v", err)
		return nil
	}
	c.added()
	c.total()
	return nil
}
