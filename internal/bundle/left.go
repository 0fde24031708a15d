package bundle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// notesName is the journal in a temporary folder. No bundle has it.
const notesName = "journal"

// maxNotes bounds the journal that is read, in bytes.
const maxNotes = 1 << 30

// Note appends a line, given with its line feed, to the journal of what is
// finished. It is not brought to the disk: whoever reads it must not trust it.
func (w *Writer) Note(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return errEnded
	}
	if w.notes == nil {
		f, err := os.OpenFile(filepath.Join(w.temp, notesName), os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return pathError(notesName, err)
		}
		w.notes = f
	}
	if _, err := w.notes.Write(line); err != nil {
		return pathError(w.notes.Name(), err)
	}
	return nil
}

// dropNotes removes the journal of a bundle that is whole.
func (w *Writer) dropNotes() error {
	if w.notes == nil {
		return nil
	}
	w.closeNotes()
	path := filepath.Join(w.temp, notesName)
	if err := os.Remove(path); err != nil {
		return pathError(path, err)
	}
	return syncFolder(w.temp)
}

func (w *Writer) closeNotes() {
	if w.notes != nil {
		w.notes.Close()
		w.notes = nil
	}
}

// Leave ends the writer as a kill would: what is finished stays for ClaimLeft.
// No stream may be at work.
func (w *Writer) Leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.end()
	}
}

// File is where the stream stands in the bundle's folder, or will stand.
func (s *Stream) File() string { return streamFolder + "/" + filepath.Base(s.path) }

// Stored tells what stands of a blob that was added; false as long as another
// goroutine writes it.
func (w *Writer) Stored(sha string) (StoredBlob, bool) {
	sum, err := sumOf(sha)
	if err != nil {
		return StoredBlob{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	b := w.blobs[sum]
	if b == nil || b.stored.SHA256 == "" {
		return StoredBlob{}, false
	}
	return StoredBlob{BlobInfo{SHA256: sha, Bytes: b.bytes, MediaType: b.mediaType, Compression: b.compression.String()}, b.stored}, true
}

// Left is what an interrupted run has left of a bundle: what it finished, and
// its journal. Nothing of it is to be trusted. It is locked until Close or
// Remove.
type Left struct {
	*Bundle        // without a manifest
	Notes   []byte // the journal

	path string
	lock *os.File // nil where there are no locks
}

// ClaimLeft claims what dead processes have left of the bundle at path, with a
// journal; of folders that others may have made it keeps off. What has no
// journal is removed, as Mend does.
func ClaimLeft(path string) ([]*Left, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := recoverSwap(path); err != nil {
		return nil, err
	}
	var claimed []*Left
	err = eachLeft(path, func(temp string, pid int, kept bool) error {
		if l := claimLeft(path, temp, pid, kept); l != nil {
			claimed = append(claimed, l)
		}
		return nil
	})
	if err == nil {
		err = removeDead(path, claimed)
	}
	if err != nil {
		for _, l := range claimed {
			l.Close() //nolint:errcheck // nothing was written
		}
		return nil, err
	}
	return claimed, nil
}

// claimLeft is nil for what is not to be had.
func claimLeft(path, temp string, pid int, kept bool) *Left {
	info, err := os.Lstat(temp)
	if err != nil || !info.IsDir() || !ours(info) || (!kept && pid != os.Getpid() && alive(pid)) {
		return nil
	}
	if journal, err := os.Lstat(filepath.Join(temp, notesName)); err != nil || !journal.Mode().IsRegular() {
		return nil
	}
	lock, ok := claimFolder(temp)
	if !ok {
		return nil
	}
	l := &Left{path: temp, lock: lock}
	if temp == tempPath(path, os.Getpid()) { // this process needs the name
		if l.path, err = aside(temp); err != nil {
			l.unlock()
			return nil
		}
	}
	if l.open() != nil {
		l.unlock()
		return nil
	}
	return l
}

func (l *Left) open() error {
	root, err := os.OpenRoot(l.path)
	if err != nil {
		return err
	}
	b := &Bundle{root: root, manifest: &Manifest{}}
	if l.Notes, err = b.readFile(notesName, maxNotes); err != nil {
		return errors.Join(err, root.Close())
	}
	l.Bundle = b
	return nil
}

func (l *Left) unlock() {
	if l.lock != nil {
		l.lock.Close()
		l.lock = nil
	}
}

// Close leaves it for another run.
func (l *Left) Close() error {
	err := l.Bundle.Close()
	l.unlock()
	return err
}

// Remove removes it.
func (l *Left) Remove() error {
	err := l.Bundle.Close()
	if removed := os.RemoveAll(l.path); removed != nil {
		err = errors.Join(err, fmt.Errorf("remove what a dead process left: %w", removed))
	}
	l.unlock()
	return err
}
