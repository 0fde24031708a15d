package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/record"
	"github.com/session-trace/ctx/internal/restore"
)

func (e *env) printRestore(f *restoreFlags, path string, r *restore.Result) error {
	if f.output.word == "json" {
		out := record.AppendString(record.AppendKey([]byte{'{'}, "bundle"), path)
		out = record.AppendString(record.AppendKey(out, "dir"), f.out)
		out = record.AppendInt(record.AppendKey(out, "streams"), int64(r.Streams))
		out = record.AppendInt(record.AppendKey(out, "files"), r.Files)
		out = record.AppendInt(record.AppendKey(out, "bytes"), r.Bytes)
		out = appendRedacted(out, r.Redacted)
		out = appendLacking(out, r.Lacking)
		_, err := e.stdout.Write(visibleJSON(append(out, '}', '\n')))
		return err
	}
	if e.quiet {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, of %s\n", visible(f.out), count(r.Files, "file"), size(r.Bytes), count(int64(r.Streams), "session"))
	e.redactedText(&b, r.Redacted)
	e.lackingText(&b, r.Lacking)
	_, err := e.stdout.Write([]byte(b.String()))
	return err
}

// most is how many of n rows are printed.
func (e *env) most(n int) int {
	if e.verbose {
		return n
	}
	return min(n, 20)
}

// redactedText sums up what was cut out, and lists the files that lost a secret; with -v all of them.
func (e *env) redactedText(b *strings.Builder, list []restore.Redacted) {
	if len(list) == 0 {
		return
	}
	kinds := map[string]int64{}
	var shown []restore.Redacted
	for i := range list {
		lost := false
		for _, c := range list[i].Cuts {
			kinds[c.Kind]++
			lost = lost || c.Kind == "secret"
		}
		if lost || e.verbose {
			shown = append(shown, list[i])
		}
	}
	var sums []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		sums = append(sums, fmt.Sprintf("%d %s", kinds[kind], visible(kind)))
	}
	fmt.Fprintf(b, "\n%s without what was cut out: %s\n", count(int64(len(list)), "file"), strings.Join(sums, ", "))
	most := e.most(len(shown))
	for i := range shown[:most] {
		fmt.Fprintf(b, "  %s: %s\n", visible(shown[i].Path), visible(e.cutsText(shown[i].Cuts)))
	}
	moreText(b, len(shown)-most)
}

// cutsText names the secrets that were cut out, with -v also masks and empty members.
func (e *env) cutsText(list []record.Redaction) string {
	var parts []string
	for _, c := range list {
		at := c.Pointer
		if at == "" {
			at = "in its text"
		}
		switch {
		case e.verbose:
			parts = append(parts, at+" ("+c.Kind+")")
		case c.Kind == "secret":
			parts = append(parts, at)
		}
	}
	most := e.most(len(parts))
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, ", ")
}

func moreText(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "  … and %d more (-v)\n", n)
	}
}

// lackingText lists files that the bundle does not have.
func (e *env) lackingText(b *strings.Builder, list []restore.Lacking) {
	if len(list) == 0 {
		return
	}
	files, parts := int64(0), int64(0)
	for i := range list {
		if list[i].Rows == 0 {
			files++
		} else {
			parts += list[i].Through - list[i].Row + 1
		}
	}
	var what []string
	if files > 0 || parts == 0 {
		what = append(what, count(files, "file"))
	}
	if parts > 0 {
		what = append(what, count(parts, "row"))
	}
	fmt.Fprintf(b, "\n%s that the bundle does not have:\n", strings.Join(what, " and "))
	shown := list[:e.most(len(list))]
	for i := range shown {
		l := &shown[i]
		fmt.Fprintf(b, "  %s%s: %s", visible(l.Path), rowsText(l), visible(l.Reason))
		if l.Bytes >= 0 {
			fmt.Fprintf(b, ", %s", size(l.Bytes))
		}
		b.WriteByte('\n')
	}
	moreText(b, len(list)-len(shown))
}

// rowsText says which rows of a file lack.
func rowsText(l *restore.Lacking) string {
	switch {
	case l.Rows == 0:
		return ""
	case l.Row == l.Through:
		return fmt.Sprintf(", row %d of %d", l.Row, l.Rows)
	default:
		return fmt.Sprintf(", rows %d to %d of %d", l.Row, l.Through, l.Rows)
	}
}

func appendRedacted(dst []byte, list []restore.Redacted) []byte {
	dst = append(record.AppendKey(dst, "redacted"), '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "path"), list[i].Path)
		dst = record.AppendString(record.AppendKey(dst, "record"), list[i].Record)
		dst = append(record.AppendRedacted(record.AppendKey(dst, "redacted"), list[i].Cuts), '}')
	}
	return append(dst, ']')
}

func appendLacking(dst []byte, list []restore.Lacking) []byte {
	dst = append(record.AppendKey(dst, "lacking"), '[')
	for i := range list {
		l := &list[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "path"), l.Path)
		if l.Rows > 0 {
			dst = record.AppendInt(record.AppendKey(dst, "row"), l.Row)
			dst = record.AppendInt(record.AppendKey(dst, "through"), l.Through)
			dst = record.AppendInt(record.AppendKey(dst, "rows"), l.Rows)
		}
		dst = record.AppendString(record.AppendKey(dst, "reason"), l.Reason)
		if l.Bytes >= 0 {
			dst = record.AppendInt(record.AppendKey(dst, "bytes"), l.Bytes)
		}
		if l.SHA256 != "" {
			dst = record.AppendString(record.AppendKey(dst, "sha256"), l.SHA256)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
