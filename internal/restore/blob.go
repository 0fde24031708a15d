package restore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/session-trace/ctx/internal/bundle"
)

// copyBlob writes the bytes of a blob, which must be those of its hash.
func copyBlob(w io.Writer, b *bundle.Bundle, sha string) error {
	r, err := b.BlobReader(sha)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer r.Close() //nolint:errcheck // nothing was written
	sum := sha256.New()
	if _, err := io.Copy(w, io.TeeReader(r, sum)); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != sha {
		return fmt.Errorf("blob %s: %w: %w", sha, ErrDamaged, bundle.ErrDigest)
	}
	return nil
}
