package transcript

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/mattn/go-runewidth"
)

// columns is how many columns of a terminal a text takes: wide characters two, combining ones none, whatever the locale.
func columns(s string) int {
	if ascii(s) {
		return len(s)
	}
	c := runewidth.Condition{StrictEmojiNeutral: true}
	return c.StringWidth(s)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Clip shortens a visible text of one line to at most that many columns, the last of them an ellipsis.
func Clip(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	head, _ := cut(s, most-1)
	return strings.TrimRight(head, " ") + "…"
}

// OneLine is a text without line ends, each run of white space one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cut splits a text after at most that many columns, never inside a character that several code points make up.
func cut(s string, most int) (head, rest string) {
	if ascii(s[:min(len(s), max(most, 0)+1)]) {
		at := min(len(s), max(most, 0))
		return s[:at], s[at:]
	}
	c := runewidth.Condition{StrictEmojiNeutral: true}
	end, used := 0, 0
	for g := graphemes.FromString(s); g.Next(); {
		if used += c.StringWidth(g.Value()); used > most {
			break
		}
		end = g.End()
	}
	return s[:end], s[end:]
}

// wrapped cuts the first row of at most that many columns off a line, after a space where there is one. It always makes way.
func wrapped(line string, most int) (row, rest string) {
	row, rest = cut(line, most)
	if rest == "" {
		return row, ""
	}
	if row == "" {
		g := graphemes.FromString(line)
		g.Next()
		return g.Value(), line[g.End():]
	}
	if rest[0] == ' ' {
		return row, strings.TrimLeft(rest, " ")
	}
	if at := strings.LastIndexByte(row, ' '); at > 0 && strings.Trim(row[:at], " ") != "" {
		return strings.TrimRight(row[:at], " "), line[at+1:]
	}
	return row, rest
}

const tabStop = 8

// untabbed replaces tabs by spaces up to the next stop.
func untabbed(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	at := 0
	for i, part := range strings.Split(line, "\t") {
		if i > 0 {
			n := tabStop - at%tabStop
			b.WriteString(strings.Repeat(" ", n))
			at += n
		}
		b.WriteString(part)
		at += columns(part)
	}
	return b.String()
}
