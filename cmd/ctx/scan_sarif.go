package main

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/audit"
	"github.com/session-trace/ctx/internal/record"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// appendSarif appends a SARIF 2.1.0 log with one run for each thing that was scanned.
func appendSarif(dst []byte, d *audit.Detector, done []scanned) []byte {
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "$schema"), sarifSchema)
	dst = record.AppendString(record.AppendKey(dst, "version"), "2.1.0")
	dst = append(record.AppendKey(dst, "runs"), '[')
	for i := range done {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendSarifRun(dst, d.Rules(), &done[i])
	}
	return append(dst, ']', '}', '\n')
}

func appendSarifRun(dst []byte, rules []audit.Rule, s *scanned) []byte {
	dst = append(dst, `{"tool":{"driver":{"name":"ctx scan"`...)
	dst = record.AppendString(record.AppendKey(dst, "version"), converter.Version)
	dst = append(record.AppendKey(dst, "rules"), '[')
	for i, r := range rules {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = record.AppendString(append(dst, `{"id":`...), r.ID)
		dst = append(appendSarifText(dst, "shortDescription", r.Title), '}')
	}
	dst = append(dst, `]}},"results":[`...)
	first := true
	for i := range s.Findings {
		if s.Findings[i].Masked {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendSarifResult(dst, rules, s, &s.Findings[i])
	}
	return append(dst, ']', '}')
}

func appendSarifText(dst []byte, name, text string) []byte {
	dst = append(record.AppendKey(dst, name), `{"text":`...)
	return append(record.AppendString(dst, text), '}')
}

func appendSarifResult(dst []byte, rules []audit.Rule, s *scanned, f *audit.Finding) []byte {
	index := slices.IndexFunc(rules, func(r audit.Rule) bool { return r.ID == f.Rule })
	dst = record.AppendString(append(dst, `{"ruleId":`...), f.Rule)
	dst = record.AppendInt(record.AppendKey(dst, "ruleIndex"), int64(index))
	dst = record.AppendString(record.AppendKey(dst, "level"), "error")
	dst = appendSarifText(dst, "message", rules[index].Title+": "+scanPlace(f))
	dst = append(dst, `,"locations":[{"physicalLocation":{"artifactLocation":{"uri":`...)
	dst = record.AppendString(dst, uri(path.Join(strings.ReplaceAll(s.path, `\`, "/"), f.File)))
	dst = append(dst, `},"region":{`...)
	if f.Line > 0 {
		dst = record.AppendInt(record.AppendKey(dst, "startLine"), int64(f.Line))
	}
	if f.Stream == "" {
		// of a stream it is the place in the line
		dst = record.AppendInt(record.AppendKey(dst, "byteOffset"), f.Offset)
		dst = record.AppendInt(record.AppendKey(dst, "byteLength"), int64(f.Length))
	}
	dst = append(dst, `}}`...)
	if name := strings.TrimSpace(f.Record + " " + f.Pointer); name != "" {
		dst = append(record.AppendString(append(dst, `,"logicalLocations":[{"fullyQualifiedName":`...), name), `}]`...)
	}
	return append(dst, `}]}`...)
}

// uri is a path as a relative reference; an absolute one has the scheme.
func uri(p string) string {
	u := url.URL{Path: p}
	if path.IsAbs(p) {
		u.Scheme = "file"
	}
	return u.String()
}
