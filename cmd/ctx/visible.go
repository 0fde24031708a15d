package main

import (
	"unicode/utf8"

	show "github.com/session-trace/ctx/internal/visible"
)

// visible shows text that comes from data on one line, with everything that could steer a terminal or mislead a reader
// written out.
func visible(s string) string { return show.Text(s) }

// visibleLines is visible for our own messages of several lines: line ends and tabs stay.
func visibleLines(s string) string { return show.Lines(s) }

// visibleJSON escapes such characters inside the strings of a JSON text, which leaves its value as it is.
func visibleJSON(raw []byte) []byte { return show.JSON(raw) }

// quote is visible in quotes, cut to 64 bytes.
func quote(s string) string {
	const most = 64
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return `"` + visible(s[:cut]) + `…"`
	}
	return `"` + visible(s) + `"`
}
