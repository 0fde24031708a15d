// Package bundle reads and writes bundles: streams of lines, blobs by their
// hash, the manifest that lists both, and the report beside them.
//
// It knows where bytes stand and what they hash to, and nothing of what the
// lines mean. A bundle is not trusted: reads follow no link, never leave its
// folder and never give more bytes than the manifest states.
package bundle
