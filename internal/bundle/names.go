package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Places in a bundle.
const (
	manifestName = "manifest.json"
	reportName   = "report.json"
	streamFolder = "streams"
	blobFolder   = "blobs"
	lineSuffix   = ".jsonl"
)

// Compression says how the files of a bundle are written.
type Compression uint8

// The two compressions.
const (
	None Compression = iota
	Zstd
)

// String returns the manifest's word: "none" or "zstd".
func (c Compression) String() string {
	if c == Zstd {
		return "zstd"
	}
	return "none"
}

func (c Compression) suffix() string {
	if c == Zstd {
		return ".zst"
	}
	return ""
}

// compressionOf reads the manifest's word.
func compressionOf(word string) (Compression, error) {
	switch word {
	case "none":
		return None, nil
	case "zstd":
		return Zstd, nil
	}
	return None, fmt.Errorf("got compression %.64q, want none or zstd", word)
}

const maxStreamID = 200

// checkStreamID accepts what may be a file name on any system: letters, digits
// and "._-", no dot first.
func checkStreamID(id string) error {
	if id == "" || len(id) > maxStreamID || id[0] == '.' {
		return fmt.Errorf("stream id %.64q: %w", id, ErrUnsafe)
	}
	for i := range len(id) {
		c := id[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			return fmt.Errorf("stream id %.64q: %w", id, ErrUnsafe)
		}
	}
	return nil
}

func streamPath(id string, c Compression) string {
	return streamFolder + "/" + id + lineSuffix + c.suffix()
}

func blobPath(sha string, c Compression) string {
	return blobFolder + "/" + sha + c.suffix()
}

func checkSHA256(sha string) error {
	if len(sha) != 2*sha256.Size || strings.Trim(sha, "0123456789abcdef") != "" {
		return fmt.Errorf("blob %.64q: %w", sha, ErrUnsafe)
	}
	return nil
}

// RootSHA256 is the hash over all streams and blobs: the lines
// "<sha256> <bytes> <path>\n", sorted by path, the path without the suffix of
// the compression.
func RootSHA256(streams []StreamInfo, blobs []BlobInfo) string {
	type row struct{ path, line string }
	rows := make([]row, 0, len(streams)+len(blobs))
	add := func(path, sha string, bytes int64) {
		rows = append(rows, row{path, fmt.Sprintf("%s %d %s\n", sha, bytes, path)})
	}
	for i := range streams {
		s := &streams[i]
		add(strings.TrimSuffix(s.File, Zstd.suffix()), s.SHA256, s.Bytes)
	}
	for i := range blobs {
		b := &blobs[i]
		add(blobPath(b.SHA256, None), b.SHA256, b.Bytes)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.path, b.path) })
	sum := sha256.New()
	for i := range rows {
		sum.Write([]byte(rows[i].line))
	}
	return hex.EncodeToString(sum.Sum(nil))
}
