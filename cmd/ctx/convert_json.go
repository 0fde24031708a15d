package main

import (
	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/record"
)

// appendConversion appends the result of ctx convert --output json, whose keys docs/cli.md describes.
func appendConversion(dst []byte, c *conversion) []byte {
	dst = append(dst, '{')
	if c.flags.dryRun {
		dst = record.AppendBool(record.AppendKey(dst, "dryRun"), true)
	} else {
		dst = record.AppendString(record.AppendKey(dst, "bundle"), c.flags.out)
		dst = record.AppendString(record.AppendKey(dst, "rootSha256"), c.result.RootSHA256)
		if c.flags.update || c.flags.watch {
			dst = record.AppendBool(record.AppendKey(dst, "unchanged"), c.result.Unchanged)
		}
	}
	dst = append(record.AppendKey(dst, "sources"), '[')
	for i, s := range c.result.Sources {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendSource(dst, &s, c.flags.dryRun)
	}
	dst = append(record.AppendKey(append(dst, ']'), "unidentified"), '[')
	for i, u := range c.result.Unidentified {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(record.AppendKey(append(dst, '{'), "path"), u.Path)
		dst = record.AppendString(record.AppendKey(dst, "reason"), u.Reason)
		dst = record.AppendInt(record.AppendKey(dst, "files"), int64(u.Files))
		dst = append(record.AppendInt(record.AppendKey(dst, "bytes"), u.Bytes), '}')
	}
	dst = append(dst, ']')
	if !c.flags.dryRun {
		dst = record.AppendReport(record.AppendKey(dst, "report"), &c.result.Report)
	}
	if c.checked != nil {
		dst = record.AppendReport(record.AppendKey(dst, "check"), c.checked)
	}
	return append(record.AppendBool(record.AppendKey(dst, "failed"), c.failed()), '}')
}

// appendSource appends one source; a dry run knows no counts of records.
func appendSource(dst []byte, s *converter.SourceResult, dryRun bool) []byte {
	dst = append(dst, '{')
	text := func(key, value string) {
		if value != "" {
			dst = record.AppendString(record.AppendKey(dst, key), value)
		}
	}
	number := func(key string, n int64) { dst = record.AppendInt(record.AppendKey(dst, key), n) }
	text("id", s.ID)
	text("path", s.Path)
	if s.Rows > 0 {
		number("row", s.Row)
		number("rows", s.Rows)
	}
	text("agent", s.Agent)
	text("format", s.Format)
	text("layout", s.Layout)
	text("stream", s.Stream)
	text("sessionId", s.SessionID)
	number("files", s.Files)
	number("bytes", s.Bytes)
	if !dryRun {
		number("items", s.Items)
		number("records", s.Records)
		number("gaps", s.Gaps)
		number("errors", s.Errors)
		number("notices", s.Notices)
		number("losses", s.Losses)
	}
	if s.Err != nil {
		text("error", s.Err.Error())
	}
	return append(dst, '}')
}
