package restore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/session-trace/ctx/internal/bundle"
)

// copyBlob writes the bytes of a blob, which must be those of its hash, and returns their number.
func copyBlob(w io.Writer, b *bundle.Bundle, sha string) (int64, error) {
	r, err := b.BlobReader(sha)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer r.Close() //nolint:errcheck // nothing was written
	sum := sha256.New()
	n, err := io.Copy(w, io.TeeReader(r, sum))
	if err != nil {
		return n, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != sha {
		return n, fmt.Errorf("blob %s: %w: %w", sha, ErrDamaged, bundle.ErrDigest)
	}
	return n, nil
}
