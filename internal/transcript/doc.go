// Package transcript turns one session of a bundle into text that a person reads: a transcript, or a row of a list.
//
// A stream is read twice. The first pass keeps a few facts of each item, so that results can stand under their calls and the
// abandoned branches can be marked; the second renders the items that were asked for. Text of the session goes through
// Options.Visible before it is printed, so that it cannot steer a terminal.
package transcript

// MaxLine is the longest line of a stream that is looked at, in bytes.
const MaxLine = 128 << 20
