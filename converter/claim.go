package converter

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/session-trace/ctx/formats"
	"github.com/session-trace/ctx/internal/record"
)

// sourceFile is one file of a source.
type sourceFile struct {
	path string // relative to the source, as spelled in the bundle
	size int64
	sha  [sha256.Size]byte
}

// claim is what belongs to a source, by name.
type claim struct {
	listed      bool
	items       formats.Listing
	itemFolder  string // relative to the source, "." for the source itself
	one         string // the one file that holds all items, "" where each has its own
	snapshot    string // "" without one
	attachments []string
	unfinished  []string // beside the items and the snapshot, relative to the source
	markers     []marker
	files       []sourceFile // all but the items
}

type marker struct {
	path  string
	count int64
}

// prepare reads the snapshot and lists the source's files. A long session's state is the largest thing that it has, so
// it is read before there are names to hold.
func (s *session) prepare() error {
	s.listOwn()
	if err := s.readSnapshot(); err != nil {
		return err
	}
	s.listFiles()
	return s.identify()
}

// listOwn sorts the names in the source's own folder, once.
func (s *session) listOwn() {
	if s.files.itemFolder != "" {
		return
	}
	m := &s.src.match
	names := s.src.names
	s.files.itemFolder = m.Layout.Items
	if s.files.one = m.File; m.File != "" {
		s.files.itemFolder = "."
		if m.Format.Document.Around {
			s.files.snapshot = m.File
		}
		names = slices.DeleteFunc(slices.Clone(names), func(n formats.Name) bool { return n.Name == m.File })
	} else if s.files.itemFolder == "." {
		s.files.items = formats.Directory(names, m.Files.Items)
		names = s.files.items.Rest
	}
	s.own(names)
}

// listFiles sorts the names in all folders of the source, once.
func (s *session) listFiles() {
	s.listOwn()
	if s.files.listed {
		return
	}
	s.files.listed = true
	if s.folderTime = s.src.seen; s.src.rows == 0 {
		s.folderTime = s.itemsTime()
	}
	if folder := s.files.itemFolder; folder != "." {
		s.listItems(folder)
		s.unknownNames(s.files.items.Rest)
		s.rest(folder, s.files.items.Rest)
		s.files.items.Rest = nil
	}
	s.beside()
	format := s.src.match.Format
	for i := range format.Attachments {
		if folder := format.Attachments[i].First(); folder != "" {
			s.attachments(folder, s.list(folder))
		}
	}
}

// itemsTime is when the names in the items' folder last changed, or the file that holds them all; 0 when that cannot be
// told.
func (s *session) itemsTime() int64 {
	if s.files.one != "" {
		st, err := s.src.root.Stamp(path.Join(s.src.dir, s.files.one))
		if err != nil {
			return 0
		}
		return st.ModTime
	}
	at, err := s.src.root.FolderTime(path.Join(s.src.dir, s.files.itemFolder))
	if err != nil {
		return 0
	}
	return at
}

// grown notes a source that was written while it was read: what came later is not in the stream. A file of rows grows
// behind its last one.
func (s *session) grown() {
	if s.src.row == max(s.src.rows-1, 0) && !s.changed && len(s.rows) > 0 && s.itemsTime() != s.folderTime {
		s.looks.unlike()
		s.notice(record.SourceChanged, "session", "", "got files that came or went while the source was read; the stream is what was there at the first look")
	}
}

// relistings bounds how often a folder is listed in which something seems to be missing.
const relistings = 8

// listItems lists the items' folder. A listing is no moment: of a folder that is being written it may have what came
// late and lack what came before. So one that lacks something is made again, until two are the same.
func (s *session) listItems(folder string) {
	names := s.list(folder)
	for range relistings {
		s.files.items = formats.Directory(names, s.src.match.Files.Items)
		if len(s.files.items.Holes) == 0 && !s.promised() {
			return
		}
		again := s.list(folder)
		if slices.Equal(names, again) {
			return
		}
		names = again
	}
	s.files.items = formats.Directory(names, s.src.match.Files.Items)
}

// promised says whether a length marker states more items than are listed.
func (s *session) promised() bool {
	items := &s.files.items
	last := int64(-1)
	if n := len(items.Items); n > 0 {
		last = items.Items[n-1].Ordinal
	}
	return slices.ContainsFunc(items.Markers, func(m formats.Mark) bool { return m.Count > last+1 })
}

// unknownNames notes names that begin like an item's and are none: the writer would have counted them.
func (s *session) unknownNames(names []formats.Name) {
	begin, _, _ := strings.Cut(s.src.match.Format.Items.Name, "{")
	var odd []formats.Name
	for _, n := range names {
		if begin != "" && strings.HasPrefix(n.Name, begin) {
			odd = append(odd, n)
		}
	}
	if len(odd) > 0 {
		s.notice(record.NameUnknown, "session", "",
			fmt.Sprintf("got %d names that begin like an item's and are none, such as %s; not read", len(odd), quote(record.SpellName(odd[0].Name))))
	}
}

