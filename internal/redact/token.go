package redact

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
)

// tokens makes what stands instead of values.
type tokens struct{ key []byte }

// newTokens uses a key of the caller; without one a random key that is kept nowhere.
func newTokens(key []byte) *tokens {
	if len(key) == 0 {
		key = make([]byte, sha256.Size)
		rand.Read(key) //nolint:errcheck // it never fails
	}
	return &tokens{key: key}
}

// of is the token of a value: the same for the same value and key. It needs no escape in JSON.
func (t *tokens) of(value string) string {
	sum := hmac.New(sha256.New, t.key)
	sum.Write([]byte(value))
	return "<redacted:" + hex.EncodeToString(sum.Sum(nil)[:4]) + ">"
}
