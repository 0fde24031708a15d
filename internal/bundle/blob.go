package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// blobEntry is one blob of the bundle that is being written.
type blobEntry struct {
	bytes       int64
	mediaType   string
	compression Compression
	stored      FileDigest // zero until the file is written
	users       int        // how many streams, or the bundle itself, have added it
}

// unknownMedia is the media type that says nothing: any other replaces it.
const unknownMedia = "application/octet-stream"

// Blob adds bytes under their hash, which it returns in hex, once however
// often they are added. Of several media types the first in byte order counts,
// application/octet-stream last, so that the result does not depend on who
// came first.
func (w *Writer) Blob(data []byte, mediaType string) (sha string, err error) {
	_, sha, err = w.addBlob(data, mediaType)
	return sha, err
}

// Blob adds bytes as Writer.Blob does, on behalf of this stream: Abort takes
// them back.
func (s *Stream) Blob(data []byte, mediaType string) (sha string, err error) {
	if s.state != streamOpen {
		return "", errStreamState
	}
	b, sha, err := s.w.addBlob(data, mediaType)
	if err == nil {
		s.blobs = append(s.blobs, b)
	}
	return sha, err
}

func (w *Writer) addBlob(data []byte, mediaType string) (*blobEntry, string, error) {
	sum := sha256.Sum256(data)
	sha := hex.EncodeToString(sum[:])
	b, added, err := w.claimBlob(sum, int64(len(data)), mediaType)
	if err != nil {
		return nil, "", err
	}
	if added {
		if err := w.writeBlob(b, sha, data); err != nil {
			w.fail(err)
			return nil, "", err
		}
	}
	return b, sha, nil
}

// claimBlob counts a user of the blob and says whether this one must write it.
// The others need not wait: a failure stops the whole bundle.
func (w *Writer) claimBlob(sum [32]byte, size int64, mediaType string) (b *blobEntry, added bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := cmp.Or(w.endedError(), w.failed); err != nil {
		return nil, false, err
	}
	b = w.blobs[sum]
	if added = b == nil; added {
		b = &blobEntry{bytes: size, mediaType: mediaType}
		w.blobs[sum] = b
	}
	b.users++
	b.mediaType = betterMedia(b.mediaType, mediaType)
	return b, added, nil
}

func betterMedia(a, b string) string {
	switch {
	case a == unknownMedia:
		return b
	case b == unknownMedia:
		return a
	}
	return min(a, b)
}

// writeBlob compresses where that gains something; images mostly do not.
func (w *Writer) writeBlob(b *blobEntry, sha string, data []byte) error {
	how := None
	if w.encoder != nil {
		if packed := w.encoder.EncodeAll(data, nil); len(packed) < len(data) {
			data, how = packed, Zstd
		}
	}
	w.mu.Lock()
	b.compression = how
	w.mu.Unlock()
	if err := writeNew(filepath.Join(w.temp, filepath.FromSlash(blobPath(sha, how))), data); err != nil {
		return err
	}
	stored := FileDigest{sha, int64(len(data))}
	if how != None {
		sum := sha256.Sum256(data)
		stored.SHA256 = hex.EncodeToString(sum[:])
	}
	w.mu.Lock()
	b.stored = stored
	w.mu.Unlock()
	return nil
}

// writeNew writes a file that must not exist.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return pathError(path, err)
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return pathError(path, err)
	}
	return nil
}

// blobList lists the blobs that are used, by hash, and removes the others.
func (w *Writer) blobList() ([]BlobInfo, error) {
	infos := make([]BlobInfo, 0, len(w.blobs))
	for sum, b := range w.blobs {
		sha := hex.EncodeToString(sum[:])
		if b.users > 0 {
			infos = append(infos, BlobInfo{SHA256: sha, Bytes: b.bytes, MediaType: b.mediaType, Compression: b.compression.String()})
			continue
		}
		path := filepath.Join(w.temp, filepath.FromSlash(blobPath(sha, b.compression)))
		if err := os.Remove(path); err != nil {
			return nil, pathError(path, err)
		}
		delete(w.blobs, sum)
	}
	slices.SortFunc(infos, func(a, b BlobInfo) int { return cmp.Compare(a.SHA256, b.SHA256) })
	return infos, nil
}
