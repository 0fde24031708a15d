package report

import (
	"errors"
	"path"
	"strconv"

	"github.com/session-trace/ctx/internal/jsonscan"
	"github.com/session-trace/ctx/internal/record"
)

// Files are the files of one thing that was checked, as far as they can be read: a bundle, or a stream alone, which has no
// manifest.
type Files struct {
	Name     string // of the bundle's folder, or of the stream alone; slash separated
	Manifest []byte // nil: there is none
	Report   []byte // nil: there is none
	Streams  []Stream
}

// Stream is one stream and its file.
type Stream struct {
	ID   string
	File string // below Name; "" when Name is the file
	// Lines yields the lines with their numbers from 1, each valid until yield returns. An error of yield ends it and is
	// returned as it is. nil: they cannot be read again.
	Lines func(yield func(n int, line []byte) error) error
}

// Names of the documents of a bundle.
const (
	manifestFile = "manifest.json"
	reportFile   = "report.json"
)

// Document is the document of a bundle that a finding without a stream is about: report.json by its rule, or since who wrote
// that found it; else manifest.json. It is "" for a finding in a stream.
func Document(f *record.Finding) string {
	switch {
	case f.Stream != "":
		return ""
	case f.Rule == "report", f.Rule == "selection", f.Severity == record.NoticeSeverity:
		return reportFile
	}
	return manifestFile
}

// Locate finds out where each finding can be seen. Every one gets a file and a line: where its own place cannot be found,
// that of what it is about.
func Locate(files *Files, groups []record.Group) []Group {
	l := locator{files: files, wanted: make([]wanted, len(files.Streams))}
	out := make([]Group, len(groups))
	for i, g := range groups {
		out[i] = Group{Rule: g.Rule, Severity: g.Severity, Total: g.Total, Found: make([]Found, len(g.List))}
		for j := range g.List {
			out[i].Found[j].Finding = g.List[j]
			l.place(&out[i].Found[j])
		}
	}
	for i := range files.Streams {
		l.read(i)
	}
	return out
}

// locator is one run of Locate.
type locator struct {
	files            *Files
	manifest, report *text    // nil: not looked into yet
	wanted           []wanted // by stream
}

// wanted are the findings whose places are looked for in one stream.
type wanted struct {
	lines   map[int][]*Found
	records map[string][]*Found // whose line is not known
	nodes   []jsonscan.Node     // memory for one line
}

func (l *locator) place(f *Found) {
	at := -1
	for i := range l.files.Streams {
		if f.Stream != "" && l.files.Streams[i].ID == f.Stream {
			at = i
		}
	}
	if l.files.Manifest == nil && len(l.files.Streams) == 1 {
		at = 0
	}
	switch {
	case at >= 0 && f.Rule == "manifest" && f.Line == 0 && f.Record == "" && l.files.Manifest != nil:
		l.document(f, manifestFile, "/streams/"+strconv.Itoa(at))
	case at >= 0: // without a line and a record, the stream as a whole: it begins on the first line
		l.wanted[at].add(f)
		f.File, f.Region = l.path(l.files.Streams[at].File), Region{Line: max(f.Line, 1)}
	case Document(&f.Finding) == reportFile && l.files.Report != nil:
		l.document(f, reportFile, f.Pointer)
	case f.Stream == "":
		l.document(f, manifestFile, f.Pointer)
	default:
		l.document(f, manifestFile, "")
	}
}

// document places a finding in one of the documents of a bundle.
func (l *locator) document(f *Found, name, pointer string) {
	raw, read := l.files.Manifest, &l.manifest
	if name == reportFile {
		raw, read = l.files.Report, &l.report
	}
	f.File, f.Region = l.path(name), Region{Line: 1}
	if raw == nil {
		return
	}
	if *read == nil {
		*read = newText(raw, 1, nil)
	}
	about := record.Finding{Severity: record.ErrorSeverity, Pointer: pointer}
	if name == reportFile && f.Severity == record.NoticeSeverity {
		about.Pointer = (*read).finding(&f.Finding)
	}
	f.Region = (*read).region(&about)
}

// finding is the pointer to where report.json lists a finding, "" when it does not.
func (t *text) finding(f *record.Finding) string {
	d := &t.doc
	for n := range d.Children(d.Find(0, "findings")) {
		if d.Equal(d.Find(n, "rule"), f.Rule) && d.Equal(d.Find(n, "message"), f.Message) {
			return d.Pointer(n)
		}
	}
	return ""
}

func (l *locator) path(file string) string { return path.Join(l.files.Name, file) }

func (w *wanted) add(f *Found) {
	if w.lines == nil {
		w.lines, w.records = map[int][]*Found{}, map[string][]*Found{}
	}
	if f.Line > 0 || f.Record == "" {
		n := max(f.Line, 1)
		w.lines[n] = append(w.lines[n], f)
	} else {
		w.records[f.Record] = append(w.records[f.Record], f)
	}
}

// errAllFound ends the reading of a stream.
var errAllFound = errors.New("all found")

// read looks for the wanted places of one stream. A stream that cannot be read has a finding that says so; its other
// findings keep their lines.
func (l *locator) read(i int) {
	w, lines := &l.wanted[i], l.files.Streams[i].Lines
	if lines == nil || len(w.lines)+len(w.records) == 0 {
		return
	}
	_ = lines(func(n int, line []byte) error {
		w.take(n, line)
		if len(w.lines)+len(w.records) == 0 {
			return errAllFound
		}
		return nil
	})
}

// take places the findings of one line.
func (w *wanted) take(n int, line []byte) {
	list := w.lines[n]
	delete(w.lines, n)
	if len(list) == 0 && len(w.records) == 0 {
		return
	}
	t := newText(line, n, w.nodes)
	if t.doc.Nodes != nil {
		w.nodes = t.doc.Nodes
	}
	if len(w.records) > 0 {
		id := t.doc.Text(t.doc.Find(0, "id"))
		list = append(list, w.records[id]...)
		delete(w.records, id)
	}
	for _, f := range list {
		f.Region = t.region(&f.Finding)
	}
}