// list is the names of a folder of the source; none when it is not there.
func (s *session) list(folder string) []formats.Name {
	for _, n := range s.src.names {
		if n.Name == folder && n.Kind == formats.KindFolder {
			names, err := s.src.root.List(path.Join(s.src.dir, folder))
			if err != nil {
				s.loose.add(s.spelled(folder), reasonUnreadable, 0, 0)
			}
			return names
		}
	}
	return nil
}

// spelled is the bundle's spelling of a path below the source.
func (s *session) spelled(below string) string {
	if below == "." {
		return s.src.path
	}
	return path.Join(s.src.path, record.SpellPath(below))
}

// beside notes what lies beside the items: markers, unfinished writes, odd names.
func (s *session) beside() {
	c := &s.files
	for _, m := range c.items.Markers {
		c.markers = append(c.markers, marker{path.Join(c.itemFolder, m.Name), m.Count})
	}
	for _, m := range c.items.Unfinished {
		c.unfinished = append(c.unfinished, path.Join(c.itemFolder, m.Name))
	}
	for _, n := range c.items.Odd {
		c.attachments = append(c.attachments, path.Join(c.itemFolder, n.Name))
		s.notice(record.OddFile, "file:"+record.SpellPath(path.Join(c.itemFolder, n.Name)), "",
			fmt.Sprintf("got an ordinal above 2^53-1 in %s, kept as an attachment", quote(n.Name)))
	}
}

// own sorts the names in the source's own folder.
func (s *session) own(names []formats.Name) {
	m, c := &s.src.match, &s.files
	for _, n := range names {
		switch {
		case n.Kind == formats.KindFolder:
		case n.Name == m.Layout.Snapshot && n.Kind != formats.KindOdd:
			c.snapshot = n.Name
		case s.isUnfinished(n.Name) && n.Kind != formats.KindOdd:
			c.unfinished = append(c.unfinished, n.Name)
		case s.isAttachment(n.Name) && n.Kind != formats.KindOdd:
			c.attachments = append(c.attachments, n.Name)
		case s.isIgnored(n.Name):
		default:
			s.looseFile(n.Name, n)
		}
	}
}

func (s *session) isUnfinished(name string) bool {
	for _, p := range s.src.match.Files.Document {
		if _, ok := p.Match(name); ok {
			return true
		}
	}
	return false
}

func (s *session) isAttachment(below string) bool {
	for i := range s.src.match.Format.Attachments {
		if s.src.match.Format.Attachments[i].Match(below) {
			return true
		}
	}
	return false
}

func (s *session) isIgnored(below string) bool {
	for i := range s.src.match.Format.Ignore {
		if s.src.match.Format.Ignore[i].Match(below) {
			return true
		}
	}
	return false
}

// attachments sorts the names of a folder whose files are attachments.
func (s *session) attachments(folder string, names []formats.Name) {
	var rest []formats.Name
	for _, n := range names {
		below := path.Join(folder, n.Name)
		if n.Kind != formats.KindFolder && n.Kind != formats.KindOdd && s.isAttachment(below) {
			s.files.attachments = append(s.files.attachments, below)
			continue
		}
		rest = append(rest, n)
	}
	s.rest(folder, rest)
}

// rest lists names below a folder of the source that belong to nothing.
func (s *session) rest(folder string, names []formats.Name) {
	for _, n := range names {
		below := path.Join(folder, n.Name)
		if n.Kind == formats.KindFolder {
			sub, err := s.src.root.List(path.Join(s.src.dir, below))
			if err != nil {
				s.loose.add(s.spelled(below), reasonUnreadable, 0, 0)
			}
			s.rest(below, sub)
			continue
		}
		s.looseFile(below, n)
	}
}

func (s *session) looseFile(below string, n formats.Name) {
	reason := reasonNoEntry
	if s.src.forbids(below) || s.run.finder.forbidden(path.Join(s.src.dir, below), nil) {
		reason = reasonNotOpened
	}
	noteFile(s.loose, &s.findings, s.src.root, s.src.from.spelled, path.Join(s.src.dir, below), n, reason)
}

// readDocument reads and hashes one file of the source that is no item.
func (s *session) readDocument(below string) ([]byte, error) {
	raw, err := s.src.root.Read(path.Join(s.src.dir, below), nil, s.limit)
	if err != nil {
		return nil, err
	}
	s.files.files = append(s.files.files, sourceFile{record.SpellPath(below), int64(len(raw)), sha256.Sum256(raw)})
	return raw, nil
}
