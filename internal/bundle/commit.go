package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/session-trace/ctx/internal/jsonscan"
)

var errEnded = errors.New("bundle is committed or aborted")

func (w *Writer) endedError() error {
	if w.ended {
		return errEnded
	}
	return nil
}

// fail keeps the first failure: a bundle that lacks something is not committed.
func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = cmp.Or(w.failed, err)
}

// Commit writes the report and, last, the manifest, brings all to the disk and
// puts the bundle in its place. It fills the manifest's format, version, blobs
// and rootSha256, and of each stream file, compression, records, sha256 and
// bytes; the streams must be those that were named. When it fails, what stood
// at the path still stands there, and Abort removes what was written.
func (w *Writer) Commit(m *Manifest, report []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := cmp.Or(w.endedError(), w.failed); err != nil {
		return err
	}
	if err := w.fill(m); err != nil {
		return err
	}
	if err := w.writeEnd(m, report); err != nil {
		return err
	}
	if err := syncTree(w.temp, []string{streamFolder, blobFolder}); err != nil {
		return err
	}
	if err := w.dropNotes(); err != nil {
		return err
	}
	if err := w.publish(); err != nil {
		return err
	}
	w.end()
	return nil
}

// Fill fills the manifest as Commit does, and writes nothing.
func (w *Writer) Fill(m *Manifest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := cmp.Or(w.endedError(), w.failed); err != nil {
		return err
	}
	return w.fill(m)
}

// Abort removes what was written. After Commit it does nothing. No stream may
// be at work.
func (w *Writer) Abort() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return nil
	}
	w.end()
	return os.RemoveAll(w.temp)
}

func (w *Writer) end() {
	w.ended = true
	w.closeNotes()
	w.unlock()
	if w.encoder != nil {
		w.encoder.Close()
	}
}

// unlock says that the folder is no longer worked in.
func (w *Writer) unlock() {
	if w.lock != nil {
		w.lock.Close()
		w.lock = nil
	}
}

func (w *Writer) fill(m *Manifest) error {
	if w.open > 0 {
		return fmt.Errorf("%d streams are neither named nor aborted", w.open)
	}
	if err := checkObject("selection", m.Selection); err != nil {
		return err
	}
	if m.Meta != nil {
		if err := checkObject("_meta", m.Meta); err != nil {
			return err
		}
	}
	if len(m.Streams) != len(w.streams) {
		return fmt.Errorf("manifest lists %d streams, %d were named", len(m.Streams), len(w.streams))
	}
	seen := make(map[string]bool, len(m.Streams))
	for i := range m.Streams {
		s := &m.Streams[i]
		digest, ok := w.streams[s.ID]
		if !ok || seen[s.ID] {
			return fmt.Errorf("manifest: stream %.64q was not named, or stands twice", s.ID)
		}
		seen[s.ID] = true
		s.File, s.Compression = streamPath(s.ID, w.o.Compress), w.o.Compress.String()
		s.Records, s.SHA256, s.Bytes = digest.Lines, digest.SHA256, digest.Bytes
	}
	blobs, err := w.blobList()
	if err != nil {
		return err
	}
	m.Format, m.Version, m.Blobs = Format, Version, blobs
	m.RootSHA256 = RootSHA256(m.Streams, m.Blobs)
	return nil
}

// checkObject makes sure that raw bytes can stand in the manifest's line.
func checkObject(name string, raw []byte) error {
	doc, err := jsonscan.Scan(raw, nil, jsonscan.Options{MaxDepth: maxManifestDepth / 2})
	if err != nil {
		return fmt.Errorf("manifest: %s: %w", name, err)
	}
	if doc.Kind(0) != jsonscan.Object || doc.Flags&(jsonscan.LineBreak|jsonscan.DuplicateKey) != 0 {
		return fmt.Errorf("manifest: %s: want one object on one line without doubled members", name)
	}
	return nil
}

func (w *Writer) writeEnd(m *Manifest, report []byte) error {
	if err := writeNew(filepath.Join(w.temp, reportName), report); err != nil {
		return err
	}
	return writeNew(filepath.Join(w.temp, manifestName), m.AppendJSON(nil))
}
