package archive

import (
	"errors"
	"fmt"
	"strconv"
)

// ErrNotTar says that bytes are no tar.
var ErrNotTar = errors.New("not a tar")

// ErrNoBundle says that a tar holds no bundle.
var ErrNoBundle = errors.New("holds no bundle")

// BoundError says that something is larger than it may be. Nothing is known to be wrong with it.
type BoundError struct {
	Problem string // found, then expected
	Hint    string // what to do, "" nothing
}

func (e *BoundError) Error() string { return e.Problem }

// EntryError is an entry of a tar that no bundle has.
type EntryError struct {
	Number int64  // from 1
	Name   string // as it stands in the tar, any bytes
	Cause  error
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("entry %d (%s): %v", e.Number, shown(e.Name), e.Cause)
}

// Unwrap returns the cause.
func (e *EntryError) Unwrap() error { return e.Cause }

// shown is a name in quotes, its beginning alone when it is long.
func shown(name string) string {
	const most = 128
	if len(name) > most {
		return strconv.Quote(name[:most]) + "…"
	}
	return strconv.Quote(name)
}
