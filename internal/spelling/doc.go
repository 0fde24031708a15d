// Package spelling finds text in bytes whatever way it is spelled there: as it stands, below JSON escapes, percent-encoded
// or in base64, and says at which bytes.
package spelling
