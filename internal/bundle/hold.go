package bundle

import (
	"os"
	"time"
)

// holdTries bounds how often a bundle that is replaced while it is opened is
// opened again.
const holdTries = 20

// OpenHeld is Open for those who read for long: when the bundle is replaced
// meanwhile, the one that was opened stays whole until Close. Where the file
// system has no locks it is Open.
func OpenHeld(path string) (*Bundle, error) {
	for range holdTries {
		b, again, err := openHeld(path)
		if !again {
			return b, err
		}
	}
	return Open(path)
}

// openHeld locks what stands at the path, then opens it; again says that
// something else had taken its place.
func openHeld(path string) (b *Bundle, again bool, err error) {
	held, err := os.OpenFile(path, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		b, err = Open(path)
		return b, false, err
	}
	share(held)
	b, err = Open(path)
	before, failed := held.Stat()
	after, gone := os.Stat(path)
	again = failed == nil && (gone != nil || !os.SameFile(before, after))
	if err != nil || again {
		held.Close()
	}
	switch {
	case again && err == nil:
		b.Close()
		return nil, true, nil
	case err != nil:
		return nil, again, err
	}
	b.held = held
	return b, false, nil
}

// share locks a folder for reading. The writer that has just put it in place
// may still have it locked for a moment.
func share(folder *os.File) {
	for range holdTries {
		if lockShared(folder) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
