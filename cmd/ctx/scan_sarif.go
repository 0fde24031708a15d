package main

import (
	"path"
	"strings"

	"github.com/session-trace/ctx/converter"
	"github.com/session-trace/ctx/internal/audit"
	reports "github.com/session-trace/ctx/internal/report"
)

// appendSarif appends a SARIF log of everything that was scanned.
func appendSarif(dst []byte, d *audit.Detector, done []scanned) []byte {
	l := reports.Log{Tool: "ctx scan", Version: converter.Version}
	titles := map[string]string{}
	for _, r := range d.Rules() {
		l.Rules = append(l.Rules, reports.Rule{ID: r.ID, Title: r.Title})
		titles[r.ID] = r.Title
	}
	for i := range done {
		for j := range done[i].Findings {
			if f := &done[i].Findings[j]; !f.Masked {
				l.Alerts = append(l.Alerts, secretAlert(&done[i], f, titles[f.Rule]))
			}
		}
	}
	return reports.AppendLog(dst, &l)
}

// secretAlert is one place. Its bytes are those of the file; in a stream they would be those of the line.
func secretAlert(s *scanned, f *audit.Finding, title string) reports.Alert {
	a := reports.Alert{
		Key:  strings.Join([]string{f.Rule, f.File, f.Stream, f.Record, f.Pointer}, "\x00"),
		Rule: f.Rule, Message: title + ": " + scanPlace(f), Subject: strings.TrimSpace(f.Record + " " + f.Pointer),
		Place: reports.Place{File: path.Join(reportName(s.path), f.File), Region: reports.Region{Line: f.Line}},
	}
	if f.Stream == "" {
		a.Bytes = &reports.Bytes{Offset: f.Offset, Length: int64(f.Length)}
	}
	return a
}
