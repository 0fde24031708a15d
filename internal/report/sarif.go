package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/session-trace/ctx/internal/record"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// mostAlerts bounds the results of a log: code scanning of GitHub shows no more of one upload.
const mostAlerts = 5000

// Log is a SARIF 2.1.0 log with one run. Several runs of one tool cannot be uploaded to code scanning together.
type Log struct {
	Tool, Version string
	Rules         []Rule
	Alerts        []Alert
	Notes         []string // what a reader of the results should know
	Broken        []string // what could not be looked at
}

// Alert is one result of a log.
type Alert struct {
	Rule    string
	Notice  bool // else an error
	Message string
	Place
	Bytes   *Bytes // the place in bytes of the file, nil not known
	Subject string // what it is about, in the data's own terms, "" not known
	Key     string // what is the same in every run that finds it, whatever moved; "" none
	Count   int64  // how often it was found, 0 and 1: once
}

// Bytes is a part of a file.
type Bytes struct{ Offset, Length int64 }

// AppendLog appends a log as JSON, errors first. Of more alerts than can be uploaded the last are left out, which a note says.
func AppendLog(dst []byte, l *Log) []byte {
	alerts := slices.Clone(l.Alerts)
	slices.SortStableFunc(alerts, func(a, b Alert) int { return cmp.Compare(level(a.Notice), level(b.Notice)) })
	notes := l.Notes
	if n := len(alerts) - mostAlerts; n > 0 {
		alerts = alerts[:mostAlerts]
		notes = append(slices.Clone(notes), strconv.Itoa(n)+" further results are left out, since no upload takes them")
	}
	dst = record.AppendString(record.AppendKey(append(dst, '{'), "$schema"), sarifSchema)
	dst = append(record.AppendString(record.AppendKey(dst, "version"), "2.1.0"), `,"runs":[{"tool":{"driver":{`...)
	dst = record.AppendString(record.AppendKey(dst, "name"), l.Tool)
	dst = record.AppendString(record.AppendKey(dst, "version"), l.Version)
	dst = append(record.AppendKey(dst, "rules"), '[')
	for i := range l.Rules {
		dst = appendSarifRule(separated(dst), &l.Rules[i])
	}
	dst = append(appendInvocation(append(dst, `]}}`...), l.Broken, notes), `,"columnKind":"utf16CodeUnits","results":[`...)
	seen := map[string]int{}
	for i := range alerts {
		seen[alerts[i].Key]++
		dst = appendAlert(separated(dst), l.Rules, &alerts[i], seen[alerts[i].Key])
	}
	return append(dst, "]}]}\n"...)
}

// separated adds a comma unless an array has just begun.
func separated(dst []byte) []byte {
	if dst[len(dst)-1] == '[' {
		return dst
	}
	return append(dst, ',')
}

func level(notice bool) string {
	if notice {
		return "note"
	}
	return "error"
}

func appendSarifRule(dst []byte, r *Rule) []byte {
	dst = record.AppendString(append(dst, `{"id":`...), r.ID)
	dst = appendMessage(dst, "shortDescription", r.Title)
	if r.Doc != "" {
		dst = appendMessage(dst, "fullDescription", r.Doc)
		plain, marked := r.Doc, "**"+prose(r.Title)+"**\n\n"+prose(r.Doc)
		if r.Remedy != "" {
			plain, marked = plain+"\n\n"+r.Remedy, marked+"\n\n"+prose(r.Remedy)
		}
		dst = record.AppendString(append(dst, `,"help":{"text":`...), plain)
		dst = append(record.AppendString(append(dst, `,"markdown":`...), marked), '}')
	}
	dst = record.AppendString(append(dst, `,"defaultConfiguration":{"level":`...), level(r.Notice))
	return append(dst, `}}`...)
}

func appendInvocation(dst []byte, broken, notes []string) []byte {
	dst = record.AppendBool(append(dst, `,"invocations":[{"executionSuccessful":`...), len(broken) == 0)
	dst = append(dst, `,"toolExecutionNotifications":[`...)
	for _, text := range broken {
		dst = append(appendMessage(append(separated(dst), `{"level":"error"`...), "message", text), '}')
	}
	for _, text := range notes {
		dst = append(appendMessage(append(separated(dst), `{"level":"note"`...), "message", text), '}')
	}
	return append(dst, `]}]`...)
}

// appendMessage appends a text without links: what looks like one is data, and viewers would make one of it.
func appendMessage(dst []byte, name, text string) []byte {
	if strings.Contains(text, "](") {
		text = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(text)
	}
	dst = append(record.AppendKey(dst, name), `{"text":`...)
	return append(record.AppendString(dst, text), '}')
}

func appendAlert(dst []byte, rules []Rule, a *Alert, nth int) []byte {
	dst = record.AppendString(append(dst, `{"ruleId":`...), a.Rule)
	if i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == a.Rule }); i >= 0 {
		dst = record.AppendInt(record.AppendKey(dst, "ruleIndex"), int64(i))
	}
	dst = record.AppendString(record.AppendKey(dst, "level"), level(a.Notice))
	dst = appendMessage(dst, "message", a.Message)
	dst = append(dst, `,"locations":[{"physicalLocation":{"artifactLocation":{"uri":`...)
	dst = append(record.AppendString(dst, reference(a.File)), `},"region":{`...)
	dst = append(appendRegion(dst, a), `}}`...)
	if a.Subject != "" {
		dst = append(record.AppendString(append(dst, `,"logicalLocations":[{"fullyQualifiedName":`...), a.Subject), `}]`...)
	}
	dst = append(dst, `}]`...)
	if a.Count > 1 {
		dst = record.AppendInt(record.AppendKey(dst, "occurrenceCount"), a.Count)
	}
	if a.Key != "" {
		dst = appendFingerprint(dst, a.Key, nth)
	}
	return append(dst, '}')
}

func appendRegion(dst []byte, a *Alert) []byte {
	for _, n := range [...]struct {
		name  string
		value int
	}{{"startLine", a.Line}, {"startColumn", a.Column}, {"endLine", a.EndLine}, {"endColumn", a.EndColumn}} {
		if n.value > 0 {
			dst = record.AppendInt(record.AppendKey(dst, n.name), int64(n.value))
		}
	}
	if a.Bytes != nil {
		dst = record.AppendInt(record.AppendKey(dst, "byteOffset"), a.Bytes.Offset)
		dst = record.AppendInt(record.AppendKey(dst, "byteLength"), a.Bytes.Length)
	}
	return dst
}

// appendFingerprint appends what tells an alert from all others of the run, and is the same in the next. The second name is
// the one that code scanning of GitHub goes by; it would else make one of the text of the line, which moves.
func appendFingerprint(dst []byte, key string, nth int) []byte {
	sum := sha256.Sum256([]byte(key))
	mark := hex.EncodeToString(sum[:16]) + ":" + strconv.Itoa(nth)
	dst = record.AppendString(append(dst, `,"partialFingerprints":{"ctxFinding/v1":`...), mark)
	return append(record.AppendString(record.AppendKey(dst, "primaryLocationLineHash"), mark), '}')
}

// reference is a path as a relative reference; an absolute one has the scheme.
func reference(p string) string {
	u := url.URL{Path: p}
	if path.IsAbs(p) {
		u.Scheme = "file"
	}
	return u.String()
}
