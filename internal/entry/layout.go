package entry

import (
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/internal/jsonscan"
)

func (l *loader) format(n int) Format {
	f := Format{ID: l.text(l.get(n, "id")), Qualified: !l.is(l.get(n, "qualified"), jsonscan.False)}
	if d := l.get(n, "detect"); d >= 0 {
		f.Detect = l.lookup(d)
	}
	l.each(l.get(n, "layouts"), func(c int) { f.Layouts = append(f.Layouts, l.layout(c)) })
	l.each(l.get(n, "streams"), func(c int) { l.stream(&f, c) })
	f.Attachments = l.globs(l.get(n, "attachments"))
	f.Unfinished = l.texts(l.get(n, "unfinished"))
	f.Ignore = l.globs(l.get(n, "ignore"))
	f.Never = l.globs(l.get(n, "never"))
	f.Children = l.globs(l.get(n, "children"))
	if f.Detect != nil && f.Qualified && len(f.Layouts) == 0 {
		l.fault(n, "got a format that is detected without layouts, want at least one")
	}
	l.oneFile(&f, n)
	l.each(l.get(n, "evidence"), func(c int) { l.evidence(c) })
	return f
}

// oneFile finds what a format of files with many items lacks, or has and cannot.
func (l *loader) oneFile(f *Format, n int) {
	at := -1
	l.each(l.get(n, "layouts"), func(c int) {
		at++
		switch file := l.get(c, "files"); {
		case file >= 0 && !f.OneFile():
			l.fault(file, "got files that are sources where each item has a file of its own, want a reader of many items")
		case f.OneFile() && (l.text(l.get(c, "items")) == "." || l.get(c, "under") >= 0):
			l.fault(c, "got a folder of items, want the file that holds them")
		case file < 0 && f.Layouts[at].FileKey:
			l.fault(l.get(c, "key"), "got a file's name or item as key of a folder, want . or ..")
		case file >= 0 && l.get(c, "snapshot") >= 0:
			l.fault(l.get(c, "snapshot"), "got a snapshot beside a file that is a source by itself, want none")
		case f.Document.Around && file < 0:
			l.fault(c, "got a folder whose state stands around its items, want files that are sources by themselves")
		case l.get(c, "rows") >= 0 && f.Items.Reader != ReadElements:
			l.fault(l.get(c, "rows"), "got rows without json-elements, want documents")
		}
	})
	if f.Document.Around && (f.Items.Reader != ReadElements || slices.Contains(f.Items.Arrays, ".")) {
		l.fault(l.get(n, "streams"), "got json-around without an object that has the array of items as a member, want json-elements with names")
	}
	if f.OneFile() && f.Detect != nil && !f.Detect.asksFirst() {
		l.fault(l.get(n, "detect"), "got no condition on the first item, want one: a file's name alone does not say whose it is")
	}
	if strings.ContainsAny(f.Items.Mark, "{}[]\"\\\n\r") {
		l.fault(l.get(n, "streams"), "got a mark that could be a part of JSON, want a line that could not")
	}
	if (f.Items.Reader == ReadMarked) != (f.Items.Mark != "") {
		l.fault(l.get(n, "streams"), "got a mark without json-marked, or the other way round, want both")
	}
	if (f.Items.Reader == ReadElements) != (len(f.Items.Arrays) > 0) {
		l.fault(l.get(n, "streams"), "got arrays without json-elements, or the other way round, want both")
	}
}

// asksFirst says whether nothing is found without a look at the first item.
func (k *Lookup) asksFirst() bool {
	if len(k.Any) > 0 {
		return !slices.ContainsFunc(k.Any, func(sub *Lookup) bool { return !sub.asksFirst() })
	}
	return k.First != nil || slices.ContainsFunc(k.All, (*Lookup).asksFirst)
}

// evidence is an index into the entry's evidence.
func (l *loader) evidence(n int) int {
	i, ok := l.doc.Int(n)
	if !ok || i < 0 || i >= int64(l.e.Evidence) {
		l.fault(n, "got an index without an evidence item, want one that is there")
		return 0
	}
	return int(i)
}

func (l *loader) layout(n int) Layout {
	y := Layout{
		Name: l.text(l.get(n, "name")), Under: l.text(l.get(n, "under")),
		Items: l.text(l.get(n, "items")), Snapshot: l.text(l.get(n, "snapshot")),
		ParentKey: l.text(l.get(n, "key")) == "..", FileKey: l.text(l.get(n, "key")) != "." && l.text(l.get(n, "key")) != "..", ItemKey: l.text(l.get(n, "key")) == "item",
		Files: l.globs(l.get(n, "files")), Rows: l.is(l.get(n, "rows"), jsonscan.True),
	}
	l.each(l.get(n, "evidence"), func(c int) { y.Evidence = append(y.Evidence, l.evidence(c)) })
	for _, member := range []string{"items", "snapshot"} {
		c := l.get(n, member)
		name := l.text(c)
		if name != "" && name != "." && (strings.Contains(name, "/") || name == "..") {
			l.fault(c, "got a place outside the source's folder, want a plain name")
		}
	}
	return y
}

func (l *loader) stream(f *Format, n int) {
	switch l.text(l.get(n, "family")) {
	case "transcript":
		f.Items = ItemStream{
			Reader: l.text(l.get(n, "reader")), Name: l.text(l.get(n, "name")),
			Unfinished: l.texts(l.get(n, "unfinished")), Length: l.text(l.get(n, "length")),
			Ignore: l.texts(l.get(n, "ignore")), Mark: l.text(l.get(n, "mark")), Arrays: l.texts(l.get(n, "arrays")),
		}
	case "current-state":
		f.Document = DocumentStream{Around: l.text(l.get(n, "reader")) == ReadAround, Unfinished: l.texts(l.get(n, "unfinished"))}
	}
}

func (l *loader) lookup(n int) *Lookup {
	k := &Lookup{Items: l.is(l.get(n, "items"), jsonscan.True), File: l.text(l.get(n, "file"))}
	l.each(l.get(n, "all"), func(c int) { k.All = append(k.All, l.lookup(c)) })
	l.each(l.get(n, "any"), func(c int) { k.Any = append(k.Any, l.lookup(c)) })
	if c := l.get(n, "not"); c >= 0 {
		k.Not = l.lookup(c)
	}
	k.Has, k.First = l.paths(l.get(n, "has")), l.optionalCond(l.get(n, "first"))
	for _, member := range []string{"file", "name"} {
		if c := l.get(n, member); c >= 0 && !shallow(l.text(c)) {
			l.fault(c, "got a place elsewhere, want a name in the source's folder or in one folder of it")
		}
	}
	if name := l.text(l.get(n, "name")); name != "" {
		k.Folder, k.Name = path.Dir(name), path.Base(name)
	}
	return k
}

// shallow says whether a path is a name, or a name in a folder: detection looks no deeper.
func shallow(name string) bool {
	parts := strings.Split(name, "/")
	return len(parts) <= 2 && !slices.ContainsFunc(parts, func(p string) bool { return p == "" || p == "." || p == ".." })
}
